package fact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The text of a value of each kind on cards, and the properties of the kind.
func TestKinds(t *testing.T) {
	old := time.Local
	time.Local = time.UTC
	defer func() { time.Local = old }()
	one, none := int64(61_234), (*int64)(nil)
	for _, test := range []struct {
		kind            Kind
		value           any
		text, unit      string
		scalar, numeric bool
	}{
		{Text, "$f00red", "$f00red", "", true, false},
		{Styled, "$f00red$$", "red$", "", true, false},
		{Text, "", "", "", true, false},
		{Login, nil, "-", "", true, false},
		{Count, int64(-12), "-12", "", true, true},
		{Bytes, int64(1023), "1023 bytes", "bytes", true, true},
		{Bytes, int64(1024), "1.0 KiB (1024 bytes)", "bytes", true, true},
		{Time, int64(61_234), "1:01.234", "milliseconds", true, true},
		{Moment, int64(86_400_000), "1970-01-02 00:00", "milliseconds since 1970", true, true},
		{Number, 0.25, "0.25", "", true, true},
		{Flag, true, "yes", "", true, false},
		{Flag, false, "no", "", true, false},
		{List, []string{"a", "b"}, "a, b", "", false, false},
		{Times, []*int64{&one, none}, "1:01.234 -:--.---", "milliseconds", false, false},
		{Object, json.Number("1"), "1", "", false, false},
		{Group, nil, "-", "", false, false},
	} {
		k := test.kind
		if got := k.Text(test.value); got != test.text || k.Unit() != test.unit || k.Scalar() != test.scalar || k.Numeric() != test.numeric {
			t.Errorf("%s: %q, unit %q, scalar %v, numeric %v; want %+v", k, got, k.Unit(), k.Scalar(), k.Numeric(), test)
		}
	}
	if got := MomentText(time.Time{}); got != "-" {
		t.Errorf("no moment is %q", got)
	}
}

// A value may be given in any type that holds it.
func TestMake(t *testing.T) {
	seven, word := int64(7), "w"
	for _, test := range []struct{ given, want any }{
		{7, seven}, {int32(7), seven}, {uint8(7), seven}, {uint16(7), seven}, {uint32(7), seven}, {&seven, seven}, {(*int64)(nil), nil},
		{float32(0.5), 0.5}, {&word, "w"}, {(*string)(nil), nil}, {time.UnixMilli(7), seven}, {time.Time{}, nil}, {true, true},
		{Known(7, true), seven}, {Known(7, false), nil},
	} {
		if got := Make("n", "", Count, test.given, "").Value; got != test.want {
			t.Errorf("%T %v is %T %v, want %v", test.given, test.given, got, got, test.want)
		}
	}
}

type car struct {
	name       string
	doors      int
	fast       bool
	front, end int
}

// cars has a row of every sort.
var cars = NewTable("car", "A car.", []Row[car]{
	{Name: "name", Label: "Name", Kind: Text, Doc: "what it is called", Also: []Word{{"called", "name"}}, Always: true, Search: ByName, Indexed: true,
		Get: func(c car) any { return c.name }},
	{Label: "Doors", Kind: Group, Words: func(c car) string { return fmt.Sprint(c.doors, " doors") }, Shown: func(c car) bool { return c.doors > 0 }},
	{Name: "doors.front", Kind: Count, Get: func(c car) any { return c.front },
		Conflict: func(c car) string {
			if c.front > c.doors {
				return "more in front than there are"
			}
			return ""
		}},
	{Name: "doors.end", Kind: Count, Get: func(c car) any { return c.end }},
	{Name: "nick", Label: "Name", Kind: Text, Omit: true, Storage: true, Get: func(c car) any { return strings.TrimSuffix(c.name, "car") }},
	{Name: "fast", Label: "Fast", Kind: Flag, Get: func(c car) any { return Known(c.fast, c.fast) }},
	{Name: "parts", Kind: List, Get: func(car) any { return []string{"a\"b", "<é\n>"} }},
	{Name: "laps", Kind: Times, Get: func(car) any { return []*int64{nil} }},
})

func TestTable(t *testing.T) {
	c := car{name: "big \\car", doors: 4, front: 2, end: 1}
	r := cars.Of(c)
	own, err := r.MarshalJSON()
	if want := `{"name":"big \\car","doors":{"front":2,"end":1},"nick":"big \\","fast":null,"parts":["a\"b","<é\n>"],"laps":[null]}`; err != nil || string(own) != want {
		t.Errorf("%s, %v; want %s", own, err, want)
	}
	var more bytes.Buffer
	more.WriteString(`{"path":"x"`)
	if err := r.AppendFields(&more); err != nil || more.String()+"}" != `{"path":"x",`+string(own[1:]) {
		t.Errorf("&more = %s, err = %v; want no error, more.String() + \"}\" = `{\"path\":\"x\",` + string(own[1:])", &more, err)
	}
	if got, want := strings.Join(r.Names(), " "), "name doors.front doors.end nick fast parts laps"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := strings.Join(Names(cars.Subject.Columns()), " "), "name doors.front doors.end nick fast laps"; got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
	if columns := cars.Columns(c); len(columns) != 6 || columns[1].Value != int64(2) || columns[4].Value != nil {
		t.Errorf("columns = %+v; want columns of length 6, columns[1].Value = int64(2), columns[4].Value = nil", columns)
	}
	var card []string
	for _, v := range r {
		if v.OnCard() {
			card = append(card, v.Label+"="+v.Text())
		}
	}
	if got, want := strings.Join(card, "; "), `Name=big \car; Doors=4 doors; Name=big \; Fast=-`; got != want {
		t.Errorf("the card is %s, want %s", got, want)
	}
	// Empty and hidden facts are missing on the card, omitted facts everywhere.
	bare := cars.Of(car{name: "car"})
	if bare.Has("nick") || !bare.Has("name") || bare[1].OnCard() || bare[1].Words != "" {
		t.Errorf(`bare = %+v; want bare.Has("nick") = false, bare.Has("name") = true, bare[1].OnCard() = false, bare[1].Words = ""`, bare)
	}
	if v := cars.Of(car{})[0]; v.OnCard() {
		t.Errorf("v = %+v; want v.OnCard() = false", v)
	}
	f, ok := cars.Named("called")
	if name, _ := cars.Named("name"); !ok || f != name || !f.Always || !f.Indexed || f.Search != ByName || f.Doc != "what it is called" || f.Storage || f.Label != "Name" {
		t.Errorf(`f = %+v, ok = %v; want ok = true, f = %+v, f.Always = true, f.Indexed = true, f.Search = %v, f.Doc = "what it is called", f.Storage = false, f.Label = "Name"`, f, ok, name, ByName)
	}
	if nick, _ := cars.Named("nick"); !nick.Storage || nick.Always {
		t.Errorf("nick = %+v; want nick.Storage = true, nick.Always = false", nick)
	}
	if _, ok := cars.Named("Nothing"); ok {
		t.Error("a fact that there is not")
	}
}

func TestConflicts(t *testing.T) {
	good, bad := car{doors: 2, front: 2}, car{doors: 1, front: 2}
	if got := cars.Conflicts(good); len(got) != 0 {
		t.Errorf("got = %v; want empty got", got)
	}
	if got := cars.Conflicts(bad); len(got) != 1 || got[0] != cars.Conflict(bad, "doors.front") || cars.Conflict(bad, "doors.end") != "" {
		t.Errorf(`got = %v; want got of length 1, got[0] = cars.Conflict(bad, "doors.front"), cars.Conflict(bad, "doors.end") = ""`, got)
	}
}

// A fact is found by its name, its label, its column and its other names. If several
// answer, the first that is known does.
func TestGet(t *testing.T) {
	name, alias := &Fact{Name: "author.name", Label: "Author", Kind: Text}, &Fact{Name: "login", Kind: Login, Also: []Word{Author}}
	title := &Fact{Name: "total", Label: "Author", Kind: Group}
	for _, test := range []struct {
		asked, nick, login, want string
		ok                       bool
	}{
		{"author.name", "N", "L", "N", true}, {"author_name", "N", "L", "N", true}, {"AUTHOR", "N", "L", "N", true},
		{"author", "", "L", "L", true}, {"author", "", "", "", true}, {"Login", "N", "L", "", false}, {"login", "N", "L", "L", true},
		{"total", "N", "L", "", false}, {"", "N", "L", "", false},
	} {
		r := append(Record{{Fact: title}}, Cells([]*Fact{name, alias}, test.nick, test.login)...)
		if v, ok := r.Get(test.asked); ok != test.ok || ok && v.Value != test.want {
			t.Errorf("%q of %q and %q: %v, %v; want %+v", test.asked, test.nick, test.login, v.Value, ok, test)
		}
	}
	picked := Cells([]*Fact{name, {Name: "n", Kind: Count}}, "N", 3).Pick([]string{"n", "none", "author"})
	text, err := picked.MarshalJSON()
	if want := `{"n":3,"none":null,"author":"N"}`; err != nil || string(text) != want || picked[0].Kind != Count || picked[1].Kind != Text {
		t.Errorf("%s, %v; want %s; %+v", text, err, want, picked)
	}
}

// JSON is what encoding/json reads, for every character.
func TestJSON(t *testing.T) {
	for c := range rune(0x250) {
		want := "a" + string(c) + "b"
		var got string
		if err := json.Unmarshal(JSON(want), &got); err != nil || got != want {
			t.Errorf("%q becomes %s", want, JSON(want))
		}
	}
	if got := string(JSON(func() {})); got != "null" {
		t.Errorf("what JSON cannot hold becomes %s", got)
	}
	if _, err := Cells([]*Fact{{Name: "f", Kind: Object}}, func() {}).MarshalJSON(); err == nil {
		t.Error("a function became JSON")
	}
}

func TestFill(t *testing.T) {
	words := map[string]string{"name": "N", "long name": "L"}
	for template, want := range map[string]string{
		"": "", "a": "a", "{name}": "N", "x{name}{long name}y": "xNLy", "{{name}": "{name}", "{": "{", "{name": "{name", "a{b/c}": "a{b/c}",
		"{none}-{name}": "error {none}", "{}": "error {}", "}{name}": "}N",
	} {
		got, err := Fill(template, func(w string) (string, bool) { text, ok := words[w]; return text, ok })
		if bad, is := strings.CutPrefix(want, "error "); is {
			if err == nil || !strings.HasSuffix(err.Error(), bad) {
				t.Errorf("%q: got = %q, err = %v; want an error, err ending in %q", template, got, err, bad)
			}
		} else if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", template, got, err, want)
		}
	}
	if got := Placeholders("a{b}{{c}{d e}{f/}"); !reflect.DeepEqual(got, []string{"b", "d e"}) {
		t.Errorf(`got = %q; want got equal to []string{"b", "d e"}`, got)
	}
}

// Games store a byte order mark before texts that are not ASCII. A fact never has it: it
// would stand in the middle of a name made of facts.
func TestFactsHaveNoMark(t *testing.T) {
	text := "\ufeffNäme \ufeffagain"
	table := NewTable("t", "a test", []Row[struct{}]{
		{Name: "a", Kind: Styled, Get: func(struct{}) any { return text }},
		{Name: "b", Kind: Text, Get: func(struct{}) any { return &text }},
	})
	for _, v := range append(table.Of(struct{}{}), table.Columns(struct{}{})...) {
		if v.Value != "Näme again" {
			t.Errorf("%s = %q, want no mark", v.Name, v.Value)
		}
	}
}
