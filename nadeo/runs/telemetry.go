package runs

import (
	"math"
	"sync"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/plug"
)

// Sample is the state of a car or character at one moment, in SI units: metres, seconds,
// radians.
type Sample struct {
	Time     gbx.Time // milliseconds since the start
	Position gbx.Vec3 // metres; y is up
	Rotation gbx.Quat // zero if not recorded
	Speed    float64  // metres per second; computed from the positions if not recorded
	Velocity gbx.Vec3
	// Steer is -1 (left) to 1, Gas and Brake 0 to 1, RPM revolutions per minute. They are
	// NaN if not recorded.
	Steer, Gas, Brake, RPM float64
	Gear                   int // -1 if not recorded

	// The stored form of the sample, for AllColumns: the bytes of Trackmania (2020), or
	// the sample of an older game.
	bytes carBytes
	old   *game.GhostSample
	// turning is the angular velocity in the record of Trackmania (2020).
	turning gbx.Vec3
}

// Line holds the samples of one car, in order.
type Line struct {
	Source  string // class ID of the recorder
	Period  gbx.Time
	Samples []Sample
	// Other marks the car of another player, which the game recorded beside the driver's.
	Other bool
}

// ErrNotRecorded is the error for a ghost without recorded movement.
var ErrNotRecorded = fault.New(fault.Unsupported, "the movement of a car is not recorded in the file")

// Classes that record the movement of cars: the values of Source.
const (
	sourceGhost  = "CGameGhost"
	sourceRecord = "CPlugEntRecordData"
)

// Telemetry returns the lines of the driver, then those of other players that were
// recorded beside the driver. The error is ErrNotRecorded if none exist. The samples
// have the values of Columns.
func (g *Ghost) Telemetry() ([]Line, error) { return g.recordedLines(usual) }

// FullTelemetry is Telemetry with the values of AllColumns.
func (g *Ghost) FullTelemetry() ([]Line, error) { return g.recordedLines(full) }

func (g *Ghost) recordedLines(d detail) ([]Line, error) {
	lines, err := g.lines(d)
	if err == nil && len(lines) == 0 {
		return nil, ErrNotRecorded
	}
	return lines, err
}

// lines returns the lines of a ghost, none if no movement is recorded.
func (g *Ghost) lines(d detail) ([]Line, error) {
	packed, err := g.unpacked()
	if err != nil {
		return nil, err
	}
	samples, err := g.oldSamples(packed)
	if err != nil {
		return nil, err
	}
	var out []Line
	if len(samples) > 0 {
		l := lineOf(sourceGhost, len(samples), func(i int) Sample { return oldSample(&samples[i], d) })
		if !samples[0].HasVelocity() {
			l.addVelocities()
		}
		out = append(out, l)
	}
	if packed != nil {
		walk, err := packed.DecodeCharacter()
		if err != nil {
			return nil, err
		}
		if len(walk) > 0 {
			out = append(out, lineOf(sourceGhost, len(walk), func(i int) Sample { return walkSample(&walk[i]) }))
		}
	}
	records, err := g.records()
	if err != nil {
		return nil, err
	}
	more, err := carLines(records, d)
	return append(out, more...), err
}

// Telemetry returns the cars in the replay's own record. Some replays of Trackmania
// (2020) have such a record beside the ghosts.
func (r *Replay) Telemetry() ([]Line, error) {
	c, ok := gbx.Find[*game.Chunk03093024](r.File.Body)
	if !ok || c.RecordData.Node == nil {
		return nil, nil
	}
	records, err := recordsIn(c.RecordData.Node)
	if err != nil {
		return nil, err
	}
	lines, err := carLines(records, usual)
	for i := range lines {
		lines[i].Other = false // this record has no driver
	}
	return lines, err
}

func lineOf(source string, n int, at func(int) Sample) Line {
	l := Line{Source: source, Samples: make([]Sample, n)}
	for i := range l.Samples {
		l.Samples[i] = at(i)
	}
	l.Period = usualStep(l.Samples)
	return l
}

// usualStep returns the most frequent time step between samples.
func usualStep(samples []Sample) gbx.Time {
	others := map[gbx.Time]int{} // number of each step that differs from the usual one
	usual, most := gbx.Time(0), 0
	for i := 1; i < len(samples); i++ {
		step := samples[i].Time - samples[i-1].Time
		if step == usual && step > 0 {
			most++
			continue
		}
		n := others[step] + 1
		others[step] = n
		if step > 0 && (n > most || n == most && step < usual) {
			others[usual] = most
			usual, most = step, n
		}
	}
	return usual
}

// SampleCount returns the number of samples of the driver's car or character. It counts
// without decoding, so it includes samples that cannot be decoded.
func (g *Ghost) SampleCount() int {
	n := 0
	if c, ok := gbx.Find[*game.Chunk0303F003](g.Node); ok {
		n += len(c.SampleOffsets)
	}
	if packed, err := g.unpacked(); err == nil && packed != nil {
		n += int(packed.SampleCount)
	}
	records, _ := g.records() // none if they cannot be read
	if cars := recordedCars(records); len(cars) > 0 {
		n += samplesOf(cars[0])
	}
	return n
}

// lazily holds a value that is computed on first use. Checks use it often, and a recorded
// run does not change.
type lazily[T any] struct {
	once  sync.Once
	value T
	err   error
}

func (l *lazily[T]) get(make func() (T, error)) (T, error) {
	l.once.Do(func() { l.value, l.err = make() })
	return l.value, l.err
}

// unpacked returns the chunk with the samples of TMUnited to ManiaPlanet, or nil.
func (g *Ghost) unpacked() (*game.Chunk0303F005Samples, error) { return g.packed.get(g.unpack) }

func (g *Ghost) unpack() (*game.Chunk0303F005Samples, error) {
	if c, ok := gbx.Find[*game.Chunk0303F006](g.Node); ok {
		return c.Samples.Content()
	}
	if c, ok := gbx.Find[*game.Chunk0303F005](g.Node); ok {
		return c.Samples.Content()
	}
	return nil, nil
}

// oldSamples returns the samples of TrackMania 1.0 to ManiaPlanet. The later games store
// them packed.
func (g *Ghost) oldSamples(packed *game.Chunk0303F005Samples) ([]game.GhostSample, error) {
	if c, ok := gbx.Find[*game.Chunk0303F003](g.Node); ok {
		return c.Decode()
	}
	if packed == nil {
		return nil, nil
	}
	return packed.Decode()
}

func walkSample(s *game.CharacterSample) Sample {
	return Sample{
		Time: s.Time, Position: s.Position, Rotation: s.Rotation(), Velocity: s.Velocity, Speed: length(s.Velocity),
		Steer: math.NaN(), Gas: math.NaN(), Brake: math.NaN(), RPM: math.NaN(), Gear: -1,
	}
}

// addVelocities computes the velocity of each sample from the position of the next.
func (l *Line) addVelocities() {
	for i := range l.Samples {
		a, b := &l.Samples[max(0, i-1)], &l.Samples[min(i+1, len(l.Samples)-1)]
		if dt := float32(b.Time-a.Time) / 1000; dt > 0 {
			v := gbx.Vec3{X: (b.Position.X - a.Position.X) / dt, Y: (b.Position.Y - a.Position.Y) / dt, Z: (b.Position.Z - a.Position.Z) / dt}
			l.Samples[i].Velocity, l.Samples[i].Speed = v, length(v)
		}
	}
}

func oldSample(s *game.GhostSample, d detail) Sample {
	out := Sample{
		Time: s.Time, Position: s.Position, old: s,
		Steer: math.NaN(), Gas: math.NaN(), Brake: math.NaN(), RPM: math.NaN(), Gear: -1,
	}
	if d != judged {
		out.Rotation = s.Rotation()
	}
	if s.HasVelocity() {
		out.Velocity, out.RPM = s.Velocity(), s.Revolutions()
	}
	if s.HasPedals() {
		out.Steer, out.Gas, out.Brake = s.Steering(), float64(s.Gas)/math.MaxUint8, float64(s.Brake)/math.MaxUint8
	}
	out.Speed = length(out.Velocity)
	return out
}

// versionPacked is the first version of recorded entities that are compressed.
const versionPacked = 5

// records returns the record of Trackmania (2020), nil if none exists.
func (g *Ghost) records() (*plug.CPlugEntRecordDataRecords, error) {
	return g.record.get(func() (*plug.CPlugEntRecordDataRecords, error) {
		c, ok := gbx.Find[*game.Chunk03092000](g.Node)
		if !ok || c.RecordData.Node == nil {
			return nil, nil
		}
		return recordsIn(c.RecordData.Node)
	})
}

// recordsIn returns the records in a node of CPlugEntRecordData, nil if it has none.
func recordsIn(n *gbx.Node) (*plug.CPlugEntRecordDataRecords, error) {
	c, ok := gbx.Find[*plug.Chunk0911F000](n)
	if !ok {
		return nil, nil
	}
	if c.Version < versionPacked {
		return &c.Records, nil
	}
	content, err := c.Data.Content()
	if err != nil {
		return nil, err
	}
	return &content.Records, nil
}

// classOf returns the class of a recorded entity, 0 if the record does not list it.
func classOf(r *plug.CPlugEntRecordDataRecords, e *plug.CPlugEntRecordDataEntity) classid.ID {
	if int64(e.Type) >= int64(len(r.EntRecordDescs)) {
		return 0
	}
	return r.EntRecordDescs[e.Type].ClassID
}

// recordedCars returns the cars among the recorded entities, the driver's first. A record
// of Trackmania (2020) can hold cars of other players, before or after the driver's. The
// game records their positions less often, so the driver's car is the one with most
// samples.
func recordedCars(r *plug.CPlugEntRecordDataRecords) []*plug.CPlugEntRecordDataEntity {
	if r == nil {
		return nil
	}
	var cars []*plug.CPlugEntRecordDataEntity
	most := 0
	for i := range r.Entities.Entities {
		if e := &r.Entities.Entities[i].Entity; classOf(r, e) == plug.ClassVehicleVis {
			cars = append(cars, e)
			if samplesOf(e) > samplesOf(cars[most]) {
				most = len(cars) - 1
			}
		}
	}
	if len(cars) > 0 {
		own := cars[most]
		copy(cars[1:most+1], cars[:most])
		cars[0] = own
	}
	return cars
}

// samplesOf returns the number of samples of a recorded entity, in either form.
func samplesOf(e *plug.CPlugEntRecordDataEntity) int { return int(e.SampleCount) + len(e.Samples) }

// carLines decodes the lines of the recorded cars, the driver's first.
func carLines(r *plug.CPlugEntRecordDataRecords, d detail) ([]Line, error) {
	var out []Line
	for i, e := range recordedCars(r) {
		l, err := carLine(e, d)
		if err != nil {
			return nil, err
		}
		l.Other = i > 0
		if len(l.Samples) > 0 {
			out = append(out, l)
		}
	}
	return out, nil
}

// Jumped reports whether the car did not drive from sample a to sample b, but went back
// to a checkpoint.
func Jumped(a, b *Sample) bool {
	d, dt := distance(a.Position, b.Position), float64(b.Time-a.Time)/1000
	return d > 8 && d > 3*dt*max(a.Speed, b.Speed)
}

func length(v gbx.Vec3) float64 {
	x, y, z := float64(v.X), float64(v.Y), float64(v.Z)
	return math.Sqrt(x*x + y*y + z*z)
}
