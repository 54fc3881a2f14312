package csvline

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pakbox/internal/testkit/tier"
)

// TestAppendNumber: numbers are written as the standard library writes them.
func TestAppendNumber(t *testing.T) {
	check := func(v float64, digits, bits int) {
		t.Helper()
		want := strconv.FormatFloat(v, 'g', digits, bits)
		if got := string(AppendNumber(nil, v, digits, bits)); got != want {
			t.Fatalf("%v with %d digits: %s, want %s", v, digits, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	times := 30_000
	if tier.IsLong() {
		times *= 10
	}
	for range times {
		size := math.Pow(10, 14*rng.Float64()-7)
		v := size * (2*rng.Float64() - 1)
		check(v, 9, 64)
		check(float64(float32(v)), 9, 64)
		check(float64(float32(v)), 7, 32)
		// Near a half, where rounding decides.
		tie := (float64(rng.IntN(1e9)) + 0.5) / math.Pow(10, float64(rng.IntN(13)))
		check(tie, 9, 64)
		check(math.Nextafter(tie, 0), 9, 64)
		check(float64(rng.IntN(2000))/1000, 9, 64)
	}
	for e := -7; e <= 8; e++ {
		p := math.Pow(10, float64(e))
		for _, v := range []float64{p, -p, math.Nextafter(p, 0), math.Nextafter(p, 1e300), p * 0.9999999996, p * 0.9999999994} {
			check(v, 9, 64)
			check(float64(float32(v)), 7, 32)
		}
	}
	for _, v := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)} {
		check(v, 9, 64)
	}
}

// TestAppendText: texts are written as the standard library writes them, up to which
// spaces it guards.
func TestAppendText(t *testing.T) {
	texts := []string{"", " ", "a", " a", "a ", `\.`, `\`, `\.x`, `"`, `a"b"`, "a,b", "a\nb", "\n", "\r", "a\rb", "é", ";", "\t"}
	for c := range 256 {
		texts = append(texts, string(rune(c)), "x"+string(rune(c)))
	}
	for _, s := range texts {
		var line strings.Builder
		w := csv.NewWriter(&line)
		if err := w.Write([]string{"before", s}); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		got := "before," + string(AppendText(nil, s)) + "\n"
		if want := line.String(); got != want {
			// Both ways of writing are right if they are read as the same text.
			if cells, err := csv.NewReader(strings.NewReader(got)).Read(); err != nil || len(cells) != 2 || cells[1] != s || len(got) > len(want) {
				t.Errorf("%q is %q, want %q", s, got, want)
			}
		}
	}
}

// Whole numbers keep to the shortest form, and numbers stand behind what is there.
func TestAppendWhole(t *testing.T) {
	for want, v := range map[string]float64{"x0": 0, "x9": 9, "x10": 10, "x-1": -1, "x999999": 999_999, "x1e+06": 1e6, "x-1e+06": -1e6, "x-0": math.Copysign(0, -1)} {
		if got := string(AppendNumber([]byte("x"), v, -1, 64)); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
