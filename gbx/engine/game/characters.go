package game

import (
	"math"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/code"
	"pakbox/internal/lib/wire"
)

// CharacterSample is a character of ShootMania at one moment.
type CharacterSample struct {
	Time     gbx.Time // since the start of the recording
	Position gbx.Vec3
	Pitch    float64 // direction of view in radians: upwards
	Yaw      float64 // and around, from +z towards +x
	Velocity gbx.Vec3
}

// This layout was found by comparing the bytes of 93 ghosts: positions must follow from
// the stored velocities. Before the position are two lists of events and eleven bytes.
// The bytes after the velocity were not examined.
var (
	// Number of bytes after the common ones, for each kind of event in the two lists. In
	// the first list kinds 0, 3, 5 and 27 have a place and a direction; in the second
	// kind 4 has a place.
	firstEvents = map[uint8]int{
		0x00: 18, 0x03: 18, 0x05: 18, 0x06: 0, 0x0A: 1, 0x0B: 0, 0x0D: 0, 0x12: 7, 0x19: 0, 0x1A: 0, 0x1B: 18,
	}
	secondEvents = map[uint8]int{0x00: 2, 0x04: 18}
)

const (
	eventHeader = 6  // the time of an event and a number
	beforePlace = 11 // bytes between the events and the position
	fullTurn    = 1 << 15
)

// DecodeCharacter returns the samples of a ShootMania character; none if the samples are
// of another class. At an unknown layout it returns an error with the samples before it.
func (c *Chunk0303F005Samples) DecodeCharacter() ([]CharacterSample, error) {
	if c.SampleClass != classCharacter {
		return nil, nil
	}
	offsets, err := c.offsets()
	if err != nil {
		return nil, err
	}
	time := c.times()
	out := make([]CharacterSample, 0, len(offsets))
	for i, from := range offsets {
		to := len(c.SampleData)
		if i+1 < len(offsets) {
			to = offsets[i+1]
		}
		if from == to {
			continue
		}
		r := wire.NewReader(c.SampleData[from:to], int64(from))
		s := CharacterSample{Time: time(i)}
		s.read(r)
		if err := r.Err(); err != nil {
			return out, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (s *CharacterSample) read(r *wire.Reader) {
	skipEvents(r, firstEvents)
	skipEvents(r, secondEvents)
	r.Skip(beforePlace, "state")
	s.Position = gbx.Vec3{X: r.F32("x"), Y: r.F32("y"), Z: r.F32("z")}
	const unit = 2 * math.Pi / fullTurn
	s.Pitch = float64(r.I16("pitch")) * unit
	s.Yaw = float64(r.I16("yaw")) * unit
	s.Velocity = code.UnpackVelocity(r.I16("speed"), r.I8("velocityHeading"), r.I8("velocityPitch"))
}

func skipEvents(r *wire.Reader, kinds map[uint8]int) {
	for range r.U16("eventCount") {
		at := r.Offset()
		kind := r.U8("eventKind")
		size, ok := kinds[kind]
		if !ok {
			r.Fail(fault.Unsupported, at, "eventKind", "an event of kind %d in a sample", kind)
		}
		if r.Skip(eventHeader+size, "event"); r.Err() != nil {
			return
		}
	}
}

// Rotation returns the direction of view.
func (s *CharacterSample) Rotation() gbx.Quat {
	sin, cos := math.Sincos(s.Yaw / 2)
	return gbx.Quat{W: float32(cos), Y: float32(sin)}
}
