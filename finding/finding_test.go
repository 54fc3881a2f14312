package finding_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"pakbox/fault"
	"pakbox/finding"
)

func TestOf(t *testing.T) {
	e := fault.At(fault.Truncated, 12, "count", "needs %d bytes", 4)
	e.Entry = "a/b.txt"
	got := finding.Of(finding.Warning, fmt.Errorf("wrapped: %w", e))
	want := finding.Finding{Severity: finding.Warning, Rule: string(fault.Truncated),
		Position: finding.Position{Entry: "a/b.txt", Offset: 12, Field: "count"}, Message: e.Detail()}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	plain := finding.Of(finding.Error, errors.New("odd"))
	if plain.Rule != string(fault.Corrupt) || plain.Offset != fault.NoOffset || plain.Message != "odd" {
		t.Errorf("got %+v", plain)
	}
}

func TestWorst(t *testing.T) {
	if got := finding.Worst(nil); got != "" {
		t.Errorf("of none: %q", got)
	}
	list := []finding.Finding{{Severity: finding.Note}, {Severity: finding.Error}, {Severity: finding.Warning}}
	if got := finding.Worst(list); got != finding.Error {
		t.Errorf("got %q", got)
	}
}

func ExampleFinding() {
	f := finding.New(finding.Warning, "medal_order", finding.Nowhere, "gold is %d ms, silver %d", 5, 4)
	b, _ := json.Marshal(f)
	fmt.Println(string(b))
	// Output: {"severity":"warning","kind":"medal_order","rule":"medal_order","message":"gold is 5 ms, silver 4","entry":null,"offset":null}
}

func TestJSONGoesBothWays(t *testing.T) {
	for _, f := range []finding.Finding{
		finding.New(finding.Warning, "dates", finding.In("vehicle.A"), "too late"),
		{Severity: finding.Error, Rule: "syntax", Position: finding.Position{File: "a.dat", Line: 3, Field: "speed", Offset: 12}, Message: "m", Suggestion: "s"},
	} {
		data, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var back finding.Finding
		if err := json.Unmarshal(data, &back); err != nil || back != f {
			t.Errorf("%+v comes back as %+v (%v)", f, back, err)
		}
	}
}

func ExampleFinding_String() {
	f := finding.New(finding.Error, "source", finding.Position{File: "rail/e10.dat", Line: 12, Field: "waytype"}, "unknown way type %q", "trakc")
	f.Suggestion = "did you mean track?"
	fmt.Println(f)
	// Output: rail/e10.dat:12: error: waytype: unknown way type "trakc" (did you mean track?)
}

// A check that could not be made is a warning, because the file may be right. A wrong key
// is an error: somebody can give another.
func TestSeverityOf(t *testing.T) {
	for _, test := range []struct {
		err     error
		want    finding.Severity
		unknown bool
	}{
		{fault.New(fault.Truncated, "x"), finding.Error, false}, {fault.New(fault.HashMismatch, "x"), finding.Error, false}, {errors.New("x"), finding.Error, false},
		{fault.New(fault.UnsupportedAlgorithm, "x"), finding.Warning, true}, {fault.New(fault.Limit, "x"), finding.Warning, true},
		{fault.New(fault.Key, "x"), finding.Warning, true}, {fault.New(fault.WrongKey, "x"), finding.Error, true},
		{fmt.Errorf("wrapped: %w", fault.New(fault.Limit, "x")), finding.Warning, true},
	} {
		if got, unknown := finding.SeverityOf(test.err), finding.Unknown(test.err); got != test.want || unknown != test.unknown {
			t.Errorf("%v: %s, unknown: %v; want %s", fault.KindOf(test.err), got, unknown, test.want)
		}
	}
}
