package game

import "pakbox/gbx"

// Two older media blocks store their content in chunks that carry the ID of
// another class, with a layout of their own. Only the node's class tells.

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

// CameraAnchor is what a game camera is fixed to: an Id, and the number of an
// entity unless the Id is empty.
type CameraAnchor struct {
	ID        gbx.Id
	ClipEntID int32
}

// Code reads or writes the anchor.
func (a *CameraAnchor) Code(x *gbx.Coder) {
	x.Id(&a.ID, "anchorId")
	if a.ID.String() != "" {
		x.I32(&a.ClipEntID, "clipEntId")
	}
}
