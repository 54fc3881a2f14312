package game

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// vehicleSettingCount is the number of vehicles in chunk 00C of a user profile. Later
// chunks have further settings for each of them.
func vehicleSettingCount(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk031CC00C](x); ok {
		return len(c.VehicleSettings)
	}
	return 0
}
