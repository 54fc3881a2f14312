package store

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pakbox/fault"
)

// transport answers requests without a network.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// answer is an answer with a status and a body.
func answer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// storeOf opens a store with canned answers, and more settings.
func storeOf(t *testing.T, answers transport, settings ...string) *Store {
	t.Helper()
	env := map[string]string{"AWS_ENDPOINT_URL": "http://store.example/base/"}
	for i := 0; i < len(settings); i += 2 {
		env[settings[i]] = settings[i+1]
	}
	s, err := Open(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	s.client.Transport = answers
	return s
}

// bucket is a store with one bucket, which lists as many keys in a page as asked.
type bucket struct {
	keys     []string
	inPage   int
	mu       sync.Mutex
	requests []url.Values
}

// when is the time of change of all objects.
var when = time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)

func (b *bucket) answer(r *http.Request) (*http.Response, error) {
	q := r.URL.Query()
	b.mu.Lock()
	b.requests = append(b.requests, q)
	b.mu.Unlock()
	if r.Method != "GET" || r.URL.Path != "/base/maps/" {
		return nil, errors.New("no list request: " + r.Method + " " + r.URL.Path)
	}
	var all []string // keys and folders right below the prefix
	for _, key := range b.keys {
		rest, ok := strings.CutPrefix(key, q.Get("prefix"))
		if !ok {
			continue
		}
		if folder, _, below := strings.Cut(rest, "/"); below && rest != "" && folder != "" {
			key = q.Get("prefix") + folder + "/"
		}
		if !slices.Contains(all, key) {
			all = append(all, key)
		}
	}
	from, _ := strconv.Atoi(q.Get("continuation-token"))
	to := min(len(all), from+b.inPage)
	var text strings.Builder
	text.WriteString("<ListBucketResult><EncodingType>url</EncodingType>")
	for _, key := range all[from:to] {
		var escaped strings.Builder
		if err := xml.EscapeText(&escaped, []byte(url.QueryEscape(key))); err != nil {
			return nil, err
		}
		if strings.HasSuffix(key, "/") && key != q.Get("prefix") {
			text.WriteString("<CommonPrefixes><Prefix>" + escaped.String() + "</Prefix></CommonPrefixes>")
		} else {
			text.WriteString("<Contents><Key>" + escaped.String() + "</Key><Size>" + strconv.Itoa(len(key)) +
				"</Size><LastModified>2024-01-02T03:04:05Z</LastModified><ETag>&quot;e&quot;</ETag></Contents>")
		}
	}
	if to < len(all) {
		text.WriteString("<IsTruncated>true</IsTruncated>")
	}
	// A token on the last page is not a promise of a further one.
	text.WriteString("<NextContinuationToken>" + strconv.Itoa(to) + "</NextContinuationToken></ListBucketResult>")
	return answer(http.StatusOK, text.String()), nil
}

// A list has every object once, from all pages and folders, and none beside the path.
func TestList(t *testing.T) {
	b := &bucket{inPage: 2, keys: []string{"a", "a/", "a/b c", "a/d/e+f", "a/d/g/h", "a/i", "a/j", "a/k", "ab", "z"}}
	s := storeOf(t, b.answer)
	for path, want := range map[string][]string{
		"s3://maps":       {"a", "a/b c", "a/d/e+f", "a/d/g/h", "a/i", "a/j", "a/k", "ab", "z"},
		"s3://maps/a":     {"a", "a/b c", "a/d/e+f", "a/d/g/h", "a/i", "a/j", "a/k"},
		"s3://maps/a/":    {"a", "a/b c", "a/d/e+f", "a/d/g/h", "a/i", "a/j", "a/k"},
		"s3://maps/a/d/g": {"a/d/g/h"},
		"s3://maps/z":     {"z"},
	} {
		got, err := s.List(t.Context(), path)
		slices.SortFunc(got, func(x, y Object) int { return strings.Compare(x.Path, y.Path) })
		var objects []Object
		for _, key := range want {
			objects = append(objects, Object{"s3://maps/" + key, int64(len(key)), when, `"e"`})
		}
		if err != nil || !reflect.DeepEqual(got, objects) {
			t.Errorf("%s: err = %v, got = %+v; want no error, got equal to %+v", path, err, got, objects)
		}
	}
	for path, want := range map[string][]string{
		"s3://maps": {"a", "ab", "z"}, "s3://maps/a": {"b c", "i", "j", "k"}, "s3://maps/a/": {"b c", "i", "j", "k"}, "s3://maps/none": nil,
	} {
		if got, err := s.Names(t.Context(), path); err != nil || !slices.Equal(got, want) {
			t.Errorf("names of %s: %q, %v", path, got, err)
		}
	}
	for _, q := range b.requests {
		if q.Get("list-type") != "2" || q.Get("delimiter") != "/" || q.Get("encoding-type") != "url" {
			t.Errorf("asked with %v", q)
		}
		if _, has := q["continuation-token"]; has && q.Get("continuation-token") == "" {
			t.Errorf("an empty token in %v", q)
		}
	}
	if _, err := s.List(t.Context(), "s3://maps/none"); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "s3://maps/none: no object found below it") {
		t.Errorf("a path without objects: %v", err)
	}
}

// A list that fails in one folder, or at the object itself, is not a list.
func TestListFails(t *testing.T) {
	for _, bad := range []string{"a", "a/", "a/d/", "a/d/g/"} {
		b := &bucket{inPage: 10, keys: []string{"a", "a/b", "a/d/g/h"}}
		s := storeOf(t, func(r *http.Request) (*http.Response, error) {
			if r.URL.Query().Get("prefix") == bad {
				return answer(http.StatusForbidden, ""), nil
			}
			return b.answer(r)
		})
		if got, err := s.List(t.Context(), "s3://maps/a"); err == nil || got != nil || !strings.Contains(err.Error(), "403") {
			t.Errorf("%s is refused: %v, %v", bad, got, err)
		}
	}
	s := storeOf(t, func(*http.Request) (*http.Response, error) { return answer(http.StatusOK, "no XML"), nil })
	if _, err := s.Names(t.Context(), "s3://maps/a"); err == nil {
		t.Error("an answer without XML is a list")
	}
	if len(s.lists) != 0 {
		t.Errorf("%d requests still count as running", len(s.lists))
	}
	for _, path := range []string{"s3://", "s3:///a", "maps/a"} {
		_, listed := s.List(t.Context(), path)
		_, named := s.Names(t.Context(), path)
		_, read := s.ReadAll(t.Context(), path, "", 1)
		for _, err := range []error{listed, named, read, s.Put(t.Context(), path, nil), s.Remove(t.Context(), path)} {
			if err == nil || !strings.Contains(err.Error(), "names no bucket") {
				t.Errorf(`%q: err = %v; want an error, err with "names no bucket"`, path, err)
			}
		}
	}
}

// Keys may have as many bytes as S3 allows, and no more.
func TestLongestKey(t *testing.T) {
	for _, k := range []struct {
		n    int
		want bool
	}{{maxKey, true}, {maxKey + 1, false}} {
		key := "a/" + strings.Repeat("x", k.n-2)
		if _, err := readPage(strings.NewReader("<R><Contents><Key>"+key+"</Key></Contents></R>"), "b", "a/"); (err == nil) != k.want {
			t.Errorf("an object of %d bytes: %v", k.n, err)
		}
		folder := key[:k.n-1] + "/"
		if _, err := readPage(strings.NewReader("<R><CommonPrefixes><Prefix>"+folder+"</Prefix></CommonPrefixes></R>"), "b", "a/"); (err == nil) != k.want {
			t.Errorf("a folder of %d bytes: %v", k.n, err)
		}
	}
	// Without an encoding, a key stands as it is; one that cannot be decoded does too.
	for text, want := range map[string]string{
		"<Contents><Key>a/b%20c</Key></Contents>":                                 "s3://b/a/b%20c",
		"<EncodingType>url</EncodingType><Contents><Key>a/b%20c</Key></Contents>": "s3://b/a/b c",
		"<EncodingType>url</EncodingType><Contents><Key>a/b%zz</Key></Contents>":  "s3://b/a/b%zz",
	} {
		p, err := readPage(strings.NewReader("<R>"+text+"</R>"), "b", "a/")
		if err != nil || len(p.objects) != 1 || p.objects[0].Path != want || p.next != "" {
			t.Errorf(`%s: p = %+v, err = %v; want no error, p.objects of length 1, p.objects[0].Path = %v, p.next = ""`, text, p, err, want)
		}
	}
}
