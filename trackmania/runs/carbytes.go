package runs

import (
	"math"

	"pakbox/fault"
	"pakbox/gbx"
)

// carBytes is a sample of CSceneVehicleVis (0A018000) as it is stored, little-endian.
// The version of its writer fixes its size: 28 has 162 bytes, 30 has 103, 31 has 107,
// 33 has 116. Bytes mean the same in 30 to 33; of 28 only the first ones do.
type carBytes string

const (
	carLeast     = 103 // of writer 30
	carOldest    = 162 // of writer 28,
	oldestSame   = 76  // whose first bytes are those of the others,
	oldestGearAt = 138 // and whose gear, as speed and revolutions show, is a byte
)

func (b carBytes) u16(at int) uint16 { return uint16(b[at]) | uint16(b[at+1])<<8 }

func (b carBytes) u32(at int) uint32 { return uint32(b.u16(at)) | uint32(b.u16(at+2))<<16 }

func (b carBytes) f32(at int) float32 { return math.Float32frombits(b.u32(at)) }

// packed is a vector of four bytes: its length and its direction.
func (b carBytes) packed(at int) gbx.Vec3 {
	return gbx.UnpackVelocity(int16(b.u16(at)), int8(b[at+2]), int8(b[at+3]))
}

func (b carBytes) rotation() gbx.Quat {
	return gbx.UnpackRotation(b.u16(59), int16(b.u16(61)), int16(b.u16(63)))
}

// newSample reads a sample of Trackmania (2020).
func newSample(at gbx.Time, b carBytes, turned bool) (Sample, error) {
	if len(b) < carLeast {
		return Sample{}, fault.New(fault.Truncated, "a sample of %d bytes at %d ms", len(b), at)
	}
	out := Sample{
		Time: at, Position: gbx.Vec3{X: b.f32(47), Y: b.f32(51), Z: b.f32(55)}, Velocity: b.packed(65),
		Steer: scaled(b[14], 2, -1), Gas: scaled(b[15], 1, 0), Brake: scaled(b[18], 1, 0),
		RPM: scaled(b.u16(4), 30000, 0), Gear: int(b.u32(89) >> 18 & 15), bytes: b,
	}
	if len(b) == carOldest {
		out.Gear, out.bytes = int(b[oldestGearAt]), b[:oldestSame]
	}
	if turned {
		out.Rotation = b.rotation()
	}
	out.Speed = length(out.Velocity)
	return out, nil
}
