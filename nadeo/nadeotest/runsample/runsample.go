// Package runsample makes ghosts and replays from values, for tests and for the samples.
// pakbox itself makes no runs, because a recorded run is evidence.
package runsample

import (
	"encoding/binary"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// Run describes a ghost in the form of TrackMania Forever.
type Run struct {
	Login    string
	Nick     string // in the header of the replay
	NickTail string // text that the ghost has after Nick
	Map      gbx.Ident
	Declared gbx.Time
	Splits   []gbx.Time // times of the checkpoints, the finish last
	Presses  []Press
	Car      func(seconds float64) Car
}

// Press is a change of a control.
type Press struct {
	Time    gbx.Time
	Control byte // index in the list of controls
	Value   int32
}

// The controls, by their index in the ghost's list.
const (
	finishLine byte = iota
	Steer
	Accelerate
	Brake
	raceRunning
)

var controls = []string{"_FakeFinishLine", "Steer", "Accelerate", "Brake", "_FakeIsRaceRunning"}

// FullSteer is the value of full steering; negative is to the right.
const FullSteer = 1 << 16

// Car is the state of the car at one moment. It faces and moves in the direction Heading:
// 0 is north (growing z), a quarter turn is growing x.
type Car struct {
	Position       gbx.Vec3
	Speed, Heading float64 // metres per second, radians
	Steer          float64 // -1 to 1
}

// Straight makes a run of three seconds to the north, past a checkpoint to the finish.
// The car accelerates to 20 metres per second in the first second and then keeps this
// speed.
func Straight(declared gbx.Time) *Run {
	const finish = 2900
	return &Run{
		Login: "vTr5QXsPTFi3a2QoTZkY2w", Nick: "$f00Red", NickTail: "$z <b>",
		Map:      gbx.Ident{ID: gbx.NewID("abc"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("me")},
		Declared: declared, Splits: []gbx.Time{1500, finish},
		Presses: []Press{
			{10, Accelerate, 1}, {500, Steer, -FullSteer / 2}, {900, Steer, 0}, {1500, Brake, 1}, {1700, Brake, 0},
		},
		Car: func(s float64) Car {
			v, z := 20.0, 10+20*(s-1)
			if s < 1 {
				v, z = 20*s, 10*s*s
			}
			return Car{Position: gbx.Vec3{X: 200, Y: 9, Z: float32(100 + z)}, Speed: v}
		},
	}
}

// Ghost makes a ghost file of the run.
func (r *Run) Ghost() *gbx.File { return gbx.New(r.node(), engine.Registry()) }

// Replay makes a replay file of the run, with its map.
func (r *Run) Replay(drivenMap []byte) *gbx.File {
	f := gbx.New(&gbx.Node{Class: 0x03093000, Chunks: []gbx.Chunk{
		chunk(0x03093002, &game.Chunk03093002{Map: drivenMap}),
		chunk(0x03093014, &game.Chunk03093014{Ghosts: []gbx.Ref{gbx.NewRef(r.node())}, GhostsListVersion: 10}),
	}}, engine.Registry())
	f.RawUserData = nil
	f.Chunks = []gbx.HeaderChunk{{ID: 0x03093000, Body: &game.Header03093000{
		Version: 7, MapInfo: r.Map, Time: r.Declared, PlayerNickname: r.Nick, PlayerLogin: r.Login,
	}}}
	return f
}

// NamedMap makes a map with nothing but its name.
func (r *Run) NamedMap(name string) ([]byte, error) {
	m := gbx.New(&gbx.Node{Class: 0x03043000}, engine.Registry())
	m.RawUserData = nil
	m.Chunks = []gbx.HeaderChunk{{ID: 0x03043003, Body: &game.Header03043003{MapInfo: r.Map, MapName: name, Kind: 6}}}
	return m.Encode()
}

func chunk(id classid.ID, body gbx.Body) gbx.Chunk { return gbx.Chunk{ID: id, Body: body} }

// samplePeriod is the time between two samples, in milliseconds.
const samplePeriod = 100

func (r *Run) node() *gbx.Node {
	finish := r.Splits[len(r.Splits)-1]
	samples := &game.Chunk0303F003{IsFixedTimeStep: 1, SamplePeriod: samplePeriod, SampleVersion: 7}
	for t := gbx.Time(0); t <= finish+samplePeriod; t += samplePeriod {
		samples.SampleOffsets = append(samples.SampleOffsets, uint32(len(samples.Samples)))
		samples.Samples = append(samples.Samples, r.Car(float64(t)/1000).sample()...)
	}
	var checkpoints []game.CGameCtnGhostCheckpoint
	for _, t := range r.Splits {
		checkpoints = append(checkpoints, game.CGameCtnGhostCheckpoint{Time: t})
	}
	return &gbx.Node{Class: 0x03092000, Chunks: []gbx.Chunk{
		chunk(0x0303F003, samples),
		chunk(0x0303F004, &game.Chunk0303F004{SampleClass: 0x0A02B000}),
		chunk(0x03092005, &game.Chunk03092005{RaceTime: r.Declared}),
		chunk(0x03092008, &game.Chunk03092008{}),
		chunk(0x0309200B, &game.Chunk0309200B{Checkpoints: checkpoints}),
		chunk(0x0309200F, &game.Chunk0309200F{GhostLogin: r.Login}),
		chunk(0x03092010, &game.Chunk03092010{ChallengeUID: r.Map.ID}),
		chunk(0x03092017, &game.Chunk03092017{GhostNickname: r.Nick + r.NickTail}),
		chunk(0x03092018, &game.Chunk03092018{PlayerModel: gbx.Ident{ID: gbx.NewID("StadiumCar"), Collection: gbx.NewID("Vehicles"), Author: gbx.NewID("Nadeo")}}),
		chunk(0x03092019, &game.Chunk03092019{EventsDuration: finish, Events: r.events(finish)}),
	}}
}

// controlMask has the bits of a control's value that are stored.
const controlMask = 1<<24 - 1

// firstEvent is the time of the first input in a ghost's list.
const firstEvent = 100000

func (r *Run) events(finish gbx.Time) game.CGameCtnGhostEvents {
	events := game.CGameCtnGhostEvents{ExeVersion: "TmForever.2.11.26"}
	for _, name := range controls {
		events.ControlNames = append(events.ControlNames, gbx.NewID(name))
	}
	all := slices.Concat([]Press{{0, raceRunning, 1}}, r.Presses, []Press{{finish, finishLine, 1}})
	for _, p := range all {
		events.Entries = append(events.Entries, game.CGameCtnGhostControlEntry{Time: firstEvent + p.Time, Control: p.Control, Value: uint32(p.Value) & controlMask})
	}
	events.EntryCount = uint32(len(events.Entries))
	return events
}

// sample makes a sample of version 7 (game.CGameGhostVehicleSample), with gas pressed and
// the brake released.
func (c Car) sample() []byte {
	speed := int16(math.MinInt16) // the value for a standing car
	if c.Speed > 0 {
		speed = int16(math.Round(math.Log(c.Speed) * 1000))
	}
	u16 := binary.LittleEndian.AppendUint16
	var b []byte
	for _, f := range []float32{c.Position.X, c.Position.Y, c.Position.Z} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	// A quaternion for a rotation about the upright axis: half the angle.
	turn := math.Mod(c.Heading+2*math.Pi, 2*math.Pi) / 2
	if turn == 0 {
		b = append(b, 0, 0, 0, 0, 0, 0)
	} else {
		b = u16(u16(u16(b, uint16(math.Round(turn/math.Pi*math.MaxUint16))), (math.MaxInt16+1)/2), 0)
	}
	// The direction is stored as a heading from X to Y, and an angle towards Z.
	east, north := math.Sin(c.Heading), math.Cos(c.Heading)
	heading := byte(0)
	if east < 0 {
		heading = math.MaxInt8
	}
	b = append(u16(b, uint16(speed)), heading, byte(int8(math.Round(math.Asin(north)*2/math.Pi*math.MaxInt8))))
	b = append(u16(b, 0x8000), 0, 0)
	b = u16(u16(u16(b, uint16((c.Speed+1000)/11000*65535)), 0x8000), 10923)
	steer := byte(math.Round(127.5 + 127.5*c.Steer))
	b = append(b, 0, steer)            // of the front wheels
	b = append(b, make([]byte, 16)...) // four wheels, and four bytes of unknown meaning
	return append(b, steer, math.MaxUint8, 0, 0, 0, 0)
}
