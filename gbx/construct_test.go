package gbx_test

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/code"
)

// construct is something a sheet can say, in a binary file.
type construct struct {
	name string
	info gbx.ChunkInfo
	good []string // content of the chunk
	want []any    // what it means
	bad  []string // content that must be kept, but not understood
}

func made[T any](name string, code func(x *gbx.Coder, p *T), good []string, want []any, bad ...string) construct {
	return construct{name, chunkOf(testChunk, code), good, want, bad}
}

func u8list(open func(x *gbx.Coder, p *[]uint8)) func(x *gbx.Coder, p *[]uint8) {
	return func(x *gbx.Coder, p *[]uint8) {
		open(x, p)
		for i := range *p {
			x.U8(&(*p)[i], x.ElemName(i))
		}
		x.EndList()
	}
}

type optionalGroup struct {
	Has   uint8
	Group *struct{ A, B uint8 }
}

func constructs() []construct {
	long := string(make([]byte, 200))
	return []construct{
		made("while", func(x *gbx.Coder, p *[]uint8) {
			for i := 0; code.While(x, p, i, "v"); i++ {
				x.U8(&(*p)[i], x.ElemName(i))
			}
		}, []string{"\x00", "\x01A\x01B\x00"}, []any{[]uint8(nil), []uint8("AB")}, "", "\x01", "\x01A", "\x02A\x00"),
		made("byte list", u8list(func(x *gbx.Coder, p *[]uint8) { code.ByteList(x, p, 1, "v") }),
			[]string{"\x00", "\x02AB"}, []any{[]uint8(nil), []uint8("AB")}, "", "\xffA"),
		made("short list", u8list(func(x *gbx.Coder, p *[]uint8) { code.ShortList(x, p, 1, "v") }),
			[]string{"\x02\x00AB"}, []any{[]uint8("AB")}, "\x00", "\xff\xffA"),
		made("small list", u8list(func(x *gbx.Coder, p *[]uint8) { code.SmallList(x, p, 1, "v") }),
			[]string{"\x02AB", "\xc8\x01\x00" + long}, []any{[]uint8("AB"), []uint8(long)}, "", "\x80", "\x80\x00", "\xff\xff\xff"),
		made("list", u8list(func(x *gbx.Coder, p *[]uint8) { code.List(x, p, 1, "v") }),
			[]string{"\x02\x00\x00\x00AB"}, []any{[]uint8("AB")}, "\xff\xff\xff\xff", "\xff\xff\xff\x7f", "\x03\x00\x00\x00AB", "\x01\x00"),
		made("sized list", u8list(func(x *gbx.Coder, p *[]uint8) { code.SizedList(x, p, 2, 1, "v") }),
			[]string{"AB"}, []any{[]uint8("AB")}, "A"),
		made("small", method((*gbx.Coder).SmallLen),
			[]string{"\x00", "\x7f", "\x80\x01\x00", "\xff\xff\xff"}, []any{uint32(0), uint32(127), uint32(128), uint32(1<<23 - 1)}, "", "\x80", "\x80\x01", "\x81\x00\x00"),
		made("small string", method((*gbx.Coder).SmallString), []string{"\x00", "\x02ab"}, []any{"", "ab"}, "\x02a", "\xff\xff\xff"),
		made("optimized(255)", func(x *gbx.Coder, p *uint32) { x.OptimizedInt(p, 255, "v") }, []string{"\xfe"}, []any{uint32(254)}, ""),
		made("optimized(256)", func(x *gbx.Coder, p *uint32) { x.OptimizedInt(p, 256, "v") }, []string{"\xfe\x01"}, []any{uint32(510)}, "\x00"),
		made("optimized(65536)", func(x *gbx.Coder, p *uint32) { x.OptimizedInt(p, 65536, "v") }, []string{"\x01\x00\x01\x00"}, []any{uint32(65537)}, "\x00\x00\x00"),
		made("optional", func(x *gbx.Coder, p *optionalGroup) {
			x.U8(&p.Has, "has")
			if p.Has != 0 && code.Optional(x, &p.Group, "group") {
				x.U8(&p.Group.A, "a")
				x.U8(&p.Group.B, "b")
				x.EndGroup()
			}
		}, []string{"\x00", "\x01AB"}, []any{optionalGroup{}, optionalGroup{1, &struct{ A, B uint8 }{'A', 'B'}}}, "\x01A"),
		made("marker", func(x *gbx.Coder, p *uint8) { x.Marker("<a>"); x.U8(p, "v") }, []string{"<a>B"}, []any{uint8('B')}, "<b>B", "<a"),
		made("string", method((*gbx.Coder).String), []string{"\x00\x00\x00\x00", "\x01\x00\x00\x00a"}, []any{"", "a"}, "\xff\xff\xff\xff", "\xff\xff\xff\x7fa"),
		made("data", method((*gbx.Coder).Data), []string{"\x01\x00\x00\x00a"}, []any{[]byte("a")}, "\xff\xff\xff\xff", "\x00\x00\x00\x80a", "\x02\x00\x00\x00a"),
		made("bytes", func(x *gbx.Coder, p *[]byte) { x.Bytes(p, 2, "v") }, []string{"ab"}, []any{[]byte("ab")}, "a"),
		made("bool", method((*gbx.Coder).Bool), []string{"\x02\x00\x00\x80"}, []any{gbx.Bool(0x80000002)}),
		made("enum in a byte", func(x *gbx.Coder, p *uint32) { code.Enum8(x, p, "v") }, []string{"\xff"}, []any{uint32(255)}),
		made("enum in two bytes", func(x *gbx.Coder, p *uint32) { code.Enum16(x, p, "v") }, []string{"\xff\x01"}, []any{uint32(511)}),
		made("not a number", method((*gbx.Coder).F32), []string{"\x01\x00\xa0\x7f"}, []any{math.Float32frombits(0x7FA00001)}),
		made("signed", func(x *gbx.Coder, p *struct {
			A int8
			B int16
			C int32
			D int64
		}) {
			x.I8(&p.A, "a")
			x.I16(&p.B, "b")
			x.I32(&p.C, "c")
			x.I64(&p.D, "d")
		}, []string{"\xff\xfe\xff\xfd\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\xff"}, []any{struct {
			A int8
			B int16
			C int32
			D int64
		}{-1, -2, -3, -4}}),
		made("encapsulated", func(x *gbx.Coder, p *[2]gbx.ID) {
			var e gbx.Encapsulation
			st := x.Encapsulated(&e, "v")
			x.ID(&p[0], "a")
			x.ID(&p[1], "b")
			x.EndEncapsulated(&e, st)
		}, []string{string(join(0, 17, 3, 0x40000000, text("x"), 0x40000001))}, []any{"x x"},
			string(join(0, 18, 3, 0x40000000, text("x"), 0x40000001, "?")), // too long
			string(join(0, 13, 3, 0x40000000, text("x"), 0x40000001)),      // too short
			string(join(0, -1)), string(join(0, 9, 3))),
	}
}

func meaning(v any) string {
	if ids, ok := v.([2]gbx.ID); ok {
		return ids[0].String() + " " + ids[1].String()
	}
	if g, ok := v.(optionalGroup); ok && g.Group != nil {
		return fmt.Sprintf("%d %+v", g.Has, *g.Group)
	}
	if f, ok := v.(float32); ok {
		return fmt.Sprintf("%x", math.Float32bits(f))
	}
	return fmt.Sprintf("%v", v)
}

// Every construct is read from a binary file and re-encoded, in a plain chunk
// and in one with its size.
func TestConstructs(t *testing.T) {
	for _, c := range constructs() {
		t.Run(c.name, func(t *testing.T) {
			reg := registry(c.info)
			for i, content := range c.good {
				for _, data := range [][]byte{
					binaryFile(testChunk, content, nodeEnd),
					binaryFile(testChunk, skip, len(content), content, nodeEnd),
				} {
					f := readWhole(t, data, reg)
					v := reflect.ValueOf(f.Body.Chunks[0].Body).Elem().FieldByName("V").Interface()
					if meaning(v) != meaning(c.want[i]) {
						t.Errorf("%q is %s, want %s", content, meaning(v), meaning(c.want[i]))
					}
				}
			}
			for _, content := range c.bad {
				f := read(t, binaryFile(testChunk, skip, len(content), content, testChunk|0xF0, skip, 0, nodeEnd), reg)
				if o := f.Coverage().Opaque; len(o) != 2 || o[0].Bytes != int64(len(content)) {
					t.Errorf("%q: opaque: %+v", content, o)
				}
				f = read(t, binaryFile(testChunk, content), reg)
				if o := f.Coverage().Opaque; len(o) != 1 {
					t.Errorf("%q: opaque: %+v", content, o)
				}
			}
		})
	}
}

// Values that do not fit are refused, not cut.
func TestDoesNotFit(t *testing.T) {
	for _, test := range []struct {
		name string
		body gbx.Body
	}{
		{"byte list", &single[[]uint8]{V: make([]uint8, 256), code: u8list(func(x *gbx.Coder, p *[]uint8) { code.ByteList(x, p, 1, "v") })}},
		{"short list", &single[[]uint8]{V: make([]uint8, 65536), code: u8list(func(x *gbx.Coder, p *[]uint8) { code.ShortList(x, p, 1, "v") })}},
		{"small list", &single[[]uint8]{V: make([]uint8, 1<<23), code: u8list(func(x *gbx.Coder, p *[]uint8) { code.SmallList(x, p, 1, "v") })}},
		{"sized list", &single[[]uint8]{V: make([]uint8, 3), code: u8list(func(x *gbx.Coder, p *[]uint8) { code.SizedList(x, p, 2, 1, "v") })}},
		{"bytes", &single[[]byte]{V: make([]byte, 3), code: func(x *gbx.Coder, p *[]byte) { x.Bytes(p, 2, "v") }}},
		{"enum in a byte", &single[uint32]{V: 256, code: func(x *gbx.Coder, p *uint32) { code.Enum8(x, p, "v") }}},
		{"enum in two bytes", &single[uint32]{V: 65536, code: func(x *gbx.Coder, p *uint32) { code.Enum16(x, p, "v") }}},
		{"optimized(255)", &single[uint32]{V: 256, code: func(x *gbx.Coder, p *uint32) { x.OptimizedInt(p, 255, "v") }}},
		{"optimized(256)", &single[uint32]{V: 65536, code: func(x *gbx.Coder, p *uint32) { x.OptimizedInt(p, 256, "v") }}},
	} {
		if _, err := gbx.EncodeRecord(test.body); fault.KindOf(err) != fault.SizeMismatch {
			t.Errorf("%s: err = %v; want err of kind fault.SizeMismatch", test.name, err)
		}
	}
}

// IDs of all kinds in one body.
func TestIDs(t *testing.T) {
	reg := registry(chunkOf(testChunk, method((*gbx.Coder).ID)))
	file := func(ids ...[]byte) []byte {
		var b []byte
		for _, id := range ids {
			b = append(b, join(testChunk, id)...)
		}
		return binaryFile(b, nodeEnd)
	}
	f := readWhole(t, file(
		join(3, 0x40000000, text("one")), join(0x40000000, text("two")), join(0x40000000, text("one")), // spelled out twice
		join(0x40000003), join(0x80000002), join(0x80000000, text("four")), join(0x40000004),
		join(-1), join(0), join(0x1A), join(0x3FFFFFFF), join(0x40000009), join(0xC0000001), join(0xFFFFFFFE),
	), reg)
	want := []string{
		"name one", "name two", "name one", "name one", "global two", "global four", "name four",
		"none", "number 0", "number 26", "number 1073741823", "dangling", "dangling", "dangling",
	}
	for i, w := range want {
		if got := describe(f.Body.Chunks[i].Body.(*single[gbx.ID]).V); got != w {
			t.Errorf("Id %d is %q, want %q", i, got, w)
		}
	}
	// An edit of the text others refer to leaves them what they are.
	f.Body.Chunks[1].Body.(*single[gbx.ID]).V = gbx.NewID("new")
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f = readWhole(t, data, reg)
	want[1] = "name new"
	for i, w := range want[:11] {
		if got := describe(f.Body.Chunks[i].Body.(*single[gbx.ID]).V); got != w {
			t.Errorf("after the edit, Id %d is %q, want %q", i, got, w)
		}
	}
	// Virtual Skipper has the version and the text with every ID.
	f = readWhole(t, file(join(2, 0x40000000, text("boat")), join(2, 0x40000000, text("boat")), join(2, 5, text("")), join(2, -1, text(""))), reg)
	if id := f.Body.Chunks[1].Body.(*single[gbx.ID]).V; id.String() != "boat" || f.IDVersion != 2 {
		t.Errorf("Id %q, version %d", id, f.IDVersion)
	}
	for _, data := range [][]byte{file(join(4, 0)), file(join(2, 0x40000000, text("a")), join(3, 0x40000000, text("b")))} {
		if f := read(t, data, reg); f.Body.Tail == nil {
			t.Error("Ids of an unknown or changing version were understood")
		}
	}
}

// Nodes: referred to, direct, by class alone, without chunks, unknown.
func TestNodes(t *testing.T) {
	plain := gbx.ClassInfo{ID: 0x3F0AB000, Name: "CPlain", Plain: func() gbx.Body {
		return &single[uint32]{code: method((*gbx.Coder).U32)}
	}}
	reg := gbx.NewRegistry([]gbx.ClassInfo{{ID: testClass, Name: "CTest", Chunks: []gbx.ChunkInfo{
		chunkOf(testChunk, method((*gbx.Coder).Ref)),
		chunkOf(testChunk+1, method((*gbx.Coder).MetaRef)),
		chunkOf(testChunk+2, func(x *gbx.Coder, p *gbx.Ref) { x.Direct(p, testClass, "v") }),
		chunkOf(testChunk+3, method((*gbx.Coder).U32)),
		chunkOf(testChunk+4, func(x *gbx.Coder, p *gbx.Ref) {
			var e gbx.Encapsulation
			st := x.Encapsulated(&e, "v")
			x.Ref(p, "ref")
			x.EndEncapsulated(&e, st)
		}),
	}}, plain})
	f := readWhole(t, binaryFile(
		testChunk, 5, 0x3F0AB000, 77, // a class without chunks
		testChunk, 5,
		testChunk, 0, // the main node itself
		testChunk+1, testClass, testChunk+3, 1, nodeEnd,
		testChunk+1, -1,
		testChunk+2, testChunk+3, 2, nodeEnd,
		testChunk+4, 0, 16, testClass, testChunk+3, 3, nodeEnd, // no index inside
		nodeEnd), reg)
	ref := func(i int) gbx.Ref { return f.Body.Chunks[i].Body.(*single[gbx.Ref]).V }
	if v, ok := gbx.Find[*single[uint32]](ref(0).Node); !ok || v.V != 77 || ref(1).Node != ref(0).Node {
		t.Errorf("a class without chunks: %+v", ref(0).Node)
	}
	if ref(2).Node != f.Body {
		t.Error("index 0 is not the main node")
	}
	for i, want := range map[int]uint32{3: 1, 5: 2, 6: 3} {
		if v, ok := gbx.Find[*single[uint32]](ref(i).Node); !ok || v.V != want {
			t.Errorf("node of chunk %d: %+v", i, ref(i).Node)
		}
	}
	// An unknown class that cannot be walked, and one that can.
	f = read(t, binaryFile(testChunk, 1, 0x3F0AC000, 0x3F0AC001, 1, 2), reg)
	if o := f.Coverage().Opaque; len(o) != 1 || o[0].Class != 0x3F0AC000 || o[0].Bytes != 12 {
		t.Errorf("opaque: %+v", o)
	}
	f = read(t, binaryFile(testChunk, 1, 0x3F0AC000, 0x3F0AC001, skip, 1, "?", nodeEnd, testChunk+3, 4, nodeEnd), reg)
	if o := f.Coverage().Opaque; len(o) != 1 || o[0].Bytes != 1 || len(f.Body.Chunks) != 2 {
		t.Errorf("opaque: %+v", o)
	}
}

// usuals notes of each ID whether it is stored as a new one would be.
type usuals struct {
	blind
	list []bool
}

func (u *usuals) Usual(usual bool) { u.list = append(u.list, usual) }

// A document has to say of an ID how it was stored only if that is not what its
// meaning gives.
func TestUsualIDs(t *testing.T) {
	reg := registry(chunkOf(testChunk, method((*gbx.Coder).ID)))
	for _, test := range []struct {
		version int
		ids     [][]byte
		want    []bool
	}{
		{3, [][]byte{
			join(localKind, text("one")), join(localKind, text("two")), join(localKind | 1), join(localKind | 2),
			join(globalKind | 1), join(localKind, text("one")), join(localKind | 3), join(globalKind, text("four")),
			join(-1), join(0), join(26), join(0x3FFFFFFF), join(localKind | 99), join(-2),
		}, []bool{true, true, true, true, false, false, false, false, true, true, true, true, false, false}},
		{2, [][]byte{join(localKind, text("one"))}, []bool{false}},
	} {
		var body []byte
		for i, id := range test.ids {
			body = append(body, join(testChunk)...)
			if i == 0 || test.version == 2 {
				body = append(body, join(test.version)...)
			}
			body = append(body, id...)
		}
		f := readWhole(t, binaryFile(body, nodeEnd), reg)
		var u usuals
		if err := f.Walk(&u); err != nil || !slices.Equal(u.list, test.want) {
			t.Errorf("%v, want %v (%v)", u.list, test.want, err)
		}
	}
}

// A chunk may look at those before it in the same node, but at no others.
func TestSibling(t *testing.T) {
	type many struct {
		N     uint8
		Bytes []byte
	}
	reg := registry(
		chunkOf(testChunk, method((*gbx.Coder).U8)),
		chunkOf(testChunk+1, func(x *gbx.Coder, p *many) {
			if n, ok := code.Sibling[*single[uint8]](x); ok {
				p.N = n.V
			}
			x.Bytes(&p.Bytes, int(p.N), "v")
		}),
		chunkOf(testChunk+2, func(x *gbx.Coder, p *gbx.Ref) { x.Direct(p, testClass, "v") }),
	)
	f := readWhole(t, binaryFile(testChunk, byte(2), testChunk+1, "ab",
		testChunk+2, testChunk+1, testChunk, byte(1), testChunk+1, "c", nodeEnd,
		testChunk+1, "de", nodeEnd), reg)
	if c := f.Body.Chunks[3].Body.(*single[many]); string(c.V.Bytes) != "de" {
		t.Errorf(`c.V = %+v; want c.V.Bytes = "de"`, c.V)
	}
	inner := f.Body.Chunks[2].Body.(*single[gbx.Ref]).V.Node
	if c := inner.Chunks[0].Body.(*single[many]); len(c.V.Bytes) != 0 {
		t.Errorf("c.V = %+v; want empty c.V.Bytes", c.V)
	}
	if c := inner.Chunks[2].Body.(*single[many]); string(c.V.Bytes) != "c" {
		t.Errorf(`c.V = %+v; want c.V.Bytes = "c"`, c.V)
	}
}

// A chunk whose content depends on the class of its node is asked for that.
func TestNodeClass(t *testing.T) {
	reg := registry(chunkOf(testChunk, func(x *gbx.Coder, p *[2]classid.ID) {
		var inner gbx.Ref
		p[0] = x.NodeClass()
		if x.NodeClass() == testClass {
			x.Direct(&inner, 0x24003000, "v")
			p[1] = x.NodeClass()
		}
	}))
	f, err := gbx.Parse(binaryFile(testChunk, testChunk, nodeEnd, nodeEnd), reg)
	if err != nil || f.Body.Tail != nil {
		t.Fatalf("f.Body.Tail = %+v, err = %v; want no error, f.Body.Tail = nil", f.Body.Tail, err)
	}
	if c := f.Body.Chunks[0].Body.(*single[[2]classid.ID]); c.V != [2]classid.ID{testClass, testClass} {
		t.Errorf("c.V = %v; want [2]classid.ID{testClass, testClass}", c.V)
	}
	var none single[[2]classid.ID]
	none.code = func(x *gbx.Coder, p *[2]classid.ID) { p[0] = x.NodeClass() }
	if err := gbx.DecodeRecord(nil, &none); err != nil || none.V[0] != 0 {
		t.Errorf("none.V = %v, err = %v; want no error, none.V[0] = 0", none.V, err)
	}
}

// Values that the others call for and that are not there are missed.
func TestMissing(t *testing.T) {
	_, err := gbx.EncodeRecord(&single[*gbx.Vec2]{code: func(x *gbx.Coder, p **gbx.Vec2) {
		if code.Optional(x, p, "group") {
			x.F32(&(*p).X, "x")
			x.EndGroup()
		}
	}})
	if err == nil || err.Error() != "group at 0x0: is missing, and other values say that it is there" {
		t.Errorf(`err = %v; want an error, err = "group at 0x0: is missing, and other values say that it is there"`, err)
	}
}

// A file that was put together without New, and chunks without content, are
// errors of a kind and not a crash.
func TestIncompleteFiles(t *testing.T) {
	node := &gbx.Node{Class: testClass}
	whole := gbx.New(node, registry())
	noContent := gbx.New(&gbx.Node{Class: testClass, Chunks: []gbx.Chunk{{ID: testChunk}}}, registry())
	noSkipped := gbx.New(&gbx.Node{Class: testClass, Chunks: []gbx.Chunk{{ID: testChunk, Skip: true}}}, registry())
	noHeader := gbx.New(node, registry())
	noHeader.RawUserData, noHeader.Chunks = nil, []gbx.HeaderChunk{{ID: testChunk}}
	for name, f := range map[string]*gbx.File{
		"nothing at all":                 {},
		"no registry":                    {Header: whole.Header, Body: node},
		"New without a registry":         gbx.New(&gbx.Node{Class: testClass}, nil),
		"a chunk without content":        noContent,
		"a skippable chunk without any":  noSkipped,
		"a header chunk without content": noHeader,
	} {
		_, err := f.Encode()
		var n int64
		if n, _ = f.WriteTo(io.Discard); n != 0 || fault.KindOf(err) != fault.Unsupported {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
		if c := f.Coverage(); len(c.Inexact) == 0 {
			t.Errorf("%s: c = %+v; want c.Inexact not empty", name, c)
		}
		if err := f.Walk(blind{}); fault.KindOf(err) != fault.Unsupported {
			t.Errorf("%s: err = %v; want err of kind fault.Unsupported", name, err)
		}
	}
	whole.Body = nil
	if _, err := whole.EncodeBody(); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("a body without a node: %v", err)
	}
}
