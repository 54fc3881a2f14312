package condition_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pakbox/fact"
	"pakbox/fact/condition"
	"pakbox/fault"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"laps": "laps||", " laps ": "laps||", "laps>1": "laps|>|1", "laps >= 2": "laps|>=|2", "a<=b": "a|<=|b", "a<b": "a|<|b", "a!=": "a|!=|",
		"name=a=b": "name|=|a=b", "name~<x>": "name|~|<x>", "a = b c ": "a|=|b c", "a>": "a|>|", "a!b": "a!b||", "": "error", " ": "error", "=x": "error", " >=2": "error",
	} {
		c, err := condition.Parse(text)
		got := c.Field + "|" + c.Op + "|" + c.Value
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q is %s (%v), want %s", text, got, err, want)
		}
	}
}

// day is the begin of a day where the tests run.
func day(text string) int64 {
	at, err := time.ParseInLocation(time.DateOnly, text, time.Local)
	if err != nil {
		panic(err)
	}
	return at.UnixMilli()
}

// Conditions as people write them. A ! before a condition marks one that does not hold,
// a ? one that makes no sense for such a value.
func TestHolds(t *testing.T) {
	one := int64(61_234)
	for _, test := range []struct {
		kind  fact.Kind
		value any
		texts []string
	}{
		{fact.Count, int64(3), []string{"x", "x=3", "x=3.0", "!x=4", "!x!=3", "x!=4", "x<4", "!x<3", "x<=3", "!x<=2", "x>2", "!x>3", "x>=3", "!x>=4", "x~3", "!x~4", "x=0:00.003", "?x=three", "?x>", "?x=nan", "?x<inf"}},
		{fact.Count, int64(0), []string{"x", "x=0", "!x!=0"}},
		{fact.Number, 0.5, []string{"x=0.5", "x<1", "!x>0.5", "x>=.5", "?x=half"}},
		{fact.Number, json.Number("0.50"), []string{"x=0.5", "x<1", "x~0.50"}},
		{fact.Flag, true, []string{"x", "x=yes", "x=TRUE", "x=1", "!x=no", "!x=false", "!x=0", "x!=no", "x>no", "?x=maybe"}},
		{fact.Flag, false, []string{"!x", "!x=yes", "x=no", "x=0"}},
		{fact.Time, int64(61_234), []string{"x=1:01.234", "x=61.234", "x<1:01.235", "!x<1:01.234", "x>1:01", "!x>1:02", "?x=soon"}},
		{fact.Time, int64(1000), []string{"x=1000", "x=1000ms", "x=1.0", "x>=999ms", "x>0", "?x>999", "?x=1"}}, // 45 may be meant in seconds
		{fact.Bytes, int64(307_200), []string{"x=300KiB", "x=300k", "x=307200", "x=307200b", "x=307.2KB", "x>300KB", "!x>300kib", "x<1MB", "x<1MiB", "x<1m", "x<1g", "x<1GB", "x<1gib", "x>0.29 mib", "?x=-1", "?x=KB", "?x>5000000000GiB"}},
		{fact.Moment, day("2009-05-31"), []string{"x=2009", "x=2009-05", "x=2009-05-31", "!x=2010", "!x=2009-06", "!x=2009-05-30", "!x!=2009", "x!=2008",
			"x>2008", "!x>2009", "x>=2009", "x>=2009-05-31", "!x>=2009-06", "!x<2009", "x<2010", "x<=2009", "x<=2009-05-31", "!x<=2009-05-30", "?x=May"}},
		{fact.Moment, day("2010-01-01") - 1, []string{"x=2009", "x<=2009-12-31", "!x>2009", "x<2010"}},
		{fact.Moment, day("2010-01-01"), []string{"!x=2009", "!x<=2009", "x>2009", "x>=2010", "!x<2010", "x!=2009-12-31"}},
		{fact.Styled, "$f00Ünder $oЯoad", []string{"x", "x~under", "x~ROAD", "x=under road", "x=$0f0Under road", "!x=under", "x=under*", "x=*road", "x=*der*ro*", "!x=*dex*", "!x=under*x", "!x=x*", "x!=under", "!x!=*",
			"x<v", "x>t", "x<=under road", "x>=under road", "!x<under road", "!x>under road", "!x>=v", "!x<=t"}},
		{fact.Text, "", []string{"!x", "x=", "!x!=", "x~", "!x~a"}},
		{fact.Text, "aXbXc", []string{"x=a*b*c", "x=*", "x=a*", "!x=a*b*b*c", "!x=a*cc"}},
		{fact.Text, "12", []string{"x=12", "x<2", "!x=12.0"}}, // texts are in the order of their letters
		{fact.List, []string{"Bay", "Stunt"}, []string{"x", "x~stunt", "x=bay, stunt", `x~"bay"`, "!x~coast"}},
		{fact.Times, []*int64{&one, nil}, []string{"x~1:01.234", "x~61234", "!x~1:02"}},
		{fact.Text, nil, []string{"!x", "!x=", "!x=a", "x!=a", "!x!=", "!x~a", "!x<a", "!x>a"}},
		{fact.Count, nil, []string{"!x", "!x=0", "x!=0", "!x<1", "!x>=0"}},
	} {
		for _, text := range test.texts {
			want := "true"
			switch text[0] {
			case '!':
				want, text = "false", text[1:]
			case '?':
				want, text = "error", text[1:]
			}
			c, err := condition.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			holds, err := c.Holds(fact.Value{Fact: &fact.Fact{Name: "x", Kind: test.kind}, Value: test.value})
			got := fmt.Sprint(holds)
			if err != nil {
				got = "error"
			}
			if got != want {
				t.Errorf("%s %v: %s is %s, want %s (%v)", test.kind, test.value, text, got, want, err)
			}
			if fits := c.Fits(test.kind); test.value != nil && (fits != nil) != (want == "error") {
				t.Errorf("%s: %s fits: %v", test.kind, text, fits)
			}
		}
	}
	if holds, err := (condition.Condition{Field: "x", Op: "!=", Value: "a"}).Holds(fact.Value{}); err != nil || !holds {
		t.Errorf("what is not there is not a: %v, %v", holds, err)
	}
}

func TestCompare(t *testing.T) {
	value := func(k fact.Kind, v any) fact.Value { return fact.Value{Fact: &fact.Fact{Kind: k}, Value: v} }
	for _, test := range []struct {
		kind     fact.Kind
		x, y     any
		up, down int
	}{
		{fact.Count, int64(9), int64(10), -1, 1}, {fact.Count, int64(10), int64(9), 1, -1}, {fact.Count, int64(9), int64(9), 0, 0},
		{fact.Text, "9", "10", 1, -1}, {fact.Text, "b", "A", 1, -1}, {fact.Text, "a", "A", 1, -1}, {fact.Text, "a", "a", 0, 0},
		{fact.Flag, false, true, -1, 1}, {fact.Number, json.Number("9"), 10.5, -1, 1},
		{fact.Text, nil, "a", 1, 1}, {fact.Text, "a", nil, -1, -1}, {fact.Text, nil, nil, 0, 0},
	} {
		x, y := value(test.kind, test.x), value(test.kind, test.y)
		if up, down := condition.Compare(x, y, false), condition.Compare(x, y, true); up != test.up || down != test.down {
			t.Errorf("%v and %v: %d upwards, %d downwards, want %d and %d", test.x, test.y, up, down, test.up, test.down)
		}
	}
}

func TestRaw(t *testing.T) {
	for want, value := range map[string]any{
		"": nil, "$f00a": "$f00a", "true": true, "-5": int64(-5), "0.1": 0.1, "1.50": json.Number("1.50"), `["a"]`: []string{"a"},
	} {
		if got := condition.Raw(value); got != want {
			t.Errorf("%v is %q, want %q", value, got, want)
		}
	}
}

// Players write their names with letters of all alphabets.
func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"Plain 1": "plain 1", "$s$w$fffŁúčky$z": "lucky", "РОАD": "poad", "ｗｉｄｅ": "wide", "İstanbul": "istanbul",
	} {
		if got := condition.Fold(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A small number for a time is ambiguous; the error asks for a unit.
func TestSmallTime(t *testing.T) {
	_, _, err := condition.Range(fact.Time, "45")
	if err == nil {
		t.Fatal("45 is a time")
	}
	var said *fault.Error
	if !errors.As(err, &said) || said.Kind != fault.Usage || !strings.HasPrefix(said.Error(), "45 is 0:00.045,") || !strings.Contains(fmt.Sprint(fault.Hints(said)), "45ms") || !strings.Contains(fmt.Sprint(fault.Hints(said)), "0:45.000") {
		t.Errorf("err = %v, said = %+v", err, said)
	}
}
