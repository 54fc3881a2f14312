package api_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path"
	"testing"

	"pakbox/cmd/internal/frontendtest"
	"pakbox/cmd/internal/talk"
)

// HTTP must have the answers of this process, and send the same changed files.
func TestFrontend(t *testing.T) {
	frontendtest.Run(t, frontendtest.Frontend{Limited: true, Remote: true, TextsOnly: true, Open: func(t *testing.T) func(*testing.T, *frontendtest.Request) *frontendtest.Answer {
		address := serve(t, nil).URL
		return func(t *testing.T, r *frontendtest.Request) *frontendtest.Answer {
			return postRequest(t, address, r)
		}
	}})
}

// postRequest posts the file of a request, with its parameters in the address.
func postRequest(t *testing.T, address string, r *frontendtest.Request) *frontendtest.Answer {
	t.Helper()
	members := r.Members(t)
	for name, value := range r.Params {
		switch value.(type) {
		case frontendtest.Content, []frontendtest.Content: // an address has no room for it
			members[name] = json.RawMessage(`"file"`)
		}
	}
	texts, err := talk.TextsOf(members)
	if err != nil {
		t.Fatal(err)
	}
	params := url.Values(texts)
	var data []byte
	if info, err := os.Stat(r.Path); err == nil && info.Mode().IsRegular() {
		params.Set("filename", path.Base(r.Path))
		if data, err = os.ReadFile(r.Path); err != nil {
			t.Fatal(err)
		}
	}
	response, got := post(t, address+"/v1/"+r.Question.Name+"?"+params.Encode(), data)
	if response.StatusCode == 200 {
		if r.Question.IsFile() || r.Question.Change {
			return &frontendtest.Answer{File: []byte(got)}
		}
		return &frontendtest.Answer{JSON: []byte(got)}
	}
	var problem struct{ Kind string }
	if err := json.Unmarshal([]byte(got), &problem); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	return &frontendtest.Answer{Kind: problem.Kind, JSON: []byte(got)}
}
