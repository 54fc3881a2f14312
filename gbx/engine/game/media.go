package game

import "pakbox/gbx"

// Two older media blocks have chunks with the chunk ID of another class but a different
// layout. The class of the node distinguishes them.

const (
	classCameraSimple = 0x0309F000
	classTimeSpeed    = 0x03129000
)

func isCameraSimple(x *gbx.Coder) int { return nodeIs(x, classCameraSimple) }

func isTimeSpeed(x *gbx.Coder) int { return nodeIs(x, classTimeSpeed) }

func nodeIs(x *gbx.Coder, class uint32) int {
	if uint32(x.NodeClass()) == class {
		return 1
	}
	return 0
}

// hasText returns 1 for an ID that is not empty.
func hasText(_ *gbx.Coder, id gbx.ID) int {
	if id.String() != "" {
		return 1
	}
	return 0
}
