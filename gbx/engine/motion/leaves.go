package motion

import "pakbox/gbx"

const classManagerLeaves = 0x0804D000

// isManagerOfLeaves returns 1 in CMotionManagerLeaves, which uses a chunk ID of
// CMotionEmitterLeaves.
func isManagerOfLeaves(x *gbx.Coder) int {
	if x.NodeClass() == classManagerLeaves {
		return 1
	}
	return 0
}
