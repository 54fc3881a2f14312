package plug

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// beamMaterialsAsStrings returns 1 if an earlier chunk declares that materials are stored as
// names.
func beamMaterialsAsStrings(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk09105001](x); ok {
		return int(c.MaterialsAsStrings)
	}
	return 0
}
