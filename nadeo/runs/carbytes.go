package runs

import (
	"math"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/code"
	"pakbox/gbx/engine/plug"
)

// carBytes is the stored form of a sample of CSceneVehicleVis (0A018000), little-endian.
// Its size depends on the version of the writer: version 28 has 162 bytes, 30 has 103, 31
// has 107, 33 has 116. The bytes have the same meaning in versions 30 to 33; in 28 only
// the first ones do.
type carBytes []byte

const (
	carLeast     = 103 // size in version 30
	carOldest    = 162 // size in version 28
	oldestSame   = 76  // number of first bytes of version 28 with the usual meaning
	oldestGearAt = 138 // byte with the gear in version 28, found by comparison with speed and revolutions
)

func (b carBytes) u16(at int) uint16 { return uint16(b[at]) | uint16(b[at+1])<<8 }

func (b carBytes) u32(at int) uint32 { return uint32(b.u16(at)) | uint32(b.u16(at+2))<<16 }

func (b carBytes) f32(at int) float32 { return math.Float32frombits(b.u32(at)) }

// packed reads a vector that is stored in four bytes: length and direction.
func (b carBytes) packed(at int) gbx.Vec3 {
	return code.UnpackVelocity(int16(b.u16(at)), int8(b[at+2]), int8(b[at+3]))
}

func (b carBytes) rotation() gbx.Quat {
	return code.UnpackRotation(b.u16(59), int16(b.u16(61)), int16(b.u16(63)))
}

// detail states how much of each sample is decoded. Less is faster.
type detail int

const (
	judged detail = iota // the values that Check compares
	usual                // the values in Columns
	full                 // everything: keeps the stored bytes for AllColumns
)

// The bytes of a sample that each level of detail needs. The level full needs all.
var (
	judgedBytes = slices.Concat([]int{14}, span(47, 67), span(69, 73))
	usualBytes  = slices.Concat([]int{4, 5, 14, 15, 18}, span(47, 69), span(89, 93), []int{oldestGearAt})
)

func span(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// read decodes a sample of Trackmania (2020). It keeps b if the detail is full.
func (out *Sample) read(at gbx.Time, b carBytes, d detail) error {
	if len(b) < carLeast {
		return fault.New(fault.Truncated, "a sample of %d bytes at %d ms", len(b), at)
	}
	out.Time, out.Position, out.Rotation = at, gbx.Vec3{X: b.f32(47), Y: b.f32(51), Z: b.f32(55)}, b.rotation()
	out.Steer = scaled(b[14], 2, -1)
	if d == judged {
		out.Speed, out.turning = code.UnpackSpeed(int16(b.u16(65))), b.packed(69)
		return nil
	}
	out.Velocity = b.packed(65)
	out.Speed = length(out.Velocity)
	out.Gas, out.Brake, out.RPM, out.Gear = scaled(b[15], 1, 0), scaled(b[18], 1, 0), scaled(b.u16(4), 30000, 0), int(b.u32(89)>>18&15)
	if len(b) == carOldest {
		out.Gear, b = int(b[oldestGearAt]), b[:oldestSame]
	}
	if d == full {
		out.bytes, out.turning = b, b.packed(69)
	}
	return nil
}

// carLine reads the samples of a car of Trackmania (2020).
func carLine(e *plug.CPlugEntRecordDataEntity, d detail) (Line, error) {
	l := Line{Source: sourceRecord, Samples: make([]Sample, 0, len(e.TimeDeltas)+len(e.Samples))}
	wanted := [...][]int{judged: judgedBytes, usual: usualBytes, full: nil}[d]
	var kept carBytes
	if d == full {
		kept = make(carBytes, 0, len(e.Columns))
	}
	var failed error
	e.EachSample(wanted, func(at gbx.Time, data []byte) {
		if failed != nil {
			return
		}
		if d == full {
			kept = append(kept, data...)
			data = kept[len(kept)-len(data) : len(kept) : len(kept)]
		}
		l.Samples = append(l.Samples, Sample{})
		failed = l.Samples[len(l.Samples)-1].read(at, data, d)
	})
	if failed == nil {
		l.Period = usualStep(l.Samples)
	}
	return l, failed
}
