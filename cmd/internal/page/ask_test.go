package page_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"pakbox"
	"pakbox/cmd/internal/page"
	"pakbox/nadeo/nadeotest/mapsample"
)

// An asker asks an explorer, and reads the answers.
type asker struct {
	testing.TB
	*page.Explorer
	files *page.Files
}

// looking returns an asker with these served folders and files.
func looking(tb testing.TB, paths []string, change ...func(*page.Options)) *asker {
	tb.Helper()
	files, err := page.NewFiles(paths)
	if err != nil {
		tb.Fatal(err)
	}
	opts := page.Options{Files: files, Formats: pakbox.Formats()}
	for _, f := range change {
		f(&opts)
	}
	x := page.New(opts)
	tb.Cleanup(func() { x.Close(); files.Close() })
	return &asker{tb, x, files}
}

// samples returns an asker with the project's samples.
func samples(tb testing.TB) *asker {
	tb.Helper()
	return looking(tb, []string{filepath.Join("..", "..", "..", "samples")})
}

// folder returns an asker with a served folder "files" that contains some files.
func folder(tb testing.TB, content map[string][]byte, change ...func(*page.Options)) *asker {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "files")
	for name, data := range content {
		write(tb, filepath.Join(dir, name), data)
	}
	return looking(tb, []string{dir}, change...)
}

func write(tb testing.TB, name string, data []byte) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		tb.Fatal(err)
	}
}

// sampleMap is the map of the tests. Every question has an answer for it.
func sampleMap(tb testing.TB) []byte {
	tb.Helper()
	data, err := mapsample.Map()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// sample reads one of the samples.
func sample(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "samples", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// ask asks a question, written as in an address: name?parameter=value&….
func (a *asker) ask(question string) *page.Response {
	a.Helper()
	return a.send(question, nil)
}

// send asks a question with a body: text, bytes, or a value for JSON.
func (a *asker) send(question string, body any) *page.Response {
	a.Helper()
	name, rest, _ := strings.Cut(question, "?")
	params, err := url.ParseQuery(rest)
	if err != nil {
		a.Fatal(err)
	}
	q := page.Request{Name: name, Params: params, Post: body != nil}
	switch body := body.(type) {
	case nil:
	case io.Reader:
		q.Body = body
	default:
		data, err := json.Marshal(body)
		if err != nil {
			a.Fatal(err)
		}
		q.Body = bytes.NewReader(data)
	}
	return a.Ask(a.Context(), q)
}

// read returns the content of an answer, which must be a success.
func (a *asker) read(question string) []byte {
	a.Helper()
	got := a.ask(question)
	data, err := got.Read()
	if err != nil || got.Status != page.OK {
		a.Fatalf("%s: %d, %v: %.300s", question, got.Status, err, data)
	}
	return data
}

// pick returns the result of a jq expression on an answer.
func (a *asker) pick(got *page.Response, expression string) string {
	a.Helper()
	data, err := got.Read()
	if err != nil {
		a.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		a.Fatalf("%v: %.300s", err, data)
	}
	query, err := gojq.Parse(expression)
	if err != nil {
		a.Fatalf("%s: %v", expression, err)
	}
	var found []string
	for it := query.Run(document); ; {
		v, ok := it.Next()
		if !ok {
			return strings.Join(found, " ")
		}
		if err, failed := v.(error); failed {
			a.Fatalf("%s of %.1000s: %v", expression, data, err)
		}
		text, err := gojq.Marshal(v)
		if err != nil {
			a.Fatal(err)
		}
		found = append(found, string(text))
	}
}

// expect compares the results of jq expressions on answers with JSON; several values are
// separated by spaces.
func (a *asker) expect(table []expected) {
	a.Helper()
	for _, k := range table {
		got := a.ask(k.question)
		if got.Status != page.OK {
			data, _ := got.Read()
			a.Errorf("%s: %d %.500s", k.question, got.Status, data)
			continue
		}
		if found := a.pick(got, k.expression); found != k.want {
			a.Errorf("%s: %s is\n%s\nwant\n%s", k.question, k.expression, found, k.want)
		}
	}
}

type expected struct{ question, expression, want string }

// refuses compares the status and a part of the message of questions that must fail.
func (a *asker) refuses(table []refused) {
	a.Helper()
	for _, k := range table {
		got := a.send(k.question, k.body)
		data, _ := got.Read()
		if got.Status != k.status || !strings.Contains(string(data), k.message) {
			a.Errorf("%s: %d %.500s, want %d and %q", k.question, got.Status, data, k.status, k.message)
		}
	}
}

type refused struct {
	question string
	body     any // nil for a question without a body
	status   page.Status
	message  string
}
