package control

import "pakbox/gbx"

// noText is 1 for an empty Id.
func noText(_ *gbx.Coder, id gbx.Id) int {
	if id.String() == "" {
		return 1
	}
	return 0
}
