package tree

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
)

// numbers is a chunk of every kind that has these numbers in its list.
func numbers(n ...any) string {
	b := build(formsClass|1,
		1, "\x05", "\xfe\xff", 99, -5, -1, 0x3FC00000, 0, 3, -1, 36217, 0, "0123456789abcdef",
		0x03043000, "\x01", 0x13, 0, 0, 0, -1, -1, -1, len(n))
	return string(append(append(b, build(n...)...), build(0, 0)...))
}

// people is such a chunk with people.
func people(nodes ...any) string {
	b := []byte(numbers())
	b = append(b[:len(b)-4], build(len(nodes))...)
	for _, n := range nodes {
		b = append(b, 7)
		switch n := n.(type) {
		case int:
			b = append(b, build(n)...)
		case string:
			b = append(b, n...)
		}
	}
	return string(b)
}

// corners is such a chunk with corners.
func corners(n ...any) string {
	b := []byte(numbers())
	b = append(b[:len(b)-8], build(len(n)/2)...)
	return string(append(append(b, build(n...)...), build(0)...))
}

func nodeWith(index, class, word int) string {
	return string(build(index, class, otherClass|2, word, endMark))
}

// compressedFile is a file with a compressed body and something behind it.
func compressedFile(trailer string) []byte {
	body := string(build(formsClass|2, 5, endMark))
	return build("GBX\x06\x00BUCR", formsClass, 0, 1, 0, len(body), len(body)+4, string(rune(17+len(body))), body, "\x11\x00\x00", trailer)
}

// Two files differ in what was changed, added and removed, and in nothing else.
func TestDiffOf(t *testing.T) {
	const noteChunk = formsClass | 2
	rest := func(data []byte, s string) []byte { return append(data, s...) }
	for _, test := range []struct {
		name string
		a, b []byte
		want []string
	}{
		{"nothing", allForms(), allForms(), nil},
		{"the beginning of a list", formsFile(numbers(1, 2, 3)), formsFile(numbers(9, 2, 3)), []string{"changed body.3F0AA001.numbers[0] 1 9"}},
		{"the end of a list", formsFile(numbers(1, 2, 3)), formsFile(numbers(1, 2, 9)), []string{"changed body.3F0AA001.numbers[2] 3 9"}},
		{"one more in a list", formsFile(numbers(1, 2, 3)), formsFile(numbers(1, 9, 2, 3)), []string{"added body.3F0AA001.numbers[1]  9"}},
		{"one less in a list", formsFile(numbers(1, 9, 2, 3)), formsFile(numbers(1, 2, 3)), []string{"removed body.3F0AA001.numbers[1] 9 "}},
		{"one more of the same", formsFile(numbers(1, 1, 1)), formsFile(numbers(1, 1, 1, 1)), []string{"added body.3F0AA001.numbers[3]  1"}},
		{"one less of the same", formsFile(numbers(1, 1, 1)), formsFile(numbers(1, 1)), []string{"removed body.3F0AA001.numbers[2] 1 "}},
		{"all of a list", formsFile(numbers(1, 2)), formsFile(numbers()), []string{"removed body.3F0AA001.numbers[0] 1 ", "removed body.3F0AA001.numbers[1] 2 "}},
		{"another list", formsFile(numbers(1, 2)), formsFile(numbers(3)), []string{"changed body.3F0AA001.numbers[0] 1 3", "removed body.3F0AA001.numbers[1] 2 "}},
		{"the class of a node", formsFile(people(nodeWith(1, otherClass, 5))), formsFile(people(nodeWith(1, formsClass, 5))), []string{"changed body.3F0AA001.people[0].node.class 3F0AB000 3F0AA000"}},
		{"the class of a node and a value", formsFile(people(nodeWith(1, otherClass, 5))), formsFile(people(nodeWith(1, formsClass, 6))),
			[]string{"changed body.3F0AA001.people[0].node.class 3F0AB000 3F0AA000", "changed body.3F0AA001.people[0].node.3F0AB002.word 5 6"}},
		{"a node for a file outside", formsFile(people(nodeWith(1, otherClass, 5))), formsFile(people(3)), []string{"changed body.3F0AA001.people[0].node node 3F0AB000 #3"}},
		{"no node", formsFile(people(3)), formsFile(people(-1)), []string{"changed body.3F0AA001.people[0].node #3 none"}},
		{"the same node by another number", formsFile(people(nodeWith(1, otherClass, 5))), formsFile(people(nodeWith(2, otherClass, 5))), nil},
		{"the other of two nodes", formsFile(people(nodeWith(1, otherClass, 5), nodeWith(2, otherClass, 5), 1)), formsFile(people(nodeWith(1, otherClass, 5), nodeWith(2, otherClass, 5), 2)),
			[]string{"changed body.3F0AA001.people[2].node #1 #2"}},
		{"one more person", formsFile(people(-1)), formsFile(people(-1, 3)), []string{"added body.3F0AA001.people[1]  2 values"}},
		{"one less corner", formsFile(corners(1, 2, 3, 4)), formsFile(corners(1, 2)), []string{"removed body.3F0AA001.corners[1] (3, 4) "}},
		{"another corner", formsFile(corners(1, 2, 3, 4)), formsFile(corners(1, 2, 3, 5)), []string{"changed body.3F0AA001.corners[1].y 4 5"}},
		{"a value in a form and another", formsFile(noteChunk, 5, noteChunk, 6, formsClass|9, skipMark, 1, "x"), formsFile(noteChunk, 5, formsClass|9, skipMark, 1, "y", noteChunk, 6), []string{"changed body.3F0AA009.opaque 1 bytes: 78 (unknown chunk) 1 bytes: 79 (unknown chunk)"}},
		{"a chunk more", formsFile(noteChunk, 5), formsFile(noteChunk, 5, noteChunk, 6), []string{"added body.3F0AA002#2  8 bytes"}},
		{"a chunk less", formsFile(noteChunk, 5, noteChunk, 6), formsFile(noteChunk, 5), []string{"removed body.3F0AA002#2 8 bytes "}},
		{"a chunk in another form", formsFile(noteChunk, 5), formsFile(noteChunk, skipMark, 4, 6), []string{"changed body.3F0AA002.form plain skippable", "changed body.3F0AA002.word 5 6"}},
		{"inside a block", formsFile(formsClass|3, string(squeezed(5))), formsFile(formsClass|3, string(squeezed(6))),
			[]string{"changed body.3F0AA003.inner.compressed 15 bytes: 78 01 01 04 00 fb ff 05 00 00 00 00 18 00 06 15 bytes: 78 01 01 04 00 fb ff 06 00 00 00 00 1c 00 07", "changed body.3F0AA003.inner.content.word 5 6"}},
		{"the rest", rest(formsFile(), "abc"), rest(formsFile(), "abd"), []string{"changed rest 3 bytes: 61 62 63 3 bytes: 61 62 64"}},
		{"no rest", rest(formsFile(), "abc"), formsFile(), []string{"changed rest 3 bytes: 61 62 63 0 bytes"}},
		{"the trailer", compressedFile("abc"), compressedFile("abd"), []string{"changed trailer 3 bytes: 61 62 63 3 bytes: 61 62 64"}},
		{"the version", build("GBX\x05\x00BUUR", formsClass, 1, 0, endMark), build("GBX\x04\x00BUUE", formsClass, 1, 0, endMark), []string{"changed header.version 5 4", "changed header.letters BUUR BUUE"}},
		{"the letters", build("GBX\x03\x00BUU", formsClass, 1, 0, endMark), build("GBX\x04\x00BUUR", formsClass, 1, 0, endMark), []string{"changed header.version 3 4", "changed header.letters BUU BUUR"}},
		{"the main class", build("GBX\x05\x00BUUR", formsClass, 1, 0, endMark), build("GBX\x05\x00BUUR", otherClass, 1, 0, endMark), []string{"changed header.classID 3F0AA000 3F0AB000", "changed body.class 3F0AA000 3F0AB000"}},
	} {
		a, _ := formsTree(t, test.a)
		b, _ := formsTree(t, test.b)
		var got []string
		for _, c := range diffForms(t, a, b) {
			got = append(got, fmt.Sprintf("%v %s %s %s", c.Kind, c.Path, c.Old, c.New))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// The bytes that an edit changes are those of the value and of what counts it.
func TestByteDiffOf(t *testing.T) {
	const noteChunk = formsClass | 2
	for _, test := range []struct {
		name string
		a, b []byte
		want []string
	}{
		{"nothing", allForms(), allForms(), nil},
		{"a value", formsFile(noteChunk, 5, noteChunk, 7), formsFile(noteChunk, 6, noteChunk, 7), []string{"body: body.3F0AA002.word at 4: 05000000 06000000 (5, 6)"}},
		{"the last value", formsFile(noteChunk, 5, noteChunk, 7), formsFile(noteChunk, 5, noteChunk, 8), []string{"body: body.3F0AA002#2.word at 12: 07000000 08000000 (7, 8)"}},
		{"two values", formsFile(noteChunk, 5, noteChunk, 7, noteChunk, 9), formsFile(noteChunk, 6, noteChunk, 7, noteChunk, 8), []string{"body: body.3F0AA002.word at 4: 05000000 06000000 (5, 6)", "body: body.3F0AA002#3.word at 20: 09000000 08000000 (9, 8)"}},
		{"a longer list", formsFile(noteChunk, 5, numbers(1, 2)), formsFile(noteChunk, 5, numbers(1, 2, 3)), []string{"body:  at 104: 020000000100000002 03000000010000000200000003 (, )"}},
		{"another list", formsFile(numbers(1, 2), noteChunk, 4), formsFile(numbers(1, 3), noteChunk, 4), []string{"body: body.3F0AA001.numbers[1] at 104: 02000000 03000000 (2, 3)"}},
		{"a chunk more", formsFile(noteChunk, 5), formsFile(noteChunk, 5, noteChunk, 6), []string{"body:  at 8:  02a00a3f06000000 (, )"}},
		{"a longer text in a chunk with its size", formsFile(formsClass|4, skipMark, 23, 0, 15, 3, 0x40000000, 3, "abc", noteChunk, 5), formsFile(formsClass|4, skipMark, 24, 0, 16, 3, 0x40000000, 4, "abcd", noteChunk, 5), []string{"body: sizes before body.3F0AA004.frame.version at 8: 17000000 18000000 (, )", "body: sizes before body.3F0AA004.frame.name at 16: 0f000000 10000000 (, )", "body: body.3F0AA004.frame.name at 20: 030000000000004003000000616263 03000000000000400400000061626364 (\"abc\", \"abcd\")"}},
		{"inside a block", formsFile(formsClass|3, string(squeezed(5)), noteChunk, 5), formsFile(formsClass|3, string(squeezed(6)), noteChunk, 5), []string{"body: body.3F0AA003.inner.compressed at 8: 0f0000007801010400fbff0500000000180006 0f0000007801010400fbff06000000001c0007 (15 bytes: 78 01 01 04 00 fb ff 05 00 00 00 00 18 00 06, 15 bytes: 78 01 01 04 00 fb ff 06 00 00 00 00 1c 00 07)", "inside body.3F0AA003.inner.content: body.3F0AA003.inner.content.word at 0: 05000000 06000000 (5, 6)"}},
		{"the second of two blocks", formsFile(formsClass|3, string(squeezed(5)), formsClass|3, string(squeezed(5))), formsFile(formsClass|3, string(squeezed(5)), formsClass|3, string(squeezed(7))), []string{"body: body.3F0AA003#2.inner.compressed at 35: 0f0000007801010400fbff0500000000180006 0f0000007801010400fbff0700000000200008 (15 bytes: 78 01 01 04 00 fb ff 05 00 00 00 00 18 00 06, 15 bytes: 78 01 01 04 00 fb ff 07 00 00 00 00 20 00 08)", "inside body.3F0AA003#2.inner.content: body.3F0AA003#2.inner.content.word at 0: 05000000 07000000 (5, 7)"}},
		{"the header", build("GBX\x06\x00BUUR", formsClass, 16, 1, noteChunk, 4, 1, 1, 0, endMark), build("GBX\x06\x00BUUR", formsClass, 16, 1, noteChunk, 4, 2, 1, 0, endMark), []string{"header: header.3F0AA002.word at 29: 01000000 02000000 (1, 2)"}},
		{"behind the main node", append(formsFile(noteChunk, 5), "old"...), append(formsFile(noteChunk, 5), "now!"...), []string{"body: end at 12: 6f6c64 6e6f7721 (, )"}},
		{"far behind", formsFile(numbers(), noteChunk, 5, formsClass|9, skipMark, 10000, string(bytes.Repeat([]byte("x"), 10000)), noteChunk, 7),
			formsFile(numbers(), noteChunk, 6, formsClass|9, skipMark, 10000, string(bytes.Repeat([]byte("x"), 10000)), noteChunk, 7), []string{"body: body.3F0AA002.word at 112: 05000000 06000000 (5, 6)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, _ := formsTree(t, test.a)
			b, _ := formsTree(t, test.b)
			list, err := ByteDiff(a, b)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range list {
				got = append(got, fmt.Sprintf("%s: %s at %d: %x %x (%s, %s)", c.Part, c.Place, c.Offset, c.Old, c.New, c.OldText, c.NewText))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		})
	}
}

// halves is a registry that reads a word of the note in two halves, which it calls
// and groups in its own way.
func halves(code func(x *gbx.Coder, a, b *uint16)) *gbx.Registry {
	return gbx.NewRegistry([]gbx.ClassInfo{{ID: formsClass, Name: "CForms", Chunks: []gbx.ChunkInfo{
		{ID: formsClass | 2, New: func() gbx.Body { return &half{code: code} }},
	}}})
}

type half struct {
	A, B uint16
	code func(x *gbx.Coder, a, b *uint16)
}

func (h *half) Code(x *gbx.Coder) { h.code(x, &h.A, &h.B) }

// A file that was saved is the one that was meant only if every value is found
// again under its name, in its group and at its place.
func TestRereadElsewhere(t *testing.T) {
	usual := func(group, a, b string) *gbx.Registry {
		return halves(func(x *gbx.Coder, p, q *uint16) {
			x.Group(group, p)
			x.U16(p, a)
			x.U16(q, b)
			x.EndGroup()
		})
	}
	data := build("GBX\x06\x00BUUR", formsClass, 0, 1, 0, formsClass|2, 5, formsClass|2, skipMark, 4, 6, endMark)
	parsed := func(data []byte, reg *gbx.Registry) *gbx.File {
		f, err := gbx.Parse(data, reg)
		if err != nil || f.Body.Tail != nil {
			t.Fatalf("err = %v; want no error, f.Body.Tail = nil", err)
		}
		return f
	}
	reg := usual("g", "a", "b")
	meant := parsed(data, reg)
	if _, err := Set(meant, "body.3F0AA002.g.a", "9"); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*gbx.Registry{
		"same":          reg,
		"another group": usual("h", "a", "b"),
		"another name":  usual("g", "a", "c"),
		"other places": halves(func(x *gbx.Coder, p, q *uint16) {
			x.Group("g", p)
			var low, high uint8
			x.U8(&low, "a")
			x.U16(q, "b")
			x.U8(&high, "b")
			x.EndGroup()
		}),
		"outside the group": halves(func(x *gbx.Coder, p, q *uint16) {
			x.Group("g", p)
			x.U16(p, "a")
			x.EndGroup()
			x.U16(q, "b")
		}),
	} {
		t.Run(name, func(t *testing.T) {
			edit, err := NewEdit(parsed(data, reg), meant)
			if err != nil {
				t.Fatal(err)
			}
			if want := bytes.Replace(data, build(5), build(9), 1); !bytes.Equal(edit.Data(), want) {
				t.Fatalf("edit.Data() = %q; want edit.Data() equal to want", edit.Data())
			}
			r, err := edit.Reread(parsed(edit.Data(), other))
			if err != nil || r.Same != (name == "same") {
				t.Errorf(`%s: r = %+v, err = %v; want no error, r.Same exactly if name is "same"`, name, r, err)
			}
			if name == "same" && (!r.Exact || len(r.Changes) != 1) {
				t.Errorf(`r = %+v; want name other than "same" or r.Exact = true, r.Changes of length 1`, r)
			}
		})
	}
}

// An edit of a compressed block, or beside one, is distinguished from one that is exact by
// itself.
func TestRereadBlocks(t *testing.T) {
	data := formsFile(formsClass|2, 5, formsClass|3, string(squeezed(6)), formsClass|2, 7, formsClass|2, 8, formsClass|2, 9)
	for path, exact := range map[string]bool{"content.word": false, "body.3F0AA002.word": false, "body.3F0AA002#4.word": true} {
		t.Run(path, func(t *testing.T) {
			found, _ := formsTree(t, data)
			meant, _ := formsTree(t, data)
			if _, err := Set(meant, path, "77"); err != nil {
				t.Fatal(err)
			}
			edit, err := NewEdit(found, meant)
			if err != nil {
				t.Fatal(err)
			}
			read, _ := formsTree(t, edit.Data())
			if r, err := edit.Reread(read); err != nil || !r.Same || r.Exact != exact || len(r.Changes) == 0 {
				t.Errorf("%s: r = %+v, err = %v; want no error, r.Same = true, r.Exact = %v, r.Changes not empty", path, r, err, exact)
			}
		})
	}
}

// Files of many bytes are compared a part after another, and nothing is left out.
func TestDiffInBatches(t *testing.T) {
	large := func(fill string) []byte {
		var chunks []any
		for i := range 4 {
			chunks = append(chunks, formsClass|9, skipMark, 100_000, strings.Repeat(fill, 100_000), formsClass|2, i+int(fill[0]))
		}
		return formsFile(chunks...)
	}
	a, _ := formsTree(t, large("a"))
	b, _ := formsTree(t, large("b"))
	var paths []string
	for _, c := range diffForms(t, a, b) {
		paths = append(paths, c.Path)
	}
	want := []string{"body.3F0AA009.opaque", "body.3F0AA002.word", "body.3F0AA009#2.opaque", "body.3F0AA002#2.word", "body.3F0AA009#3.opaque", "body.3F0AA002#3.word", "body.3F0AA009#4.opaque", "body.3F0AA002#4.word"}
	if !slices.Equal(paths, want) {
		t.Errorf("paths = %q; want paths equal to %q", paths, want)
	}
}

// A chunk that was added, removed or moved is not reported as a changed value.
func TestRereadParts(t *testing.T) {
	before := formsFile(formsClass|2, 5, formsClass|3, string(squeezed(6)))
	for name, change := range map[string]func(f *gbx.File){
		"one more": func(f *gbx.File) { f.Body.Chunks = append(f.Body.Chunks, f.Body.Chunks[0]) },
		"one less": func(f *gbx.File) { f.Body.Chunks = f.Body.Chunks[1:] },
		"swapped":  func(f *gbx.File) { f.Body.Chunks[0], f.Body.Chunks[1] = f.Body.Chunks[1], f.Body.Chunks[0] },
	} {
		t.Run(name, func(t *testing.T) {
			found, _ := formsTree(t, before)
			meant, _ := formsTree(t, before)
			change(meant)
			edit, err := NewEdit(found, meant)
			if err != nil {
				t.Fatal(err)
			}
			read, tr := formsTree(t, edit.Data())
			if r, err := edit.Reread(read); err != nil || !r.Same || r.Exact || len(r.Changes) == 0 || len(tr.Body.Children) != len(meant.Body.Chunks) {
				t.Errorf("%s: r = %+v, err = %v; want no error, r.Same = true, r.Exact = false, r.Changes not empty, tr.Body.Children of length len(meant.Body.Chunks)", name, r, err)
			}
		})
	}
}

// The name of a value, and its kind.
func TestLooks(t *testing.T) {
	_, tr := formsTree(t, formsFile(0x3F0AC001, skipMark, 1, "x", people(nodeWith(1, otherClass, 5))))
	if v := tr.At("body.3F0AC001.opaque"); !v.IsOpaque() || tr.At("body.3F0AC001").IsOpaque() {
		t.Error("what is not understood")
	}
	if a, b := tr.ClassName(tr.At("body.3F0AA001.people[0].node")), tr.ClassName(tr.At("body.3F0AA001.people[0]")); a != "COther" || b != "" {
		t.Errorf(`a = %q, b = %q; want a = "COther", b = ""`, a, b)
	}
	var text bytes.Buffer
	if err := tr.WriteValue(&text, tr.At("body.3F0AC001"), false); err != nil || text.String() != "3F0AC001 skippable (13 bytes)\n  opaque 1 bytes: 78 (unknown chunk)\n" {
		t.Errorf("text.String() = %q, err = %v; want no error, text.String() = \"3F0AC001 skippable (13 bytes)\\n opaque 1 bytes: 78 (unknown chunk)\\n\"", text.String(), err)
	}
}
