package question

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"pakbox/fact"
)

// line writes an object and checks that it is one line of JSON.
func line(t *testing.T, o *Object) string {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	if err := o.Write(w); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	text, ended := bytes.CutSuffix(b.Bytes(), []byte("\n"))
	if !ended || bytes.ContainsRune(text, '\n') || !json.Valid(text) {
		t.Errorf("%q is not a line of JSON", b.String())
	}
	return string(text)
}

// Fields are in the order in which they were added. The first field of a name stays, so that
// an answer cannot replace the fields of every command.
func TestObject(t *testing.T) {
	o := NewObject("info", "a<b>.Gbx", "gbx").Add("n", 1).Add("path", "another").Add("text", "a\"b\n&")
	if got, want := line(t, o), `{"schema":"pakbox.info/1","path":"a<b>.Gbx","format":"gbx","n":1,"text":"a\"b\n&"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := line(t, NewObject("x", "", "")), `{"schema":"pakbox.x/1","path":"","format":null}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := line(t, new(Object)); got != "{}" {
		t.Errorf(`got = %s; want "{}"`, got)
	}
	more := new(Object).Add("b", new(Object).Add("c", []int{1})).Add("a", 2)
	if got, want := line(t, new(Object).Add("a", true).Merge(nil).Merge(more)), `{"a":true,"b":{"c":[1]}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if err := new(Object).Add("a", math.NaN()).Write(bufio.NewWriter(new(bytes.Buffer))); err == nil {
		t.Error("a value without a form in JSON was written")
	}
}

func TestAddFields(t *testing.T) {
	type fields struct {
		First  string `json:"first"`
		Own    int
		Secret int   `json:"-"`
		Some   []int `json:"some,omitempty"`
		None   []int `json:"none"`
		Zero   int   `json:"zero,omitempty"`
	}
	if got, want := line(t, new(Object).AddFields(&fields{First: "a", Own: 1, Secret: 2, Some: []int{3}})), `{"first":"a","some":[3],"none":null}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := line(t, new(Object).Add("first", 0).AddFields(&fields{Zero: 4})), `{"first":0,"none":null,"zero":4}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An object of facts has the form of a record: members of a name with a dot are
// an object of their own.
func TestAddFacts(t *testing.T) {
	record := fact.Record{
		fact.Make("name", "", fact.Text, "x", ""),
		fact.Make("medals", "Medals", fact.Group, nil, "1 2"),
		fact.Make("medals.author", "", fact.Time, int64(1), ""),
		fact.Make("medals.gold", "", fact.Time, nil, ""),
		fact.Make("count", "", fact.Count, 7, ""),
		fact.Make("size.x", "", fact.Count, 8, ""),
	}
	want, err := record.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if got := line(t, new(Object).AddFacts(record)); got != string(want) {
		t.Errorf("%s, want %s", got, want)
	}
	first := fact.Record{fact.Make("a.b", "", fact.Count, 1, "")}
	if got := line(t, new(Object).AddFacts(first)); got != `{"a":{"b":1}}` {
		t.Errorf("got = %v; want `{\"a\":{\"b\":1}}`", got)
	}
	envelope, err := Envelope("map.lint", "a", "").MarshalJSON()
	if err != nil || string(envelope) != line(t, NewObject("map.lint", "a", "")) {
		t.Errorf(`envelope = %s, err = %v; want no error, envelope = line(t, NewObject("map.lint", "a", ""))`, envelope, err)
	}
}

func TestListRow(t *testing.T) {
	type part struct {
		Name string `json:"name"`
		N    int    `json:"n"`
	}
	facts := ListFacts[part]()
	row := ListRow(facts, "f.Gbx", &part{"x", 3})
	if got := fact.Names(facts); !reflect.DeepEqual(got, []string{"file", "name", "n"}) || !reflect.DeepEqual(row.Names(), got) {
		t.Errorf(`got = %q, row.Names() = %q; want got equal to []string{"file", "name", "n"}, row.Names() equal to %q`, got, row.Names(), got)
	}
	if b, _ := row.MarshalJSON(); string(b) != `{"file":"f.Gbx","name":"x","n":3}` {
		t.Errorf("b = %s; want `{\"file\":\"f.Gbx\",\"name\":\"x\",\"n\":3}`", b)
	}
}

// Cells have the form for programs and tables, cards the form for people.
func TestTexts(t *testing.T) {
	const name = "$f00red"
	for _, test := range []struct {
		value      fact.Value
		cell, card string
	}{
		{fact.Make("a", "", fact.Text, "$f00x", ""), "$f00x", "$f00x"},
		{fact.Make("a", "", fact.Styled, name, ""), "red", "red"},
		{fact.Make("a", "", fact.Styled, name, "words"), "red", "words"},
		{fact.Make("a", "", fact.Bytes, 2048, ""), "2048", "2.0 KiB (2048 bytes)"},
		{fact.Make("a", "", fact.List, []string{"a", "b"}, ""), "a, b", "a, b"},
		{fact.Make("a", "", fact.Time, 61234, ""), "1:01.234", "1:01.234"},
		{fact.Make("a", "", fact.Time, 61234, "12 points"), "12 points", "12 points"},
		{fact.Make("a", "", fact.Count, 5, "five"), "5", "five"},
		{fact.Make("a", "", fact.Count, nil, ""), "", "-"},
		{fact.Make("a", "", fact.Flag, true, ""), "yes", "yes"},
	} {
		if cell, card := CellText(test.value, false), CardText(test.value, false); cell != test.cell || card != test.card {
			t.Errorf("%+v: %q and %q, want %q and %q", test.value.Value, cell, card, test.cell, test.card)
		}
	}
	if got := CellText(fact.Value{}, true); got != "" {
		t.Errorf("without a fact: %q", got)
	}
	// Only coloured texts have spans, and words that replace a value have none.
	const coloured = "\x1b[0;38;2;255;0;0mred\x1b[0m"
	for value, want := range map[*fact.Value][2]string{
		{Fact: &fact.Fact{Kind: fact.Styled}, Value: name}:                 {coloured, coloured},
		{Fact: &fact.Fact{Kind: fact.Styled}, Value: name, Words: "words"}: {coloured, "words"},
		{Fact: &fact.Fact{Kind: fact.Text}, Value: name}:                   {name, name},
		{Fact: &fact.Fact{Kind: fact.Count}, Value: int64(1)}:              {"1", "1"},
	} {
		if cell, card := CellText(*value, true), CardText(*value, true); cell != want[0] || card != want[1] {
			t.Errorf("%+v: %q and %q, want %q", value.Value, cell, card, want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		got, want string
	}{
		{Count(0, "file"), "0 files"}, {Count(1, "file"), "1 file"}, {Count(int64(2), "file"), "2 files"},
		{Count(1, "entry"), "1 entry"}, {Count(2, "entry"), "2 entries"},
		{OrList([]string{"a"}), "a"}, {OrList([]string{"a", "b"}), "a or b"}, {OrList([]string{"a", "b", "c"}), "a, b or c"},
		{Percent(0, 0), "100%"}, {Percent(0, 5), "0%"}, {Percent(1, 3), "33.33%"}, {Percent(5, 5), "100%"}, {Percent(1, 1000), "0.1%"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	if Known(-1) != nil || *Known(0) != 0 || *Known(7) != 7 || NonEmpty("") != nil || *NonEmpty("a") != "a" {
		t.Error("zero values were formatted as known")
	}
}
