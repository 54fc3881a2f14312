package trackmania

import (
	"encoding/binary"
	"math"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/plug"
)

// Sample is a car at one moment, in SI units: metres, seconds, radians.
type Sample struct {
	Time     gbx.Time // milliseconds since the start
	Position gbx.Vec3 // metres; y is up
	Rotation gbx.Quat // zero where the record does not tell
	Speed    float64  // metres a second, as stored
	Velocity gbx.Vec3
	// Steer is -1 (left) to 1, Gas and Brake 0 to 1; RPM is a minute. They
	// are NaN where the record does not hold them.
	Steer, Gas, Brake, RPM float64
	Gear                   int // -1 where the record does not hold it
}

// Line is a car's samples, in order.
type Line struct {
	Source  string // the class that recorded it
	Period  gbx.Time
	Samples []Sample
}

// Telemetry returns the cars that were recorded with the ghost, the
// ghost's own first. None if the run was not recorded or was not driven.
func (g *Ghost) Telemetry() ([]Line, error) {
	if c, ok := gbx.Find[*game.Chunk0303F003](g.Node); ok && c.SampleVersion < versionPedals {
		return oldestLines(c)
	}
	samples, err := g.oldSamples()
	if err != nil {
		return nil, err
	}
	var out []Line
	if len(samples) > 0 {
		out = append(out, lineOf("CGameGhost", len(samples), func(i int) Sample { return oldSample(&samples[i]) }))
	}
	if c, ok := gbx.Find[*game.Chunk03092000](g.Node); ok && c.RecordData.Node != nil {
		more, err := recordedLines(c.RecordData.Node)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// Telemetry returns the cars in the replay's own record, which some replays
// of Trackmania (2020) keep beside the ghosts.
func (r *Replay) Telemetry() ([]Line, error) {
	c, ok := gbx.Find[*game.Chunk03093024](r.File.Body)
	if !ok || c.RecordData.Node == nil {
		return nil, nil
	}
	return recordedLines(c.RecordData.Node)
}

func lineOf(source string, n int, at func(int) Sample) Line {
	l := Line{Source: source, Samples: make([]Sample, n)}
	for i := range l.Samples {
		l.Samples[i] = at(i)
	}
	if n > 1 {
		l.Period = l.Samples[1].Time - l.Samples[0].Time
	}
	return l
}

// oldSamples are those of TrackMania Power Up to ManiaPlanet.
func (g *Ghost) oldSamples() ([]game.GhostSample, error) {
	if c, ok := gbx.Find[*game.Chunk0303F003](g.Node); ok {
		return c.Decode()
	}
	z, ok := gbx.Find[*game.Chunk0303F005](g.Node)
	if c, is := gbx.Find[*game.Chunk0303F006](g.Node); is {
		z, ok = &c.Chunk0303F005, true
	}
	if !ok {
		return nil, nil
	}
	content, err := z.Samples.Content()
	if err != nil {
		return nil, err
	}
	return content.Decode()
}

// versionPedals is the first version of the samples that are laid out as all
// later ones.
const versionPedals = 7

func oldSample(s *game.GhostSample) Sample {
	out := Sample{
		Time: s.Time, Position: s.Position, Rotation: s.Rotation(), Velocity: s.Velocity(),
		Steer: s.Steering(), Gas: float64(s.Gas) / math.MaxUint8, Brake: float64(s.Brake) / math.MaxUint8,
		RPM: s.Revolutions(), Gear: -1,
	}
	out.Speed = length(out.Velocity)
	return out
}

// versionOldest is the version of samples in TrackMania 1.0.
const versionOldest = 2

// oldestSize is the part of such a sample that is understood: a byte, the
// position, three bytes, and the velocity.
const oldestSize = 20

// oldestLines are the samples of TrackMania 1.0. How their three bytes give
// the rotation is not known, nor which of the rest are the pedals.
func oldestLines(c *game.Chunk0303F003) ([]Line, error) {
	if c.SampleVersion != versionOldest {
		return nil, fault.New(fault.Unsupported, "samples of version %d", c.SampleVersion)
	}
	stored, err := c.Decode() // for the times
	if err != nil {
		return nil, err
	}
	line := Line{Source: "CGameGhost", Period: gbx.Time(c.SamplePeriod)}
	for i, at := range c.SampleOffsets {
		if int64(at)+oldestSize > int64(len(c.Samples)) {
			return nil, fault.New(fault.Truncated, "sample %d is cut off", i)
		}
		b := c.Samples[at : at+oldestSize]
		float := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[i:])) }
		s := Sample{
			Time: stored[i].Time, Position: gbx.Vec3{X: float(1), Y: float(5), Z: float(9)},
			Velocity: gbx.UnpackVelocity(int16(binary.LittleEndian.Uint16(b[16:])), int8(b[18]), int8(b[19])),
			Steer:    math.NaN(), Gas: math.NaN(), Brake: math.NaN(), RPM: math.NaN(), Gear: -1,
		}
		s.Speed = length(s.Velocity)
		line.Samples = append(line.Samples, s)
	}
	return []Line{line}, nil
}

// recordedLines are the cars among recorded entities.
func recordedLines(n *gbx.Node) ([]Line, error) {
	c, ok := gbx.Find[*plug.Chunk0911F000](n)
	if !ok {
		return nil, nil
	}
	records := &c.Records
	if c.Version >= 5 {
		content, err := c.Data.Content()
		if err != nil {
			return nil, err
		}
		records = &content.Records
	}
	var out []Line
	for i := range records.Entities.Entities {
		e := &records.Entities.Entities[i].Entity
		if int64(e.Type) >= int64(len(records.EntRecordDescs)) || records.EntRecordDescs[e.Type].ClassId != plug.ClassVehicleVis {
			continue
		}
		stored := e.DecodedSamples()
		if len(stored) == 0 {
			continue
		}
		cars := make([]*plug.VehicleSample, len(stored))
		for k := range stored {
			v, err := stored[k].Vehicle()
			if err != nil {
				return nil, err
			}
			cars[k] = v
		}
		out = append(out, lineOf("CPlugEntRecordData", len(cars), func(k int) Sample { return newSample(cars[k]) }))
	}
	return out, nil
}

func newSample(s *plug.VehicleSample) Sample {
	out := Sample{
		Time: s.Time, Position: s.Position, Rotation: s.Rotation(), Velocity: s.Velocity(),
		Steer: s.Steering(), Gas: float64(s.Gas) / math.MaxUint8, Brake: float64(s.Brake) / math.MaxUint8,
		RPM: math.NaN(), Gear: int(s.Gear) / 5,
	}
	out.Speed = length(out.Velocity)
	return out
}

func length(v gbx.Vec3) float64 {
	x, y, z := float64(v.X), float64(v.Y), float64(v.Z)
	return math.Sqrt(x*x + y*y + z*z)
}

// Resample returns the line at even steps, by straight lines between the
// stored samples. Steps of no length leave it as it is.
func (l *Line) Resample(step gbx.Time) Line {
	if step <= 0 || len(l.Samples) < 2 {
		return *l
	}
	out := Line{Source: l.Source, Period: step}
	last := l.Samples[len(l.Samples)-1].Time
	i := 0
	for t := l.Samples[0].Time; t <= last; t += step {
		for i+2 < len(l.Samples) && l.Samples[i+1].Time <= t {
			i++
		}
		out.Samples = append(out.Samples, between(&l.Samples[i], &l.Samples[i+1], t))
	}
	return out
}

// between is the car at a time between two samples.
func between(a, b *Sample, t gbx.Time) Sample {
	f := 0.0
	if b.Time > a.Time {
		f = float64(t-a.Time) / float64(b.Time-a.Time)
	}
	mix := func(x, y float64) float64 { return x + (y-x)*f }
	vec := func(x, y gbx.Vec3) gbx.Vec3 {
		return gbx.Vec3{
			X: float32(mix(float64(x.X), float64(y.X))), Y: float32(mix(float64(x.Y), float64(y.Y))), Z: float32(mix(float64(x.Z), float64(y.Z))),
		}
	}
	out := *a
	out.Time, out.Position, out.Velocity = t, vec(a.Position, b.Position), vec(a.Velocity, b.Velocity)
	out.Speed, out.Steer = mix(a.Speed, b.Speed), mix(a.Steer, b.Steer)
	out.Gas, out.Brake, out.RPM = mix(a.Gas, b.Gas), mix(a.Brake, b.Brake), mix(a.RPM, b.RPM)
	out.Rotation = turnBetween(a.Rotation, b.Rotation, f)
	if f >= 0.5 {
		out.Gear = b.Gear
	}
	return out
}

// turnBetween is a rotation between two, the short way round.
func turnBetween(a, b gbx.Quat, f float64) gbx.Quat {
	sign := 1.0
	if a.W*b.W+a.X*b.X+a.Y*b.Y+a.Z*b.Z < 0 {
		sign = -1
	}
	mix := func(x, y float32) float64 { return float64(x)*(1-f) + sign*float64(y)*f }
	w, x, y, z := mix(a.W, b.W), mix(a.X, b.X), mix(a.Y, b.Y), mix(a.Z, b.Z)
	n := math.Sqrt(w*w + x*x + y*y + z*z)
	if n == 0 {
		return a
	}
	return gbx.Quat{W: float32(w / n), X: float32(x / n), Y: float32(y / n), Z: float32(z / n)}
}
