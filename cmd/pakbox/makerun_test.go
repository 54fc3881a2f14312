package main

import (
	"encoding/binary"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// makeRun writes a ghost, or a replay if the name says so: mkrun FILE TIME.
// The car drives to the north for three seconds, past a checkpoint and a
// finish; TIME, in milliseconds, is what the ghost declares. pakbox itself
// makes no runs: a recorded one is evidence.
func makeRun(ts *testscript.TestScript, neg bool, args []string) {
	declared, err := strconv.Atoi(args[1])
	ts.Check(err)
	node := ghostNode(gbx.Time(declared))
	if strings.HasSuffix(args[0], ".Replay.Gbx") {
		writeGBX(ts, args[0], replayAround(ts, node, gbx.Time(declared)))
		return
	}
	writeGBX(ts, args[0], gbx.New(node, engine.Registry()))
}

func writeGBX(ts *testscript.TestScript, name string, f *gbx.File) {
	data, err := f.Encode()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o666))
}

func chunk(id classid.ID, body gbx.Body) gbx.Chunk { return gbx.Chunk{ID: id, Body: body} }

const (
	runLogin = "vTr5QXsPTFi3a2QoTZkY2w"
	runNick  = "$f00Red"
)

func ghostNode(declared gbx.Time) *gbx.Node {
	const finish = 2900
	samples := &game.Chunk0303F003{IsFixedTimeStep: 1, SamplePeriod: 100, SampleVersion: 7}
	for t := 0; t <= 3000; t += 100 {
		samples.SampleOffsets = append(samples.SampleOffsets, uint32(len(samples.Samples)))
		samples.Samples = append(samples.Samples, carSample(float64(t)/1000)...)
	}
	events := game.CGameCtnGhostEvents{ExeVersion: "TmForever.2.11.26"}
	for _, name := range []string{"_FakeFinishLine", "Steer", "Accelerate", "Brake", "_FakeIsRaceRunning"} {
		events.ControlNames = append(events.ControlNames, gbx.NewId(name))
	}
	for _, e := range []game.CGameCtnGhostControlEntry{
		{Control: 4, Value: 1}, {Time: 10, Control: 2, Value: 1}, {Time: 500, Control: 1, Value: 1<<24 - 32768}, {Time: 900, Control: 1},
		{Time: 1500, Control: 3, Value: 1}, {Time: 1700, Control: 3}, {Time: finish, Control: 0, Value: 1},
	} {
		e.Time += 100000
		events.Entries = append(events.Entries, e)
	}
	events.EntryCount = uint32(len(events.Entries))
	return &gbx.Node{Class: 0x03092000, Chunks: []gbx.Chunk{
		chunk(0x0303F003, samples),
		chunk(0x0303F004, &game.Chunk0303F004{SampleClass: 0x0A02B000}),
		chunk(0x03092005, &game.Chunk03092005{RaceTime: declared}),
		chunk(0x03092008, &game.Chunk03092008{}),
		chunk(0x0309200B, &game.Chunk0309200B{Checkpoints: []game.CGameCtnGhostCheckpoint{{Time: 1500}, {Time: finish}}}),
		chunk(0x0309200F, &game.Chunk0309200F{GhostLogin: runLogin}),
		chunk(0x03092010, &game.Chunk03092010{ChallengeUid: gbx.NewId("abc")}),
		chunk(0x03092017, &game.Chunk03092017{GhostNickname: runNick + "$z <b>"}),
		chunk(0x03092018, &game.Chunk03092018{PlayerModel: gbx.Ident{ID: gbx.NewId("StadiumCar"), Collection: gbx.NewId("Vehicles"), Author: gbx.NewId("Nadeo")}}),
		chunk(0x03092019, &game.Chunk03092019{EventsDuration: finish, Events: events}),
	}}
}

// carSample is the car after some seconds, as TMSunrise stores it: it gathers
// 20 metres a second in the first and then keeps them.
func carSample(s float64) []byte {
	v, z := 20.0, 10+20*(s-1)
	if s < 1 {
		v, z = 20*s, 10*s*s
	}
	speed := int16(math.MinInt16) // stands
	if v > 0 {
		speed = int16(math.Round(math.Log(v) * 1000))
	}
	u16 := binary.LittleEndian.AppendUint16
	var b []byte
	for _, f := range []float64{200, 9, 100 + z} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
	}
	b = append(b, 0, 0, 0, 0, 0, 0) // not turned
	b = append(u16(b, uint16(speed)), 0, 127)
	b = append(u16(b, 0x8000), 0, 0)
	b = u16(u16(u16(b, uint16((v+1000)/11000*65535)), 0x8000), 10923)
	b = append(b, make([]byte, 8)...) // wheels
	b = append(b, 128, 255, 0, 0)     // steering, gas, brake
	return append(b, make([]byte, 12)...)
}

func replayAround(ts *testscript.TestScript, ghost *gbx.Node, declared gbx.Time) *gbx.File {
	ident := gbx.Ident{ID: gbx.NewId("abc"), Collection: gbx.NewId("Stadium"), Author: gbx.NewId("me")}
	m := gbx.New(&gbx.Node{Class: 0x03043000}, engine.Registry())
	m.UserData.Raw = nil
	m.Chunks = []gbx.HeaderChunk{{ID: 0x03043003, Body: &game.Header03043003{MapInfo: ident, MapName: "$0f0Night", Kind: 6}}}
	inside, err := m.Encode()
	ts.Check(err)
	r := gbx.New(&gbx.Node{Class: 0x03093000, Chunks: []gbx.Chunk{
		chunk(0x03093002, &game.Chunk03093002{Map: inside}),
		chunk(0x03093014, &game.Chunk03093014{Ghosts: []gbx.Ref{gbx.NewRef(ghost)}, GhostsListVersion: 10}),
	}}, engine.Registry())
	r.UserData.Raw = nil
	r.Chunks = []gbx.HeaderChunk{{ID: 0x03093000, Body: &game.Header03093000{
		Version: 7, MapInfo: ident, Time: declared, PlayerNickname: runNick, PlayerLogin: runLogin,
	}}}
	return r
}
