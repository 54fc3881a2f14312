package game

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// hasEvents returns 1 if chunk 025 of the ghost has inputs. Otherwise chunk 028 is empty.
func hasEvents(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk03092025](x); ok && c.EventsDuration != 0 {
		return 1
	}
	return 0
}
