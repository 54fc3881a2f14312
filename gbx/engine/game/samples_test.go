package game

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
)

// Samples as they went over the network: places in 24 bits, the highest first.
func TestNetSamples(t *testing.T) {
	data := []byte{
		0x80, 0xF4, 0x01, // 500: a metre
		0x7F, 0x0C, 0xFE, // -500
		0x81, 0xA0, 0x86, // 100000: 200 metres
		0x34, 0x12, 0xFE, 0xFF, 0x02, 0x01, // the rotation
		7, 9,
	}
	c := &Chunk0303F005Samples{SampleClass: classVehicleCarOld, SampleVersion: versionNet, SampleCount: 1, SampleSize: int32(len(data)), SampleData: data}
	got, err := c.Decode()
	if err != nil || len(got) != 1 {
		t.Fatalf("got = %v, err = %v; want no error, got of length 1", got, err)
	}
	s := &got[0]
	if s.Position != (gbx.Vec3{X: 1, Y: -1, Z: 200}) || s.Angle != 0x1234 || s.AxisHeading != -2 || s.AxisPitch != 0x102 || !bytes.Equal(s.Rest, []byte{7, 9}) || s.HasPedals() || s.HasVelocity() {
		t.Errorf("sample %+v; want the values of the stored bytes, without pedals and velocity", s)
	}
	if again, err := gbx.EncodeRecord(s); err != nil || !bytes.Equal(again, data) {
		t.Errorf("% x, want % x (%v)", again, data, err)
	}
}

// The values of a sample, in the units that people use.
func TestSampleValues(t *testing.T) {
	for version, want := range map[int]struct{ pedals, velocity bool }{6: {false, true}, 7: {true, true}, 12: {true, true}, 13: {false, false}, 14: {true, true}} {
		if s := (GhostSample{version: version}); s.HasPedals() != want.pedals || s.HasVelocity() != want.velocity {
			t.Errorf("version %d: pedals %t, velocity %t", version, s.HasPedals(), s.HasVelocity())
		}
	}
	var s GhostSample
	s.Steer, s.SpeedForward, s.Rpm, s.Speed, s.VelocityHeading = 255, 65535, 65535, 1000, 0
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-3 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	near("steering", s.Steering(), 1)
	near("forward", s.ForwardSpeed(), 10000)
	near("revolutions", s.Revolutions(), 30000)
	v := s.Velocity()
	near("speed", math.Hypot(math.Hypot(float64(v.X), float64(v.Y)), float64(v.Z)), math.E)
	s.Steer, s.SpeedForward = 0, 0
	near("steering", s.Steering(), -1)
	near("forward", s.ForwardSpeed(), -1000)
	// In one byte and in two, the same rotation.
	narrow, full := GhostSample{version: 3}, GhostSample{version: 4}
	narrow.ByteAngle, narrow.ByteHeading, narrow.BytePitch = 255, 127, -127
	full.Angle, full.AxisHeading, full.AxisPitch = 65535, 32767, -32767
	if a, b := narrow.Rotation(), full.Rotation(); a != b || a == (gbx.Quat{}) {
		t.Errorf("%+v and %+v", a, b)
	}
}

// sampled is a ghost of three samples.
func sampled(change func(*Chunk0303F005Samples)) *Chunk0303F005Samples {
	one := make([]byte, 25) // of version 4: 12 for the place, 6, 4, and three more
	c := &Chunk0303F005Samples{SampleClass: classVehicleCar, SampleVersion: 4, SampleCount: 3, SampleSize: 25, SamplePeriod: 100, SampleData: slices.Concat(one, one, one)}
	change(c)
	return c
}

// When samples were taken, and where they begin.
func TestSampleTimes(t *testing.T) {
	for name, k := range map[string]struct {
		change func(*Chunk0303F005Samples)
		times  []gbx.Time
		kind   fault.Kind
	}{
		"by their period":        {func(*Chunk0303F005Samples) {}, []gbx.Time{0, 100, 200}, ""},
		"by a list":              {func(c *Chunk0303F005Samples) { c.SampleTimes = []int32{5, 7, 30} }, []gbx.Time{5, 7, 30}, ""},
		"by a short list":        {func(c *Chunk0303F005Samples) { c.SampleTimes = []int32{5, 7} }, []gbx.Time{5, 7, 7}, ""},
		"of a class of no car":   {func(c *Chunk0303F005Samples) { c.SampleClass = classCharacter }, nil, ""},
		"none":                   {func(c *Chunk0303F005Samples) { c.SampleCount = 0 }, nil, ""},
		"by their sizes":         {func(c *Chunk0303F005Samples) { c.SampleSize, c.SampleSizes = -1, []uint32{25, 25} }, []gbx.Time{0, 100, 200}, ""},
		"not from the start":     {func(c *Chunk0303F005Samples) { c.SampleSize, c.SampleSizes = -1, []uint32{0, 25, 50} }, []gbx.Time{100, 200}, ""},
		"behind some bytes":      {func(c *Chunk0303F005Samples) { c.FirstSampleOffset, c.SampleCount = 25, 2 }, []gbx.Time{0, 100}, ""},
		"to the very end":        {func(c *Chunk0303F005Samples) { c.SampleCount = 4 }, []gbx.Time{0, 100, 200}, ""},
		"beyond the end":         {func(c *Chunk0303F005Samples) { c.SampleCount = 5 }, nil, fault.Corrupt},
		"before the start":       {func(c *Chunk0303F005Samples) { c.SampleSize = -30 }, nil, fault.Corrupt},
		"too short for a sample": {func(c *Chunk0303F005Samples) { c.SampleSize = 20 }, nil, fault.Truncated},
	} {
		got, err := sampled(k.change).Decode()
		var times []gbx.Time
		for _, s := range got {
			times = append(times, s.Time)
		}
		if fault.KindOf(err) != k.kind || !slices.Equal(times, k.times) {
			t.Errorf("%s: %v, %v, want %v", name, times, err, k.times)
		}
	}
	steps := &Chunk0303F005Samples{SampleVersion: 3<<16 | versionSteps, SampleTimes: []int32{5, 7, 30}}
	if at := steps.times(); at(0) != 5 || at(1) != 12 || at(2) != 42 || at(3) != 42 {
		t.Errorf("at(0) = %v at(1) = %v at(2) = %v; want at(0) = 5, at(1) = 12, at(2) = 42, at(3) = 42", at(0), at(1), at(2))
	}
}

// Ghosts before TMUnited say where each sample begins.
func TestEarlySamples(t *testing.T) {
	c := &Chunk0303F003{SampleVersion: 4, Samples: make([]byte, 60), SampleOffsets: []uint32{10, 35}, SampleTimes: []int32{3, 9}, SamplePeriod: 50}
	for fixed, want := range map[gbx.Bool][]gbx.Time{gbx.True: {0, 50}, 0: {3, 9}} {
		c.IsFixedTimeStep = fixed
		got, err := c.Decode()
		if err != nil || len(got) != 2 || got[0].Time != want[0] || got[1].Time != want[1] || len(got[0].Rest) != 3 {
			t.Errorf("fixed %v: %+v, %v", fixed, got, err)
		}
	}
	c.IsFixedTimeStep = 0
	if c.SampleTimes = c.SampleTimes[:1]; c.time(0) != 3 || c.time(1) != 50 {
		t.Errorf("c.time(0) = %v, c.time(1) = %v; want c.time(0) = 3, c.time(1) = 50", c.time(0), c.time(1))
	}
	for _, offsets := range [][]uint32{{35, 10}, {0, 61}, {61}} {
		c.SampleOffsets = offsets
		if got, err := c.Decode(); fault.KindOf(err) != fault.Corrupt || got != nil {
			t.Errorf("%v: got = %v, err = %v; want err of kind fault.Corrupt, got = nil", offsets, got, err)
		}
	}
}
