package gbx_test

import (
	"math"
	"testing"

	"pakbox/gbx"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]gbx.Time{
		"0:36.217": 36217, "36.217": 36217, "1:02:03.400": 3723400, "0:36.21": 36210, "1:05": 65000, "7": 7, "90000": 90000, "7.0": 7000,
		"36217ms": 36217, "none": gbx.NoTime, "-": gbx.NoTime, "596:31:23.647": math.MaxInt32,
	} {
		if got, ok := gbx.ParseTime(text); !ok || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, ok, want)
		}
	}
	for _, bad := range []string{"", ":", "1:", "1.", ".5", "a", "1:2:3:4", "1:02:03:04", "-5", "-0:01.000", "99999999999", "596:31:23.648",
		"1.2345", "-1ms", "ms", "0:3", "1:99.000", "1:60", "1:0x", "1.+5", " 1"} {
		if got, ok := gbx.ParseTime(bad); ok {
			t.Errorf("%q reads as %d", bad, got)
		}
	}
}

// A bare number that is hardly meant in milliseconds is doubtful, unless its unit
// is written.
func TestTimeDoubt(t *testing.T) {
	for _, s := range []string{"55", "999", "86400000"} {
		if gbx.TimeDoubt(s) == "" {
			t.Errorf("%s is taken without a doubt", s)
		}
	}
	for _, s := range []string{"0", "1000", "55000", "55ms", "0:55", "none", "86399999", "24:00:00.000", "soon"} {
		if why := gbx.TimeDoubt(s); why != "" {
			t.Errorf(`%s: why = %s; want ""`, s, why)
		}
	}
}

// A time that is printed is read back.
func TestTimesAreReadBack(t *testing.T) {
	for ms := gbx.NoTime; ms >= gbx.NoTime && ms < math.MaxInt32-7777777; ms += 7777 + ms/9 {
		if got, ok := gbx.ParseTime(ms.String()); !ok || got != ms {
			t.Errorf("%d is written %s and read as %d (%v)", ms, ms, got, ok)
		}
	}
}
