package runs

import (
	"fmt"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Input is one action of the player.
type Input struct {
	Time  gbx.Time // since the start; negative before it
	Name  string   // Accelerate, Brake, Steer, Respawn, Horn, Mouse, Jump, …
	Value int32    // 1 and 0 for pressed and released; -65536 to 65536 for Steer, Gas
	Y     int32    // for MouseInput, where Value is x
	// Analog means that Value is a position and not the state of a key.
	Analog bool
}

// MouseInput is the name of mouse inputs, which have two values.
const MouseInput = "Mouse"

// MaxAnalog is the Value of an analog input at its right end.
const MaxAnalog = 65536

// Offsets of stored times of inputs.
const (
	inputOffset    = 100000
	oldInputOffset = 10000
)

// Marks that the games since TMForever write among the inputs, for the start and the
// finish of the race. The time between them is the race time.
const (
	markStart  = "_FakeIsRaceRunning"
	markFinish = "_FakeFinishLine"
)

// events returns the stored inputs of TMUnited to ManiaPlanet, or nil.
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

// Inputs returns the player's inputs, in order. Do not change the list. After an error in
// the stored inputs, the inputs before it are returned too.
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

// ticks returns the stored inputs of ShootMania and Trackmania (2020).
func (g *Ghost) ticks() []game.CGameCtnGhostPlayerInputs {
	if c, ok := gbx.Find[*game.Chunk0309201D](g.Node); ok {
		return c.PlayerInputs
	}
	return nil
}

// allTickInputs calls tickInputs for several players, until an error.
func allTickInputs(players []game.CGameCtnGhostPlayerInputs, show func([]Input)) error {
	for i := range players {
		if err := tickInputs(&players[i], show); err != nil {
			return err
		}
	}
	return nil
}

// controls returns the stored inputs of TMSunrise to ManiaPlanet, and whether there are
// any.
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

// inputsEnd returns the end of the recording of inputs, if it is stored separately from
// the last input; otherwise gbx.NoTime.
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

// FinishMark returns the time of the finish among the inputs; gbx.NoTime if there is
// none. Turbo declares no other time. A race of several laps has a mark at the end of
// each lap.
func (g *Ghost) FinishMark() gbx.Time {
	mark := gbx.NoTime
	inputs, _ := g.Inputs() // the inputs before an error
	for _, in := range inputs {
		if in.Name == markFinish {
			mark = in.Time
		}
	}
	return mark
}

// InputCount returns the number of stored inputs, up to an error.
func (g *Ghost) InputCount() int {
	if players := g.ticks(); len(players) > 0 {
		n, _ := g.inputCount.get(func() (n int, err error) {
			allTickInputs(players, func(of []Input) { n += len(of) }) // counts the inputs before an error
			return n, nil
		})
		return n
	}
	if _, entries, ok := g.controls(); ok {
		return len(entries) // one input for each entry
	}
	inputs, _ := g.Inputs()
	return len(inputs)
}

// markNotInverted is an input that marks steering and gas as stored with their sign,
// as Turbo does.
const markNotInverted = "_FakeDontInverseAxis"

// controlInputs decodes the inputs of TMSunrise to ManiaPlanet. In replays that
// TMInterface saved, the times are shifted by tmiShift; the time of the start mark
// reveals it.
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
			in.Value, in.Analog = in.Value<<8>>8, true // sign-extends 24 bits
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

// oldControls are the names of controls in TrackMania 1.0.
var oldControls = map[string]string{
	"Steer left": "SteerLeft", "Steer right": "SteerRight",
	"Steer (analog)": "Steer", "Gas": "Gas",
}

// oldInputs decodes the inputs of TrackMania 1.0, which are stored in reverse order.
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
			in.Value, in.Analog = int32(MaxAnalog*math.Float32frombits(e.Value)), true
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
