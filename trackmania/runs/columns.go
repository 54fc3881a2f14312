package runs

import (
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Sure is how well the meaning of a column is known.
type Sure string

// Measured columns agree with an independent relation on real files, such as a
// speed with positions; docs/telemetry.md has the figures. Transcribed ones were
// read out of the game's program by others.
const (
	Measured    Sure = "measured"
	Transcribed Sure = "transcribed"
	Guess       Sure = "guess"
)

// Column is one of the values that tables of samples have.
type Column struct {
	Name string // with its unit: x_m are metres
	Unit string
	Doc  string
	Sure Sure
	Get  func(*Sample) float64 // NaN where the game did not record it
}

// Columns are the usual columns, in SI units but for the motor's revolutions,
// which everybody counts by the minute.
var Columns = []Column{
	{"time_s", "s", "seconds since the start", Measured, func(s *Sample) float64 { return float64(s.Time) / 1000 }},
	{"x_m", "m", "position to the west", Measured, func(s *Sample) float64 { return float64(s.Position.X) }},
	{"y_m", "m", "height", Measured, func(s *Sample) float64 { return float64(s.Position.Y) }},
	{"z_m", "m", "position to the north", Measured, func(s *Sample) float64 { return float64(s.Position.Z) }},
	{"qw", "", "rotation as a unit quaternion, its part w", Measured, func(s *Sample) float64 { return float64(s.Rotation.W) }},
	{"qx", "", "its part x", Measured, func(s *Sample) float64 { return float64(s.Rotation.X) }},
	{"qy", "", "its part y", Measured, func(s *Sample) float64 { return float64(s.Rotation.Y) }},
	{"qz", "", "its part z", Measured, func(s *Sample) float64 { return float64(s.Rotation.Z) }},
	{"speed_m_s", "m/s", "speed as stored, or as the positions tell", Measured, func(s *Sample) float64 { return s.Speed }},
	{"vx_m_s", "m/s", "velocity along x", Measured, func(s *Sample) float64 { return float64(s.Velocity.X) }},
	{"vy_m_s", "m/s", "velocity along y", Measured, func(s *Sample) float64 { return float64(s.Velocity.Y) }},
	{"vz_m_s", "m/s", "velocity along z", Measured, func(s *Sample) float64 { return float64(s.Velocity.Z) }},
	{"steer", "", "steering, -1 (left) to 1", Measured, func(s *Sample) float64 { return s.Steer }},
	{"gas", "", "gas, 0 to 1", Measured, func(s *Sample) float64 { return s.Gas }},
	{"brake", "", "brake, 0 to 1", Measured, func(s *Sample) float64 { return s.Brake }},
	{"rpm", "1/min", "revolutions of the motor a minute", Measured, func(s *Sample) float64 { return s.RPM }},
	{"gear", "", "gear, 1 to 5", Measured, func(s *Sample) float64 {
		if s.Gear < 0 {
			return math.NaN()
		}
		return float64(s.Gear)
	}},
}

// AllColumns are the usual columns and all others whose meaning is known. The
// bytes of Trackmania (2020) are the same in the writers of versions 30 to 33.
var AllColumns = slices.Concat(Columns, []Column{
	{"forward_speed_m_s", "m/s", "speed along the car, negative backwards", Measured,
		either(word(0, 11000, -1000), (*game.GhostSample).ForwardSpeed)},
	{"side_speed_m_s", "m/s", "speed to the left of the car", Measured,
		either(word(2, 2000, -1000), func(s *game.GhostSample) float64 { return scaled(s.SpeedSideward, 2000, -1000) })},
	{"wx_rad_s", "rad/s", "angular velocity about x", Measured, spin(func(v gbx.Vec3) float32 { return v.X })},
	{"wy_rad_s", "rad/s", "angular velocity about y", Measured, spin(func(v gbx.Vec3) float32 { return v.Y })},
	{"wz_rad_s", "rad/s", "angular velocity about z", Measured, spin(func(v gbx.Vec3) float32 { return v.Z })},
	{"steer_angle_rad", "rad", "angle of the front left wheel, positive to the left", Measured,
		either(octet(22, 2*math.Pi, -math.Pi), func(s *game.GhostSample) float64 { return scaled(s.SteerFront, 2*math.Pi, -math.Pi) })},
	{"turbo", "", "1 while a turbo pushes", Transcribed, either(bits(31, 7, 1), nil)},
	{"turbo_time", "", "turbo time left, 1 to 0", Transcribed, either(octet(21, 1, 0), wheeled(func(s *game.GhostSample) float64 { return scaled(s.TurboTime, 1, 0) }))},
	{"reactor", "", "1 while a reactor is active", Transcribed, either(bits(76, 4, 1), nil)},
	{"reactor_type", "", "0 none, 1 up, 2 down, 3 both", Transcribed, either(bits(89, 3, 2), nil)},
	{"reactor_level", "", "strength of the reactor: 0, 1 or 2", Transcribed, either(bits(89, 5, 2), nil)},
	{"reactor_ground", "", "1 if the reactor is in ground mode", Transcribed, either(bits(89, 1, 1), nil)},
	{"air_control_x", "", "air control along x: -1, 0 or 1", Transcribed, either(minus(1, bits(89, 12, 2)), nil)},
	{"air_control_y", "", "air control along y", Transcribed, either(minus(1, bits(89, 14, 2)), nil)},
	{"air_control_z", "", "air control along z", Transcribed, either(minus(1, bits(89, 16, 2)), nil)},
	{"on_ground", "", "1 on the ground; some maps never set it", Transcribed, either(bits(89, 0, 1), nil)},
	{"roof_contact", "", "1 if the roof touches something", Transcribed, either(bits(76, 5, 1), nil)},
	{"burning", "", "1 if the wheels burn", Transcribed, either(bits(33, 7, 1), nil)},
	{"wetness", "", "wetness, 0 to 1", Transcribed, either(octet(101, 1, 0), nil)},
	{"time_factor", "", "speed of simulated time", Transcribed, either(octet(102, 1, 0), nil)},
	{"jumps", "", "counter of respawns and teleports, 0 to 15", Transcribed, either(bits(43, 4, 4), nil)},
}, wheelColumns())

// wheels are the four wheels in the order of the samples.
var wheels, wheelNames = [4]string{"fl", "fr", "rr", "rl"}, [4]string{"front left", "front right", "rear right", "rear left"}

// wheelColumns are the values that a car has for each of its wheels.
func wheelColumns() (list []Column) {
	for i, w := range wheels {
		of := " of the " + wheelNames[i] + " wheel"
		old := func(get func(*oldWheel) float64) func(*game.GhostSample) float64 {
			return func(s *game.GhostSample) float64 { wheel := oldWheelOf(s, i); return get(&wheel) }
		}
		slip, contact := bits(33, 2*i-2, 1), bits(33, 2*i-1, 1)
		if i == 0 {
			slip, contact = bits(32, 6, 1), bits(32, 7, 1)
		}
		list = append(list,
			Column{w + "_rotation_rad", "rad", "rotation" + of + "; begins again after 256 turns", Measured,
				either(word(6+2*i, 512*math.Pi, 0), wheeled(old(func(w *oldWheel) float64 { return scaled(w.rotation, 512*math.Pi, 0) })))},
			Column{w + "_suspension_m", "m", "suspension" + of, Transcribed,
				either(octet(23+2*i, 4, -2), old(func(w *oldWheel) float64 { return scaled(w.dampen, 4, -2) }))},
			Column{w + "_surface", "", "number of the surface" + of, Transcribed,
				either(bits(24+2*i, 0, 8), old(func(w *oldWheel) float64 { return float64(w.material) }))},
			Column{w + "_contact", "", "ground contact" + of + ", 0 or 1", Measured, either(contact, nil)},
			Column{w + "_slip", "", "slip" + of + ", 0 or 1", Transcribed, either(slip, nil)},
			Column{w + "_ice", "", "ice" + of + ", 0 to 1", Transcribed, either(octet(81+i, 1, 0), nil)},
			Column{w + "_dirt", "", "dirt" + of + ", 0 to 1", Transcribed, either(octet(93+2*i, 1, 0), nil)},
			Column{w + "_wear", "", "wear" + of + ", 0 to 1", Transcribed, either(octet(94+2*i, 1, 0), nil)})
	}
	return list
}

// oldWheel is a wheel of the samples before Trackmania (2020).
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

// Title says in one line what a column is, for the metadata of tables.
func (c *Column) Title() string {
	return strings.TrimPrefix(c.Unit+", ", ", ") + string(c.Sure) + ": " + c.Doc
}

// either reads a value of a sample: of Trackmania (2020) from its bytes, of the
// games before from what CGameGhost has. Nil means that those do not record it.
func either(now func(carBytes) float64, old func(*game.GhostSample) float64) func(*Sample) float64 {
	return func(s *Sample) float64 {
		switch {
		case s.bytes != "":
			return now(s.bytes)
		case s.old != nil && s.old.HasMotion() && old != nil:
			return old(s.old)
		}
		return math.NaN()
	}
}

// wheeled reads a value that old samples have if they have the wheels' rotations.
func wheeled(old func(*game.GhostSample) float64) func(*game.GhostSample) float64 {
	return func(s *game.GhostSample) float64 {
		if !s.HasWheels() {
			return math.NaN()
		}
		return old(s)
	}
}

// spin is a part of the angular velocity.
func spin(part func(gbx.Vec3) float32) func(*Sample) float64 {
	return either(func(b carBytes) float64 { return float64(part(b.packed(69))) }, func(s *game.GhostSample) float64 {
		return float64(part(gbx.UnpackVelocity(s.AngularSpeed, s.AngularHeading, s.AngularPitch)))
	})
}

// scaled is a stored number as a part of a range that begins at low.
func scaled[T uint8 | uint16](n T, size, low float64) float64 {
	return float64(n)/float64(^T(0))*size + low
}

// word, octet and bits read a value of a sample of Trackmania (2020); NaN where its
// writer did not have it.
func word(at int, size, low float64) func(carBytes) float64 {
	return func(b carBytes) float64 { return scaled(b.u16(at), size, low) }
}

func octet(at int, size, low float64) func(carBytes) float64 {
	return func(b carBytes) float64 {
		if at >= len(b) {
			return math.NaN()
		}
		return scaled(b[at], size, low)
	}
}

// bits is a number of n bits, counted from the lowest of the byte.
func bits(at, shift, n int) func(carBytes) float64 {
	return func(b carBytes) float64 {
		if at+4 > len(b) {
			return math.NaN()
		}
		return float64(b.u32(at) >> shift & (1<<n - 1))
	}
}

func minus(n float64, of func(carBytes) float64) func(carBytes) float64 {
	return func(b carBytes) float64 { return of(b) - n }
}
