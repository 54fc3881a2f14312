package gbx_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/code"
	"pakbox/gbx/engine"
)

// primitive is one primitive of the coder with text files that hold it.
type primitive struct {
	name string
	info gbx.ChunkInfo
	good map[string]any // content as text, and the value it means
	bad  []string       // content that must be kept, but not understood
}

func prim[T any](name string, code func(x *gbx.Coder, p *T), good map[string]any, bad ...string) primitive {
	return primitive{name, chunkOf(testChunk, code), good, bad}
}

// method turns a method of the coder into what prim takes.
func method[T any](f func(x *gbx.Coder, p *T, name string)) func(*gbx.Coder, *T) {
	return func(x *gbx.Coder, p *T) { f(x, p, "v") }
}

func list[T any](f func(x *gbx.Coder, p *T, name string)) func(*gbx.Coder, *[]T) {
	return func(x *gbx.Coder, p *[]T) {
		code.List(x, p, 4, "v")
		for i := range *p {
			f(x, &(*p)[i], x.ElemName(i))
		}
		x.EndList()
	}
}

var none = string(bytes.Repeat([]byte{0}, 32))

func primitives() []primitive {
	return []primitive{
		prim("bool", method((*gbx.Coder).Bool),
			map[string]any{lines("False"): gbx.False, lines("True"): gbx.True},
			lines("true"), lines("1"), lines("True "), lines("")),
		prim("byte", method((*gbx.Coder).U8), map[string]any{"A": uint8('A'), "\r": uint8('\r')}),
		prim("int8", method((*gbx.Coder).I8), map[string]any{"\xff": int8(-1)}),
		prim("uint16", method((*gbx.Coder).U16),
			map[string]any{lines("0"): uint16(0), lines("65535"): uint16(65535)},
			lines("65536"), lines("-1"), lines("00"), lines("+1"), lines("1_0"), lines("")),
		prim("int16", method((*gbx.Coder).I16), map[string]any{lines("65535"): int16(-1)}, lines("-1"), lines("65536")),
		prim("uint32", method((*gbx.Coder).U32),
			map[string]any{lines("0"): uint32(0), lines("4294967295"): uint32(math.MaxUint32)},
			lines("4294967296"), lines("0x1"), lines("01"), lines(" 1"), "1", "1\n", "1\r"),
		prim("int32", method((*gbx.Coder).I32), map[string]any{lines("4294967295"): int32(-1), lines("7"): int32(7)}, lines("-1")),
		prim("uint64", method((*gbx.Coder).U64), map[string]any{lines("18446744073709551615"): uint64(math.MaxUint64)}, lines("18446744073709551616")),
		prim("int64", method((*gbx.Coder).I64), map[string]any{lines("18446744073709551615"): int64(-1)}),
		prim("time", method((*gbx.Coder).Time), map[string]any{lines("4294967295"): gbx.NoTime, lines("51230"): gbx.Time(51230)}),
		prim("float", method((*gbx.Coder).F32),
			map[string]any{
				lines("0.000000"): float32(0), lines("-0.000000"): float32(math.Copysign(0, -1)), lines("0.100000"): float32(0.1),
				lines("-1.500000"): float32(-1.5), lines("0.000001"): float32(0.000001), lines("16777216.000000"): float32(1 << 24),
				lines("340282346638528859811704183484516925440.000000"): float32(math.MaxFloat32),
			},
			lines("1"), lines("1.0"), lines("1e3"), lines("1,000000"), lines("0x1p-2"), lines("16777217.000000"), lines("01.000000"), lines("1.0000000"), lines("")),
		prim("string", method((*gbx.Coder).String),
			map[string]any{lines(""): "", lines("a b"): "a b", lines("é\n\r"): "é\n\r", lines(strings.Repeat("x", 300)): strings.Repeat("x", 300)},
			"no end", "only\n"),
		prim("smallstring", method((*gbx.Coder).SmallString), map[string]any{"\x02ab": "ab"}),
		prim("data", method((*gbx.Coder).Data), map[string]any{lines("4") + "\x00\r\n\xff": []byte("\x00\r\n\xff"), lines("0"): []byte{}}, lines("4")+"abc"),
		prim("classid", method((*gbx.Coder).ClassID),
			map[string]any{lines("900500d"): classid.ID(0x0900500D), lines("ffffffff"): classid.ID(0xFFFFFFFF)},
			lines("0900500d"), lines("900500D"), lines("100000000")),
		prim("hash128", method((*gbx.Coder).Hash128), map[string]any{"0123456789abcde\n": gbx.Hash128([]byte("0123456789abcde\n"))}),
		prim("vec3", method((*gbx.Coder).Vec3), map[string]any{lines("1.000000", "0.000000", "-2.250000"): gbx.Vec3{X: 1, Z: -2.25}}),
		prim("int3", method((*gbx.Coder).Int3), map[string]any{lines("1", "0", "4294967294"): gbx.Int3{X: 1, Z: -2}}),
		prim("byte3", method((*gbx.Coder).Byte3), map[string]any{"\x01\x02\x03": gbx.Byte3{X: 1, Y: 2, Z: 3}}),
		prim("id", func(x *gbx.Coder, p *string) {
			var id gbx.ID
			if !x.Reading() {
				id = idOf[*p]
			}
			x.ID(&id, "v")
			if x.Reading() {
				*p = describe(id)
				idOf[*p] = id
			}
		}, map[string]any{
			lines("3", "ffffffff"):            "none",
			lines("3", "0"):                   "number 0",
			lines("3", "1a"):                  "number 26",
			lines("3", "40000000", "Stadium"): "name Stadium",
			lines("3", "40000000", ""):        "name ",
			lines("3", "80000000", "uuid"):    "global uuid",
			lines("3", "40000005"):            "dangling",
			lines("2", "40000000", "Boat"):    "name Boat",
		}, lines("3", "4294967295"), lines("3", "40000000")+"x", lines("4", "0"), lines("3", "1A")),
		prim("ident", method((*gbx.Coder).Ident), map[string]any{lines("3", "40000000", "Car", "1a", "40000001"): "Car|26|Car"}),
		prim("fileref", method((*gbx.Coder).FileRef), map[string]any{
			"\x00" + lines("p"):               gbx.FileRef{Path: "p"},
			"\x01" + lines(""):                gbx.FileRef{Version: 1},
			"\x02" + lines("p", "l"):          gbx.FileRef{Version: 2, Path: "p", Locator: "l"},
			"\x03" + none + lines("", ""):     gbx.FileRef{Version: 3},
			"\x03" + none + lines("p", "url"): gbx.FileRef{Version: 3, Path: "p", Locator: "url"},
		}),
		prim("list", list((*gbx.Coder).U32), map[string]any{lines("0"): []uint32(nil), lines("2", "5", "6"): []uint32{5, 6}}, lines("4000000000"), lines("2", "5")),
		prim("old list", func(x *gbx.Coder, p *oldList) {
			code.OldList(x, &p.list, &p.version, 4, "v")
			for i := range p.list {
				x.U32(&p.list[i], x.ElemName(i))
			}
			x.EndList()
		}, map[string]any{lines("10", "1", "7"): oldList{10, []uint32{7}}}),
		prim("raw", func(x *gbx.Coder, p *uint32) {
			text := x.Raw()
			x.U32(p, "v")
			x.EndRaw(text)
		}, map[string]any{"\x01\x00\r\n": uint32(0x0A0D0001)}),
		prim("encapsulated", func(x *gbx.Coder, p *encapsulated) {
			st := x.Encapsulated(&p.frame, "v")
			x.String(&p.text, "s")
			x.EndEncapsulated(&p.frame, st)
		}, map[string]any{
			lines("0", "5", "abc"):         encapsulated{text: "abc"},
			lines("1", "12", "0123456789"): encapsulated{gbx.Encapsulation{Version: 1}, "0123456789"},
		}, lines("0", "5", "abcd"), lines("0", "9", "abc")),
	}
}

type oldList struct {
	version uint32
	list    []uint32
}

type encapsulated struct {
	frame gbx.Encapsulation
	text  string
}

// idOf remembers IDs by their description, because an ID's inside is private.
var idOf = map[string]gbx.ID{}

func describe(id gbx.ID) string {
	n, isNumber := id.Number()
	s, isName := id.Name()
	switch {
	case id.IsEmpty():
		return "none"
	case isNumber:
		return fmt.Sprintf("number %d", n)
	case id.IsGlobal():
		return "global " + s
	case isName:
		return "name " + s
	}
	return "dangling"
}

// valueOf is the value in the main node's only chunk.
func valueOf(f *gbx.File) any {
	v := reflect.ValueOf(f.Body.Chunks[0].Body).Elem().FieldByName("V").Interface()
	if i, ok := v.(gbx.Ident); ok {
		return i.ID.String() + "|" + i.Collection.String() + "|" + i.Author.String()
	}
	return v
}

// Every primitive is read from a text file and re-encoded to the same lines,
// in a plain chunk and in one with its size.
func TestTextPrimitives(t *testing.T) {
	for _, p := range primitives() {
		t.Run(p.name, func(t *testing.T) {
			reg := registry(p.info)
			for content, want := range p.good {
				for _, body := range []string{
					lines("3f0aa001") + content + lines("facade01"),
					lines("3f0aa001", "1397442896", fmt.Sprint(len(content))) + content + lines("facade01"),
				} {
					f := readWhole(t, textFile(body), reg)
					if len(f.Body.Chunks) != 1 {
						t.Errorf("%q: %d chunks", body, len(f.Body.Chunks))
						continue
					}
					if got := valueOf(f); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
						t.Errorf("%q is %#v, want %#v", content, got, want)
					}
				}
			}
		})
	}
}

// Text in another form than a text file has is kept as it is, and reported as
// damage.
func TestTextMistakes(t *testing.T) {
	for _, p := range primitives() {
		t.Run(p.name, func(t *testing.T) {
			reg := registry(p.info)
			for _, content := range p.bad {
				body := lines("3f0aa001", "1397442896", fmt.Sprint(len(content))) + content + lines("facade01")
				f := read(t, textFile(body), reg)
				if c := f.Coverage(); len(c.Opaque) != 1 || c.Opaque[0].Bytes != int64(len(content)) {
					t.Errorf("%q: opaque: %+v", content, c.Opaque)
				}
				f = read(t, textFile(lines("3f0aa001")+content), reg)
				if len(f.Coverage().Opaque) != 1 {
					t.Errorf("%q: opaque: %+v", content, f.Coverage().Opaque)
				}
			}
		})
	}
}

// A text file's values are a binary file's values.
func TestTextToBinary(t *testing.T) {
	for _, p := range primitives() {
		t.Run(p.name, func(t *testing.T) {
			reg := registry(p.info)
			for content, want := range p.good {
				data := textFile(lines("3f0aa001") + content + lines("facade01"))
				f := readWhole(t, data, reg)
				if err := f.SetText(false); err != nil {
					t.Fatal(err)
				}
				inBinary, err := f.Encode()
				if err != nil {
					t.Fatal(err)
				}
				f = readWhole(t, inBinary, reg)
				if got := valueOf(f); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
					t.Errorf("%q is %#v in binary, want %#v", content, got, want)
				}
				if err := f.SetText(true); err != nil {
					t.Fatal(err)
				}
				if back, err := f.Encode(); err != nil || !bytes.Equal(back, data) {
					t.Errorf("back in text (%v):\n%q\n%q", err, data, back)
				}
			}
		})
	}
}

// Content without a form in text files is rejected.
func TestTextCannotHold(t *testing.T) {
	info := chunkOf(testChunk, method((*gbx.Coder).String))
	f := readWhole(t, textFile(lines("3f0aa001", "x", "facade01")), registry(info))
	f.Body.Chunks[0].Body.(*single[string]).V = "two\r\nlines"
	if _, err := f.Encode(); fault.KindOf(err) == "" {
		t.Errorf("a line end inside a string: %v", err)
	}
	info = chunkOf(testChunk, method((*gbx.Coder).Bool))
	f = readWhole(t, textFile(lines("3f0aa001", "True", "facade01")), registry(info))
	f.Body.Chunks[0].Body.(*single[gbx.Bool]).V = 2
	if _, err := f.Encode(); fault.KindOf(err) == "" {
		t.Errorf("neither true nor false: %v", err)
	}
}

// Nodes, references and IDs across chunks of a text file.
func TestTextNodes(t *testing.T) {
	reg := registry(
		chunkOf(testChunk, method((*gbx.Coder).Ref)),
		chunkOf(testChunk+1, method((*gbx.Coder).ID)),
		chunkOf(testChunk+2, method((*gbx.Coder).MetaRef)),
	)
	f := readWhole(t, textFile(
		lines("3f0aa001", "1", "3f0aa000")+
			lines("3f0aa002", "3", "40000000", "name", "facade01")+ // the inner node
			lines("3f0aa002", "40000001")+ // its text again
			lines("3f0aa001", "1")+ // the inner node again
			lines("3f0aa001", "4294967295")+
			lines("3f0aa003", "3f0aa000", "facade01")+
			lines("3f0aa003", "ffffffff")+
			lines("facade01")), reg)
	inner := f.Body.Chunks[0].Body.(*single[gbx.Ref]).V
	again := f.Body.Chunks[2].Body.(*single[gbx.Ref]).V
	if inner.Node == nil || inner.Node != again.Node {
		t.Error("one node became two")
	}
	if id := f.Body.Chunks[1].Body.(*single[gbx.ID]).V; id.String() != "name" {
		t.Errorf("Id is %q", id)
	}
	if !f.Body.Chunks[3].Body.(*single[gbx.Ref]).V.IsNil() || f.Body.Chunks[4].Body.(*single[gbx.Ref]).V.Node == nil {
		t.Error("references are wrong")
	}
}

// textHeader has everything before the body: user data, files outside.
func TestTextHeader(t *testing.T) {
	for _, header := range []string{
		lines("3f0aa000", "0", "1", "0"),
		lines("3f0aa000", "4") + "\x00\x00\x00\x00" + lines("1", "0"),
		lines("3f0aa000", "0", "3", "2", "1", "1", "Media", "0", "1", "A.Gbx", "1", "True", "1", "4", "17", "2", "False"),
	} {
		data := join("GBX", uint16(6), "TUUE", header, lines("facade01"))
		f := readWhole(t, data, registry())
		if strings.Contains(header, "Media") {
			if got := f.Refs.Paths()[0]; got != "Media/A.Gbx" || !f.Refs.External[1].IsResource() {
				t.Errorf("files outside: %+v", f.Refs)
			}
		}
	}
	for _, header := range []string{"", "3f0aa000", lines("3F0AA000", "0", "1", "0"), lines("3f0aa000", "-1", "1", "0"), lines("3f0aa000", "0", "1", "4294967295", "0", "0")} {
		if _, err := gbx.Parse(join("GBX", uint16(6), "TUUE", header), registry()); fault.KindOf(err) == "" {
			t.Errorf(`%q: err = %v; want err of a kind other than none`, header, err)
		}
	}
}

// FuzzText reads text files with chunks of every primitive: one value, some
// lines, and whether the chunk has its size.
func FuzzText(f *testing.F) {
	all := primitives()
	for i, p := range all {
		for content := range p.good {
			f.Add(uint8(i), true, []byte(content))
			f.Add(uint8(i), false, []byte(content+lines("facade01")))
		}
		for _, content := range p.bad {
			f.Add(uint8(i), true, []byte(content))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, sized bool, content []byte) {
		p := all[int(which)%len(all)]
		body := lines("3f0aa001") + string(content)
		if sized {
			body = lines("3f0aa001", "1397442896", fmt.Sprint(len(content))) + string(content) + lines("facade01")
		}
		read(t, textFile(body), registry(p.info))
		checkRead(t, textFile(body), engine.Registry())
	})
}
