package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pakbox/fault"
)

// A temporary failure is waited for: twice as long each time, for three seconds with
// changes, and for half a minute or more with objects that are read. A permanent error is
// not retried.
func TestWaits(t *testing.T) {
	const second = time.Second
	for _, k := range []struct {
		status  int // 0 for no connection
		code    string
		put     bool
		asked   int
		took    time.Duration
		lost    bool
		missing bool
	}{
		{status: 503, put: true, asked: 5, took: 3 * second, lost: true},
		{status: 429, put: true, asked: 5, took: 3 * second, lost: true},
		{status: 500, put: true, asked: 5, took: 3 * second}, // may be about the object alone
		{status: 0, put: true, asked: 5, took: 3 * second, lost: true},
		{status: 503, asked: 8, took: 25400 * time.Millisecond, lost: true},
		{status: 0, asked: 8, took: 25400 * time.Millisecond, lost: true},
		{status: 404, asked: 1, missing: true},
		{status: 403, code: "AccessDenied", asked: 1},
		{status: 403, code: "InvalidAccessKeyId", asked: 1, lost: true},
		{status: 400, code: "ExpiredToken", asked: 1, lost: true},
		{status: 403, code: "SignatureDoesNotMatch", asked: 1, lost: true},
		{status: 403, code: "RequestTimeTooSkewed", asked: 1, lost: true},
		{status: 400, code: "TokenRefreshRequired", asked: 1, lost: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked, start := 0, time.Now()
			s := storeOf(t, func(*http.Request) (*http.Response, error) {
				if asked++; k.status == 0 {
					return nil, errors.New("no connection")
				}
				return answer(k.status, "<Error><Code>"+k.code+"</Code></Error>"), nil
			})
			var err error
			if k.put {
				err = s.Put(t.Context(), "s3://b/k", []byte("x"))
			} else {
				_, err = s.ReadAll(t.Context(), "s3://b/k", "", 1)
			}
			took := time.Since(start)
			if err == nil || asked != k.asked || took != k.took || Lost(err) != k.lost || errors.Is(err, fs.ErrNotExist) != k.missing || Changed(err) {
				t.Errorf("%+v: asked %d times in %v, lost %t: %v", k, asked, took, Lost(err), err)
			}
			var at *fs.PathError
			if !errors.As(err, &at) || at.Path != "s3://b/k" || at.Op != map[bool]string{true: "put", false: "get"}[k.put] {
				t.Errorf("%+v: %v has no place", k, err)
			}
		})
	}
}

// Cancelling ends the wait for the next try.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
		defer cancel()
		start, asked := time.Now(), 0
		s := storeOf(t, func(*http.Request) (*http.Response, error) {
			asked++
			return answer(http.StatusServiceUnavailable, ""), nil
		})
		err := s.Put(ctx, "s3://b/k", nil)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 250*time.Millisecond || asked != 2 || Lost(err) {
			t.Errorf("%v after %v and %d requests", err, time.Since(start), asked)
		}
	})
}

// A refusal of a store is reported with its reason, and with a hint.
func TestRefusals(t *testing.T) {
	for _, k := range []struct {
		status           int
		code, region     string
		message, advises string
	}{
		{403, "InvalidAccessKeyId", "", "the store answered 403 InvalidAccessKeyId", "AWS_ACCESS_KEY_ID"},
		{403, "SignatureDoesNotMatch", "", "the store answered 403 SignatureDoesNotMatch", "AWS_ACCESS_KEY_ID"},
		{400, "ExpiredToken", "", "the store answered 400 ExpiredToken", "AWS_ACCESS_KEY_ID"},
		{403, "AccessDenied", "eu-1", "the store answered 403 AccessDenied", ""},
		{400, "AuthorizationHeaderMalformed", "eu-1", "the store answered 400 AuthorizationHeaderMalformed", "AWS_REGION=eu-1"},
		{307, "", "eu-2", "the store answered 307", "AWS_REGION=eu-2"},
		{404, "NoSuchKey", "eu-2", "the store answered 404 NoSuchKey", ""},
		{301, "", "", "the store answered 301", ""},
		{300, "", "", "the store answered 300", ""},
		{403, "AccessDenied", "no keys", "the store answered 403 AccessDenied", "the request had no keys"},
		{400, "UnsupportedAlgorithm", "no keys", "the store answered 400 UnsupportedAlgorithm", "the request had no keys"},
		{404, "NoSuchKey", "no keys", "the store answered 404 NoSuchKey", ""},
	} {
		settings := []string{"AWS_ACCESS_KEY_ID", "one", "AWS_SECRET_ACCESS_KEY", "two"}
		if k.region == "no keys" {
			settings, k.region = nil, ""
		}
		s := storeOf(t, func(*http.Request) (*http.Response, error) {
			a := answer(k.status, "<Error><Code>"+k.code+"</Code><Message>no</Message></Error>")
			a.Header.Set("x-amz-bucket-region", k.region)
			a.Header.Set("Location", "http://elsewhere.example/")
			return a, nil
		}, settings...)
		_, err := s.ReadAll(t.Context(), "s3://b/k", "", 10)
		var hinted *fault.Error
		advice := ""
		if errors.As(err, &hinted) {
			advice = strings.Join(fault.Hints(hinted), " ")
		}
		if err == nil || !strings.Contains(err.Error(), k.message) || !strings.Contains(advice, k.advises) || (advice == "") != (k.advises == "") {
			t.Errorf(`%+v: err = %v, advice = %q; want an error, err with %q, advice with %q, advice is "" exactly if k.advises is ""`, k, err, advice, k.message, k.advises)
		}
		if errors.Is(err, fs.ErrNotExist) != (k.status == 404) || errors.Is(err, fs.ErrPermission) != (k.status == 403) {
			t.Errorf("%+v: %v is taken for another error", k, err)
		}
	}
}

// The requests to a store have the right method, path, part, tag and content.
func TestRequests(t *testing.T) {
	var got []string
	status := http.StatusOK
	s := storeOf(t, func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		got = append(got, fmt.Sprint(r.Method, " ", r.URL, " ", r.Header.Get("Range"), r.Header.Get("If-Match"), " ", string(body)))
		return answer(status, "0123456789"), nil
	})
	if err := s.Put(t.Context(), "s3://b/a b", []byte("content")); err != nil {
		t.Error(err)
	}
	if err := s.Remove(t.Context(), "s3://b/a"); err != nil {
		t.Error(err)
	}
	if data, err := s.ReadAll(t.Context(), "s3://b/a", `"e"`, 4); err != nil || string(data) != "0123" {
		t.Errorf(`data = %q, err = %v; want no error, data = "0123"`, data, err)
	}
	status = http.StatusPartialContent
	if data, err := s.Range(t.Context(), "s3://b/a", "", 5, 3); err != nil || string(data) != "012" {
		t.Errorf(`data = %q, err = %v; want no error, data = "012"`, data, err)
	}
	status = http.StatusNotFound
	if err := s.Remove(t.Context(), "s3://b/none"); err != nil {
		t.Errorf("an object that does not exist cannot be removed: %v", err)
	}
	status = http.StatusForbidden
	if err := s.Remove(t.Context(), "s3://b/kept"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("an object that must stay: %v", err)
	}
	want := []string{
		"PUT http://store.example/base/b/a%20b  content", "DELETE http://store.example/base/b/a  ", `GET http://store.example/base/b/a "e" `,
		"GET http://store.example/base/b/a bytes=5-7 ", "DELETE http://store.example/base/b/none  ", "DELETE http://store.example/base/b/kept  ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

// slowBody sends so many bytes at a time, with a pause before each.
type slowBody struct {
	ctx   context.Context
	left  int
	each  int
	pause time.Duration
	ready int // of the bytes at a time, those not read yet
}

func (b *slowBody) Close() error { return nil }
func (b *slowBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	if b.ready == 0 {
		select {
		case <-time.After(b.pause):
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		}
		b.ready = min(b.each, b.left)
	}
	n := min(b.ready, len(p))
	b.ready -= n
	b.left -= n
	return n, nil
}

// A body may take as long as it likes if it sends some kilobytes in the time of patience.
func TestPatience(t *testing.T) {
	for _, k := range []struct {
		each  int
		pause time.Duration
		want  bool
	}{
		{leastBytes, 29 * time.Second, true},
		{leastBytes - 1, 14 * time.Second, true}, // twice in the time
		{leastBytes / 4, 7 * time.Second, true},
		{leastBytes / 5, 7 * time.Second, false},
		{leastBytes - 1, 29 * time.Second, false},
		{leastBytes, 31 * time.Second, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := storeOf(t, func(r *http.Request) (*http.Response, error) {
				a := answer(http.StatusOK, "")
				a.Body = &slowBody{r.Context(), 40 * leastBytes, k.each, k.pause, 0}
				return a, nil
			})
			data, err := s.ReadAll(t.Context(), "s3://b/k", "", 1<<20)
			if k.want && (err != nil || len(data) != 40*leastBytes) || !k.want && (!errors.Is(err, fault.Access) || !strings.Contains(err.Error(), "4096 bytes in 30s")) {
				t.Errorf("%d bytes every %v: %d bytes, %v", k.each, k.pause, len(data), err)
			}
		})
	}
}

// A body that breaks off is read again from its beginning, as often as a request is made.
func TestBrokenBody(t *testing.T) {
	for breaks, want := range map[int]bool{0: true, 1: true, tries - 1: true, tries: false} {
		asked := 0
		s := storeOf(t, func(*http.Request) (*http.Response, error) {
			a := answer(http.StatusOK, "content")
			if asked++; asked <= breaks {
				a.Body = io.NopCloser(io.MultiReader(strings.NewReader("con"), brokenReader{}))
			}
			return a, nil
		})
		data, err := s.ReadAll(t.Context(), "s3://b/k", "", 100)
		if want && (err != nil || string(data) != "content") || !want && err == nil || asked != min(breaks+1, tries) {
			t.Errorf("%d breaks: %q, %v after %d requests", breaks, data, err, asked)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Without keys nothing is signed; with a session its token goes along, and is signed.
func TestSigned(t *testing.T) {
	var got http.Header
	take := func(r *http.Request) (*http.Response, error) {
		got = r.Header
		return answer(http.StatusOK, ""), nil
	}
	if err := storeOf(t, take).Put(t.Context(), "s3://b/k", []byte("abc")); err != nil {
		t.Fatal(err)
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // SHA-256 of FIPS 180
	if got.Get("Authorization") != "" || got.Get("x-amz-content-sha256") != abc || got.Get("x-amz-security-token") != "" {
		t.Errorf("without keys: %v", got)
	}
	s := storeOf(t, take, "AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "secret", "AWS_SESSION_TOKEN", "token", "AWS_DEFAULT_REGION", "eu-1")
	s.now = func() time.Time { return time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)) }
	if err := s.Put(t.Context(), "s3://b/k", []byte("abc")); err != nil {
		t.Fatal(err)
	}
	const signed = "AWS4-HMAC-SHA256 Credential=id/20240102/eu-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,Signature="
	if !strings.HasPrefix(got.Get("Authorization"), signed) || got.Get("x-amz-date") != "20240102T020405Z" || got.Get("x-amz-security-token") != "token" {
		t.Errorf("with a session: %v", got)
	}
	if strings.Contains(fmt.Sprint(got), "secret") {
		t.Error("the secret is sent")
	}
	if got := query(map[string][]string{"b": {"1 /+"}, "a-c": {"é"}, "a": {""}}); got != "a-c=%C3%A9&a=&b=1%20%2F%2B" {
		t.Errorf(`got = %v; want "a-c=%%C3%%A9&a=&b=1%%20%%2F%%2B"`, got)
	}
	if got := escape("azAZ09-._~`{@[/:", false); got != "azAZ09-._~%60%7B%40%5B/%3A" {
		t.Errorf(`got = %v; want "azAZ09-._~%%60%%7B%%40%%5B/%%3A"`, got)
	}
}

// The files of AWS may be elsewhere, and may hold keys in either; the environment comes first.
func TestConfigureFiles(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	for name, text := range map[string]string{
		"credentials": "[other]\naws_access_key_id=no\n; aws_access_key_id=no\n[default]\nno equals sign\n;region=no\n#region=no\n",
		"config":      "[profile  p]\naws_access_key_id=c\naws_secret_access_key=cs\naws_session_token=ct\nregion=eu-3\n[p]\nregion=no\n[default]\nendpoint_url=http://file\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	both := map[string]string{"AWS_SHARED_CREDENTIALS_FILE": path("credentials"), "AWS_CONFIG_FILE": path("config")}
	for _, k := range []struct {
		env  []string
		want config
	}{
		{[]string{"AWS_PROFILE", "p"}, config{keys{"c", "cs", "ct"}, "eu-3", ""}},
		{[]string{"AWS_PROFILE", "p", "AWS_ACCESS_KEY_ID", "e", "AWS_SECRET_ACCESS_KEY", "es"}, config{keys{"e", "es", ""}, "eu-3", ""}},
		{nil, config{keys{}, "us-east-1", "http://file"}},
		{[]string{"AWS_DEFAULT_REGION", "d", "AWS_ENDPOINT_URL", "http://env"}, config{keys{}, "d", "http://env"}},
		{[]string{"AWS_REGION", "r", "AWS_DEFAULT_REGION", "d", "AWS_ENDPOINT_URL_S3", "http://s3", "AWS_ENDPOINT_URL", "http://env"}, config{keys{}, "r", "http://s3"}},
		{[]string{"AWS_CONFIG_FILE", path("none"), "AWS_SHARED_CREDENTIALS_FILE", path("none")}, config{keys{}, "us-east-1", ""}},
	} {
		env := map[string]string{}
		for name, value := range both {
			env[name] = value
		}
		for i := 0; i < len(k.env); i += 2 {
			env[k.env[i]] = k.env[i+1]
		}
		if got, err := configure(func(name string) string { return env[name] }); err != nil || got != k.want {
			t.Errorf("%v: got = %+v, err = %v; want no error, got = %+v", k.env, got, err, k.want)
		}
	}
	for name := range both { // a folder cannot be read as a file
		if _, err := Open(func(n string) string { return map[string]string{name: folder}[n] }); err == nil {
			t.Errorf("%s is a folder, and that is not an error", name)
		}
	}
	none := func(string) string { return "" }
	if got := file(none, "X", "config"); got != "" {
		t.Errorf("without a home folder: %q", got)
	}
	if got := file(func(name string) string { return map[string]string{"USERPROFILE": "home"}[name] }, "X", "config"); got != filepath.Join("home", ".aws", "config") {
		t.Errorf(`got = %v; want filepath.Join("home", ".aws", "config")`, got)
	}
	s, err := Open(none)
	if err != nil || s.endpoint != nil || s.Patience != 30*time.Second || cap(s.lists) != listers {
		t.Errorf("s = %+v, err = %v; want no error, s.endpoint = nil, s.Patience = 30 * time.Second, cap(s.lists) = %v", s, err, listers)
	}
	for _, bad := range []string{"http://", "store.example", "http://a b/%zz"} {
		if _, err := Open(func(name string) string { return map[string]string{"AWS_ENDPOINT_URL": bad}[name] }); err == nil || !strings.Contains(err.Error(), "address of a store") {
			t.Errorf(`%q: err = %v; want an error, err with "address of a store"`, bad, err)
		}
	}
}
