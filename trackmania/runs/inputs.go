package runs

import (
	"fmt"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Input is something that the player did.
type Input struct {
	Time  gbx.Time // since the start; negative before it
	Name  string   // Accelerate, Brake, Steer, Respawn, Horn, Mouse, Jump, …
	Value int32    // 1 and 0 for pressed and released; -65536 to 65536 for Steer, Gas
	Y     int32    // of MouseInput, whose Value is x
	// Analog tells that Value is a position and not a key.
	Analog bool
}

// MouseInput is the name of the inputs that have two values.
const MouseInput = "Mouse"

// Full is the Value of an analog input that is all the way to the right.
const Full = 65536

// Offsets that stored times of inputs have.
const (
	inputOffset    = 100000
	oldInputOffset = 10000
)

// Marks that the games put among the inputs from TMForever on: when the race
// began and when it was finished. The time between them is the race time.
const (
	markStart  = "_FakeIsRaceRunning"
	markFinish = "_FakeFinishLine"
)

// events returns the inputs of TMUnited to ManiaPlanet, or nil.
func (g *Ghost) events() *game.CGameCtnGhostEvents {
	if c, ok := gbx.Find[*game.Chunk03092025](g.Node); ok && (c.EventsDuration != 0 || c.Version >= 1) {
		return &c.Events
	}
	if c, ok := gbx.Find[*game.Chunk03092019](g.Node); ok && c.EventsDuration != 0 {
		return &c.Events
	}
	if c, ok := gbx.Find[*game.Chunk03092011](g.Node); ok && c.EventsDuration != 0 {
		return &c.Events
	}
	return nil
}

// Inputs returns what the player did, in order; the list is not to be changed.
// An error tells that the stored inputs end early; those before it are
// returned too.
func (g *Ghost) Inputs() ([]Input, error) { return g.inputs.get(g.decodeInputs) }

func (g *Ghost) decodeInputs() ([]Input, error) {
	if players := g.ticks(); len(players) > 0 {
		var out []Input
		err := allTickInputs(players, func(of []Input) { out = append(out, of...) })
		return out, err
	}
	if names, entries, ok := g.controls(); ok {
		return controlInputs(names, entries), nil
	}
	if g.replay == nil || !g.first {
		return nil, nil
	}
	if c, ok := gbx.Find[*game.Chunk03093003](g.replay.File.Body); ok && c.EventsDuration != 0 {
		return oldInputs(c), nil
	}
	return nil, nil
}

// ticks returns the inputs of ShootMania and Trackmania (2020) as they are
// stored.
func (g *Ghost) ticks() []game.CGameCtnGhostPlayerInputs {
	if c, ok := gbx.Find[*game.Chunk0309201D](g.Node); ok {
		return c.PlayerInputs
	}
	return nil
}

// allTickInputs is tickInputs of several players, up to an error.
func allTickInputs(players []game.CGameCtnGhostPlayerInputs, show func([]Input)) error {
	for i := range players {
		if err := tickInputs(&players[i], show); err != nil {
			return err
		}
	}
	return nil
}

// controls returns the inputs of TMSunrise to ManiaPlanet as they are stored,
// and whether there are such.
func (g *Ghost) controls() (names []gbx.ID, entries []game.CGameCtnGhostControlEntry, ok bool) {
	if e := g.events(); e != nil {
		return e.ControlNames, e.Entries, true
	}
	if g.replay == nil || !g.first {
		return nil, nil, false
	}
	c, ok := gbx.Find[*game.Chunk0309300D](g.replay.File.Body)
	if !ok || c.EventsDuration == 0 {
		return nil, nil, false
	}
	return c.ControlNames, c.Entries, true
}

// inputsEnd returns until when inputs were recorded, where that is told apart
// from the last input; gbx.NoTime where it is not.
func (g *Ghost) inputsEnd() gbx.Time {
	end := gbx.NoTime
	if c, ok := gbx.Find[*game.Chunk0309201D](g.Node); ok {
		for i := range c.PlayerInputs {
			p := &c.PlayerInputs[i]
			end = max(end, gbx.Time(int64(p.Ticks)*game.TickDuration)+p.StartOffset)
		}
	}
	return end
}

// FinishMark returns when the inputs reach the finish; gbx.NoTime if they do
// not say. Turbo declares no other time. A race of several laps has a mark at
// the end of each.
func (g *Ghost) FinishMark() gbx.Time {
	mark := gbx.NoTime
	inputs, _ := g.Inputs() // those before an error
	for _, in := range inputs {
		if in.Name == markFinish {
			mark = in.Time
		}
	}
	return mark
}

// InputCount returns how many inputs are stored; those before an error count.
func (g *Ghost) InputCount() int {
	if players := g.ticks(); len(players) > 0 {
		n, _ := g.inputCount.get(func() (n int, err error) {
			allTickInputs(players, func(of []Input) { n += len(of) }) // those before an error
			return n, nil
		})
		return n
	}
	if _, entries, ok := g.controls(); ok {
		return len(entries) // there is an input for each
	}
	inputs, _ := g.Inputs()
	return len(inputs)
}

// markNotInverted tells that steering and gas are stored with their sign, as
// Turbo does.
const markNotInverted = "_FakeDontInverseAxis"

// controlInputs are the inputs of TMSunrise to ManiaPlanet. In replays that
// TMInterface saved the times are shifted by tmiShift; the time of the input that
// marks the start shows it.
func controlInputs(names []gbx.ID, entries []game.CGameCtnGhostControlEntry) []Input {
	out := make([]Input, 0, len(entries))
	texts := make([]string, len(names))
	for i, id := range names {
		texts[i] = id.String()
	}
	inverted := !slices.Contains(texts, markNotInverted)
	for _, e := range entries {
		in := Input{Time: e.Time - inputOffset, Value: int32(e.Value)}
		if int(e.Control) < len(texts) {
			in.Name = texts[e.Control]
		} else {
			in.Name = fmt.Sprintf("Control%d", e.Control)
		}
		switch in.Name {
		case "Steer", "Gas":
			in.Value, in.Analog = in.Value<<8>>8, true // 24 bits
			if inverted {
				in.Value = -in.Value
			}
		case "AccelerateReal", "BrakeReal":
			in.Analog = true
		case "Accelerate", "Brake", "SteerLeft", "SteerRight", "Respawn", "Horn":
			in.Value = pressed(e.Value != 0)
		}
		out = append(out, in)
	}
	if k := slices.IndexFunc(out, func(in Input) bool { return in.Name == markStart }); k >= 0 {
		start := out[k].Time
		for i := range out {
			out[i].Time -= start
		}
	}
	return out
}

// Names that TrackMania 1.0 gives to its controls.
var oldControls = map[string]string{
	"Steer left": "SteerLeft", "Steer right": "SteerRight",
	"Steer (analog)": "Steer", "Gas": "Gas",
}

// oldInputs are the inputs of TrackMania 1.0, which are stored last one first.
func oldInputs(c *game.Chunk03093003) []Input {
	out := make([]Input, 0, len(c.Entries))
	for i := len(c.Entries) - 1; i >= 0; i-- {
		e := c.Entries[i]
		in := Input{Time: e.Time - oldInputOffset, Name: fmt.Sprintf("Control%d", e.Control), Value: pressed(e.Value != 0)}
		if int(e.Control) < len(c.Controls) {
			in.Name = c.Controls[e.Control].Name
			if name, ok := oldControls[in.Name]; ok {
				in.Name = name
			}
		}
		if in.Name == "Steer" || in.Name == "Gas" {
			in.Value, in.Analog = int32(Full*math.Float32frombits(e.Value)), true
		}
		out = append(out, in)
	}
	return out
}

func pressed(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
