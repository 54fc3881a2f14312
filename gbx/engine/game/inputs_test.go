package game

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pakbox/fault"
)

// Inputs spelled out bit by bit: a car that accelerates, steers to the left
// and respawns, over four ticks.
func TestInputsBitByBit(t *testing.T) {
	var b bitCoder
	b.writing = true
	put := func(v uint64, n int) { b.code(&v, n) }
	// Tick 0: a state of 34 bits (a car), no mouse, a move.
	put(0, 1)
	put(0, 1)
	put(2, 34)
	put(1, 1)
	put(0, 1)
	put(0, 8)
	put(1, 1)
	put(0, 1)
	// Tick 1: nothing.
	put(0b111, 3)
	// Tick 2: the mouse and a move.
	put(1, 1)
	put(0, 1)
	put(1835, 16)
	put(1687, 16)
	put(0, 1)
	put(0x81, 8)
	put(1, 1)
	put(1, 1)
	// Tick 3: the respawn button.
	put(0, 1)
	put(0, 1)
	put(2|1<<ButtonRespawn, 34)
	put(0b11, 2)

	p := CGameCtnGhostPlayerInputs{InputVersion: CGameCtnGhostInputVersionTM2020July, Ticks: 4, Inputs: b.data}
	got, err := p.Decode()
	want := []InputTick{
		{Tick: 0, State: 2, HasState: true, HasMove: true, Car: true, Gas: true},
		{Tick: 2, MouseX: 1835, MouseY: 1687, HasMouse: true, HasMove: true, Car: true, Steer: -127, Gas: true, Brake: true},
		{Tick: 3, State: 2 | 1<<ButtonRespawn, HasState: true},
	}
	if err != nil || len(got) != len(want) {
		t.Fatalf("got = %+v, err = %v; want no error, got of length len(want)", got, err)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("tick %d: %+v, want %+v", got[i].Tick, got[i], want[i])
		}
	}
	if !got[2].Pressed(ButtonRespawn) || got[0].Pressed(ButtonRespawn) {
		t.Error("the respawn button is not where it should be")
	}
	if again, err := EncodeInputs(p.InputVersion, 4, got); err != nil || !bytes.Equal(again, b.data) {
		t.Errorf("coded as % x, want % x (%v)", again, b.data, err)
	}
}

// A change is found at its tick, after any number of ticks without changes,
// and nothing is found after the last tick.
func TestInputsBehindQuiet(t *testing.T) {
	const car, nothing = 2, 0
	for version, changes := range map[CGameCtnGhostInputVersion][]InputTick{
		CGameCtnGhostInputVersionTM2020July: {
			{State: car, HasState: true}, {HasMove: true, Car: true, Steer: -5, Gas: true}, {HasMouse: true, MouseX: 3, MouseY: 0xFFFF},
			{State: 1, HasState: true, Short: true}, {State: 0xC, HasState: true}, {HasMove: true, Car: true, Steer: -70000, Brake: true},
			{State: 0xD, HasState: true}, {HasMove: true, Car: true, Steer: 1 << 30}, {State: 5, HasState: true}, {HasMove: true, Strafe: 1, Walk: 2, Vertical: 3, Horizontal: 1},
			{State: nothing | 1<<33, HasState: true}, {HasMouse: true},
		},
		CGameCtnGhostInputVersionTM2020:      {{State: 4 | 1<<32, HasState: true}, {HasMove: true, Car: true, Steer: 127}},
		CGameCtnGhostInputVersionShootMania:  {{HasMove: true, Strafe: 1, Walk: 2}, {HasState: true, State: 1 << 31}, {HasMouse: true, MouseX: 9}},
		CGameCtnGhostInputVersionShootMania2: {{HasMove: true, Strafe: 1, Walk: 2, Vertical: 3}, {HasState: true, HasMove: true, HasMouse: true}},
	} {
		for _, gap := range []int{1, 2, 20, 21, 22, 31, 32, 33, 64, 200} {
			var want []InputTick
			ticks := 0
			for i, c := range changes {
				c.Tick = (i + 1) * gap
				want = append(want, c)
				ticks = c.Tick + 1
			}
			for _, more := range []int{0, 1, gap} {
				data, err := EncodeInputs(version, ticks+more, want)
				if err != nil {
					t.Fatal(err)
				}
				p := CGameCtnGhostPlayerInputs{InputVersion: version, Ticks: uint32(ticks + more), Inputs: append(data, bytes.Repeat([]byte{0}, 20)...)}
				if got, err := p.Decode(); err != nil || !slices.Equal(got, want) {
					t.Errorf("version %d, %d apart: %+v, %v\nwant %+v", version, gap, got, err, want)
				}
				p.Inputs = append(data, bytes.Repeat([]byte{0xFF}, 20)...)
				if got, err := p.Decode(); err != nil || !slices.Equal(got, want) {
					t.Errorf("version %d, %d apart, quiet behind: %+v, %v", version, gap, got, err)
				}
				p.Inputs = data[:len(data)-1]
				if _, err := p.Decode(); !errors.Is(err, fault.Truncated) {
					t.Errorf("version %d, %d apart, cut: %v", version, gap, err)
				}
			}
		}
	}
}

// The first version of TrackMania 2020 has one button less.
func TestInputsOf33Bits(t *testing.T) {
	b := bitCoder{writing: true}
	for _, k := range []struct {
		v uint64
		n int
	}{{0, 1}, {0, 1}, {2 | 1<<32, 33}, {0b11, 2}, {0b111, 3}} {
		b.code(&k.v, k.n)
	}
	p := CGameCtnGhostPlayerInputs{InputVersion: CGameCtnGhostInputVersionTM2020, Ticks: 2, Inputs: b.data}
	if got, err := p.Decode(); err != nil || len(got) != 1 || got[0] != (InputTick{State: 2 | 1<<32, HasState: true}) {
		t.Errorf("got = %+v, err = %v; want no error, got of length 1, got[0] = InputTick{State: 2 | 1<<32, HasState: true}", got, err)
	}
}

func TestInputsThatEnd(t *testing.T) {
	p := CGameCtnGhostPlayerInputs{InputVersion: CGameCtnGhostInputVersionTM2020July, Ticks: 100, Inputs: []byte{0}}
	if _, err := p.Decode(); !errors.Is(err, fault.Truncated) {
		t.Errorf("got %v", err)
	}
	p.InputVersion = 99
	if _, err := p.Decode(); !errors.Is(err, fault.Unsupported) {
		t.Errorf("got %v", err)
	}
	p.Ticks = 1 << 31
	if _, err := p.Decode(); !errors.Is(err, fault.Limit) {
		t.Errorf("got %v", err)
	}
}

// FuzzPlayerInputs decodes anything, and codes what it decoded to bits that
// decode to the same.
func FuzzPlayerInputs(f *testing.F) {
	f.Add(uint32(12), uint32(4), []byte{0x08, 0, 0, 0, 0, 0x0c, 0xff})
	f.Add(uint32(11), uint32(9), []byte{0xff, 0xff, 0xff, 0xff})
	f.Add(uint32(8), uint32(20), []byte{0x55, 0xaa, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(uint32(7), uint32(20), []byte{0x55, 0xaa, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, version, ticks uint32, data []byte) {
		p := CGameCtnGhostPlayerInputs{InputVersion: CGameCtnGhostInputVersion(version), Ticks: ticks % 10000, Inputs: data}
		got, err := p.Decode()
		if err != nil {
			return
		}
		again, err := EncodeInputs(p.InputVersion, int(p.Ticks), got)
		if err != nil || len(again) > len(data) {
			t.Fatalf("%d bytes from %d (%v)", len(again), len(data), err)
		}
		// Bits of the last byte that belong to no tick are not kept.
		p.Inputs = again
		if twice, err := p.Decode(); err != nil || len(twice) != len(got) {
			t.Fatalf("%d ticks, then %d (%v)", len(got), len(twice), err)
		}
	})
}
