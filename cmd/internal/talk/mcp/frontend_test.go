package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/frontendtest"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/talk/mcp"
)

// An assistant must get the answers of this process, and make the same changes.
func TestFrontend(t *testing.T) {
	frontendtest.Run(t, frontendtest.Frontend{Limited: true, Open: func(t *testing.T) func(*testing.T, *frontendtest.Request) *frontendtest.Answer {
		files, err := page.NewFiles([]string{"samples", "made", "real", "work"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { files.Close() })
		keys := func() (archive.Keys, error) { return archive.Keys{}, nil }
		a := talkTo(t, mcp.New("test", files, []string{"samples"}, pakbox.Formats(), keys, true))
		return a.front
	}})
}

// front sends a request as a call of a tool; a change is confirmed.
func (a *assistant) front(t *testing.T, r *frontendtest.Request) *frontendtest.Answer {
	t.Helper()
	arguments := r.Members(t)
	arguments["path"] = text(t, r.Path)
	if !r.Question.Change {
		arguments["max_rows"] = text(t, 100_000)
	}
	answer := a.frontCall(t, r, arguments)
	if answer.Kind != "" || !r.Question.Change {
		return answer
	}
	arguments["confirm"] = text(t, true)
	if answer = a.frontCall(t, r, arguments); answer.Kind != "" {
		return answer
	}
	return r.Changed(t, answer.JSON)
}

func (a *assistant) frontCall(t *testing.T, r *frontendtest.Request, arguments map[string]json.RawMessage) *frontendtest.Answer {
	t.Helper()
	result, said := a.call(mcp.ToolName(r.Question), string(text(t, arguments)))
	switch {
	case result.IsError:
		var failed struct{ Error struct{ Kind string } }
		if err := json.Unmarshal([]byte(said), &failed); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		return &frontendtest.Answer{Kind: failed.Error.Kind, JSON: []byte(said)}
	case len(result.Content) == 1 && result.Content[0].Type == "image":
		return &frontendtest.Answer{File: result.Content[0].Data}
	case len(result.Content) == 1 && result.Content[0].Type == "resource":
		data, err := base64.StdEncoding.DecodeString(result.Content[0].Resource.Blob)
		if err != nil {
			t.Fatal(err)
		}
		return &frontendtest.Answer{File: data}
	}
	_, isPart := result.StructuredContent["cut"]
	return &frontendtest.Answer{JSON: []byte(said), IsPart: isPart && r.Question.Name != "query"}
}

func text(t *testing.T, v any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
