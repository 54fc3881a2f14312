package eterpack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/codepage"
)

// small takes n bytes and no more.
type small struct {
	bytes.Buffer
	n int
}

var errSmall = errors.New("no room")

func (s *small) Write(p []byte) (int, error) {
	n, _ := s.Buffer.Write(p[:min(len(p), s.n-s.Len())])
	if n < len(p) {
		return n, errSmall
	}
	return n, nil
}

// Data files are written slot by slot: content, zeros, and before the first the
// rest of what was there. Wherever that ends, it is told.
func TestDataWriter(t *testing.T) {
	content := text(300)
	streamed := job{Item: item("x", content), kind: typeRaw, record: &record{}}
	streamed.Size = -1
	for what, write := range map[string]func(w *dataWriter, r *record) error{
		"put":    func(w *dataWriter, r *record) error { return w.put(r, typeRaw, content) },
		"stream": func(w *dataWriter, r *record) error { j := streamed; j.record = r; return w.stream(t.Context(), &j) },
		"align": func(w *dataWriter, r *record) error {
			w.pos = 1
			err := w.align()
			r.position = int32(w.pos)
			return err
		},
	} {
		whole := map[string]int{"put": 512, "stream": 512, "align": 255}[what]
		for n := range whole + 1 {
			out := &small{n: n}
			w := &dataWriter{w: bufio.NewWriterSize(out, 16)}
			var r record
			err := write(w, &r)
			if n == whole {
				err = errors.Join(err, w.w.Flush())
				if err != nil || out.Len() != whole || what != "align" && (!bytes.HasPrefix(out.Bytes(), content) || r.dataSize != 300 || r.slotSize != 512 || w.pos != 512) {
					t.Errorf("%s: %d bytes, %+v, %v", what, out.Len(), r, err)
				}
				continue
			}
			if n <= whole-16 && err != errSmall {
				t.Errorf("%s: room for %d of %d bytes: %v", what, n, whole, err)
			}
			if err == nil {
				err = w.w.Flush()
			}
			if err != errSmall {
				t.Errorf("%s: room for %d of %d bytes: %v at the end", what, n, whole, err)
			}
		}
	}
}

// Positions are signed 32-bit: the last slot ends where they do.
func TestDataWriterRoom(t *testing.T) {
	const last = math.MaxInt32/slotUnit*slotUnit - slotUnit // a slot fits here
	for pos, want := range map[int64]error{last: nil, last + slotUnit: fault.Limit} {
		for what, write := range map[string]func(w *dataWriter) error{
			"put": func(w *dataWriter) error { return w.put(&record{}, typeRaw, text(255)) },
			"stream": func(w *dataWriter) error {
				return w.stream(t.Context(), &job{Item: item("x", text(255)), record: &record{}})
			},
			"stream of unknown size": func(w *dataWriter) error {
				j := &job{Item: item("x", text(255)), record: &record{}}
				j.Size = -1
				return w.stream(t.Context(), j)
			},
		} {
			if err := write(&dataWriter{w: bufio.NewWriter(io.Discard), pos: pos}); !errors.Is(err, want) {
				t.Errorf("%s at %d: %v", what, pos, err)
			}
		}
	}
	if err := (&dataWriter{w: bufio.NewWriter(io.Discard), pos: last}).put(&record{}, typeRaw, text(256)); !errors.Is(err, fault.Limit) {
		t.Errorf("one byte too many: %v", err)
	}
}

// A list for PackMakerLite is JSON with comments and commas too many.
func TestPlainJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1}`:                         `{"a":1}`,
		"{ // \"b\": 2,\n \"a\": 1 }":      `{"a":1}`,
		"{ /* , \" { // */ \"a\": 1 }":     `{"a":1}`,
		"[1, /* 2, */ 3,]":                 `[1,3]`,
		"[1, // two\n ]":                   `[1]`,
		"[1 , \t\r\n ]":                    `[1]`,
		`["//", "/*", "\"//", "\\", ",]"]`: `["//","/*","\"//","\\",",]"]`,
		`{"a": [1,2,], "b": {"c": 3,},}`:   `{"a":[1,2],"b":{"c":3}}`,
		"[1] // the end":                   `[1]`,
		"[1] /* the end":                   `[1]`,
		"[1] /**/":                         `[1]`,
		"/**/[1,/**/]":                     `[1]`,
		"[1, 2 /* x */ , 3]":               `[1,2,3]`,
		`["a", "b"]`:                       `["a","b"]`,
	} {
		plain := plainJSON([]byte(text))
		var got bytes.Buffer
		if err := json.Compact(&got, plain); err != nil || got.String() != want || len(plain) != len(text) {
			t.Errorf("%s: %s, %v, want %s", text, plain, err, want)
		}
		if strings.Count(string(plain), "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: lines are lost: %s", text, plain)
		}
	}
	for _, broken := range []string{`{"a": /}`, `[1,,2]`, `{"a`, `{"a\`} {
		if json.Valid(plainJSON([]byte(broken))) {
			t.Errorf("%s became valid", broken)
		}
	}
}

// Entries are counted by codec, and what all have in common is told once.
func TestVerifyCounts(t *testing.T) {
	s := newSample(t)
	lz4, err := encodeObject(text(1500), defaultMarks.object, nil, codecLZ4, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.add("four.txt", typeCompress, lz4)
	s.records[1].dataCRC++
	report := func() *archive.Report {
		a, err := openMemory(s.eix(t), s.epk, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := a.Verify(t.Context(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	one := report()
	if got := fmt.Sprint(one.Facts); !strings.Contains(got, "{lzo_entries Entries packed with lzo 2 }") || !strings.Contains(got, "{lz4_entries Entries packed with lz4 1 }") {
		t.Error(got)
	}
	if len(one.Findings) != 1 || strings.Contains(one.Findings[0].Message, "entries") {
		t.Errorf("one entry: %+v", one.Findings)
	}
	s.records[3].dataCRC++
	two := report()
	if len(two.Findings) != 1 || two.Findings[0].Entry != "packed.txt" || !strings.HasSuffix(two.Findings[0].Message, "; so have 2 entries") {
		t.Errorf("two entries: %+v", two.Findings)
	}
}

// The rest of a slot that ends behind the file is looked at as far as it is there.
func TestSlackAtTheEnd(t *testing.T) {
	for _, dirty := range []bool{false, true} {
		s := newSample(t)
		last := &s.records[2]
		s.epk = s.epk[:last.position+last.dataSize+3]
		if dirty {
			s.epk[len(s.epk)-1] = 1
		}
		missing := int(last.slotSize-last.dataSize) - 3
		a, err := openMemory(s.eix(t), s.epk, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := a.Verify(t.Context(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rules := map[string]string{}
		for _, f := range report.Findings {
			rules[f.Rule] = f.Message
		}
		if want := fmt.Sprintf("the slot ends %d bytes after the end", missing); !strings.Contains(rules[string(fault.Truncated)], want) {
			t.Errorf("%q: not %s", rules, want)
		}
		if _, ok := rules[string(fault.NonzeroTrailer)]; ok != dirty {
			t.Errorf("the rest is not zero: %v, and is told: %v", dirty, ok)
		}
	}
}

// What an edit would give one name is refused; what had one before is not its
// fault.
func TestCheckTaken(t *testing.T) {
	page, ok := codepage.Find("1252")
	if !ok {
		t.Fatal("no such code page")
	}
	old := func(name string) record { return record{name: []byte(name), nameCRC: 1, raw: []byte{1}} }
	fresh := func(name string) record { return record{name: []byte(name), nameCRC: 1} }
	for _, test := range []struct {
		records []record
		refused bool
	}{
		{[]record{old("a"), fresh("b")}, false},
		{[]record{old("a"), old("A")}, false},
		{[]record{old("a"), fresh("A")}, true},
		{[]record{fresh("A"), old("a")}, true},
		{[]record{fresh("a"), fresh("A")}, true},
		{[]record{{}, {}}, false},
	} {
		err := (&index{records: test.records}).checkTaken(page)
		if errors.Is(err, fs.ErrExist) != test.refused || err != nil && !test.refused {
			t.Errorf("%v: %v", test.records, err)
		}
	}
}

// A pack with marks of its own keeps them, in the index and in new entries.
func TestEditKeepsMarks(t *testing.T) {
	s := newSample(t)
	s.marks.index = "IDX!"
	a, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.eix")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := errors.Join(a.Edit(t.Context(), stage, []archive.Edit{put("new.txt", text(900))}, archive.CreateOptions{}), stage.Commit()); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, path); string(got[:4]) != "IDX!" {
		t.Errorf("the index begins with %q", got[:4])
	}
	if got := listing(t, openPath(t, path, archive.Options{})); got["new.txt"] != string(text(900)) || len(got) != 4 {
		t.Errorf("%d entries", len(got))
	}
}
