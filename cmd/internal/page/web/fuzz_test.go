package web

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzAddress asks random questions: no address makes the server fail or reveals a
// file outside of its folder.
func FuzzAddress(f *testing.F) {
	for _, seed := range [][2]string{
		{"info", "path=maps/a.Map.Gbx"}, {"values", "path=maps/a.Map.Gbx&at=body.chunks[0]"}, {"query", "path=maps/a.Map.Gbx&q=.a|map(.b)"},
		{"bytes", "path=maps/a.Map.Gbx&layer=body"}, {"search", "path=maps/a.Map.Gbx&q=0x12&from=3"}, {"diff", "path=maps/a.Map.Gbx&other=maps"},
		{"children", "path=maps/a.Map.Gbx/items"}, {"map.scene", "path=maps/a.Map.Gbx"}, {"simutrans.picture", "path=x&scale=9&player1=zz"}, {"replay.telemetry", "path=maps/a.Map.Gbx&ghost=9999999999"},
		{"value-at", "path=maps/a.Map.Gbx&layer=body&offset=77"}, {"what", "path=maps/a.Map.Gbx/thumbnail.jpg"},
	} {
		f.Add(seed[0], seed[1])
	}
	e := newExplorer(f)
	f.Fuzz(func(t *testing.T, name, query string) {
		r := httptest.NewRequest("GET", "http://127.0.0.1:8042/api/x", nil)
		r.URL = &url.URL{Path: "/api/" + name, RawQuery: query}
		r.Header.Set("Authorization", "Bearer secret")
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), e.dir) {
			t.Errorf("the answer contains the path of the folder: %s", w.Body)
		}
	})
}
