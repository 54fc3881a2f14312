package frontendtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/cmd/internal/question"
)

// difference describes the first difference between two answers, or returns "".
func difference(t *testing.T, s *suite, r *Request, got, want *Answer) string {
	t.Helper()
	q := r.Question
	switch {
	case got.Kind == AnyKind && want.Kind != "":
		return ""
	case got.Kind != want.Kind:
		return fmt.Sprintf("error kind %q, want %q: %.300s", got.Kind, want.Kind, got.JSON)
	case want.Kind != "":
		return ""
	case q.Change:
		return changeDifference(t, s, q, got, want)
	case want.File != nil:
		if !bytes.Equal(got.File, want.File) {
			return fmt.Sprintf("file of %d bytes, want other %d bytes", len(got.File), len(want.File))
		}
		return methodDifference(t, r, got, want)
	case got.Parts != nil:
		return partsDifference(t, s, q, got, want)
	}
	g, w := object(t, s, q, got.JSON), object(t, s, q, want.JSON)
	if got.IsPart {
		delete(g, "cut")
		if names, wanted := keys(g), keys(w); !slices.Equal(names, wanted) {
			return fmt.Sprintf("fields %v, want %v", names, wanted)
		}
		return ""
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Sprintf("got\n%.2000s\nwant\n%.2000s", text(g), text(w))
	}
	return methodDifference(t, r, got, want)
}

// partsDifference compares the lines that a command printed with the parts of the answer.
func partsDifference(t *testing.T, s *suite, q *question.Question, got, want *Answer) string {
	t.Helper()
	if len(got.Parts) != len(want.Parts) {
		return fmt.Sprintf("%d lines, want %d", len(got.Parts), len(want.Parts))
	}
	for i := range want.Parts {
		if g, w := object(t, s, q, got.Parts[i]), object(t, s, q, want.Parts[i]); !reflect.DeepEqual(g, w) {
			return fmt.Sprintf("line %d:\n%.2000s\nwant\n%.2000s", i+1, text(g), text(w))
		}
	}
	return ""
}

// changeDifference compares the changed file and the report. Changes that draw lots, such
// as a new UID, have the same fields and nearly the same size.
func changeDifference(t *testing.T, s *suite, q *question.Question, got, want *Answer) string {
	t.Helper()
	lots := examples[q.Name].random
	if !lots && !bytes.Equal(got.File, want.File) {
		return fmt.Sprintf("changed file of %d bytes, want other %d bytes", len(got.File), len(want.File))
	}
	if d := len(got.File) - len(want.File); lots && (d > 64 || d < -64) {
		return fmt.Sprintf("changed file of %d bytes, want about %d", len(got.File), len(want.File))
	}
	if got.JSON == nil { // the changed file is all that the front end returns
		return ""
	}
	g, w := object(t, s, q, got.JSON), object(t, s, q, want.JSON)
	for _, o := range []map[string]any{g, w} {
		for _, own := range []string{"output", "change"} { // they depend on where the front end saves
			delete(o, own)
		}
	}
	if lots {
		if names, wanted := keys(g), keys(w); !slices.Equal(names, wanted) {
			return fmt.Sprintf("report with fields %v, want %v", names, wanted)
		}
		return ""
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Sprintf("report\n%.2000s\nwant\n%.2000s", text(g), text(w))
	}
	return ""
}

// methodDifference compares what a method returned with the field of the answer that its
// declaration names, or with the whole answer.
func methodDifference(t *testing.T, r *Request, got, want *Answer) string {
	t.Helper()
	if got.Method == nil {
		return ""
	}
	if want.File != nil {
		var data []byte
		if err := json.Unmarshal(got.Method, &data); err != nil || !bytes.Equal(r.withoutFolder(data), want.File) {
			return fmt.Sprintf("the method returns %.200s, want a file of %d bytes", got.Method, len(want.File))
		}
		return ""
	}
	g, w := value(t, got.Method), value(t, want.JSON)
	if name := r.Question.MethodResult(); name != "" {
		w = w.(map[string]any)[name]
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Sprintf("the method returns\n%.2000s\nwant\n%.2000s", text(g), text(w))
	}
	return ""
}

func value(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %.300s", err, data)
	}
	return v
}

// object decodes an answer, without what differs between front ends: paths have only their
// last element, because each front end names files in its own way.
func object(t *testing.T, s *suite, q *question.Question, data []byte) map[string]any {
	t.Helper()
	if name := duplicate(json.NewDecoder(bytes.NewReader(data))); name != "" {
		t.Errorf("%s: an object has %q twice: %.300s", q.Name, name, data)
	}
	fields, ok := value(t, data).(map[string]any)
	if !ok {
		t.Fatalf("%s: expected an object, got %.300s", q.Name, data)
	}
	delete(fields, "path")
	if s.Remote {
		delete(fields, "file_size") // a file that is sent has none on disk
	}
	if slices.Contains(s.ListsOnly, q.Name) {
		for _, name := range []string{"schema", "format", "topic", "cut"} {
			delete(fields, name)
		}
	}
	return shortened(fields).(map[string]any)
}

// shortened cuts the folders of the suite off texts.
func shortened(v any) any {
	switch v := v.(type) {
	case string:
		for _, folder := range []string{"samples/", "made/", "real/", "work/", "out/"} {
			if strings.HasPrefix(v, folder) {
				return v[strings.LastIndex(v, "/")+1:]
			}
		}
	case []any:
		for i := range v {
			v[i] = shortened(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = shortened(v[name])
		}
	}
	return v
}

func keys(fields map[string]any) []string { return slices.Sorted(maps.Keys(fields)) }

func text(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}

// duplicate reads a JSON value and returns a name that one of its objects has twice, or "".
func duplicate(d *json.Decoder) string {
	token, err := d.Token()
	open, ok := token.(json.Delim)
	if err != nil || !ok {
		return ""
	}
	names := map[json.Token]bool{}
	for d.More() {
		if open == '{' {
			name, _ := d.Token()
			if names[name] {
				return fmt.Sprint(name)
			}
			names[name] = true
		}
		if name := duplicate(d); name != "" {
			return name
		}
	}
	d.Token() // the end
	return ""
}
