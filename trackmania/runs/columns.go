package runs

import (
	"math"
)

// Column is one of the values that tables of samples have.
type Column struct {
	Name string // with its unit: x_m are metres
	Doc  string
	Get  func(*Sample) float64 // NaN where the game did not record it
}

// Columns are what is known of a car at one moment, in SI units but
// for the motor's revolutions, which everybody counts by the minute.
var Columns = []Column{
	{"time_s", "seconds since the start", func(s *Sample) float64 { return float64(s.Time) / 1000 }},
	{"x_m", "position in metres", func(s *Sample) float64 { return float64(s.Position.X) }},
	{"y_m", "up", func(s *Sample) float64 { return float64(s.Position.Y) }},
	{"z_m", "", func(s *Sample) float64 { return float64(s.Position.Z) }},
	{"qw", "rotation as a unit quaternion", func(s *Sample) float64 { return float64(s.Rotation.W) }},
	{"qx", "", func(s *Sample) float64 { return float64(s.Rotation.X) }},
	{"qy", "", func(s *Sample) float64 { return float64(s.Rotation.Y) }},
	{"qz", "", func(s *Sample) float64 { return float64(s.Rotation.Z) }},
	{"speed_m_s", "metres a second", func(s *Sample) float64 { return s.Speed }},
	{"vx_m_s", "velocity along x, y and z", func(s *Sample) float64 { return float64(s.Velocity.X) }},
	{"vy_m_s", "", func(s *Sample) float64 { return float64(s.Velocity.Y) }},
	{"vz_m_s", "", func(s *Sample) float64 { return float64(s.Velocity.Z) }},
	{"steer", "-1 (left) to 1", func(s *Sample) float64 { return s.Steer }},
	{"gas", "0 to 1", func(s *Sample) float64 { return s.Gas }},
	{"brake", "0 to 1", func(s *Sample) float64 { return s.Brake }},
	{"rpm", "revolutions of the motor a minute", func(s *Sample) float64 { return s.RPM }},
	{"gear", "", func(s *Sample) float64 {
		if s.Gear < 0 {
			return math.NaN()
		}
		return float64(s.Gear)
	}},
}
