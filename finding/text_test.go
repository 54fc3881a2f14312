package finding_test

import (
	"encoding/json"
	"testing"

	"pakbox/fault"
	"pakbox/finding"
)

func TestString(t *testing.T) {
	for _, test := range []struct {
		f    finding.Finding
		want string
	}{
		{finding.Finding{Severity: finding.Note, Rule: "dates", Position: finding.Position{File: "a.pak"}, Message: "m"}, "a.pak: note: dates: m"},
		{finding.Finding{Severity: finding.Error, Rule: "dates", Position: finding.Position{File: "a.dat", Line: 1, Field: "intro"}, Message: "m"}, "a.dat:1: error: intro: m"},
		{finding.Finding{Severity: finding.Warning, Rule: "dates", Message: "m", Suggestion: "s"}, ": warning: dates: m (s)"},
	} {
		if got := test.f.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestRank(t *testing.T) {
	order := []finding.Severity{finding.Error, finding.Warning, finding.Note}
	for i, s := range order {
		if s.Rank() != i {
			t.Errorf("%s has rank %d", s, s.Rank())
		}
		// Findings after the worst one must not improve the result.
		for _, other := range order[i:] {
			if got := finding.Worst([]finding.Finding{{Severity: s}, {Severity: other}}); got != s {
				t.Errorf("the worst of %s and %s is %s", s, other, got)
			}
		}
	}
}

// JSON must keep an offset of 0, and a missing offset.
func TestJSONPlaces(t *testing.T) {
	for offset, want := range map[int64]string{0: "0", 1: "1", fault.NoOffset: "null"} {
		f := finding.New(finding.Error, "magic", finding.Position{Offset: offset}, "m")
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Offset json.RawMessage }
		if err := json.Unmarshal(text, &got); err != nil || string(got.Offset) != want {
			t.Errorf("JSON of offset %d = %s (%v)", offset, got.Offset, err)
		}
		var back finding.Finding
		if err := json.Unmarshal(text, &back); err != nil || back != f {
			t.Errorf("%s comes back as %+v (%v)", text, back, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"offset":"x"}`), new(finding.Finding)); err == nil {
		t.Error("UnmarshalJSON accepted an offset that is not a number")
	}
}
