package page_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"

	"pakbox/cmd/internal/frontendtest"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/talk"
)

// shown is the front end of the page.
var shown = frontendtest.Frontend{Limited: true, Open: func(t *testing.T) func(*testing.T, *frontendtest.Request) *frontendtest.Answer {
	a := looking(t, []string{"samples", "made", "real", "work"})
	return a.front
}}

// The page must have the answers of this process, and make the same changes.
func TestFrontend(t *testing.T) { frontendtest.Run(t, shown) }

// The page must have the answers of this process about real files too.
func TestRealFiles(t *testing.T) { frontendtest.RunReal(t, shown) }

// front sends a request to the page.
func (a *asker) front(t *testing.T, r *frontendtest.Request) *frontendtest.Answer {
	t.Helper()
	q := page.Request{Name: r.Question.Name, Params: url.Values{}}
	if r.Question.Change || r.Question.TakesContent() {
		body, err := json.Marshal(r.Members(t))
		if err != nil {
			t.Fatal(err)
		}
		q.Post, q.Body = true, bytes.NewReader(body)
	} else {
		texts, err := talk.TextsOf(r.Members(t))
		if err != nil {
			t.Fatal(err)
		}
		q.Params = url.Values(texts)
	}
	q.Params.Set("path", r.Path)
	got := a.Ask(t.Context(), q)
	data, err := got.Read()
	switch {
	case err != nil:
		t.Fatal(err)
	case got.Status != page.OK:
		return &frontendtest.Answer{Kind: kindIn(t, data), JSON: data}
	case r.Question.Change:
		return r.Changed(t, data)
	case r.Question.IsFile():
		return &frontendtest.Answer{File: data}
	}
	return &frontendtest.Answer{JSON: data}
}

// kindIn returns the kind of the error in an answer.
func kindIn(t *testing.T, data []byte) string {
	t.Helper()
	var failed struct{ Error struct{ Kind string } }
	if err := json.Unmarshal(data, &failed); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return failed.Error.Kind
}
