package store

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/fault"
)

// The example of the S3 API, "Authenticating Requests: Using the Authorization
// Header", GET Object.
func TestSign(t *testing.T) {
	s := &Store{keys: keys{id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}, region: "us-east-1",
		now: func() time.Time { return time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC) }}
	for _, c := range []struct{ url, header, value, signature string }{
		{"https://examplebucket.s3.amazonaws.com/test.txt", "Range", "bytes=0-9", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", "", "", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
	} {
		req, err := http.NewRequest("GET", c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.header != "" {
			req.Header.Set(c.header, c.value)
		}
		s.sign(req, nil)
		if got := req.Header.Get("Authorization"); !strings.HasSuffix(got, ",Signature="+c.signature) {
			t.Errorf("%s: %s, want %s", c.url, got, c.signature)
		}
	}
	if got := escape("a b/ä+~", false); got != "a%20b/%C3%A4%2B~" {
		t.Errorf(`got = %v; want "a%%20b/%%C3%%A4%%2B~"`, got)
	}
}

// Buckets of AWS have hosts of their own, unless their names have dots.
func TestAddress(t *testing.T) {
	s := &Store{region: "eu-1"}
	for bucket, want := range map[string]string{"maps": "https://maps.s3.eu-1.amazonaws.com/a%20b", "maps.org": "https://s3.eu-1.amazonaws.com/maps.org/a%20b"} {
		if got := s.address(bucket, "a b").String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Keys come from the environment, or from the files that AWS's tools read.
func TestConfigure(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(home, ".aws"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, ".aws", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("credentials", "[default]\naws_access_key_id = one\naws_secret_access_key=s1\n[ other ]\n# no\naws_access_key_id=two\naws_secret_access_key=s2\naws_session_token=t2\n[half]\naws_access_key_id=three\n")
	write("config", "[default]\nregion = eu-1\n[profile other]\nregion=eu-2\nendpoint_url = https://store.example\n")
	for _, c := range []struct {
		env  map[string]string
		want config
		err  bool
	}{
		{map[string]string{}, config{keys{"one", "s1", ""}, "eu-1", ""}, false},
		{map[string]string{"AWS_PROFILE": "other"}, config{keys{"two", "s2", "t2"}, "eu-2", "https://store.example"}, false},
		{map[string]string{"AWS_PROFILE": "half"}, config{}, true},
		{map[string]string{"AWS_PROFILE": "none"}, config{keys{}, "us-east-1", ""}, false},
		{map[string]string{"AWS_ACCESS_KEY_ID": "e", "AWS_SECRET_ACCESS_KEY": "x", "AWS_REGION": "r", "AWS_ENDPOINT_URL_S3": "http://h"}, config{keys{"e", "x", ""}, "r", "http://h"}, false},
	} {
		got, err := configure(func(name string) string {
			if name == "HOME" {
				return home
			}
			return c.env[name]
		})
		if (err != nil) != c.err || err == nil && got != c.want {
			t.Errorf("%v: got = %+v, err = %v; want failure = %v, (an error or got = %+v)", c.env, got, err, c.err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "s2") {
			t.Errorf(`err = %v; want no error or err without "s2"`, err)
		}
	}
}

// A request that fails for a moment is repeated; one that is refused is not. A refusal
// has an error like those of files, without keys.
func TestTries(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch {
		case strings.HasSuffix(r.URL.Path, "/busy") && asked < 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		case strings.HasSuffix(r.URL.Path, "/busy"):
			w.Write([]byte("content"))
		case strings.HasSuffix(r.URL.Path, "/endless"):
			for err := error(nil); err == nil; {
				_, err = w.Write(make([]byte, 1<<20))
			}
		case strings.HasSuffix(r.URL.Path, "/elsewhere"):
			w.Header().Set("Location", "http://"+r.Host+"/b/busy")
			w.Header().Set("x-amz-bucket-region", "eu-1")
			w.WriteHeader(http.StatusMovedPermanently)
		case strings.HasSuffix(r.URL.Path, "/secret"):
			w.WriteHeader(http.StatusForbidden)
			w.Write([]byte("<Error><Code>AccessDenied</Code></Error>"))
		default:
			w.WriteHeader(http.StatusPreconditionFailed)
		}
	}))
	defer server.Close()
	s, err := Open(func(name string) string {
		return map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hidden"}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if data, err := s.ReadAll(ctx, "s3://b/busy", "", 100); err != nil || string(data) != "content" || asked != 3 {
		t.Errorf("%q after %d requests, %v", data, asked, err)
	}
	asked = 0
	if _, err := s.ReadAll(ctx, "s3://b/secret", "", 100); !os.IsPermission(err) && !strings.Contains(err.Error(), "403 AccessDenied") || asked != 1 || strings.Contains(err.Error(), "hidden") {
		t.Errorf("%v after %d requests", err, asked)
	}
	if _, err := s.Range(ctx, "s3://b/other", "tag", 0, 5); !Changed(err) {
		t.Errorf("err = %v; want Changed(err) = true", err)
	}
	if data, err := s.ReadAll(ctx, "s3://b/endless", "", 10); err != nil || len(data) != 10 {
		t.Errorf("%d bytes of an object without end, %v", len(data), err)
	}
	if _, err := s.Range(ctx, "s3://b/endless", "", 5, 10); err == nil {
		t.Error("the beginning is taken for a part")
	}
	var with *fault.Error
	if _, err := s.ReadAll(ctx, "s3://b/elsewhere", "", 10); !errors.As(err, &with) || !strings.Contains(fault.Hints(with)[0], "AWS_REGION=eu-1") {
		t.Errorf("a store that points elsewhere: %v", err)
	}
	if _, err := Open(func(name string) string { return map[string]string{"AWS_ENDPOINT_URL": "nowhere"}[name] }); err == nil {
		t.Error("Open accepted an invalid address")
	}
}
