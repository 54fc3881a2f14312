package function

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// A pose has a value for each bone. The number of bones is in the skeleton, which is
// another node.

func boneCount(_ *gbx.Coder, skel gbx.Ref) int {
	if c, ok := gbx.Find[*Chunk05005002](skel.Node); ok {
		return len(c.Bones)
	}
	return 0
}

func keyBones(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk05006000](x); ok {
		return boneCount(x, c.Skel)
	}
	return 0
}

// bonesAreElsewhere returns 1 if the skeleton of the keys is not in this file.
func bonesAreElsewhere(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk05006000](x); ok && !c.Skel.IsNil() && c.Skel.Node == nil {
		return 1
	}
	return 0
}
