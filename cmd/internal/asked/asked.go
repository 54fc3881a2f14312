// Package asked compares the answers of questions with those that a file holds, for tests.
//
// A line of the file that begins with > is a question: its name, the path, and the
// parameters. The lines up to the next one are the answer: its JSON, or the error with the
// kind of its fault and its hints. For an answer that is a file they have its name, its
// type, and a summary of its content.
package asked

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	_ "image/gif"  // in answers
	_ "image/jpeg" // in answers
	_ "image/png"  // in answers
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/testkit/leak"
)

var update = flag.Bool("update", false, "write the answers anew")

// Check asks the questions in a file, and compares. Paths in it are relative to the folder
// dir. at makes the place of each question.
func Check(t *testing.T, questions []*question.Question, file, dir string, at func(path string) *question.At) {
	t.Helper()
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	before := leak.OpenFiles()
	byName := map[string]*question.Question{}
	for _, q := range questions {
		byName[q.Name] = q
	}
	unasked := map[string]bool{}
	for name := range byName {
		unasked[name] = true
	}
	var all strings.Builder
	for _, part := range strings.Split("\n"+string(want), "\n> ")[1:] {
		line, before, _ := strings.Cut(part, "\n")
		words := strings.Split(line, " ")
		q := byName[words[0]]
		if q == nil || len(words) < 2 {
			t.Fatalf("unknown question %s", line)
		}
		delete(unasked, q.Name)
		got := answer(t, q, at(words[1]), words[2:])
		if got != strings.TrimRight(before, "\n") && !*update {
			t.Errorf("> %s\n%s\nwant\n%s", line, got, strings.TrimRight(before, "\n"))
		}
		fmt.Fprintf(&all, "> %s\n%s\n", line, got)
	}
	if after := leak.OpenFiles(); after > before {
		t.Errorf("open files = %d, want %d as before", after, before)
	}
	for name := range unasked {
		if !byName[name].TakesContent() { // which no line can give
			t.Errorf("no line asks %s", name)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func answer(t *testing.T, q *question.Question, at *question.At, words []string) string {
	t.Helper()
	params := question.Texts{}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		params[name] = append(params[name], strings.ReplaceAll(value, "+", " "))
	}
	if q.Change {
		return preview(t, q, at, params)
	}
	defer at.Opener.CleanUp()
	reply, err := q.AskWith(t.Context(), at, params)
	if err != nil {
		return errorText(err)
	}
	if f, ok := reply.Answer.(*question.File); ok {
		return fileText(t, f)
	}
	text, err := json.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// preview returns what a change reports before it is saved, without the values that
// differ, which are many.
func preview(t *testing.T, q *question.Question, at *question.At, texts question.Texts) string {
	t.Helper()
	params, err := q.ReadTexts(texts)
	if err != nil {
		return errorText(err)
	}
	r, err := q.Revise(t.Context(), at, params)
	if err != nil {
		return errorText(err)
	}
	defer r.Close()
	o, err := r.Preview()
	if err != nil {
		t.Fatal(err)
	}
	o.Values = o.Values[:min(len(o.Values), 1)]
	text, err := json.Marshal(r.Report(q, at.Path, at.Format, o))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// errorText formats an error, the kind of its fault, and its hints.
func errorText(err error) string {
	text := fmt.Sprintf("error %s: %v", fault.KindOf(err), err)
	if errors.Is(err, fault.Usage) {
		text = "usage: " + err.Error()
	}
	for _, h := range fault.Hints(err) {
		text += "\nhint: " + h
	}
	return text
}

// fileText formats a file. The bytes of pictures depend on Go's version, those of meshes on the
// processor.
func fileText(t *testing.T, f *question.File) string {
	t.Helper()
	text := fmt.Sprintf("file %s %q", f.Name, f.Type)
	if c, kind, err := image.DecodeConfig(bytes.NewReader(f.Data)); err == nil {
		text += fmt.Sprintf(" %s of %d x %d", kind, c.Width, c.Height)
	} else {
		text += fmt.Sprintf(" begins with %.4q", f.Data)
	}
	if f.Say != nil {
		say, err := json.Marshal(f.Say)
		if err != nil {
			t.Fatal(err)
		}
		text += " " + string(say)
	}
	return text
}
