package plug

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// visualVehicleCount is the number of vehicles that share an appearance. It is in chunk
// 006; later chunks have a list for each of these vehicles.
func visualVehicleCount(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk090E8006](x); ok {
		return int(c.VisualVehicleCount)
	}
	return 0
}
