package plug_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
)

// vertices is a vertex stream as a record of its own.
type vertices struct {
	plug.VertexData
	version, count int
}

func (v *vertices) Code(x *gbx.Coder) { v.VertexData.Code(x, v.version, v.count) }

// sameAgain decodes a record and codes it again.
func sameAgain(t *testing.T, name string, data []byte, v gbx.Body) {
	t.Helper()
	if err := gbx.DecodeRecord(data, v); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if again, err := gbx.EncodeRecord(v); err != nil || !bytes.Equal(again, data) {
		t.Errorf("%s: % x, want % x (%v)", name, again, data, err)
	}
}

// How many bytes the values of a type take is Direct3D's table of vertex elements.
func TestVertexColumns(t *testing.T) {
	const count = 3
	for typ, size := range []int{4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8} {
		content := strings.Repeat("\x01\x02\x03\x04", count*size/4)
		v := &vertices{version: 1, count: count}
		sameAgain(t, fmt.Sprint("type ", typ), join(1, 5|typ<<9|size<<18, 0, 1, content), v)
		if d := v.Decls[0]; d.Usage() != 5 || d.Type() != typ || d.Stride() != size || d.Vertices != nil {
			t.Errorf("type %d: usage %d, type %d, stride %d", typ, d.Usage(), d.Type(), d.Stride())
		}
		c := v.Columns[0]
		if n := []int{4 * len(c.Floats), 8 * len(c.Vec2s), 12 * len(c.Vec3s), 16 * len(c.Vec4s), 4 * len(c.Words), 8 * len(c.Longs)}; n[0]+n[1]+n[2]+n[3]+n[4]+n[5] != count*size {
			t.Errorf("type %d: %v bytes", typ, n)
		}
	}
	if err := gbx.DecodeRecord(join(1, 17<<9, 0, 1, "1234"), &vertices{version: 1, count: 1}); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("err = %v; want err of kind fault.Unsupported", err)
	}
}

// Values behind the first in a vertex have a place there; in version 0 the vertices
// stand behind the declaration of the first.
func TestVertexDecls(t *testing.T) {
	const position, normal = 2<<9 | 24<<18, 5 | 2<<9 | 24<<18
	v := &vertices{version: 0, count: 2}
	sameAgain(t, "version 0", join(2, position, 0, strings.Repeat("v", 48), normal, 12<<2, 7|12<<16), v)
	if d := v.Decls; len(d) != 2 || len(d[0].Vertices) != 48 || d[1].Vertices != nil || d[1].U01 != 7 || d[1].Offset != 12 || len(v.Columns) != 0 {
		t.Errorf("v = %+v; want d of length 2, d[0].Vertices of length 48, d[1].Vertices = nil, d[1].U01 = 7, d[1].Offset = 12, empty v.Columns", v)
	}
	v = &vertices{version: 1, count: 1}
	sameAgain(t, "version 1", join(2, position, 0, normal, 12<<2, 7|12<<16, 0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0), v)
	if c := v.Columns; len(c) != 2 || !reflect.DeepEqual(c[1].Vec3s, []gbx.Vec3{{X: 4, Y: 5, Z: 6}}) {
		t.Errorf("v = %+v; want c of length 2, c[1].Vec3s equal to []gbx.Vec3{{X: 4, Y: 5, Z: 6}}", v)
	}
	v.Columns = append(v.Columns, plug.VertexColumn{})
	if _, err := gbx.EncodeRecord(v); fault.KindOf(err) != fault.SizeMismatch {
		t.Errorf("err = %v; want err of kind fault.SizeMismatch", err)
	}
	for flags, bits := range map[uint32][3]int{0x1FF: {0x1FF, 0, 0}, 0x1FF << 9: {0, 0x1FF, 0}, 0x3FF << 18: {0, 0, 0x3FF}, 0xF << 28: {}} {
		if d := (plug.VertexDecl{Flags: flags}); bits != [3]int{d.Usage(), d.Type(), d.Stride()} {
			t.Errorf("%#x: d.Usage() = %d, d.Type() = %d, d.Stride() = %d; want bits = [3]int{d.Usage(), d.Type(), d.Stride()}", flags, d.Usage(), d.Type(), d.Stride())
		}
	}
}

// face is a face of a crystal as a record of its own.
type face struct {
	plug.Face
	version, positions, materials, groups int
}

func (f *face) Code(x *gbx.Coder) { f.Face.Code(x, f.version, f.positions, f.materials, f.groups) }

// A face in every version that stores it in another way.
func TestFaces(t *testing.T) {
	triangle, uvs := []any{3, 0, 1, 2}, []any{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}
	coords := []gbx.Vec2{{X: 1, Y: 2}, {X: 3, Y: 4}, {X: 5, Y: 6}}
	for _, k := range []struct {
		version, positions, materials, groups int
		parts                                 []any
		want                                  plug.Face
	}{
		{24, 3, 2, 5, []any{triangle, 3, uvs, 0.0, 1.0, 0.0, 4}, plug.Face{UVs: coords, Normal: gbx.Vec3{Y: 1}, GroupIndex: 4}},
		{25, 3, 2, 5, []any{triangle, 3, uvs, 0.0, 1.0, 0.0, 1, 4}, plug.Face{UVs: coords, Normal: gbx.Vec3{Y: 1}, MaterialIndex: 1, GroupIndex: 4}},
		{26, 3, 2, 5, []any{triangle, 0, 0.0, 1.0, 0.0, 1, 4}, plug.Face{Normal: gbx.Vec3{Y: 1}, MaterialIndex: 1, GroupIndex: 4}},
		{27, 3, 2, 5, []any{triangle, uvs, 1, 4}, plug.Face{UVs: coords, MaterialIndex: 1, GroupIndex: 4}},
		{32, 3, 2, 5, []any{triangle, uvs, 1, 4}, plug.Face{UVs: coords, MaterialIndex: 1, GroupIndex: 4}},
		{33, 3, 2, 5, []any{triangle, uvs, "\x01\x04"}, plug.Face{UVs: coords, MaterialIndex: 1, GroupIndex: 4}},
		{33, 3, 256, 256, []any{triangle, uvs, "\x01\x00\x04\x00"}, plug.Face{UVs: coords, MaterialIndex: 1, GroupIndex: 4}},
		{33, 3, 0, 5, []any{triangle, uvs, 1, "\x04"}, plug.Face{UVs: coords, MaterialIndex: 1, GroupIndex: 4}},
		{34, 254, 1, 5, []any{3, "\x00\x01\x02", uvs, "\x00\x04"}, plug.Face{UVs: coords, GroupIndex: 4}},
		{34, 255, 1, 5, []any{3, "\x00\x00\x01\x00\x02\x00", uvs, "\x00\x04"}, plug.Face{UVs: coords, GroupIndex: 4}},
		{35, 3, 1, 5, []any{"\x00", "\x00\x01\x02", uvs, "\x00\x04"}, plug.Face{UVs: coords, GroupIndex: 4}},
		{36, 3, 1, 5, []any{"\x00", "\x00\x01\x02", uvs, "\x00\x04"}, plug.Face{UVs: coords, GroupIndex: 4}},
		{37, 3, 1, 5, []any{"\x00", "\x00\x01\x02", "\x00\x04"}, plug.Face{GroupIndex: 4}},
	} {
		f := &face{version: k.version, positions: k.positions, materials: k.materials, groups: k.groups}
		name := fmt.Sprint("version ", k.version, " of ", k.positions, " positions and ", k.materials, " materials")
		sameAgain(t, name, join(k.parts...), f)
		if len(f.UVs) == 0 {
			f.UVs = nil
		}
		if k.want.Indices = []uint32{0, 1, 2}; !reflect.DeepEqual(f.Face, k.want) {
			t.Errorf("%s: %+v, want %+v", name, f.Face, k.want)
		}
	}
	five := &face{version: 37, positions: 9, materials: 1, groups: 1}
	sameAgain(t, "five corners", join("\x02\x00\x01\x02\x03\x04\x00\x00"), five)
	if len(five.Indices) != 5 {
		t.Errorf("five = %+v; want five.Indices of length 5", five)
	}
	if err := gbx.DecodeRecord(nil, &face{version: 37}); fault.KindOf(err) != fault.Truncated {
		t.Errorf("err = %v; want err of kind fault.Truncated", err)
	}
}

// numbers is a list as a record of its own.
type numbers struct{ plug.OptimizedList }

func (n *numbers) Code(x *gbx.Coder) { n.OptimizedList.Code(x) }

// Numbers of a list take two bytes from a length of 255 on.
func TestOptimizedList(t *testing.T) {
	for length, size := range map[int]int{0: 1, 254: 1, 255: 2, 65534: 2, 65535: 4} {
		n := &numbers{}
		sameAgain(t, fmt.Sprint(length), join(length, strings.Repeat("\x05\x00\x00\x00"[:size], length)), n)
		if len(n.Values) != length || length > 0 && n.Values[length-1] != 5 {
			t.Errorf("%d numbers of %d", len(n.Values), length)
		}
	}
}
