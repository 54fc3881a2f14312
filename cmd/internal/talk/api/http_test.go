package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/talk/api"
)

// request sends a request without a body.
func request(t *testing.T, method, address string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// The description is at /openapi.json, as JSON.
func TestDescription(t *testing.T) {
	response, text := request(t, http.MethodGet, serve(t, nil).URL+"/openapi.json")
	want, err := json.Marshal(api.OpenAPI(pakbox.Formats(), "test"))
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal([]byte(text), &a) != nil || json.Unmarshal(want, &b) != nil || !reflect.DeepEqual(a, b) || response.Header.Get("Content-Type") != "application/json" || response.StatusCode != 200 {
		t.Errorf("%d, %s: %.200s", response.StatusCode, response.Header.Get("Content-Type"), text)
	}
}

// Every answer has headers against caching and type sniffing, and allows other pages to read
// it. A refusal has the header that helps the client.
func TestHeaders(t *testing.T) {
	open := serve(t, nil)
	locked := serve(t, func(o *api.Options) { o.Token = "secret" })
	vpk := sample(t, "hello.vpk")
	ok, _ := post(t, open.URL+"/v1/ls", vpk)
	get, _ := request(t, http.MethodGet, open.URL+"/v1/ls")
	put, _ := request(t, http.MethodPut, open.URL+"/v1/ls")
	preflight, body := request(t, http.MethodOptions, locked.URL+"/v1/ls")
	refused, _ := post(t, locked.URL+"/v1/ls", vpk)
	described, _ := request(t, http.MethodGet, locked.URL+"/openapi.json")
	allowed, _ := post(t, locked.URL+"/v1/ls", vpk, "Authorization", "Bearer secret")
	for name, response := range map[string]*http.Response{"ok": ok, "get": get, "put": put, "preflight": preflight, "refused": refused, "described": described, "allowed": allowed} {
		for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*"} {
			if got := response.Header.Get(header); got != want {
				t.Errorf("%s: %s is %q", name, header, got)
			}
		}
		challenge := response.Header.Get("WWW-Authenticate")
		if locked := name == "refused" || name == "described"; locked != (response.StatusCode == 401) || locked != strings.HasPrefix(challenge, "Bearer ") {
			t.Errorf(`%s: response.StatusCode = %d, challenge = %q; want locked exactly if response.StatusCode is 401, locked = strings.HasPrefix(challenge, "Bearer ")`, name, response.StatusCode, challenge)
		}
	}
	for _, response := range []*http.Response{get, put} {
		if response.StatusCode != 405 || response.Header.Get("Allow") != "POST" {
			t.Errorf("%d, %q", response.StatusCode, response.Header.Get("Allow"))
		}
	}
	if preflight.StatusCode != 204 || body != "" || !strings.Contains(preflight.Header.Get("Access-Control-Allow-Headers"), "Authorization") || !strings.Contains(preflight.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight.StatusCode = %d body = %q, preflight.Header = %v", preflight.StatusCode, body, preflight.Header)
	}
}

// A file of exactly the maximum size is accepted, and so is an empty one.
func TestSizes(t *testing.T) {
	vpk := sample(t, "hello.vpk")
	for more, want := range map[int64]int{-1: 413, 0: 200, 1: 200} {
		s := serve(t, func(o *api.Options) { o.MaxSize, o.MaxHeld = int64(len(vpk))+more, int64(len(vpk))+more })
		if response, text := post(t, s.URL+"/v1/ls", vpk); response.StatusCode != want {
			t.Errorf("%d bytes more than the file: %d %.200s", more, response.StatusCode, text)
		}
	}
	if response, text := post(t, serve(t, nil).URL+"/v1/info", nil); response.StatusCode != 415 {
		t.Errorf("empty file: status %d: %.200s", response.StatusCode, text)
	}
}
