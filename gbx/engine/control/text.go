package control

import "pakbox/gbx"

// noText returns 1 for an empty ID. A sheet uses it in a condition.
func noText(_ *gbx.Coder, id gbx.ID) int {
	if id.String() == "" {
		return 1
	}
	return 0
}
