package gbx_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/code"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/mapsample"
)

// some gives the test a small file of each class of the corpus, and those that
// were once read wrongly.
func some(t *testing.T, test func(path string, data []byte)) {
	t.Helper()
	seen := map[string]int{}
	for path, data := range corpus.GBX(t) {
		folder := filepath.Dir(path)
		if len(data) < 100_000 && seen[folder] < 6 {
			seen[folder]++
			test(path, data)
		}
	}
}

// A file that is built from its values, as a document has them, is the file: its
// header, its body, and the compressed form that it was found with.
func TestBuild(t *testing.T) {
	built := 0
	some(t, func(path string, data []byte) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		var b bytes.Buffer
		b.WriteByte('{')
		if err := tree.WriteJSON(&b, f, archive.Everything); err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		b.WriteByte('}')
		again, err := tree.ReadJSON(b.Bytes(), engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		if got, err := again.Encode(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v, %d bytes of %d", path, err, len(got), len(data))
		}
		built++
	})
	if built < 100 {
		t.Errorf("only %d files were built", built)
	}
}

// counter counts what it is shown, and where it lies.
type counter struct {
	groups, values, open int
	end                  int64
}

func (c *counter) Begin(string, any, int64) { c.groups++; c.open++ }
func (c *counter) End(int64)                { c.open-- }
func (c *counter) Value(string, any)        {}
func (c *counter) Coded(_ string, _ any, offset, length int64) {
	c.values++
	c.end = max(c.end, offset+length)
}

// A file is written as it was found, in whichever way it is written, and what it
// encoded from its document equals the file that was read.
func TestWays(t *testing.T) {
	some(t, func(path string, data []byte) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		var b bytes.Buffer
		if n, err := f.WriteTo(&b); err != nil || n != int64(len(data)) || !bytes.Equal(b.Bytes(), data) || !bytes.Equal(f.Source(), data) {
			t.Errorf("%s: %d bytes, %v", path, n, err)
		}
		outline := &counter{}
		coding, err := f.EncodeOutline(outline)
		if err != nil || !bytes.HasPrefix(data, coding.Header) || !bytes.Equal(coding.Body, f.BodyBytes()) && len(f.Coverage().Inexact) == 0 {
			t.Errorf("%s: coded to %d and %d bytes, %v", path, len(coding.Header), len(coding.Body), err)
		}
		revised, err := f.EncodeRevised(coding, coding)
		if exact := bytes.Equal(coding.Body, f.BodyBytes()); f.Exact(coding) != exact || exact && !bytes.Equal(revised, data) {
			t.Errorf("%s: exact is %t, %v", path, f.Exact(coding), err)
		}
		whole := &counter{}
		if err := f.Walk(whole); err != nil || whole.open != 0 || outline.open != 0 || whole.groups < outline.groups || whole.values < outline.values {
			t.Errorf("%s: %+v, in outline %+v, %v", path, whole, outline, err)
		}
		if f.IsText() {
			return
		}
		body := f.BodyBytes()
		for _, compressed := range []bool{false, true} {
			for _, level := range []lzo1x.Level{lzo1x.Fast, lzo1x.Best} {
				f.SetCompression(compressed, level)
				stored, err := f.Encode()
				if err != nil || f.IsCompressed() != compressed {
					t.Errorf("%s: err = %v; want no error, f.IsCompressed() = %v", path, err, compressed)
					continue
				}
				end := body
				if compressed {
					end = binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
					packed := pack(body, level)
					end = append(binary.LittleEndian.AppendUint32(end, uint32(len(packed))), packed...)
				}
				if len(f.Coverage().Inexact) == 0 && !bytes.HasSuffix(stored, append(end, f.Trailer...)) {
					t.Errorf("%s: stored otherwise", path)
				}
			}
		}
	})
}

// A compressed block of a map has the content that it was given, and takes another.
func TestBlock(t *testing.T) {
	m := mapsample.New(t)
	c, ok := gbx.Find[*game.Chunk0304303D](m.File.Body)
	if !ok {
		t.Fatal("no lightmap")
	}
	cache := &c.Lightmaps.Cache
	before, err := cache.Bytes()
	if err != nil || len(before) != 48 || binary.LittleEndian.Uint32(before) != 0xFACADE01 {
		t.Fatalf("before = % x, err = %v; want no error, before of length 48, binary.LittleEndian.Uint32(before) = 0xFACADE01", before, err)
	}
	content, err := cache.Content()
	if err != nil {
		t.Fatal(err)
	}
	if err := cache.Set(content); err != nil {
		t.Fatal(err)
	}
	if again, err := cache.Bytes(); err != nil || !bytes.Equal(again, before) || cache.Size != 48 {
		t.Errorf("again = % x, err = %v; want no error, again equal to before, cache.Size = 48", again, err)
	}
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	c, _ = gbx.Find[*game.Chunk0304303D](mapsample.Parsed(t, data).File.Body)
	if again, err := c.Lightmaps.Cache.Bytes(); err != nil || !bytes.Equal(again, before) {
		t.Errorf("again = % x, err = %v; want no error, again equal to before", again, err)
	}
	cache.Size++
	if _, err := cache.Content(); err == nil {
		t.Error("a block that is shorter than its declared size was read")
	}
}

// IDs mean names, numbers or nothing, and are the same wherever they were read.
func TestIDMeanings(t *testing.T) {
	name := "Stadium"
	for _, k := range []struct {
		id            gbx.ID
		text          string
		named, global bool
		number        int64 // -1 for none
		empty         bool
	}{
		{gbx.NewID(name), name, true, false, -1, false},
		{gbx.NewGlobalID(name), name, true, true, -1, false},
		{gbx.NumberID(26), "26", false, false, 26, false},
		{gbx.ID{}, "0", false, false, 0, false},
		{gbx.NoID, "", false, false, -1, true},
		{gbx.WordID(0x40000003, &name), name, true, false, -1, false},
		{gbx.WordID(0x80000003, &name), name, true, true, -1, false},
		{gbx.WordID(11, nil), "11", false, false, 11, false},
		{gbx.WordID(0x40000003, nil), "", false, false, -1, false}, // a reference to nothing
	} {
		text, named := k.id.Name()
		number, isNumber := k.id.Number()
		if k.id.String() != k.text || named != k.named || named && text != k.text || k.id.IsGlobal() != k.global || k.id.IsEmpty() != k.empty ||
			isNumber != (k.number >= 0) || isNumber && int64(number) != k.number {
			t.Errorf("%08X: k.id = %q, number = %v, isNumber = %t, named = %t", k.id.Word(), k.id, number, isNumber, named)
		}
	}
	other := "Bay"
	for _, k := range []struct {
		a, b gbx.ID
		same bool
	}{
		{gbx.NewID(name), gbx.WordID(0x40000003, &name), true}, {gbx.NewID(name), gbx.NewID(other), false}, {gbx.NumberID(3), gbx.WordID(3, nil), true},
		{gbx.NumberID(3), gbx.NumberID(4), false}, {gbx.NoID, gbx.NoID, true}, {gbx.NoID, gbx.NumberID(0), false}, {gbx.NumberID(0), gbx.ID{}, true}, {gbx.NewID(""), gbx.NumberID(0), false},
	} {
		if k.a.Equal(k.b) != k.same || k.b.Equal(k.a) != k.same {
			t.Errorf("%08X and %08X", k.a.Word(), k.b.Word())
		}
	}
}

// Values as people read them.
func TestReadableValues(t *testing.T) {
	for ms, want := range map[gbx.Time]string{0: "0:00.000", 36217: "0:36.217", 3599999: "59:59.999", 3600000: "1:00:00.000", 3723004: "1:02:03.004", math.MaxInt32: "596:31:23.647", gbx.NoTime: "none", -5000: "-0:05.000", -3723004: "-1:02:03.004"} {
		if ms.String() != want {
			t.Errorf("%d is %s, not %s", ms, ms, want)
		}
	}
	for b, want := range map[gbx.Bool]string{gbx.True: "true", gbx.False: "false", 7: "7"} {
		if b.String() != want || b.True() != (want != "false") {
			t.Errorf("%d is %s", b, b)
		}
	}
	names := []code.BitName{{Bit: 0, Name: "a"}, {Bit: 3, Name: "b"}, {Bit: 31, Name: "c"}}
	for v, want := range map[uint32]string{0: "0x0", 1: "a", 8: "b", 9: "a|b", 0x80000001: "a|c", 2: "0x2", 0x1A: "b|0x12"} {
		if got := code.FlagString(v, names); got != want {
			t.Errorf("%x is %s, not %s", v, got, want)
		}
	}
}

// record is one of numbers of every kind.
type record struct {
	Four  gbx.Int4
	Place gbx.TransQuat
}

func (r *record) Code(x *gbx.Coder) {
	x.Int4(&r.Four, "four")
	x.TransQuat(&r.Place, "place")
}

// Records are decoded from all of their bytes, and coded to them again.
func TestRecordBytes(t *testing.T) {
	var data []byte
	for _, v := range []int32{1, -2, 3, -4} {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	for _, f := range []float32{1.5, 2.5, 3.5, 0.1, 0.2, 0.3, 0.4} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
	}
	want := record{gbx.Int4{X: 1, Y: -2, Z: 3, W: -4}, gbx.TransQuat{T: gbx.Vec3{X: 1.5, Y: 2.5, Z: 3.5}, Q: gbx.Quat{W: 0.1, X: 0.2, Y: 0.3, Z: 0.4}}}
	var got record
	if err := gbx.DecodeRecord(data, &got); err != nil || got != want {
		t.Errorf("got = %+v, err = %v; want no error, got = %+v", got, err, want)
	}
	if again, err := gbx.EncodeRecord(&want); err != nil || !bytes.Equal(again, data) {
		t.Errorf("again = % x, err = %v; want no error, again equal to data", again, err)
	}
	for _, wrong := range [][]byte{data[:len(data)-1], append(bytes.Clone(data), 0), nil} {
		if err := gbx.DecodeRecord(wrong, new(record)); err == nil {
			t.Errorf("a record of %d bytes was decoded", len(wrong))
		}
	}
	read := 0
	err := gbx.DecodeRecords(3, func(i int) ([]byte, gbx.Body) {
		read++
		return data[:len(data)-i/2], new(record) // the third is short
	})
	if err == nil || read != 3 {
		t.Errorf("%d records, %v", read, err)
	}
}

// A file around a node is one that the games would write.
func TestNew(t *testing.T) {
	f := gbx.New(&gbx.Node{Class: 0x03043000}, engine.Registry())
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if want := "GBX\x06\x00BUCR\x00\x30\x04\x03\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00"; !bytes.HasPrefix(data, []byte(want)) {
		t.Errorf("data = %q; want data beginning with []byte(want)", data)
	}
	if g, err := gbx.Parse(data, engine.Registry()); err != nil || !bytes.Equal(g.BodyBytes(), []byte{1, 0xDE, 0xCA, 0xFA}) || g.NumNodes != 1 {
		t.Errorf("err = %v; want no error, g.BodyBytes() equal to []byte{1, 0xDE, 0xCA, 0xFA}, g.NumNodes = 1", err)
	}
	sample, err := os.ReadFile(filepath.Join("..", "samples", "trackmania", "Sample.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := gbx.ReadHeader(bytes.NewReader(sample), int64(len(sample)), engine.Registry())
	if err != nil || h.Class != 0x03043000 || len(h.Chunks) != 5 || h.NumNodes != 3 {
		t.Errorf("h = %+v, err = %v; want no error, h.Class = 0x03043000, h.Chunks of length 5, h.NumNodes = 3", h, err)
	}
}

// document is a file as JSON.
func document(t *testing.T, data []byte, reg *gbx.Registry) string {
	t.Helper()
	var b bytes.Buffer
	if err := tree.WriteJSON(&b, read(t, data, reg), archive.Everything); err != nil {
		t.Fatal(err)
	}
	return "{" + b.String() + "}"
}

// A file that is built from a document with other values has them, and what
// depends on them.
func TestBuildChanged(t *testing.T) {
	data, reg := shownFile()
	whole := document(t, data, reg)
	build := func(old, new string) ([]byte, error) {
		t.Helper()
		if strings.Count(whole, old) != 1 {
			t.Fatalf("%s is there %d times", old, strings.Count(whole, old))
		}
		f, err := tree.ReadJSON([]byte(strings.Replace(whole, old, new, 1)), reg)
		if err != nil {
			return nil, err
		}
		return f.Encode()
	}
	word := func(at int, words ...any) []byte { // in the file, from at on
		return slices.Concat(data[:at], join(words...), data[at+len(join(words...)):])
	}
	const body = 115
	for _, test := range []struct {
		old, new string
		want     []byte
	}{
		{`"head"`, `"head"`, data},
		{`"head"`, `"heads"`, slices.Concat(data[:13], join(12+17, 1, testChunk, 17, 3, 0x40000000, text("heads")), data[45:])},
		{`"x":5`, `"x":6`, word(body+56, 6)},
		{`"index":1}`, `"index":7}`, word(body+20, 7)}, // which nobody defines
		{`"v":null`, `"v":{"index":0}`, word(body+36, 0)},
		{`"v":null`, `"v":{"index":5,"class":"3F0AA000","chunks":[]}`, slices.Concat(data[:body+36], join(5, testClass, nodeEnd), data[body+40:])},
		{`{"x":5,"y":-6}`, ``, slices.Concat(data[:body+48], join(4, 0), data[body+64:])},
		{`{"chunk":"3F0AA004","values":{"direct":{"class"`, `{"chunk":"3F0AA004","values":{"direct":null}},{"chunk":"3F0AA004","values":{"direct":{"class"`, slices.Concat(data[:body+92], join(testChunk+3, 0), data[body+92:])},
		{`"Pz8/"`, `"Pz8="`, slices.Concat(data[:body+169], join(2, "??"), data[body+176:])},
		{`"CqAKP3Jlc3Q="`, `"CqAKPw=="`, data[:body+212]},
		{`"resourceIndex":9`, `"resourceIndex":8`, word(103, 8)},
		{`"numNodes":4`, `"numNodes":9`, word(45, 9)},
	} {
		if got, err := build(test.old, test.new); err != nil || !bytes.Equal(got, test.want) {
			t.Errorf("%s: err = %v\ngot = %q\ntest.want = %q; want no error, got equal to test.want", test.new, err, got, test.want)
		}
	}
	for _, test := range []struct{ old, new, want string }{
		{`"opaque":{"base64":"Pz8/"`, `"values":{"base64":"Pz8/"`, "body.3F0AA009: chunk 3F0AA009 is unknown, so the document must have its bytes"},
		{`"chunk":"3F0AA001","values":{"v":"head"`, `"chunk":"3F0AA009","values":{"v":"head"`, "header.3F0AA009: chunk 3F0AA009 is unknown, so the document must have its bytes"},
		{`"x":5`, `"x":5000000000`, "body.3F0AA002.list[0].x: 5000000000 is not a whole number of 32 bits"},
		{`"v":null`, `"v":{"index":4294967294,"class":"3F0AA000","chunks":[]}`, "body.3F0AA001.v: decoding would take more memory than the limits allow"},
		{`"v":null`, `"w":null`, "body.3F0AA001.v: is missing"},
	} {
		if got, err := build(test.old, test.new); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, %d bytes", test.new, err, len(got))
		}
	}
	// A block is compressed again if its content is another.
	for old, new := range map[string]string{`"name":"in"`: `"name":"out"`, `"compressed":{"base64":"eAEB`: `"compressed":{"base64":"eAEC`, `"uncompressedSize":30`: `"uncompressedSize":31`} {
		t.Run(old, func(t *testing.T) {
			got, err := build(old, new)
			if err != nil {
				t.Fatal(err)
			}
			z := blockOf(t, read(t, got, reg))
			name := "in"
			if strings.Contains(new, "out") {
				name = "out"
			}
			if content := inflated(t, z); !bytes.Equal(content, join(3, 0x40000000, text(name), 1, testClass, testChunk+9, "tail")) || z.Stored[1] != 0x9C {
				t.Errorf(`%s: content = %q; want content equal to join(3, 0x40000000, text(name), 1, testClass, testChunk+9, "tail"), z.Stored[1] = 0x9C`, new, content)
			}
		})
	}
}
