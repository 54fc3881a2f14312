package fbx_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
)

// node is a record of a file that a test makes.
type node struct {
	name     string
	values   []any
	children []node
}

func n(name string, values ...any) node { return node{name: name, values: values} }

func (p node) with(children ...node) node {
	p.children = append(p.children, children...)
	return p
}

// p is a row of a table of properties: its name, type, label, flags and values.
func p(name string, values ...any) node {
	kind := "double"
	switch values[0].(type) {
	case bool:
		kind = "bool"
	case int:
		kind = "int"
	}
	if len(values) == 3 {
		kind = "Vector3D"
	}
	return node{name: "P", values: append([]any{name, kind, "", "A"}, values...)}
}

func table(rows ...node) node { return n("Properties70").with(rows...) }

// packed is a list that is stored compressed.
type packed struct{ list any }

// file is a file of a version with the outermost records.
func file(version uint32, sections ...node) []byte {
	b := bytes.NewBufferString("Kaydara FBX Binary  \x00\x1a\x00")
	binary.Write(b, binary.LittleEndian, version)
	for _, s := range append(sections, node{}) {
		s.write(b, version >= 7500)
	}
	return b.Bytes()
}

func (p node) write(b *bytes.Buffer, wide bool) {
	var values bytes.Buffer
	for _, v := range p.values {
		writeValue(&values, v)
	}
	word, base := 4, b.Len()
	if wide {
		word = 8
	}
	head := 3*word + 1 + len(p.name)
	var below bytes.Buffer
	below.Write(make([]byte, base+head+values.Len())) // so that offsets are those of the file
	for _, c := range p.children {
		c.write(&below, wide)
	}
	if len(p.children) > 0 {
		below.Write(make([]byte, 3*word+1))
	}
	numbers := []int{below.Len(), len(p.values), values.Len()}
	if p.name == "" {
		numbers[0] = 0
	}
	for _, v := range numbers {
		if wide {
			binary.Write(b, binary.LittleEndian, uint64(v))
		} else {
			binary.Write(b, binary.LittleEndian, uint32(v))
		}
	}
	b.WriteByte(byte(len(p.name)))
	b.WriteString(p.name)
	b.Write(values.Bytes())
	b.Write(below.Bytes()[base+head+values.Len():])
}

func writeValue(b *bytes.Buffer, v any) {
	put := func(letter byte, v any) {
		b.WriteByte(letter)
		binary.Write(b, binary.LittleEndian, v)
	}
	list := func(letter byte, count int, v any, deflate bool) {
		var raw bytes.Buffer
		binary.Write(&raw, binary.LittleEndian, v)
		form := uint32(0)
		if deflate {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			w.Write(raw.Bytes())
			w.Close()
			raw, form = z, 1
		}
		put(letter, []uint32{uint32(count), form, uint32(raw.Len())})
		b.Write(raw.Bytes())
	}
	in, deflate := v.(packed)
	if deflate {
		v = in.list
	}
	switch v := v.(type) {
	case string:
		put('S', uint32(len(v)))
		b.WriteString(v)
	case int:
		put('I', int32(v))
	case int64:
		put('L', v)
	case bool:
		put('C', v)
	case int16:
		put('Y', v)
	case float32:
		put('F', v)
	case float64:
		put('D', v)
	case []float64:
		list('d', len(v), v, deflate)
	case []float32:
		list('f', len(v), v, deflate)
	case []int32:
		list('i', len(v), v, deflate)
	case []int64:
		list('l', len(v), v, deflate)
	case []bool:
		list('b', len(v), v, deflate)
	case []uint8:
		list('c', len(v), v, deflate)
	}
}

// object is an object with an id.
func object(kind string, id int64, name, class string) node {
	return n(kind, id, name+"\x00\x01"+kind, class)
}

// joins connects pairs of ids: a child and its parent.
func joins(pairs ...int64) node {
	out := n("Connections")
	for i := 0; i < len(pairs); i += 2 {
		out = out.with(n("C", "OO", pairs[i], pairs[i+1]))
	}
	return out
}

// element is a layer element.
func element(kind, name, mapping, reference string, lists ...node) node {
	return n("LayerElement"+kind, 0).with(n("Version", 101), n("Name", name), n("MappingInformationType", mapping),
		n("ReferenceInformationType", reference)).with(lists...)
}
