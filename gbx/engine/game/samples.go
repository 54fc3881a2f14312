package game

import (
	"math"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/code"
)

// Classes of samples of cars.
const (
	classVehicleCar    classid.ID = 0x0A02B000 // CSceneVehicleCar
	classVehicleCarOld classid.ID = 0x0A103000 // the same class under another number
)

// classCharacter is the class of samples of a character of ShootMania.
const classCharacter classid.ID = 0x0A401000

// versionNet is the version of the samples of Trackmania Turbo. They have the form of
// network packets: positions of 24 bits, no speeds.
const versionNet = 13

// versionSteps is the first version that stores times as differences.
const versionSteps = 10

// GhostSample is the state of a car at one moment, in a ghost of TrackMania 1.0 to
// ManiaPlanet.
type GhostSample struct {
	Time gbx.Time // since the start of the run
	CGameGhostVehicleSample
	// Rest has the bytes behind the known values.
	Rest []byte

	version int
}

// Code reads or writes the sample.
func (s *GhostSample) Code(x *gbx.Coder) {
	if s.version == versionNet {
		s.codeNet(x)
	} else {
		s.CGameGhostVehicleSample.Code(x, s.version)
	}
	n := len(s.Rest)
	if x.Reading() {
		n = x.Remaining()
	}
	x.Bytes(&s.Rest, n, "rest")
}

// codeNet reads or writes a sample of versionNet. The layout was found by comparing with
// the places of blocks on a map of Turbo. The last two bytes are unknown.
func (s *GhostSample) codeNet(x *gbx.Coder) {
	for _, v := range []*float32{&s.Position.X, &s.Position.Y, &s.Position.Z} {
		high, low := netCoordinate(*v)
		x.U8(&high, "high")
		x.U16(&low, "low")
		if x.Reading() {
			*v = (float32(int(high)-netZero)*(math.MaxUint16+1) + float32(low)) / netUnits
		}
	}
	x.U16(&s.Angle, "angle")
	x.I16(&s.AxisHeading, "axisHeading")
	x.I16(&s.AxisPitch, "axisPitch")
}

// A coordinate has 24 bits, the highest eight first. These are 0x80 for the coordinate 0.
const (
	netUnits = 500 // units in a metre
	netZero  = 0x80
)

func netCoordinate(v float32) (high uint8, low uint16) {
	n := int32(math.Round(float64(v) * netUnits))
	return uint8(n>>16 + netZero), uint16(n)
}

// versionPedals is the first version with steering, gas and brake.
const versionPedals = 7

// HasMotion reports whether the sample has rotation speed, speeds along and across the
// car, and wheels.
func (s *GhostSample) HasMotion() bool { return s.version == 2 || s.HasPedals() }

// HasWheels reports whether the sample holds the rotations of the wheels.
func (s *GhostSample) HasWheels() bool { return s.version >= 8 && s.version != versionNet }

// HasPedals reports whether the sample holds steering, gas and brake.
func (s *GhostSample) HasPedals() bool { return s.version >= versionPedals && s.version != versionNet }

// versionWide is the first version with rotations of six bytes, not three.
const versionWide = 4

// HasVelocity reports whether the sample has the velocity of the car.
func (s *GhostSample) HasVelocity() bool { return s.version != versionNet }

// Rotation returns the orientation of the car.
func (s *GhostSample) Rotation() gbx.Quat {
	if s.version < versionWide {
		const wider = 257 // scales 255 to 65535
		return code.UnpackRotation(uint16(s.ByteAngle)*wider, wide(s.ByteHeading), wide(s.BytePitch))
	}
	return code.UnpackRotation(s.Angle, s.AxisHeading, s.AxisPitch)
}

// wide scales 127 to 32767.
func wide(b int8) int16 { return int16(int(b) * math.MaxInt16 / math.MaxInt8) }

// Velocity returns the velocity of the car, in metres per second.
func (s *GhostSample) Velocity() gbx.Vec3 {
	return code.UnpackVelocity(s.Speed, s.VelocityHeading, s.VelocityPitch)
}

// Steering returns the position of the steering wheel, -1 to 1.
func (s *GhostSample) Steering() float64 { return float64(s.Steer)/math.MaxUint8*2 - 1 }

// ForwardSpeed returns the speed in the direction of the car, in metres per second.
func (s *GhostSample) ForwardSpeed() float64 {
	return float64(s.SpeedForward)/math.MaxUint16*11000 - 1000
}

// Revolutions returns the revolutions of the motor per minute.
func (s *GhostSample) Revolutions() float64 { return float64(s.Rpm) / math.MaxUint16 * 30000 }

// Decode returns the samples of a car in a ghost of TMUnited to ManiaPlanet.
func (c *Chunk0303F005Samples) Decode() ([]GhostSample, error) {
	if c.SampleClass != classVehicleCar && c.SampleClass != classVehicleCarOld {
		return nil, nil
	}
	offsets, err := c.offsets()
	if err != nil {
		return nil, err
	}
	return decodeSamples(c.SampleData, offsets, int(c.SampleVersion), c.times())
}

func (c *Chunk0303F005Samples) offsets() ([]int, error) {
	offsets := make([]int, 0, min(int64(c.SampleCount), int64(len(c.SampleData))))
	at := int64(c.FirstSampleOffset)
	for i := range cap(offsets) {
		if at < 0 || at > int64(len(c.SampleData)) {
			return nil, fault.New(fault.Corrupt, "sample %d begins beyond the end of the samples", i)
		}
		offsets = append(offsets, int(at))
		if c.SampleSize != -1 {
			at += int64(c.SampleSize)
		} else if i < len(c.SampleSizes) { // the last sample needs no size
			at += int64(c.SampleSizes[i])
		}
	}
	return offsets, nil
}

func (c *Chunk0303F005Samples) times() func(int) gbx.Time {
	if len(c.SampleTimes) == 0 {
		return func(i int) gbx.Time { return gbx.Time(int64(i) * int64(c.SamplePeriod)) }
	}
	list := make([]gbx.Time, len(c.SampleTimes))
	for i, t := range c.SampleTimes {
		list[i] = gbx.Time(t)
		if c.SampleVersion&math.MaxUint16 >= versionSteps && i > 0 {
			list[i] += list[i-1]
		}
	}
	return func(i int) gbx.Time { return list[min(i, len(list)-1)] }
}

// Decode returns the samples of a ghost before TMUnited.
func (c *Chunk0303F003) Decode() ([]GhostSample, error) {
	offsets := make([]int, len(c.SampleOffsets))
	for i, at := range c.SampleOffsets {
		offsets[i] = int(at)
	}
	return decodeSamples(c.Samples, offsets, int(c.SampleVersion), c.time)
}

func (c *Chunk0303F003) time(i int) gbx.Time {
	if !c.IsFixedTimeStep.True() && i < len(c.SampleTimes) {
		return gbx.Time(c.SampleTimes[i])
	}
	return gbx.Time(int64(i) * int64(c.SamplePeriod))
}

// decodeSamples decodes the records at the offsets. It skips empty records, which a ghost
// has for times without a recording.
func decodeSamples(data []byte, offsets []int, version int, time func(int) gbx.Time) ([]GhostSample, error) {
	out := make([]GhostSample, 0, len(offsets))
	records := make([][]byte, 0, len(offsets))
	for i, from := range offsets {
		to := len(data)
		if i+1 < len(offsets) {
			to = offsets[i+1]
		}
		if from < 0 || from > to || to > len(data) {
			return nil, fault.New(fault.Corrupt, "sample %d lies at %d to %d of %d bytes", i, from, to, len(data))
		}
		if from == to {
			continue
		}
		out = append(out, GhostSample{Time: time(i), version: version})
		records = append(records, data[from:to:to])
	}
	if err := gbx.DecodeRecords(len(records), func(i int) ([]byte, gbx.Body) { return records[i], &out[i] }); err != nil {
		return nil, err
	}
	return out, nil
}
