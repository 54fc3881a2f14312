package runs

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// The samples of ghosts of Trackmania (2020) are those that a third program
// wrote as CSV.
func TestTelemetryAgainstGoldens(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(corpus.Dir(t, "gbx-hard"), "telemetry")
	values, braking := 0, 0
	for _, path := range corpus.Files(t, dir, "*.Ghost.Gbx") {
		g := hardGhost(t, filepath.Join("telemetry", filepath.Base(path)))
		rows := goldenRows(t, strings.TrimSuffix(path, ".Ghost.Gbx")+".csv")
		line := lineFrom(t, g, rows[0]["time_ms"], len(rows))
		for i, row := range rows {
			s := &line.Samples[i]
			for column, got := range map[string]float64{
				"time_ms": float64(s.Time), "x": float64(s.Position.X), "y": float64(s.Position.Y), "z": float64(s.Position.Z),
				"vx": float64(s.Velocity.X), "vy": float64(s.Velocity.Y), "vz": float64(s.Velocity.Z), "speed_ms": s.Speed,
				"qx": float64(s.Rotation.X), "qy": float64(s.Rotation.Y), "qz": float64(s.Rotation.Z), "qw": float64(s.Rotation.W),
				"steer": s.Steer, "brake": s.Brake, "gear": float64(s.Gear),
			} {
				values++
				if math.Abs(got-row[column]) > 1e-3+1e-4*math.Abs(got) {
					t.Errorf("%s: %s at %d ms is %g, want %g", path, column, s.Time, got, row[column])
				}
			}
			// The other program adds the brake to the gas. While braking the
			// byte of the gas is 0 in most samples and 255 in some.
			if got := min(1, s.Gas+s.Brake); got != row["gas"] {
				t.Errorf("%s: gas at %d ms is %g, want %g", path, s.Time, s.Gas, row["gas"])
			}
			if s.Brake > 0 && s.Gas == 0 {
				braking++
			}
		}
	}
	if values < 40_000 || braking < 10 {
		t.Errorf("%d values, and %d samples of braking", values, braking)
	}
}

// lineFrom is the line of a ghost that begins at a time and has at least so
// many samples.
func lineFrom(t *testing.T, g *Ghost, first float64, n int) *Line {
	t.Helper()
	lines, err := g.Telemetry()
	for i := range lines {
		if len(lines[i].Samples) >= n && float64(lines[i].Samples[0].Time) == first {
			return &lines[i]
		}
	}
	t.Fatalf("none of %d lines is the golden one (%v)", len(lines), err)
	return nil
}

func goldenRows(t *testing.T, path string) []map[string]float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]float64
	for _, row := range rows[1:] {
		values := map[string]float64{}
		for i, text := range row {
			if v, err := strconv.ParseFloat(text, 64); err == nil { // some are True and False
				values[rows[0][i]] = v
			}
		}
		out = append(out, values)
	}
	return out
}
