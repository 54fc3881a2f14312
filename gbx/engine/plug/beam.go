package plug

import "pakbox/gbx"

// beamMaterialsAsStrings tells whether a beam names its materials, which an
// earlier chunk says for all of them.
func beamMaterialsAsStrings(x *gbx.Coder) int {
	if c, ok := gbx.Sibling[*Chunk09105001](x); ok {
		return int(c.MaterialsAsStrings)
	}
	return 0
}
