package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"pakbox"
	"pakbox/cmd/internal/talk/api"
	"pakbox/internal/testkit/leak"
)

// FuzzPost: for any content, question and parameters the answer is a file or JSON, and
// never status 500.
func FuzzPost(f *testing.F) {
	handler, err := api.New(api.Options{Formats: pakbox.Formats(), Version: "test", MaxSize: 1 << 20, MaxTime: 20 * time.Second, MaxHeld: 4 << 20, PerClient: 8})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("info", "filename=A.Map.Gbx", []byte("GBX\x06\x00BUCR"))
	f.Add("map.blocks", "items=true", []byte("GBX"))
	f.Add("ls", "pattern=**", []byte("42PK\x02\x00"))
	f.Add("query", "q=.", []byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, question, parameters string, file []byte) {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/", bytes.NewReader(file))
		r.URL.Path, r.URL.RawQuery = "/v1/"+question, parameters
		r.URL.RawPath = "/v1/" + url.PathEscape(question)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code == http.StatusInternalServerError {
			t.Errorf("question = %s?parameters = %s: w.Body = %s; want w.Code other than http.StatusInternalServerError", question, parameters, w.Body)
		}
		if strings.Contains(w.Header().Get("Content-Type"), "json") && !json.Valid(w.Body.Bytes()) {
			t.Errorf(`question = %s?parameters = %s: w.Body = %s; want w.Header().Get("Content-Type") without "json" or json.Valid(w.Body.Bytes()) = true`, question, parameters, w.Body)
		}
	})
}

// An answered or refused question leaves no temporary files.
func TestLeavesNothing(t *testing.T) {
	server := serve(t, nil)
	files, routines := leak.OpenFiles(), runtime.NumGoroutine()
	sampleFile := sample(t, "trackmania/Sample.Map.Gbx")
	for range 20 {
		post(t, server.URL+"/v1/info", sampleFile)
		post(t, server.URL+"/v1/map.blocks", sampleFile[:len(sampleFile)/2])
		post(t, server.URL+"/v1/nothing", nil)
	}
	http.DefaultClient.CloseIdleConnections()
	leak.Settled(t, "open files", files, leak.OpenFiles)
	leak.Settled(t, "goroutines", routines, runtime.NumGoroutine)
}
