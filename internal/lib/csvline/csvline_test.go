package csvline

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
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
	for range 300_000 {
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
