package racetime

import "testing"

func TestText(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0:00.000", 7: "0:00.007", 999: "0:00.999", 1000: "0:01.000", 36_217: "0:36.217", 59_999: "0:59.999", 60_000: "1:00.000", 61_000: "1:01.000",
		3_599_999: "59:59.999", 3_600_000: "1:00:00.000", 3_723_400: "1:02:03.400", 100 * 3_600_000: "100:00:00.000", -1: "-0:00.001", -3_723_400: "-1:02:03.400",
	} {
		if got := Text(ms); got != want {
			t.Errorf("%d is %s, want %s", ms, got, want)
		}
	}
}

func TestDelta(t *testing.T) {
	for ms, want := range map[int64]string{0: "+0.000", 1: "+0.001 behind", 123: "+0.123 behind", 62_500: "+62.500 behind", -123: "-0.123 ahead", -62_500: "-62.500 ahead"} {
		if got := Gap(ms); got != want {
			t.Errorf("%d is %s, want %s", ms, got, want)
		}
	}
	if got := Delta(-62_500); got != "-62.500" {
		t.Errorf(`got = %v; want "-62.500"`, got)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "36217": 36_217, "36217ms": 36_217, "36.217": 36_217, "36.21": 36_210, "36.2": 36_200, "0:36.217": 36_217, "1:02": 62_000, "1:02:03.4": 3_723_400,
		"100.5": 100_500, "90:00": 5_400_000, "0:59": 59_000, "2147483647": 1<<31 - 1, "2147483.647": 1<<31 - 1, "596:31:23.647": 1<<31 - 1,
		"": -1, "36.": -1, "36.2175": -1, ".5": -1, "1:2": -1, "1:60": -1, "1:002": -1, "0:1:00": -1, "1:00:00:00": -1, "-1": -1, "1:-1": -1, "a": -1, "1.a": -1, "1.+1": -1, "1:00ms": -1,
		"2147483648": -1, "2147483.648": -1, "596:31:23.648": -1,
	} {
		ms, ok := Parse(text)
		if ok != (want >= 0) || ok && ms != want {
			t.Errorf("%q is %d, %v; want %d", text, ms, ok, want)
		}
	}
}

// Parse reads the text of every time, of any length.
func TestBack(t *testing.T) {
	for ms := int64(0); ms < 1<<31; ms = ms*5/4 + 1 {
		if got, ok := Parse(Text(ms)); !ok || got != ms {
			t.Errorf("%s is %d, %v; want %d", Text(ms), got, ok, ms)
		}
	}
}
