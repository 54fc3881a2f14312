package runs

import (
	"math"
	"testing"

	"pakbox/gbx"
)

// held is a control's value over time.
type held struct {
	inputs []Input
	left   float64
	right  float64
	steer  float64
	gas    float64
}

// until plays the inputs up to a time.
func (h *held) until(t gbx.Time) {
	for len(h.inputs) > 0 && h.inputs[0].Time <= t {
		in := h.inputs[0]
		h.inputs = h.inputs[1:]
		switch v := float64(in.Value); in.Name {
		case "Steer":
			h.steer = v / MaxAnalog
		case "SteerLeft":
			h.left = v
			h.steer = h.right - h.left
		case "SteerRight":
			h.right = v
			h.steer = h.right - h.left
		case "Accelerate":
			h.gas = v
		case "AccelerateReal", "Gas":
			h.gas = max(0, v/MaxAnalog)
		}
	}
}

// correlation is 1 if two lists rise and fall together, -1 if they do the
// opposite, and not a number if one does neither.
func correlation(a, b []float64) float64 {
	n := float64(len(a))
	var sa, sb, saa, sbb, sab float64
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		saa, sbb, sab = saa+a[i]*a[i], sbb+b[i]*b[i], sab+a[i]*b[i]
	}
	return (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
}

// Samples and inputs are stored apart, in formats of their own, but agree about
// the same wheel and the same pedal.
func TestPedalsFollowInputs(t *testing.T) {
	t.Parallel()
	const fair, runs = 0.5, 90
	steered, weak := 0, 0
	ghosts(t, func(path string, i int, g *Ghost) {
		lines, _ := g.Telemetry()
		inputs, _ := g.Inputs()
		if len(lines) == 0 || len(inputs) == 0 || oddRuns[hashOf(path)] != "" {
			return
		}
		h := held{inputs: inputs}
		var in, out, gasIn, gasOut []float64
		for _, s := range lines[0].Samples {
			if s.Time > g.Time() && g.Time() != gbx.NoTime {
				break // behind the finish the game takes over
			}
			h.until(s.Time)
			in, out = append(in, h.steer), append(out, s.Steer)
			gasIn, gasOut = append(gasIn, h.gas), append(gasOut, s.Gas)
		}
		if c := correlation(in, out); !math.IsNaN(c) {
			steered++
			if c < fair {
				weak++
				t.Logf("%s, ghost %d: steering agrees by %.2f of %d samples", hashOf(path), i, c, len(in))
			}
		}
		if c := correlation(gasIn, gasOut); c < 0 {
			t.Logf("%s, ghost %d: gas agrees by %.2f", hashOf(path), i, c)
		}
	})
	if steered < runs || weak > steered/20 {
		t.Errorf("the steering of %d of %d runs does not follow their inputs", weak, steered)
	}
}
