package eterpack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
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
// rest of the old data. A write error at any offset is returned.
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

// Entries are counted by codec, and facts common to all are reported once.
func TestVerifyCounts(t *testing.T) {
	s := newSample(t)
	lz4, err := encodeObject(text(1500), defaultMarks.object, nil, codecLZ4, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.add("four.txt", typeCompress, lz4)
	s.records[1].dataCRC = 0
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
	counts := func(r *archive.Report) string {
		var list []string
		for _, f := range r.Facts {
			list = append(list, fmt.Sprint(f.Name, " ", f.Value))
		}
		return strings.Join(list, ", ")
	}
	only := newSample(t)
	a, err := openMemory(only.eix(t), only.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if lzo, err := a.Verify(t.Context(), archive.Options{}); err != nil || strings.Contains(counts(lzo), "lz4") {
		t.Errorf("a pack without LZ4: %v, %v", lzo.Facts, err)
	}
	one := report()
	if got := counts(one); got != "lzo_entries 2, lz4_entries 1" {
		t.Errorf(`got = %v; want "lzo_entries 2, lz4_entries 1"`, got)
	}
	if len(one.Findings) != 1 || strings.Contains(one.Findings[0].Message, "entries") {
		t.Errorf("one entry: %+v", one.Findings)
	}
	s.records[3].dataCRC = 0
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
			t.Errorf("trailer is not zero: %v, but a finding reports it: %v", dirty, ok)
		}
	}
}

// An entry that claims more than the caller allows is refused, whether it would
// be unpacked over itself or not.
func TestLimitIsExact(t *testing.T) {
	for _, size := range []int{1000, streamSize + 1000} {
		s := newSample(t)
		packed, err := encodeObject(make([]byte, size), defaultMarks.object, nil, codecLZO, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.add("large", typeCompress, packed)
		for limit, want := range map[int64]error{int64(size): nil, int64(size) - 1: fault.Limit} {
			a, err := openMemory(s.eix(t), s.epk, archive.Options{MaxEntrySize: limit})
			if err != nil {
				t.Fatal(err)
			}
			f, err := a.OpenEntry(3)
			if err == nil {
				var n int64
				if n, err = io.Copy(io.Discard, f); want == nil && n != int64(size) {
					t.Errorf("%d bytes of %d", n, size)
				}
			}
			var e *fault.Error
			if !errors.Is(err, want) || err != nil && (!errors.As(err, &e) || e.Entry != "large") {
				t.Errorf("%d bytes, %d are allowed: %v", size, limit, err)
			}
			report, err := a.Verify(t.Context(), archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			told := slices.ContainsFunc(report.Findings, func(f finding.Finding) bool { return f.Entry == "large" })
			if told != (want != nil) {
				t.Errorf("%d bytes, %d are allowed: %+v", size, limit, report)
			}
			for _, f := range report.Findings {
				if at := int64(s.records[3].position) + 12; f.Entry == "large" && (f.Field != "real_size" || f.Offset != at) {
					t.Errorf("%+v, not at %d", f, at)
				}
			}
		}
	}
}

// The index of a server with marks of its own is known by sizes that agree.
func TestSizedObject(t *testing.T) {
	head := func(mark string, encrypted, packed, real uint32) []byte {
		b := append([]byte(mark), make([]byte, 12+innerMagicSize)...)
		for i, v := range []uint32{encrypted, packed, real} {
			b[4+4*i], b[5+4*i], b[6+4*i] = byte(v), byte(v>>8), byte(v>>16)
		}
		return b
	}
	const whole = objectHeaderSize + 120
	table := uint32(headSize + 3*recordSize)
	for _, test := range []struct {
		what string
		head []byte
		size int64
		want bool
	}{
		{"sound", head("ABCD", 120, 100, table), whole, true},
		{"with spare bytes", head("ABCD", 120, 100, table), whole + objectSpare, true},
		{"with others", head("ABCD", 120, 100, table), whole + 1, false},
		{"in clear", head("ABCD", 0, 100, table), whole, false},
		{"with half a record", head("ABCD", 120, 100, table+1), whole, false},
		{"without a head", head("ABCD", 120, 100, headSize-1), whole, false},
		{"with a head alone", head("ABCD", 120, 100, headSize), whole, true},
		{"without a mark", head("\x00\x01\x02\x03", 120, 100, table), whole, false},
		{"cut", head("ABCD", 120, 100, table)[:10], whole, false},
	} {
		if got := sizedObject(test.head, test.size); got != test.want {
			t.Errorf("%s: got = %v; want %v", test.what, got, test.want)
		}
	}
}

// Padding that today's packers leave zero is reported if it is not: behind the name, and
// behind the type.
func TestPaddingIsTold(t *testing.T) {
	for _, at := range []int{0, 160, 189, 191} {
		s := newSample(t)
		s.records[1].slotSize += 3 // by none of the packers that leave memory there
		s.records[1].raw = s.records[1].encode()
		if at > 0 {
			s.records[1].raw[at] = 1
		}
		a, err := openMemory(s.eix(t), s.epk, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(mustVerify(t, a).Findings, func(f finding.Finding) bool {
			return f.Rule == string(fault.ReservedNonzero) && f.Entry == "packed.txt"
		})
		if told != (at > 0) {
			t.Errorf("byte %d of the record: %v, %v", at, told, mustVerify(t, a).Findings)
		}
	}
}

// Free slots may stand anywhere, and a name is beyond ASCII from its first letter.
func TestFactsCount(t *testing.T) {
	s := newSample(t)
	s.records = append([]record{{id: 9, slotSize: 256}}, s.records...)
	for name, want := range map[string]bool{"\x7f": false, "\xc2\x80": true} {
		t.Run(name, func(t *testing.T) {
			s.rename(1, name)
			a, err := openMemory(s.eix(t), s.epk, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := factWords(a); !strings.Contains(got, " free_slots=1 ") || !strings.HasSuffix(got, " type_0=1 type_1=1 type_2=1") || strings.Contains(got, "code_page") != want {
				t.Errorf(`%q: got = %s; want got with " free_slots=1 ", got ending in " type_0=1 type_1=1 type_2=1", strings.Contains(got, "code_page") = %v`, name, got, want)
			}
		})
	}
}

// An index may unpack to what real ones do and more, and not to anything.
func TestIndexLimit(t *testing.T) {
	for packed, want := range map[int64]int64{0: 1 << 20, 32 << 10: 1 << 20, 32<<10 + 1: 1<<20 + 32, 1 << 20: 32 << 20} {
		if got := maxIndex(packed); got != want {
			t.Errorf("%d bytes may become %d, want %d", packed, got, want)
		}
	}
}

// The error for an object that is cut has the required and the present size.
func TestObjectIsCut(t *testing.T) {
	s := newSample(t)
	last := &s.records[2]
	s.epk = s.epk[:last.position+last.dataSize-objectSpare-1]
	a, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var e *fault.Error
	if !errors.As(a.Entries()[2].Problem, &e) || e.Kind.Class() != fault.Corrupt {
		t.Errorf("a.Entries()[2].Problem = %v; want a.Entries()[2].Problem of the type of e, e.Kind.Class() = fault.Corrupt", a.Entries()[2].Problem)
	}
}
