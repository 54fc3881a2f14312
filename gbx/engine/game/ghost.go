package game

import "pakbox/gbx"

// hasEvents is 1 if the ghost being coded has inputs in its chunk 025. Only
// then does chunk 028 hold anything.
func hasEvents(x *gbx.Coder) int {
	if c, ok := gbx.Sibling[*Chunk03092025](x); ok && c.EventsDuration != 0 {
		return 1
	}
	return 0
}
