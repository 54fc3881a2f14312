package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/internal/answer"
	"pakbox/internal/cli"
	"pakbox/internal/cli/shell"
	"pakbox/internal/explore"
	"pakbox/internal/question"
	"pakbox/internal/source"
	"pakbox/internal/testkit/corpus"
)

// TestQuestions asks every question in process, through its command and
// through the page, and compares the answers. It takes the samples and one real
// file of each class; with PAKBOX_ALL=1 it takes every file of the corpus.
func TestQuestions(t *testing.T) {
	dir := corpus.Dir(t, "gbx")
	page, err := explore.NewFiles([]string{"../../samples", dir})
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	explorer := explore.New(explore.Options{Files: page, Formats: pakbox.Formats()})
	defer explorer.Close()
	faces := &faces{explorer, source.NewOpener(pakbox.Formats())}
	answered := map[string]int{}
	ask := func(file, onPage string) {
		for _, q := range answer.Questions() {
			if faces.same(t, q, file, onPage) {
				answered[q.Name]++
			}
		}
	}
	for _, sample := range []string{
		"hello.vpk", "hello.eix", "Sample.Pack.Gbx", "simutrans/vehicle.Sample_Tram.pak",
		"trackmania/Sample.Map.Gbx", "trackmania/Sample.Replay.Gbx", "trackmania/Sample.Ghost.Gbx", "trackmania/Sample.Item.Gbx",
	} {
		ask("../../samples/"+sample, "samples/"+sample)
	}
	classes, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range classes {
		files, err := os.ReadDir(filepath.Join(dir, class.Name()))
		if err != nil {
			continue // not a folder
		}
		if os.Getenv("PAKBOX_ALL") == "" {
			files = files[:1]
		}
		for _, f := range files {
			ask(filepath.Join(dir, class.Name(), f.Name()), "gbx/"+class.Name()+"/"+f.Name())
		}
	}
	for _, q := range answer.Questions() {
		if answered[q.Name] == 0 {
			t.Errorf("%s was never answered", q.Name)
		}
	}
	t.Log(answered)
}

// faces are the ways to ask a question.
type faces struct {
	explorer *explore.Explorer
	opener   *source.Opener
}

// same asks a question through every face and compares the answers. It reports
// whether there was an answer rather than an error.
func (f *faces) same(t *testing.T, q *question.Question, file, onPage string) bool {
	t.Helper()
	file = filepath.ToSlash(file)
	reply, err := q.AskWith(t.Context(), &question.At{Path: file, Opener: f.opener}, nil)
	var want []byte
	if err == nil {
		if want, err = reply.MarshalJSON(); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	args := append(strings.Split(q.Name, "."), "--json", file)
	cli.Run(t.Context(), shell.Env{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Getenv: func(string) string { return "" }, Formats: pakbox.Formats()})
	page := f.explorer.Ask(t.Context(), explore.Question{Name: q.Name, Params: url.Values{"path": {onPage}}})
	shown, readErr := page.Read()
	if readErr != nil {
		t.Fatal(readErr)
	}
	if err != nil {
		if page.Status == explore.OK {
			t.Errorf("%s of %s: %v, and the page answers", q.Name, file, err)
		}
		return false
	}
	for face, got := range map[string][]byte{"the command": out.Bytes(), "the page": shown} {
		if got, want := answerOf(t, got), answerOf(t, want); !bytes.Equal(got, want) {
			t.Errorf("%s of %s through %s:\n%.1000s\nwant\n%.1000s", q.Name, file, face, got, want)
		}
	}
	return true
}

// answerOf is an answer without its path, which each face has in its own words.
func answerOf(t *testing.T, text []byte) []byte {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	delete(fields, "path")
	out, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
