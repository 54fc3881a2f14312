package runs_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

// TestTelemetryColumns: every column has its own value.
func TestTelemetryColumns(t *testing.T) {
	s := &runs.Sample{
		Time: 1500, Position: gbx.Vec3{X: 1, Y: 2, Z: 3}, Rotation: gbx.Quat{X: 5, Y: 6, Z: 7, W: 4}, Speed: 8, Velocity: gbx.Vec3{X: 9, Y: 10, Z: 11},
		Steer: 12, Gas: 13, Brake: 14, RPM: 15, Gear: 16,
	}
	var got []string
	for _, c := range runs.Columns {
		got = append(got, fmt.Sprintf("%s=%g", c.Name, c.Get(s)))
	}
	if text := strings.Join(got, " "); text != "time_s=1.5 x_m=1 y_m=2 z_m=3 qw=4 qx=5 qy=6 qz=7 speed_m_s=8 vx_m_s=9 vy_m_s=10 vz_m_s=11 steer=12 gas=13 brake=14 rpm=15 gear=16" {
		t.Errorf(`text = %v; want "time_s=1.5 x_m=1 y_m=2 z_m=3 qw=4 qx=5 qy=6 qz=7 speed_m_s=8 vx_m_s=9 vy_m_s=10 vz_m_s=11 steer=12 gas=13 brake=14 rpm=15 gear=16"`, text)
	}
	gear := runs.Columns[len(runs.Columns)-1].Get
	if s.Gear = 0; gear(s) != 0 {
		t.Error("no gear 0")
	}
	if s.Gear = -1; !math.IsNaN(gear(s)) {
		t.Error("a gear that is not known")
	}
}
