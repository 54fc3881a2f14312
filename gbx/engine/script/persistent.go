package script

import "pakbox/gbx"

const classPersistent = 0x11001000

// isPersistent returns 1 in CScriptTraitsPersistent, whose first chunk has the ID of an
// old chunk of CScriptTraitsMetadata.
func isPersistent(x *gbx.Coder) int {
	if x.NodeClass() == classPersistent {
		return 1
	}
	return 0
}
