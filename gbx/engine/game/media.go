package game

import "pakbox/gbx"

// Two older media blocks have chunks with the ID of another class and their own
// layout. The class of the node tells them apart.

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

// hasText is 1 for an ID that is not empty.
func hasText(_ *gbx.Coder, id gbx.ID) int {
	if id.String() != "" {
		return 1
	}
	return 0
}
