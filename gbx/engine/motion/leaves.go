package motion

import "pakbox/gbx"

const classManagerLeaves = 0x0804D000

// isManagerOfLeaves is 1 in nodes of CMotionManagerLeaves, which store their
// one value under the ID of a chunk of CMotionEmitterLeaves.
func isManagerOfLeaves(x *gbx.Coder) int {
	if x.NodeClass() == classManagerLeaves {
		return 1
	}
	return 0
}
