package control

import "pakbox/gbx"

// noText is 1 for an empty ID.
func noText(_ *gbx.Coder, id gbx.ID) int {
	if id.String() == "" {
		return 1
	}
	return 0
}
