package runs

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// button describes a bit of the state that ShootMania and Trackmania (2020) store when a
// button changes.
type button struct {
	mask  uint64 // bits of the button in the long form of the state
	short uint64 // bit of the button in the short form, which has two buttons; 0 if this button is not in it
	name  string
	// event means that the bit is not held while the button is down. The state is stored
	// once more for each press, and a release is not stored.
	event bool
}

// The buttons of Trackmania (2020).
var carButtons = []button{
	{mask: 1 << game.ButtonHorn, short: 1 << 1, name: "Horn"},
	{mask: 1 << game.ButtonJump, name: "Jump"}, {mask: 1 << game.ButtonFreeLook, name: "FreeLook"},
	{mask: 1 << 14, name: "ActionSlot1"}, {mask: 1 << 15, name: "ActionSlot2"}, {mask: 1 << 16, name: "ActionSlot3"},
	{mask: 1 << 17, name: "ActionSlot4"}, {mask: 1 << 18, name: "ActionSlot5"}, {mask: 1 << 19, name: "ActionSlot6"},
	{mask: 1 << 20, name: "ActionSlot7"}, {mask: 1 << 21, name: "ActionSlot8"}, {mask: 1 << 22, name: "ActionSlot9"},
	{mask: 1 << 23, name: "ActionSlot0"},
	{mask: 1 << game.ButtonRespawn, name: "Respawn", event: true},
	{mask: 1 << game.ButtonSecondaryRespawn, name: "SecondaryRespawn", event: true},
}

// The buttons of ShootMania.
var characterButtons = []button{
	{mask: 1 << game.ShootTrigger, short: 1 << 1, name: "GunTrigger"}, {mask: 1 << 2, name: "FreeLook"}, {mask: 1 << 3, name: "Fly"},
	{mask: 1 << 5, name: "Camera2"}, {mask: 1 << game.ShootJump, name: "Jump"}, {mask: 1<<8 | 1<<0, short: 1 << 0, name: "Action"},
	{mask: 1 << 10, name: "ActionSlot1"}, {mask: 1 << 11, name: "ActionSlot2"},
	{mask: 1 << 12, name: "ActionSlot3"}, {mask: 1 << 13, name: "ActionSlot4"},
	{mask: 1<<14 | 1<<9, name: "Use1"}, {mask: 1<<15 | 1<<6, name: "Use2"},
	{mask: 1 << game.ShootMenu, name: "Menu"}, {mask: 1 << game.ShootHorn, name: "Horn"}, {mask: 1 << game.ShootRespawn, name: "Respawn"}, {mask: 1 << 26, name: "GiveUp"},
}

// walks are the names of a character's directions.
var walks = [4]string{"Strafe", "Walk", "Vertical", "Horizontal"}

// steerFull is the stored value of full steering.
const steerFull = 127

// tickReader compares each stored tick with the one before, and reports the changes.
type tickReader struct {
	buttons []button
	out     []Input // changes in the current tick

	down         uint64 // buttons that are down, one bit for each
	last         uint64 // the last stored state
	short        bool   // last has the short form
	pressedAgain bool   // the same state once more means a new press
	steer        int32
	gas, brake   bool
	way          [4]uint8
}

// tickInputs calls show with the changes of each tick, in the order of the file. After an
// error, the changes before it remain valid.
func tickInputs(p *game.CGameCtnGhostPlayerInputs, show func([]Input)) error {
	r := &tickReader{buttons: carButtons}
	shootMania := p.InputVersion.ShootMania()
	if shootMania {
		r.buttons = characterButtons
	}
	return p.Each(func(t *game.InputTick) {
		r.out = r.out[:0]
		at := gbx.Time(t.Tick*game.TickDuration) + p.StartOffset
		if !shootMania {
			r.state(at, t)
		}
		r.mouse(at, t)
		r.move(at, t)
		if shootMania {
			r.state(at, t)
		}
		show(r.out)
	})
}

func (r *tickReader) add(at gbx.Time, name string, value int32, analog bool) {
	r.out = append(r.out, Input{Time: at, Name: name, Value: value, Analog: analog})
}

func (r *tickReader) mouse(at gbx.Time, t *game.InputTick) {
	if t.HasMouse {
		r.out = append(r.out, Input{Time: at, Name: MouseInput, Value: int32(t.MouseX), Y: int32(t.MouseY), Analog: true})
	}
}

func (r *tickReader) move(at gbx.Time, t *game.InputTick) {
	switch {
	case t.HasMove && t.Car:
		r.drive(at, t)
	case t.HasMove:
		r.walk(at, t)
	}
}

func (r *tickReader) state(at gbx.Time, t *game.InputTick) {
	if !t.HasState || t.State == r.last && t.Short == r.short && !r.pressedAgain {
		return
	}
	r.last, r.short, r.pressedAgain = t.State, t.Short, false
	for i := range r.buttons {
		b := &r.buttons[i]
		mask := b.mask
		if t.Short {
			mask = b.short
		}
		down, bit := t.State&mask != 0, uint64(1)<<i
		switch {
		case mask == 0: // the record lacks it
		case b.event && down:
			r.add(at, b.name, 1, false)
			r.pressedAgain = true
		case !b.event && down != (r.down&bit != 0):
			r.add(at, b.name, pressed(down), false)
			r.down ^= bit
		}
	}
}

func (r *tickReader) drive(at gbx.Time, t *game.InputTick) {
	if t.Steer != r.steer {
		r.add(at, "Steer", steerValue(t.Steer), true)
	}
	if t.Gas != r.gas {
		r.add(at, "Accelerate", pressed(t.Gas), false)
	}
	if t.Brake != r.brake {
		r.add(at, "Brake", pressed(t.Brake), false)
	}
	r.steer, r.gas, r.brake = t.Steer, t.Gas, t.Brake
}

func (r *tickReader) walk(at gbx.Time, t *game.InputTick) {
	for k, now := range [4]uint8{t.Strafe, t.Walk, t.Vertical, t.Horizontal} {
		if now != r.way[k] {
			r.add(at, walks[k], direction(now), false)
			r.way[k] = now
		}
	}
}

// steerValue scales a position of the wheel. Some modes store 32 bits; these values stay
// unchanged.
func steerValue(v int32) int32 {
	if v < -128 || v > steerFull {
		return v
	}
	return int32(math.Round(float64(v) * MaxAnalog / steerFull))
}

// direction decodes two bits: left and forward are 1; right and backward, stored as 3,
// are -1.
func direction(v uint8) int32 {
	if v == 3 {
		return -1
	}
	return int32(v)
}
