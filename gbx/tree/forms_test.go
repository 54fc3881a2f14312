package tree

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/code"
)

// weather is a number with names, sky is flags.
type (
	weather uint32
	sky     uint32
)

func (w weather) String() string {
	if w > 0 && w < 3 { // nothing has no name
		return []string{"", "Rain", "Snow"}[w]
	}
	return fmt.Sprint(uint32(w))
}

func (s sky) String() string {
	return code.FlagString(uint32(s), []code.BitName{{Bit: 0, Name: "Day"}, {Bit: 4, Name: "Clouds"}})
}

// kinds is a chunk with a value of every kind.
type kinds struct {
	Yes     gbx.Bool
	Tiny    uint8
	Short   int16
	Word    uint32
	Long    int64
	Float   float32
	Text    string
	Name    gbx.ID
	Time    gbx.Time
	Data    []byte
	Hash    gbx.Hash128
	Class   classid.ID
	Weather weather
	Sky     sky
	Place   gbx.Vec3
	Who     gbx.Ident
	Numbers []uint32
	Corners []gbx.Int2
	People  []person
}

type person struct {
	Age  uint8
	Node gbx.Ref
}

func (k *kinds) Code(x *gbx.Coder) {
	x.Bool(&k.Yes, "yes")
	x.U8(&k.Tiny, "tiny")
	x.I16(&k.Short, "short")
	x.U32(&k.Word, "word")
	x.I64(&k.Long, "long")
	x.F32(&k.Float, "float")
	x.String(&k.Text, "text")
	x.ID(&k.Name, "name")
	x.Time(&k.Time, "time")
	x.Data(&k.Data, "data")
	x.Hash128(&k.Hash, "hash")
	x.ClassID(&k.Class, "class")
	code.Enum8(x, &k.Weather, "weather")
	code.Enum32(x, &k.Sky, "sky")
	x.Vec3(&k.Place, "place")
	x.Ident(&k.Who, "who")
	code.List(x, &k.Numbers, 4, "numbers")
	for i := range k.Numbers {
		x.U32(&k.Numbers[i], x.ElemName(i))
	}
	x.EndList()
	code.List(x, &k.Corners, 8, "corners")
	for i := range k.Corners {
		x.Int2(&k.Corners[i], x.ElemName(i))
	}
	x.EndList()
	code.List(x, &k.People, 5, "people")
	for i := range k.People {
		p := &k.People[i]
		x.Elem(i, p)
		x.U8(&p.Age, "age")
		x.Ref(&p.Node, "node")
		x.EndElem()
	}
	x.EndList()
}

// note is a chunk with a word, a packed one whose word is
// compressed, and a framed one whose name has a list of its own.
type (
	note   struct{ Word uint32 }
	packed struct{ Inner gbx.Zlib[note, *note] }
	framed struct {
		Frame gbx.Encapsulation
		Name  gbx.ID
	}
)

func (n *note) Code(x *gbx.Coder)   { x.U32(&n.Word, "word") }
func (b *packed) Code(x *gbx.Coder) { b.Inner.Code(x, note{}, "inner") }
func (f *framed) Code(x *gbx.Coder) {
	st := x.Encapsulated(&f.Frame, "frame")
	x.ID(&f.Name, "name")
	x.EndEncapsulated(&f.Frame, st)
}

// lossy is a chunk with a block of which not all comes back.
type (
	lossy struct {
		Inner gbx.Zlib[bytes3, *bytes3]
	}
	bytes3 struct{ Word uint32 }
)

func (l *lossy) Code(x *gbx.Coder) { l.Inner.Code(x, bytes3{}, "inner") }

func (b *bytes3) Code(x *gbx.Coder) {
	x.U32(&b.Word, "word")
	b.Word &= 0xFFFFFF
}

const (
	formsClass = 0x3F0AA000
	otherClass = 0x3F0AB000
	ghostClass = 0x03092000 // that of ghosts, which nobody may change
)

// forms knows the class of these tests.
var forms = gbx.NewRegistry([]gbx.ClassInfo{
	{ID: formsClass, Name: "CForms", Chunks: []gbx.ChunkInfo{
		{ID: formsClass | 1, New: func() gbx.Body { return new(kinds) }},
		{ID: formsClass | 2, Name: "note", New: func() gbx.Body { return new(note) }},
		{ID: formsClass | 3, New: func() gbx.Body { return new(packed) }},
		{ID: formsClass | 4, New: func() gbx.Body { return new(framed) }},
		{ID: formsClass | 5, New: func() gbx.Body { return new(lossy) }},
		{ID: formsClass | 2, Header: true, New: func() gbx.Body { return new(note) }},
	}},
	{ID: ghostClass, Name: "CGhost", Chunks: []gbx.ChunkInfo{
		{ID: ghostClass | 2, New: func() gbx.Body { return new(note) }},
		{ID: ghostClass | 2, Header: true, New: func() gbx.Body { return new(note) }},
	}},
	{ID: otherClass, Name: "COther", Chunks: []gbx.ChunkInfo{{ID: otherClass | 2, New: func() gbx.Body { return new(note) }}}},
})

// squeezed is a block with a word, in which nothing is compressed.
func squeezed(word int) []byte {
	content := build(word)
	sum := binary.BigEndian.AppendUint32(nil, adler32.Checksum(content))
	return build(4, 15, "\x78\x01\x01\x04\x00\xfb\xff", word, string(sum))
}

const endMark, skipMark = 0xFACADE01, 0x534B4950

// formsFile has a value of every kind, in the chunks given by their bytes.
func formsFile(chunks ...any) []byte {
	head := build("GBX\x06\x00BUUR", formsClass, 4+16+8, 2, formsClass|2, 4, formsClass|2, 4-1<<31, 7, 8, 4, 1, 0, 0, 1, 5, "a.dds", 3, 0, 0)
	return append(head, build(append(chunks, endMark)...)...)
}

// everyKind is such a chunk.
func everyKind() string {
	return string(build(formsClass|1,
		1, "\x05", "\xfe\xff", 99, -5, -1, 0x3FC00000, 6, "say \"x", 3, 0x40000000, 3, "one", 36217, 3, "\x01\x02\x03", "0123456789abcdef",
		0x03043000, "\x01", 0x13, 0x3F800000, 0, -0x40800000, 0x40000000, 3, "two", 26, -1,
		18, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
		2, 1, -1, 2, -2,
		4, "\x21", 1, otherClass, otherClass|2, 77, endMark, "\x22", 1, "\x23", -1, "\x24", 3))
}

func formsTree(t *testing.T, data []byte) (*gbx.File, *Tree) {
	t.Helper()
	f, err := gbx.Parse(data, forms)
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Coverage(); len(c.Inexact) != 0 {
		t.Fatalf("c = %+v; want empty c.Inexact", c)
	}
	tr, err := Of(f)
	if err != nil {
		t.Fatal(err)
	}
	return f, tr
}

// allForms is a file with everything.
func allForms() []byte {
	data := formsFile(everyKind(), formsClass|2, skipMark, 4, 5, formsClass|2, 6, formsClass|3, string(squeezed(1234)),
		formsClass|4, 0, 19, 2, 0x40000000, 7, "skipper", formsClass|9, skipMark, 20, "12345678901234567890")
	return append(data, "rest"...)
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Errorf("%s: line %d of %d and %d:\n%q\n%q", name, i+1, len(a), len(b), a[min(i, len(a)-1)], b[min(i, len(b)-1)])
			return
		}
	}
}

// A dump shows every kind of value, and where it lies; as JSON it gives the file
// again.
func TestDumps(t *testing.T) {
	f, tr := formsTree(t, allForms())
	var plain, offsets, doc bytes.Buffer
	if err := WriteText(&plain, f, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "forms.txt", plain.String())
	if err := WriteText(&offsets, f, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "forms-offsets.txt", offsets.String())
	doc.WriteString("{")
	if err := WriteJSON(&doc, f, archive.Everything); err != nil {
		t.Fatal(err)
	}
	doc.WriteString("}")
	golden(t, "forms.json", strings.ReplaceAll(doc.String(), ",", ",\n")+"\n")
	again, err := ReadJSON(doc.Bytes(), forms)
	if err != nil {
		t.Fatal(err)
	}
	if saved, err := again.Encode(); err != nil || !bytes.Equal(saved, allForms()) {
		t.Errorf("saved = %q, err = %v; want no error, saved equal to allForms()", saved, err)
	}
	if inside := tr.Inside(); len(inside) != 1 || !bytes.Equal(inside[0], build(1234)) {
		t.Errorf("inside = %q; want inside of length 1, inside[0] equal to build(1234)", inside)
	}
	for path, want := range map[string]string{
		"body.3F0AA001.place":          `{"x":1,"y":0,"z":-1}`,
		"body.3F0AA001.corners":        `[{"x":1,"y":-1},{"x":2,"y":-2}]`,
		"body.3F0AA001.people[0]":      `{"age":33,"node":{"index":1,"class":"3F0AB000","name":"COther","chunks":[{"chunk":"3F0AB002","values":{"word":77}}]}}`,
		"body.3F0AA001.people[1].node": `{"index":1}`,
		"body.3F0AA001.people[2].node": `null`,
		"body.3F0AA002":                `{"chunk":"3F0AA002","skip":true,"values":{"word":5}}`,
		"body.3F0AA003.inner.content":  `{"word":1234}`,
		"header.3F0AA002#2":            `{"chunk":"3F0AA002","heavy":true,"values":{"word":8}}`,
		"header.folders":               `[]`,
		"body.3F0AA009":                `{"chunk":"3F0AA009","skip":true,"opaque":{"base64":"MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=","reason":"unknown chunk"}}`,
		"body.3F0AA001.text":           `"say \"x"`,
	} {
		if got := string(tr.JSON(tr.At(path))); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	// A body that cannot be encoded cannot be shown.
	f.Chunks[0].Body = &gbx.Unread{Size: 5}
	for name, write := range map[string]func() error{
		"text":    func() error { return WriteText(io.Discard, f, false) },
		"JSON":    func() error { return WriteJSON(io.Discard, f, archive.Everything) },
		"part":    func() error { return WritePartText(io.Discard, f, 1) },
		"tree":    func() error { _, err := Of(f); return err },
		"outline": func() error { _, err := Outline(f); return err },
		"diff":    func() error { _, err := Diff(again, f); return err },
		"bytes":   func() error { _, err := ByteDiff(again, f); return err },
		"edit":    func() error { _, err := NewEdit(f, again); return err },
		"find":    func() error { _, err := Lazy(f).Find("yes"); return err },
		"resolve": func() error { _, err := Lazy(f).Resolve("nothing"); return err },
	} {
		if err := write(); fault.KindOf(err) != fault.Unsupported {
			t.Errorf("%s: err = %v; want err of kind fault.Unsupported", name, err)
		}
	}
}

// A value that was set reads back the same, whatever its kind; one that does not fit is
// refused with the reason.
func TestSetForms(t *testing.T) {
	for _, test := range []struct{ path, value, want string }{
		{"yes", "false", "false"}, {"yes", "7", "7"}, {"yes", "maybe", `!body.3F0AA001.yes: Bool has no value "maybe"`},
		{"tiny", "255", "255"}, {"tiny", "256", "!body.3F0AA001.tiny: 256 is not a whole number of 8 bits"}, {"tiny", "-1", "!body.3F0AA001.tiny: -1 is not a whole number of 8 bits"}, {"tiny", "1.5", "!body.3F0AA001.tiny: 1.5 is not a whole number of 8 bits"}, {"tiny", "null", "!body.3F0AA001.tiny: null is not a whole number of 8 bits"},
		{"short", "-32768", "-32768"}, {"short", "32768", "!body.3F0AA001.short: 32768 is not a whole number of 16 bits"},
		{"3F0AA001.word", "4294967295", "4294967295"},
		{"long", "-9223372036854775808", "-9223372036854775808"},
		{"float", "0.25", "0.25"}, {"float", "1e3", "1000"}, {"float", "x", `!body.3F0AA001.float: "x" is not a number for a float`}, {"float", `{"bits":"7FC00001"}`, "NaN"}, {"float", `{"bits":"7FC0001"}`, `!body.3F0AA001.float: "7FC0001" is not an ID of eight hex digits`},
		{"text", "a b", `"a b"`}, {"text", `"q"`, `"\"q\""`}, {"text", "12", `"12"`}, {"text", "", `""`},
		{"3F0AA001.name", "three", `"three"`}, {"3F0AA001.name", `"12"`, `"12"`}, {"3F0AA001.name", "12", "12"}, {"3F0AA001.name", "null", "none"}, {"3F0AA001.name", "true", `"true"`},
		{"3F0AA001.name", "1073741824", `!body.3F0AA001.name: strconv.ParseUint: parsing "1073741824": value out of range`}, {"3F0AA001.name", "[]", "!body.3F0AA001.name: a list is no ID"}, {"3F0AA001.name", "{}", "!body.3F0AA001.name: a group is no ID"}, {"3F0AA001.name", `{"base64":"/w=="}`, `"\xff"`}, {"3F0AA001.name", `{"word":"C0000005"}`, "unknown C0000005"},
		{"3F0AA001.name", `{"word":"C000000"}`, `!body.3F0AA001.name: "C000000" is not an ID of eight hex digits`}, {"3F0AA001.name", `{"word":"80000000","text":"g"}`, `"g"`},
		{"time", "0:30.5", "0:30.500"}, {"time", "none", "none"}, {"time", "30000ms", "0:30.000"}, {"time", "55", "!body.3F0AA001.time: 55 is 0:00.055, because numbers are milliseconds: write 55ms if that is meant, or 0:55.000"}, {"time", "soon", `!body.3F0AA001.time: "soon" is not a time: write it like 0:36.217, in milliseconds, or as none`}, {"time", "-1000", "-0:01.000"},
		{"data", `{"base64":"AAE="}`, "2 bytes: 00 01"}, {"data", "x", `!body.3F0AA001.data: "x" is not {"base64": …}`}, {"data", `{"base64":"?"}`, "!body.3F0AA001.data: illegal base64 data at input byte 0"}, {"data", `{"base64":1}`, `!body.3F0AA001.data: a group is not {"base64": …}`},
		{"hash", "00000000000000000000000000000001", "00000000000000000000000000000001"}, {"hash", "0001", `!body.3F0AA001.hash: "0001" is not 32 hex digits`}, {"hash", `"00000000000000000000000000000002"`, "00000000000000000000000000000002"},
		{"3F0AA001.class", "0304300D", "0304300D"}, {"3F0AA001.class", "304300D", `!body.3F0AA001.class: "304300D" is not an ID of eight hex digits`},
		{"weather", "Snow", "Snow"}, {"weather", "2", "Snow"}, {"weather", "0", "0"}, {"weather", "9", "9"}, {"weather", "Fog", `!body.3F0AA001.weather: weather has no value "Fog"`},
		{"sky", "Clouds", "Clouds"}, {"sky", "Day|0x80", "Day|0x80"}, {"sky", "0x0", "0x0"}, {"sky", "Night", `!body.3F0AA001.sky: sky has no value "Night"`}, {"sky", "Day|80", `!body.3F0AA001.sky: sky has no value "Day|80"`},
		{"place.y", "2", "2"}, {"place", "2", "!body.3F0AA001.place: is a group of values; name one of them, or write all of a vector: (1, 2, 3)"}, {"who.author", "me", `"me"`}, {"numbers[17]", "5", "5"}, {"numbers[18]", "5", "!numbers[18]: value not found: the elements of body.3F0AA001.numbers go from [0] to [17]"}, {"corners[1].y", "-9", "-9"},
		{"people[0].age", "9", "9"}, {"people[0].node.word", "9", "9"}, {"3F0AB002.word", "8", "8"}, {"people[1].node", "9", "!body.3F0AA001.people[1].node: is a group of values; name one of them, or write all of a vector: (1, 2, 3)"}, {"age", "9", "!age: can mean 4 values: body.3F0AA001.people[0].age (33), body.3F0AA001.people[1].age (34), body.3F0AA001.people[2].age (35), body.3F0AA001.people[3].age (36)"},
		{"body.3F0AA002.word", "9", "9"}, {"body.3F0AA002#2.word", "9", "9"}, {"header.3F0AA002#2.word", "9", "9"}, {"content.word", "9", "9"},
		{"frame.name", "x", `"x"`}, {"opaque", "x", "!body.3F0AA009.opaque: has an unknown layout and cannot be set"}, {"numNodes", "9", "!header.numNodes: depends on other values and cannot be set alone"}, {"fileName", "b.dds", `"b.dds"`}, {"word", "9", "!word: can mean 6 values: header.3F0AA002.word (7), header.3F0AA002#2.word (8), body.3F0AA001.word (99), body.3F0AA002.word (5), body.3F0AA002#2.word (6), body.3F0AA003.inner.content.word (1234)"},
	} {
		f, _ := formsTree(t, allForms())
		got := ""
		if _, err := Set(f, test.path, test.value); err != nil {
			got = "!" + err.Error()
		} else {
			saved, err := f.Encode()
			if err != nil {
				t.Fatal(err)
			}
			_, after := formsTree(t, saved)
			found, err := after.Resolve(test.path)
			if err != nil {
				t.Fatal(err)
			}
			got = found[0].Value.Text()
			_, before := formsTree(t, allForms())
			for _, c := range diffForms(t, before.File, after.File) {
				if c.Path != found[0].Path && !strings.HasSuffix(c.Path, ".compressed") {
					t.Errorf("%s = %s changes %+v", test.path, test.value, c)
				}
			}
		}
		if got != test.want {
			t.Errorf("%s = %s gives %s, want %s", test.path, test.value, got, test.want)
		}
	}
}

func diffForms(t *testing.T, a, b *gbx.File) []archive.ValueChange {
	t.Helper()
	list, err := Diff(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A value is not set where more than the value would change, and an ID stays of its
// kind.
func TestSetStays(t *testing.T) {
	data := formsFile(formsClass|5, string(squeezed(0x7F000005)), formsClass|3, string(squeezed(6)), formsClass|4, 0, 15, 3, -0x80000000, 3, "abc")
	f, err := gbx.Parse(data, forms)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Set(f, "3F0AA005.content.word", "7"); err == nil || err.Error() != "body.3F0AA005.inner.content.word: is in a compressed block that pakbox cannot write without other changes" {
		t.Errorf(`err = %v; want an error, err = "body.3F0AA005.inner.content.word: is in a compressed block that pakbox cannot write without other changes"`, err)
	}
	if _, err := Set(f, "3F0AA003.content.word", "7"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"xyz", `"xyz"`} {
		if _, err := Set(f, "frame.name", name); err != nil {
			t.Error(err)
		}
		if saved, err := f.Encode(); err != nil || !bytes.Contains(saved, build(formsClass|4, 0, 15, 3, -0x80000000, 3, "xyz")) {
			t.Errorf(`saved = %q, err = %v; want no error, saved with build(formsClass|4, 0, 15, 3, -0x80000000, 3, "xyz")`, saved, err)
		}
	}
	if _, err := Set(f, "frame.name", "26"); err != nil {
		t.Error(err)
	}
	if saved, err := f.Encode(); err != nil || !bytes.Contains(saved, build(formsClass|4, 0, 8, 3, 26)) {
		t.Errorf("saved = %q, err = %v; want no error, saved with build(formsClass|4, 0, 8, 3, 26)", saved, err)
	}
}

// Headers of every form come back from their documents.
func TestHeaderForms(t *testing.T) {
	for _, test := range []struct {
		data []byte
		doc  string
	}{
		{build("GBX\x03\x00BUU", formsClass, 1, 0, endMark), `{"header":{"version":3,"letters":"BUU","classID":"3F0AA000","numNodes":1},"body":{"class":"3F0AA000","name":"CForms","chunks":[]}}`},
		{build("GBX\x05\x00BUUR", formsClass, 1, 0, endMark), `{"header":{"version":5,"letters":"BUUR","classID":"3F0AA000","numNodes":1},"body":{"class":"3F0AA000","name":"CForms","chunks":[]}}`},
		{build("GBX\x06\x00BUUR", formsClass, 0, 1, 0, endMark), `{"header":{"version":6,"letters":"BUUR","userData":{"base64":""},"classID":"3F0AA000","numNodes":1},"body":{"class":"3F0AA000","name":"CForms","chunks":[]}}`},
		{build("GBX\x06\x00BUUR", formsClass, 4, 0, 1, 0, endMark), `{"header":{"version":6,"letters":"BUUR","chunks":[],"classID":"3F0AA000","numNodes":1},"body":{"class":"3F0AA000","name":"CForms","chunks":[]}}`},
		{build("GBX\x06\x00BUUR", formsClass, 3, "abc", 1, 0, endMark), `{"header":{"version":6,"letters":"BUUR","userData":{"base64":"YWJj"},"classID":"3F0AA000","numNodes":1},"body":{"class":"3F0AA000","name":"CForms","chunks":[]}}`},
		{build("GBX\x06\x00TUUE3f0aa000\r\n0\r\n1\r\n0\r\n3f0aa002\r\n7\r\nfacade01\r\n"), `{"header":{"version":6,"letters":"TUUE","userData":{"base64":""},"classID":"3F0AA000","numNodes":1},"body":{"class":"3F0AA000","name":"CForms","chunks":[{"chunk":"3F0AA002","values":{"word":7}}]}}`},
		{compressedFile("abc"), `{"header":{"version":6,"letters":"BUCR","userData":{"base64":""},"classID":"3F0AA000","numNodes":1},"body":{"class":"3F0AA000","name":"CForms","chunks":[{"chunk":"3F0AA002","values":{"word":5}}]},"trailer":{"base64":"YWJj"},"compressedBody":{"base64":"HQKgCj8FAAAAAd7K+hEAAA=="}}`},
	} {
		if got := formsDocument(t, test.data, archive.Everything); got != test.doc {
			t.Errorf("%q: got = %s; want %s", test.data, got, test.doc)
		}
		f, err := ReadJSON([]byte(test.doc), forms)
		if err != nil {
			t.Fatal(err)
		}
		if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, test.data) {
			t.Errorf("%q: saved = %q, err = %v; want no error, saved equal to test.data", test.data, saved, err)
		}
	}
	var text bytes.Buffer
	f, _ := formsTree(t, compressedFile("abc"))
	if err := WriteText(&text, f, false); err != nil || !strings.HasSuffix(text.String(), "    word 5\ntrailer 3 bytes: 61 62 63\n") {
		t.Errorf("text.String() = %s, err = %v; want no error, text.String() ending in \" word 5\\ntrailer 3 bytes: 61 62 63\\n\"", text.String(), err)
	}
}
