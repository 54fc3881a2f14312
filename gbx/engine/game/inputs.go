package game

import (
	"encoding/binary"
	"math/bits"

	"pakbox/fault"
)

// Inputs of ShootMania and TrackMania 2020 (chunk 0309201D) are a stream of bits, lowest
// bit first. Each tick of ten milliseconds has a bit for each group of inputs, which is set
// if the group is unchanged. A changed group follows its bit. The state names the object
// under control, which determines the groups.

// TickDuration is the time between two ticks, in milliseconds.
const TickDuration = 10

// InputTick has the changed inputs of one tick.
type InputTick struct {
	Tick int
	// State has the buttons as bits. The short form has only two bits.
	State           uint64
	HasState, Short bool
	MouseX, MouseY  uint16
	HasMouse        bool
	// HasMove means that the fields below are set. Car means that the player steers a car.
	HasMove, Car         bool
	Steer                int32 // -127 to 127, or 32 bits in the analog modes
	Gas, Brake           bool
	Strafe, Walk         uint8 // 0 for none, 1 and 3 for the two directions
	Vertical, Horizontal uint8
}

// Buttons of the state in TrackMania 2020.
const (
	ButtonHorn             = 6 // the action button of a character
	ButtonJump             = 12
	ButtonFreeLook         = 13
	ButtonSlot1            = 14 // followed by slots 2 to 9, then slot 0
	ButtonRespawn          = 31
	ButtonSecondaryRespawn = 33
)

// Buttons of the state in ShootMania. The short form has the two lowest bits.
const (
	ShootTrigger = 1
	ShootJump    = 7
	ShootMenu    = 16
	ShootHorn    = 20
	ShootRespawn = 21
)

// ShootMania reports whether the inputs are from ShootMania, which has other buttons.
func (v CGameCtnGhostInputVersion) ShootMania() bool {
	return v == CGameCtnGhostInputVersionShootMania || v == CGameCtnGhostInputVersionShootMania2
}

// Pressed reports whether a button is down. It is false for a short state.
func (t *InputTick) Pressed(button int) bool {
	return t.HasState && !t.Short && t.State>>button&1 != 0
}

// Objects under the player's control, in the low bits of the state.
const (
	modeMask       = 0xF
	modeNothing    = 0
	modeVehicle    = 2
	modeVehicleMax = 4
	modeAnalog     = 0xC // a car with 32 bits of steering
	modeAnalogBare = 0xD // the same without gas and brake
)

// maxTicks limits the length of inputs to one day.
const maxTicks = 24 * 3600 * 1000 / TickDuration

// Decode returns the ticks with a change. After an error it returns the ticks before it.
func (p *CGameCtnGhostPlayerInputs) Decode() (out []InputTick, err error) {
	err = p.Each(func(t *InputTick) { out = append(out, *t) })
	return out, err
}

// Each calls show for each tick of Decode. All calls use the same memory.
func (p *CGameCtnGhostPlayerInputs) Each(show func(*InputTick)) error {
	if p.Ticks > maxTicks {
		return fault.New(fault.Limit, "inputs of %d ticks", p.Ticks)
	}
	c := inputCoder{version: p.InputVersion, bits: bitCoder{data: p.Inputs}}
	t := new(InputTick)
	for i := 0; ; i++ {
		i += c.quiet(int(p.Ticks) - i)
		if i == int(p.Ticks) {
			return nil
		}
		*t = InputTick{Tick: i}
		if err := c.tick(t); err != nil {
			return err
		}
		if t.HasState || t.HasMouse || t.HasMove {
			show(t)
		}
	}
}

// quiet skips up to n ticks without a change, which are all set bits, and returns their
// number.
func (c *inputCoder) quiet(n int) int {
	groups := 2 // the mouse, and everything else
	switch {
	case c.version.ShootMania():
	case c.version == CGameCtnGhostInputVersionTM2020 || c.version == CGameCtnGhostInputVersionTM2020July:
		if c.mode != modeNothing {
			groups = 3 // the state, the mouse, and the movement
		}
	default:
		return 0
	}
	b, passed := &c.bits, 0
	for b.pos/8+8 <= len(b.data) {
		set := bits.TrailingZeros64(^(binary.LittleEndian.Uint64(b.data[b.pos/8:]) >> (b.pos % 8)))
		ticks := min(set/groups, n-passed)
		if ticks == 0 {
			break
		}
		b.pos += ticks * groups
		passed += ticks
	}
	return passed
}

// inputCoder reads ticks. Tests use it to write them as well, to prove that reading loses
// nothing.
type inputCoder struct {
	version CGameCtnGhostInputVersion
	bits    bitCoder
	mode    uint64
}

func (c *inputCoder) tick(t *InputTick) error {
	switch {
	case c.version.ShootMania():
		c.shootMania(t)
	case c.version == CGameCtnGhostInputVersionTM2020 || c.version == CGameCtnGhostInputVersionTM2020July:
		c.trackMania(t)
	default:
		return fault.New(fault.Unsupported, "inputs of version %d are not supported", c.version)
	}
	if c.bits.short {
		return fault.New(fault.Truncated, "the inputs end at tick %d", t.Tick)
	}
	return nil
}

func (c *inputCoder) trackMania(t *InputTick) {
	width := 34
	if c.version == CGameCtnGhostInputVersionTM2020 {
		width = 33
	}
	b := &c.bits
	if b.changed(&t.HasState) {
		c.state(t, width)
	}
	c.mouse(t)
	if c.mode == modeNothing || !b.changed(&t.HasMove) {
		return
	}
	switch {
	case c.mode >= modeVehicle && c.mode <= modeVehicleMax:
		t.Car = true
		steer := uint64(uint8(int8(t.Steer)))
		b.code(&steer, 8)
		t.Steer = int32(int8(steer))
		b.flag(&t.Gas)
		b.flag(&t.Brake)
	case c.mode == modeAnalog || c.mode == modeAnalogBare:
		t.Car = true
		steer := uint64(uint32(t.Steer))
		b.code(&steer, 32)
		t.Steer = int32(uint32(steer))
		if c.mode == modeAnalog {
			b.flag(&t.Gas)
			b.flag(&t.Brake)
		}
	default:
		b.pair(&t.Strafe)
		b.pair(&t.Walk)
		b.pair(&t.Vertical)
		b.pair(&t.Horizontal)
	}
}

// shootMania reads a tick in the older order: the mouse, then one bit for everything
// else.
func (c *inputCoder) shootMania(t *InputTick) {
	b := &c.bits
	c.mouse(t)
	any := t.HasMove || t.HasState
	if !b.changed(&any) {
		return
	}
	if b.changed(&t.HasMove) {
		b.pair(&t.Strafe)
		b.pair(&t.Walk)
		if c.version == CGameCtnGhostInputVersionShootMania2 {
			b.pair(&t.Vertical)
		}
	}
	if b.changed(&t.HasState) {
		c.state(t, 32)
	}
}

// state reads the buttons: two of them, or all.
func (c *inputCoder) state(t *InputTick, width int) {
	c.bits.flag(&t.Short)
	if t.Short {
		width = 2
	}
	c.bits.code(&t.State, width)
	if !t.Short {
		c.mode = t.State & modeMask
	}
}

func (c *inputCoder) mouse(t *InputTick) {
	if !c.bits.changed(&t.HasMouse) {
		return
	}
	x, y := uint64(t.MouseX), uint64(t.MouseY)
	c.bits.code(&x, 16)
	c.bits.code(&y, 16)
	t.MouseX, t.MouseY = uint16(x), uint16(y)
}

// bitCoder reads or writes bits, lowest first.
type bitCoder struct {
	data    []byte
	pos     int // position in bits
	writing bool
	short   bool // the bits ended too early
}

// code reads or writes the low n bits of v.
func (b *bitCoder) code(v *uint64, n int) {
	if b.writing {
		for i := range n {
			if b.pos%8 == 0 {
				b.data = append(b.data, 0)
			}
			b.data[b.pos/8] |= byte(*v>>i&1) << (b.pos % 8)
			b.pos++
		}
		return
	}
	*v = 0
	if b.short || n > len(b.data)*8-b.pos {
		b.short = true
		return
	}
	if i := b.pos / 8; i+8 <= len(b.data) {
		*v = binary.LittleEndian.Uint64(b.data[i:]) >> (b.pos % 8) & (1<<n - 1) // n is always far below 57
		b.pos += n
		return
	}
	for i := range n {
		*v |= uint64(b.data[b.pos/8]>>(b.pos%8)&1) << i
		b.pos++
	}
}

func (b *bitCoder) flag(f *bool) {
	var v uint64
	if *f {
		v = 1
	}
	b.code(&v, 1)
	*f = v != 0
}

// changed reads or writes the bit before a group: 1 means unchanged.
func (b *bitCoder) changed(f *bool) bool {
	if i := b.pos / 8; !b.writing && i < len(b.data) { // the usual case, with the bit inside the data
		*f = b.data[i]>>(b.pos%8)&1 == 0
		b.pos++
		return *f
	}
	same := !*f
	b.flag(&same)
	*f = !same && !b.short
	return *f
}

func (b *bitCoder) pair(p *uint8) {
	v := uint64(*p)
	b.code(&v, 2)
	*p = uint8(v)
}
