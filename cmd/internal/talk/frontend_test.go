package talk_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/frontendtest"
	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/talk"
)

// Lines of JSON must have the answers of this process.
func TestFrontend(t *testing.T) {
	frontendtest.Run(t, frontendtest.Frontend{Open: func(*testing.T) func(*testing.T, *frontendtest.Request) *frontendtest.Answer {
		return askLines
	}})
}

// askLines sends a request as a line, and reads the line of its answer.
func askLines(t *testing.T, r *frontendtest.Request) *frontendtest.Answer {
	t.Helper()
	request, err := json.Marshal(map[string]any{"id": 1, "ask": r.Question.Name, "path": r.Path, "with": r.Members(t)})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (&talk.Lines{Opener: source.NewOpener(pakbox.Formats())}).Serve(t.Context(), strings.NewReader(string(request)+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	var l line
	if err := json.Unmarshal(out.Bytes(), &l); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	switch {
	case l.Error != nil:
		return &frontendtest.Answer{Kind: l.Error.Kind}
	case l.File != nil:
		return &frontendtest.Answer{File: l.File.Data}
	case r.Question.Change:
		return r.Changed(t, l.Answer)
	}
	return &frontendtest.Answer{JSON: l.Answer}
}
