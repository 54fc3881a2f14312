package runs

import (
	"math"
	"slices"
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/gbx/code"
	"pakbox/gbx/engine/game"
)

// Evidence states how well the meaning of a column is known.
type Evidence string

// Measured columns agree with an independent relation in real files, such as a speed with
// positions; docs/telemetry.md has the figures. The meaning of Transcribed columns was
// read in the game's program code by other people.
const (
	Measured    Evidence = "measured"
	Transcribed Evidence = "transcribed"
	Guess       Evidence = "guess"
)

// SampleColumn is a column in a table of samples.
type SampleColumn struct {
	Name     string // with its unit: x_m are metres
	Unit     string
	Doc      string
	Evidence Evidence

	get func(*Sample) float64 // reads the value from samples of all games; if nil, now and old are used
	now field                 // reads the value from the bytes of Trackmania (2020)
	old oldValue              // reads the value from samples of older games; nil if they do not record it
}

// oldValue reads a value from a sample of a game before Trackmania (2020).
type oldValue = func(*game.GhostSample) float64

// Get returns the value of a sample, NaN if the game did not record it.
func (c *SampleColumn) Get(s *Sample) float64 {
	switch {
	case c.get != nil:
		return c.get(s)
	case s.bytes != nil:
		return c.now.value(s.bytes)
	case s.old != nil && c.old != nil && s.old.HasMotion():
		return c.old(s.old)
	}
	return math.NaN()
}

// Stored returns the stored bits of a sample's value. Samples with equal bits have equal
// values. ok is false if the value is computed in another way.
func (c *SampleColumn) Stored(s *Sample) (bits uint32, ok bool) {
	if c.get != nil || s.bytes == nil {
		return 0, false
	}
	return c.now.raw(s.bytes)
}

// Columns are the usual columns, in SI units, except for the engine's revolutions, which
// are per minute.
var Columns = []SampleColumn{
	seen("time_s", "s", "seconds since the start", func(s *Sample) float64 { return float64(s.Time) / 1000 }),
	seen("x_m", "m", "position to the west", func(s *Sample) float64 { return float64(s.Position.X) }),
	seen("y_m", "m", "height", func(s *Sample) float64 { return float64(s.Position.Y) }),
	seen("z_m", "m", "position to the north", func(s *Sample) float64 { return float64(s.Position.Z) }),
	seen("qw", "", "rotation as a unit quaternion, its part w", func(s *Sample) float64 { return float64(s.Rotation.W) }),
	seen("qx", "", "its part x", func(s *Sample) float64 { return float64(s.Rotation.X) }),
	seen("qy", "", "its part y", func(s *Sample) float64 { return float64(s.Rotation.Y) }),
	seen("qz", "", "its part z", func(s *Sample) float64 { return float64(s.Rotation.Z) }),
	seen("speed_m_s", "m/s", "speed as stored, or computed from the positions", func(s *Sample) float64 { return s.Speed }),
	seen("vx_m_s", "m/s", "velocity along x", func(s *Sample) float64 { return float64(s.Velocity.X) }),
	seen("vy_m_s", "m/s", "velocity along y", func(s *Sample) float64 { return float64(s.Velocity.Y) }),
	seen("vz_m_s", "m/s", "velocity along z", func(s *Sample) float64 { return float64(s.Velocity.Z) }),
	seen("steer", "", "steering, -1 (left) to 1", func(s *Sample) float64 { return s.Steer }),
	seen("gas", "", "gas, 0 to 1", func(s *Sample) float64 { return s.Gas }),
	seen("brake", "", "brake, 0 to 1", func(s *Sample) float64 { return s.Brake }),
	seen("rpm", "1/min", "revolutions of the motor a minute", func(s *Sample) float64 { return s.RPM }),
	seen("gear", "", "gear, 1 to 5", func(s *Sample) float64 {
		if s.Gear < 0 {
			return math.NaN()
		}
		return float64(s.Gear)
	}),
}

// AllColumns returns the usual columns and all others of known meaning. The bytes of
// Trackmania (2020) have the same meaning in versions 30 to 33 of the writer.
func AllColumns() []SampleColumn { return allColumns() }

var allColumns = sync.OnceValue(func() []SampleColumn {
	return slices.Concat(Columns, []SampleColumn{
		stored("forward_speed_m_s", "m/s", "speed along the car, negative backwards", Measured,
			word(0, 11000, -1000), (*game.GhostSample).ForwardSpeed),
		stored("side_speed_m_s", "m/s", "speed to the left of the car", Measured,
			word(2, 2000, -1000), func(s *game.GhostSample) float64 { return scaled(s.SpeedSideward, 2000, -1000) }),
		seen("wx_rad_s", "rad/s", "angular velocity about x", spin(func(v gbx.Vec3) float32 { return v.X })),
		seen("wy_rad_s", "rad/s", "angular velocity about y", spin(func(v gbx.Vec3) float32 { return v.Y })),
		seen("wz_rad_s", "rad/s", "angular velocity about z", spin(func(v gbx.Vec3) float32 { return v.Z })),
		stored("steer_angle_rad", "rad", "angle of the front left wheel, positive to the left", Measured,
			octet(22, 2*math.Pi, -math.Pi), func(s *game.GhostSample) float64 { return scaled(s.SteerFront, 2*math.Pi, -math.Pi) }),
		stored("turbo", "", "1 while a turbo pushes", Transcribed, bits(31, 7, 1), nil),
		stored("turbo_time", "", "turbo time left, 1 to 0", Transcribed, octet(21, 1, 0), wheeled(func(s *game.GhostSample) float64 { return scaled(s.TurboTime, 1, 0) })),
		stored("reactor", "", "1 while a reactor is active", Transcribed, bits(76, 4, 1), nil),
		stored("reactor_type", "", "0 none, 1 up, 2 down, 3 both", Transcribed, bits(89, 3, 2), nil),
		stored("reactor_level", "", "strength of the reactor: 0, 1 or 2", Transcribed, bits(89, 5, 2), nil),
		stored("reactor_ground", "", "1 if the reactor is in ground mode", Transcribed, bits(89, 1, 1), nil),
		stored("air_control_x", "", "air control along x: -1, 0 or 1", Transcribed, bits(89, 12, 2).less(1), nil),
		stored("air_control_y", "", "air control along y", Transcribed, bits(89, 14, 2).less(1), nil),
		stored("air_control_z", "", "air control along z", Transcribed, bits(91, 0, 2).less(1), nil),
		stored("on_ground", "", "1 on the ground; some maps never set it", Transcribed, bits(89, 0, 1), nil),
		stored("roof_contact", "", "1 if the roof touches something", Transcribed, bits(76, 5, 1), nil),
		stored("burning", "", "1 if the wheels burn", Transcribed, bits(33, 7, 1), nil),
		stored("wetness", "", "wetness, 0 to 1", Transcribed, octet(101, 1, 0), nil),
		stored("time_factor", "", "speed of simulated time", Transcribed, octet(102, 1, 0), nil),
		stored("jumps", "", "counter of respawns and teleports, 0 to 15", Transcribed, bits(43, 4, 4), nil),
	}, wheelColumns())
})

// wheels are the short and long names of the four wheels, in the order of the samples.
var wheels, wheelNames = [4]string{"fl", "fr", "rr", "rl"}, [4]string{"front left", "front right", "rear right", "rear left"}

// wheelColumns makes the columns that exist once for each wheel.
func wheelColumns() (list []SampleColumn) {
	for i, w := range wheels {
		of := " of the " + wheelNames[i] + " wheel"
		old := func(get func(*oldWheel) float64) oldValue {
			return func(s *game.GhostSample) float64 { wheel := oldWheelOf(s, i); return get(&wheel) }
		}
		slip, contact := bits(33, 2*i-2, 1), bits(33, 2*i-1, 1)
		if i == 0 {
			slip, contact = bits(32, 6, 1), bits(32, 7, 1)
		}
		list = append(list,
			stored(w+"_rotation_rad", "rad", "rotation"+of+"; begins again after 256 turns", Measured,
				word(6+2*i, 512*math.Pi, 0), wheeled(old(func(w *oldWheel) float64 { return scaled(w.rotation, 512*math.Pi, 0) }))),
			stored(w+"_suspension_m", "m", "suspension"+of, Transcribed,
				octet(23+2*i, 4, -2), old(func(w *oldWheel) float64 { return scaled(w.dampen, 4, -2) })),
			stored(w+"_surface", "", "number of the surface"+of, Transcribed,
				bits(24+2*i, 0, 8), old(func(w *oldWheel) float64 { return float64(w.material) })),
			stored(w+"_contact", "", "ground contact"+of+", 0 or 1", Measured, contact, nil),
			stored(w+"_slip", "", "slip"+of+", 0 or 1", Transcribed, slip, nil),
			stored(w+"_ice", "", "ice"+of+", 0 to 1", Transcribed, octet(81+i, 1, 0), nil),
			stored(w+"_dirt", "", "dirt"+of+", 0 to 1", Transcribed, octet(93+2*i, 1, 0), nil),
			stored(w+"_wear", "", "wear"+of+", 0 to 1", Transcribed, octet(94+2*i, 1, 0), nil))
	}
	return list
}

// oldWheel has the values of a wheel in samples of games before Trackmania (2020).
type oldWheel struct {
	rotation         uint16
	dampen, material uint8
}

func oldWheelOf(s *game.GhostSample, i int) oldWheel {
	return [...]oldWheel{
		{s.FlWheelRotation, s.FlDampenLen, s.FlGroundMaterial}, {s.FrWheelRotation, s.FrDampenLen, s.FrGroundMaterial},
		{s.RrWheelRotation, s.RrDampenLen, s.RrGroundMaterial}, {s.RlWheelRotation, s.RlDampenLen, s.RlGroundMaterial},
	}[i]
}

// Title describes a column in one line, for the metadata of tables.
func (c *SampleColumn) Title() string {
	return strings.TrimPrefix(c.Unit+", ", ", ") + string(c.Evidence) + ": " + c.Doc
}

// seen makes a column for a value that samples of all games have.
func seen(name, unit, doc string, get func(*Sample) float64) SampleColumn {
	return SampleColumn{Name: name, Unit: unit, Doc: doc, Evidence: Measured, get: get}
}

// stored makes a column for a value that each game stores differently.
func stored(name, unit, doc string, sure Evidence, now field, old oldValue) SampleColumn {
	return SampleColumn{Name: name, Unit: unit, Doc: doc, Evidence: sure, now: now, old: old}
}

// wheeled wraps old so that it returns NaN for samples without the wheels' rotations.
func wheeled(old oldValue) oldValue {
	return func(s *game.GhostSample) float64 {
		if !s.HasWheels() {
			return math.NaN()
		}
		return old(s)
	}
}

// spin makes a function that returns one part of the angular velocity.
func spin(part func(gbx.Vec3) float32) func(*Sample) float64 {
	return func(s *Sample) float64 {
		switch {
		case s.bytes != nil:
			return float64(part(s.turning))
		case s.old != nil && s.old.HasMotion():
			return float64(part(code.UnpackVelocity(s.old.AngularSpeed, s.old.AngularHeading, s.old.AngularPitch)))
		}
		return math.NaN()
	}
}

// scaled maps the range of an integer to the range from low to low + size.
func scaled[T uint8 | uint16](n T, size, low float64) float64 {
	return float64(n)/float64(^T(0))*size + low
}

// field describes a value in one or two bytes of a sample of Trackmania (2020).
type field struct {
	at, shift, bits int
	part            bool    // the integer is scaled to the range from low to low + size;
	size, low       float64 // otherwise low is added to it
}

// word, octet and bits make fields of two bytes, of one byte, and of n bits that begin at
// bit shift of two bytes.
func word(at int, size, low float64) field  { return field{at, 0, 16, true, size, low} }
func octet(at int, size, low float64) field { return field{at, 0, 8, true, size, low} }
func bits(at, shift, n int) field           { return field{at: at, shift: shift, bits: n} }

func (f field) less(n float64) field {
	f.low -= n
	return f
}

// raw returns the stored integer; false if the sample is too short for it.
func (f *field) raw(b carBytes) (n uint32, ok bool) {
	switch at := f.at; {
	case at+1 < len(b):
		n = uint32(b[at]) | uint32(b[at+1])<<8
	case at < len(b) && f.shift+f.bits <= 8:
		n = uint32(b[at])
	default:
		return 0, false
	}
	return n >> f.shift & (1<<f.bits - 1), true
}

// value returns the value, NaN if the sample is too short for it.
func (f *field) value(b carBytes) float64 {
	n, ok := f.raw(b)
	switch {
	case !ok:
		return math.NaN()
	case f.part:
		return float64(n)/float64(uint32(1)<<f.bits-1)*f.size + f.low
	}
	return float64(n) + f.low
}
