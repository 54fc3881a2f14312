package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// numbers is a list of this many numbers, as JSON.
func numbers(n int) string {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	text, _ := json.Marshal(list)
	return string(text)
}

// An answer is cut only if it is long, or if the client asked for a part. For each list
// the note has the range of the answer, and the start of the rest.
func TestCut(t *testing.T) {
	for _, k := range []struct {
		text string
		rows rows
		want string
	}{
		{`{"a":[1,2,3]}`, rows{}, `{"a":[1,2,3]}`},
		{`{"a":` + numbers(300) + `}`, rows{}, `{"a":` + numbers(300) + `}`}, // short enough
		{`{"b":"x","a":[1,2,3]}`, rows{0, 2}, `{"a":[1,2],"b":"x","cut":"a: rows 0 to 2 of 3; the rest: from_row 2"}`},
		{`{"a":[1,2,3]}`, rows{2, 2}, `{"a":[3],"cut":"a: rows 2 to 3 of 3"}`},
		{`{"a":[1,2,3]}`, rows{1, 2}, `{"a":[2,3],"cut":"a: rows 1 to 3 of 3"}`},
		{`{"a":[1,2,3]}`, rows{3, 1}, `{"a":[],"cut":"a: rows 3 to 3 of 3"}`},
		{`{"a":[1,2,3]}`, rows{9, 0}, `{"a":[],"cut":"a: rows 3 to 3 of 3"}`},
		{`{"a":[1,2,3]}`, rows{0, 3}, `{"a":[1,2,3]}`},
		{`{"a":[1,2,3],"b":[4]}`, rows{0, 1}, `{"a":[1],"b":[4],"cut":"a: rows 0 to 1 of 3; the rest: from_row 1"}`},
		{`{"a":[1,2,3],"b":[4,5]}`, rows{1, 1}, `{"a":[2],"b":[5],"cut":"a: rows 1 to 2 of 3; b: rows 1 to 2 of 2; the rest: from_row 2"}`},
		{`{"a":1}`, rows{5, 5}, `{"a":1}`},
		{`{"a":` + numbers(300) + `}`, rows{200, 0}, `{"a":` + strings.Replace(numbers(300)[strings.Index(numbers(300), "200")-1:], ",", "[", 1) + `,"cut":"a: rows 200 to 300 of 300"}`},
	} {
		got, err := k.rows.cut([]byte(k.text))
		if err != nil || string(got) != k.want {
			t.Errorf("%.40s, %+v: %.200s, %v\nwant\n%.200s", k.text, k.rows, got, err, k.want)
		}
	}
	for _, bad := range []rows{{-1, 0}, {0, -1}} {
		if _, err := bad.cut([]byte(`{"a":[1]}`)); !errors.Is(err, fault.Usage) {
			t.Errorf("%+v: err = %v; want err matching fault.Usage", bad, err)
		}
	}
	if _, err := (rows{1, 0}).cut([]byte(`[1]`)); err == nil {
		t.Error("a value that is not an object was cut")
	}
}

// Long rows are cut to fewer than requested: to a half, a quarter and so on. A single row
// above the limit is refused.
func TestCutLongRows(t *testing.T) {
	row := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	list := func(rows, n int) []byte {
		return []byte(`{"a":[` + strings.TrimSuffix(strings.Repeat(row(n)+",", rows), ",") + `]}`)
	}
	for _, k := range []struct {
		rows, size int
		asked      rows
		want       int // rows in the answer
	}{{203, 300, rows{}, 200}, {400, 300, rows{}, 200}, {400, 400, rows{}, 100}, {400, 1000, rows{}, 50}, {3, 50_000, rows{}, 1}, {3, 40_000, rows{0, 3}, 1}, {2, 30_000, rows{}, 2}} {
		text := list(k.rows, k.size)
		got, err := k.asked.cut(text)
		var back struct {
			A   []string
			Cut string
		}
		if err != nil || json.Unmarshal(got, &back) != nil || len(back.A) != k.want || len(got) > maxText {
			t.Errorf("%d rows of %d: %d rows, %d bytes, %v", k.rows, k.size, len(back.A), len(got), err)
			continue
		}
		if rest := fmt.Sprintf("a: rows 0 to %d of %d; the rest: from_row %d", k.want, k.rows, k.want); k.want < k.rows && back.Cut != rest {
			t.Errorf("%q, want %q", back.Cut, rest)
		}
	}
	const note = `,"cut":"a: rows 0 to 1 of 2; the rest: from_row 1"`
	for more, want := range map[int]bool{0: true, 1: false} { // a part of exactly the maximum length is allowed
		text := []byte(`{"a":["` + strings.Repeat("x", maxText-10-len(note)+more) + `",1]}`)
		if got, err := (rows{0, 1}).cut(text); (err == nil) != want || want && len(got) != maxText {
			t.Errorf("a part of %d bytes: %v", len(got), err)
		}
	}
	if text := list(1, maxText-10); len(text) != maxText {
		t.Fatalf("%d bytes", len(text))
	} else if got, err := (rows{}).cut(text); err != nil || len(got) != maxText {
		t.Errorf("maximum length: %d bytes, %v", len(got), err)
	}
	if _, err := (rows{}).cut(list(1, maxText-9)); !errors.Is(err, fault.Limit) || !strings.Contains(err.Error(), "61441 bytes") {
		t.Errorf("one byte more: %v", err)
	}
}

// A tool declares its parameters and its result, and that it is read-only.
func TestToolOf(t *testing.T) {
	subjects := answer.Subjects(pakbox.Formats())
	for _, q := range answer.Questions() {
		got := tool(q, q.Schema(subjects))
		schema := got.InputSchema.(question.Schema)
		properties := schema["properties"].(question.Schema)
		if got.Name != strings.ReplaceAll(q.Name, ".", "_") || !got.Annotations.ReadOnlyHint || !got.Annotations.IdempotentHint || *got.Annotations.OpenWorldHint || schema["additionalProperties"] != false || schema["type"] != "object" {
			t.Errorf("%s: got = %+v", q.Name, got)
		}
		if want := !q.NoFile; slices.Equal(schema["required"].([]string), []string{"path"}) != want {
			t.Errorf("%s requires %v", q.Name, schema["required"])
		}
		if from, most := properties["from_row"].(question.Schema), properties["max_rows"].(question.Schema); from["minimum"] != 0 || most["minimum"] != 1 || from["type"] != "integer" || most["type"] != "integer" || properties["path"].(question.Schema)["type"] != "string" {
			t.Errorf("%s: from = %v, most = %v", q.Name, from, most)
		}
		doc, fields, _ := strings.Cut(got.Description, " Answers: ")
		if !strings.EqualFold(doc, q.Doc+".") || doc[0] < 'A' || doc[0] > 'Z' || doc[1:] != q.Doc[1:]+"." {
			t.Errorf(`%s: got.Description = %q; want strings.EqualFold(doc, q.Doc+".") = true, doc[0] at least 'A', doc[0] at most 'Z', doc[1:] = q.Doc[1:] + "."`, q.Name, got.Description)
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(fields, "."), ", ") {
			if name == "schema" || name == "path" || name == "format" || q.Name == "info" && name != "" {
				t.Errorf("%s names %s", q.Name, name)
			}
		}
		if list := strings.Split(strings.TrimSuffix(fields, "."), ", "); !slices.IsSorted(list) {
			t.Errorf("%s: list = %q; want slices.IsSorted(list) = true", q.Name, list)
		}
	}
}

// An error is an answer that is marked as an error, with the file and hints.
func TestFailed(t *testing.T) {
	got := failed(fault.InFile(fault.At(fault.Corrupt, 7, "", "bad"), "inner"), "outer")
	var text struct {
		Error struct {
			Kind, File string
			Offset     int64
			Hints      []string
		}
	}
	if !got.IsError || len(got.Content) != 1 || got.StructuredContent != nil {
		t.Fatalf("got = %+v; want got.IsError = true, got.Content of length 1, got.StructuredContent = nil", got)
	}
	if err := json.Unmarshal([]byte(got.Content[0].(*mcp.TextContent).Text), &text); err != nil || text.Error.Kind != "corrupt" || text.Error.File != "inner" || text.Error.Offset != 7 || text.Error.Hints == nil {
		t.Errorf(`text = %+v, err = %v; want no error, text.Error.Kind = "corrupt", text.Error.File = "inner", text.Error.Offset = 7, text.Error.Hints other than nil`, text, err)
	}
}

// A client that disconnects ends the session without an error; a broken connection is an error.
func TestServeEnds(t *testing.T) {
	files, err := page.NewFiles([]string{t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	for _, k := range []struct {
		in   io.Reader
		want bool
	}{{strings.NewReader(""), true}, {broken{}, false}} {
		if err := New("test", files, []string{"x"}, pakbox.Formats(), nil, true).Serve(t.Context(), k.in, io.Discard); (err == nil) != k.want {
			t.Errorf("%T: err = %v; want success = %v", k.in, err, k.want)
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
