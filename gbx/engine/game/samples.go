package game

import (
	"math"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// Classes whose samples are cars.
const (
	classVehicleCar    classid.ID = 0x0A02B000 // CSceneVehicleCar
	classVehicleCarOld classid.ID = 0x0A103000 // the same class under another number
)

// versionNet is the version of samples as they went over the network, with
// positions in 24 bits.
const versionNet = 13

// GhostSample is a car at one moment of a ghost of TrackMania 1.0 to
// ManiaPlanet. Later ghosts keep theirs in CPlugEntRecordData.
type GhostSample struct {
	Time gbx.Time // since the start
	CGameGhostVehicleSample
	// Rest is what follows the values that are understood.
	Rest []byte

	version int
}

// Code reads or writes the sample.
func (s *GhostSample) Code(x *gbx.Coder) {
	s.CGameGhostVehicleSample.Code(x, s.version)
	n := len(s.Rest)
	if x.Reading() {
		n = x.Remaining()
	}
	x.Bytes(&s.Rest, n, "rest")
}

// versionPedals is the first version of samples that say what the driver does.
const versionPedals = 7

// HasPedals reports whether the sample holds steering, gas and brake.
func (s *GhostSample) HasPedals() bool { return s.version >= versionPedals }

// versionWide is the first version that stores rotations in six bytes; before
// it there are three.
const versionWide = 4

// Rotation returns which way the car is turned.
func (s *GhostSample) Rotation() gbx.Quat {
	if s.version < versionWide {
		const wider = 257 // makes 65535 of 255
		return gbx.UnpackRotation(uint16(s.ByteAngle)*wider, wide(s.ByteHeading), wide(s.BytePitch))
	}
	return gbx.UnpackRotation(s.Angle, s.AxisHeading, s.AxisPitch)
}

// wide scales 127 to 32767.
func wide(b int8) int16 { return int16(int(b) * math.MaxInt16 / math.MaxInt8) }

// Velocity returns where the car is going, in metres a second.
func (s *GhostSample) Velocity() gbx.Vec3 {
	return gbx.UnpackVelocity(s.Speed, s.VelocityHeading, s.VelocityPitch)
}

// Steering returns the position of the steering wheel, -1 to 1.
func (s *GhostSample) Steering() float64 { return float64(s.Steer)/math.MaxUint8*2 - 1 }

// ForwardSpeed returns the speed along the car, in metres a second.
func (s *GhostSample) ForwardSpeed() float64 {
	return float64(s.SpeedForward)/math.MaxUint16*11000 - 1000
}

// Revolutions returns those of the motor, a minute.
func (s *GhostSample) Revolutions() float64 { return float64(s.Rpm) / math.MaxUint16 * 30000 }

// Decode returns the samples of a ghost of TMUnited to ManiaPlanet; nothing
// if it holds none or they are not those of a car.
func (c *Chunk0303F005Samples) Decode() ([]GhostSample, error) {
	if c.SampleClass != classVehicleCar && c.SampleClass != classVehicleCarOld {
		return nil, nil
	}
	offsets := make([]int, 0, min(int64(c.SampleCount), int64(len(c.SampleData))))
	at := int64(c.FirstSampleOffset)
	for i := range cap(offsets) {
		if at < 0 || at > int64(len(c.SampleData)) {
			return nil, fault.New(fault.Corrupt, "sample %d begins beyond the end of the samples", i)
		}
		offsets = append(offsets, int(at))
		if c.SampleSize != -1 {
			at += int64(c.SampleSize)
		} else if i < len(c.SampleSizes) { // the last needs none
			at += int64(c.SampleSizes[i])
		}
	}
	return decodeSamples(c.SampleData, offsets, int(c.SampleVersion), c.time)
}

// time is when sample i was taken.
func (c *Chunk0303F005Samples) time(i int) gbx.Time {
	if i < len(c.SampleTimes) {
		return gbx.Time(c.SampleTimes[i])
	}
	return gbx.Time(int64(i) * int64(c.SamplePeriod))
}

// Decode returns the samples of a ghost before TMUnited.
func (c *Chunk0303F003) Decode() ([]GhostSample, error) {
	offsets := make([]int, len(c.SampleOffsets))
	for i, at := range c.SampleOffsets {
		offsets[i] = int(at)
	}
	return decodeSamples(c.Samples, offsets, int(c.SampleVersion), c.time)
}

// time is when sample i was taken.
func (c *Chunk0303F003) time(i int) gbx.Time {
	if !c.IsFixedTimeStep.True() && i < len(c.SampleTimes) {
		return gbx.Time(c.SampleTimes[i])
	}
	return gbx.Time(int64(i) * int64(c.SamplePeriod))
}

// decodeSamples decodes the records that begin at the offsets, each up to the
// next one. Those of no length are left out: ghosts that somebody watched, and
// not from the start, have them for the time before.
func decodeSamples(data []byte, offsets []int, version int, time func(int) gbx.Time) ([]GhostSample, error) {
	if version == versionNet {
		return nil, fault.New(fault.Unsupported, "samples of version %d", version)
	}
	out := make([]GhostSample, 0, len(offsets))
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
		s := GhostSample{Time: time(i), version: version}
		if err := gbx.DecodeRecord(data[from:to:to], &s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
