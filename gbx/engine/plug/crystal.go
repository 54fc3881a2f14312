package plug

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// materialCount is the number of materials. The size of material indices in faces depends
// on it.
func materialCount(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk09003003](x); ok {
		return len(c.Materials)
	}
	return 0
}

// versionColorsApart is the version of crystals that stores colours after the materials.
// Later versions store them in the crystal.
const versionColorsApart = 23

// faceColorCount is the number of colours that follow the materials.
func faceColorCount(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk09003000](x); ok && c.Crystal.Version == versionColorsApart {
		return int(c.Crystal.FaceCount)
	}
	return 0
}

// poolUsed counts the handles that are in use.
func poolUsed(_ *gbx.Coder, handles []CPlugCrystalElementHandle) int {
	n := 0
	for i := range handles {
		if handles[i].IsFree == 0 {
			n++
		}
	}
	return n
}

// OptimizedList is a list of numbers below its length, in as few bytes as
// possible.
type OptimizedList struct {
	Values []uint32
}

// Code reads or writes the list.
func (l *OptimizedList) Code(x *gbx.Coder) {
	code.List(x, &l.Values, 1, "values")
	for i := range l.Values {
		x.OptimizedInt(&l.Values[i], inArray(len(l.Values)), x.ElemName(i))
	}
	x.EndList()
}

// inArray adjusts a count for OptimizedInt. In an array, numbers take two bytes from a
// count of 255 on; elsewhere only above 255.
func inArray(count int) int { return count + 1 }

// Face is a face of a crystal. Its code is written by hand, because from crystal version
// 35 on the number of vertices is a byte in which 0 stands for 3.
type Face struct {
	Indices       []uint32 // indices of positions
	UVs           []gbx.Vec2
	Normal        gbx.Vec3
	MaterialIndex uint32
	GroupIndex    uint32
}

// Code reads or writes the face.
func (f *Face) Code(x *gbx.Coder, version, positions, materials, groups int) {
	f.indices(x, version, positions)
	switch {
	case version < 27:
		code.List(x, &f.UVs, 8, "uvs")
		f.codeUVs(x)
		x.Vec3(&f.Normal, "normal")
	case version < 37:
		code.SizedList(x, &f.UVs, len(f.Indices), 8, "uvs")
		f.codeUVs(x)
	}
	switch {
	case version >= 33 && materials > 0:
		x.OptimizedInt(&f.MaterialIndex, materials, "materialIndex")
	case version >= 25:
		x.U32(&f.MaterialIndex, "materialIndex")
	}
	if version >= 33 {
		x.OptimizedInt(&f.GroupIndex, groups, "groupIndex")
	} else {
		x.U32(&f.GroupIndex, "groupIndex")
	}
}

func (f *Face) indices(x *gbx.Coder, version, positions int) {
	code.SizedList(x, &f.Indices, f.indexCount(x, version), 1, "indices")
	for i := range f.Indices {
		if version >= 34 {
			x.OptimizedInt(&f.Indices[i], inArray(positions), x.ElemName(i))
		} else {
			x.U32(&f.Indices[i], x.ElemName(i))
		}
	}
	x.EndList()
}

// indexCount reads or writes the number of indices. It avoids a variable on the heap,
// because there are hundreds of thousands of faces.
func (f *Face) indexCount(x *gbx.Coder, version int) int {
	if b := x.Ahead(); version >= 35 && len(b) > 0 {
		x.Skip(1)
		return int(b[0]) + 3
	}
	if version >= 35 {
		more := uint8(len(f.Indices) - 3)
		x.U8(&more, "moreThanThree")
		return int(more) + 3
	}
	n := uint32(len(f.Indices))
	x.U32(&n, "indexCount")
	return int(n)
}

func (f *Face) codeUVs(x *gbx.Coder) {
	for i := range f.UVs {
		x.Vec2(&f.UVs[i], x.ElemName(i))
	}
	x.EndList()
}
