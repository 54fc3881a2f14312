package object_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// sourceValues lists the values of a body in the words of a source.
func sourceValues(d *object.Body) string {
	var lines []string
	for _, w := range d.Words() {
		lines = append(lines, w.Key+"="+w.Value)
	}
	return strings.Join(lines, " ")
}

// TestWordsOfASource sets fields by the words and in the units of sources, and
// looks at the numbers in the body.
func TestWordsOfASource(t *testing.T) {
	vehicle := func() *object.Body {
		d := object.New(node.VHCL, object.Version{Standard: 11})
		d.Put("intro", 1931*12+6)
		d.Put("sound", -2)
		return d
	}
	sign := func() *object.Body { return object.New(node.SIGN, object.Version{Standard: 4}) }
	building := func() *object.Body {
		d := object.New(node.BUIL, object.Version{Standard: 9})
		d.Put("enables", 1)
		return d
	}
	for _, test := range []struct {
		body              func() *object.Body
		key, value, field string
		want              int64
		kind              fault.Kind
	}{
		{vehicle, "cost", "12345", "price", 12345, ""},
		{vehicle, "gear", "130", "gear", 83, ""}, // 130 × 64 / 100
		{vehicle, "weight", "12.3456", "weight", 12346, ""},
		{vehicle, "intro_year", "1940", "intro", 1940*12 + 6, ""},
		{vehicle, "intro_month", "1", "intro", 1931 * 12, ""},
		{vehicle, "intro_month", "13", "intro", 1931*12 + 6, fault.BadEntry},
		{vehicle, "waytype", "tram_track", "waytype", 7, ""},
		{vehicle, "waytype", "schiene_tram", "waytype", 7, ""},
		{vehicle, "waytype", "lane", "waytype", 0, fault.BadEntry},
		{vehicle, "engine_type", "Steam", "engine_type", 0, ""},
		{vehicle, "sound", "12", "sound", 12, ""},
		{vehicle, "payload", "70000", "capacity", 0, fault.Limit},
		{vehicle, "payload", "65535", "capacity", 65535, ""},
		{vehicle, "payload", "\n---\nobj=x", "capacity", 0, fault.BadEntry},
		{vehicle, "capacity", "3", "capacity", 0, fault.BadEntry},
		{sign, "cost", "3", "price", 300, ""},
		{sign, "is_signal", "1", "flags", 0, fault.BadEntry}, // one of many that together make the flags
		{building, "climates", "desert,arctic", "climates", 2 + 128, ""},
		{building, "climates", "all", "climates", 0xFE, ""},
		{building, "enables_post", "1", "enables", 3, ""},
		{building, "cost", "7", "price", 7, ""},
		{building, "station_price", "7", "price", 7, ""},
	} {
		d := test.body()
		err := d.SetWord(test.key, test.value)
		if fault.KindOf(err) != test.kind || d.Int(test.field) != test.want {
			t.Errorf("%s=%s: %s is %d (%v), want %d", test.key, test.value, test.field, d.Int(test.field), err, test.want)
		}
		if has := d.HasWord(test.key); has != (test.kind != fault.BadEntry || test.key == "waytype" || test.key == "intro_month" || test.key == "payload") {
			t.Errorf("%s is a key: %v", test.key, has)
		}
	}
	good := object.New(node.GOOD, object.Version{Standard: 3})
	for name, v := range map[string]int64{"value": 50, "category": 2, "speed_bonus": 18, "weight_per_unit": 100, "color": 255} {
		good.Put(name, v)
	}
	if got, want := sourceValues(good), "value=50 catg=2 speed_bonus=18 weight_per_unit=100 mapcolor=255"; got != want {
		t.Errorf("values of a good = %s, want %s", got, want)
	}
	tree := object.New(node.TREE, object.Version{Standard: 2})
	if got := sourceValues(tree); !strings.Contains(got, "climates=nowhere") {
		t.Errorf("values of a tree without a climate = %s, want climates=nowhere", got)
	}
	opaque := object.New(node.VHCL, object.Version{Standard: 99})
	if opaque.Words() != nil || opaque.HasWord("cost") || opaque.SetWord("cost", "1") == nil {
		t.Error("a version that is not known has words")
	}
}

// fields lists names and values as people see them.
func fields(d *object.Body) (list []string) {
	for _, f := range d.Fields() {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%d+%d %s=%s %s", f.Offset, f.Size, f.Name, f.Text, f.Unit)))
	}
	return list
}

// TestFields compares the listing of bodies that were made by hand.
func TestFields(t *testing.T) {
	for _, test := range []struct {
		typ  node.Type
		body string
		want string
	}{
		{node.XREF, "GOOD\x01Coal\x00", "0+4 type=GOOD|4+1 fatal=1|5+5 name=Coal"},
		{node.TEXT, "abc\x00", "0+4 text=abc"},
		{node.GOOD, "\x03\x80\x05\x00\x02\x12\x00\x64\x00\xff", "2+2 value=5|4+1 category=2|5+2 speed_bonus=18|7+2 weight_per_unit=100 kg|9+1 color=255"},
		{node.GOOD, "\x03\x80\x05\x00\x02\x12\x00\x64\x00\xff\xab\x01", "2+2 value=5|4+1 category=2|5+2 speed_bonus=18|7+2 weight_per_unit=100 kg|9+1 color=255|10+2 rest=ab01"},
		{node.GOOD, "\x05\x00\x02\x00", "0+2 value=5|2+2 category=2"},
		// Extended's 1 on top of Standard's 3: two classes, and one distance with its fare.
		{node.GOOD, "\x03\xC2\x05\x00\x02\x12\x00\x64\x00\xff\x02\x01\x0a\x00\x07\x00\x64\x00\x96\x00",
			"2+2 value=5|4+1 category=2|5+2 speed_bonus=18|7+2 weight_per_unit=100 kg|9+1 color=255|10+1 classes=2|11+1 stages=1" +
				"|12+2 stage_0_distance=10|14+2 stage_0_value=7|16+2 class_revenue_percent_0=100|18+2 class_revenue_percent_1=150"},
		{node.CCAR, "\x02\x80\x01\x00\x00\x05\xf9\x5a\xff\x8c", "2+2 distribution_weight=1|4+2 topspeed=1280 1/16 km/h|6+2 intro=1940-10|8+2 retire=3007-12"},
	} {
		d, err := object.Decode(&node.Node{Type: test.typ, Body: []byte(test.body)})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(fields(d), "|"); got != test.want {
			t.Errorf("%s %q:\n%s, want\n%s", test.typ, test.body, got, test.want)
		}
		if out, err := d.Encode(); string(out) != test.body || err != nil {
			t.Errorf("%q is re-encoded as %q (%v)", test.body, out, err)
		}
	}
}

// TestSetTextsAndRest: what is not a number.
func TestSetTextsAndRest(t *testing.T) {
	for _, test := range []struct {
		body, name, value, want string
		kind                    fault.Kind
	}{
		{"GOOD\x01Coal\x00", "name", "Iron ore", "GOOD\x01Iron ore\x00", ""},
		{"GOOD\x01Coal\x00", "name", "Coal", "GOOD\x01Coal\x00", ""},
		{"GOOD\x01Coal\x00\x00", "name", "Coal", "GOOD\x01Coal\x00\x00", ""},
		{"GOOD\x01Coal", "name", "Ore", "GOOD\x01Ore", ""},
		{"GOOD\x01Coal\x00", "name", "a\x00b", "GOOD\x01Coal\x00", fault.BadEntry},
		{"GOOD\x01Coal\x00", "type", "WAY", "WAY\x00\x01Coal\x00", ""},
		{"GOOD\x01Coal\x00", "type", "GOODS", "GOOD\x01Coal\x00", fault.Limit},
		{"GOOD\x01Coal\x00", "fatal", " 0 ", "GOOD\x00Coal\x00", ""},
		{"GOOD\x01Coal\x00", "fatal", "256", "GOOD\x01Coal\x00", fault.Limit},
		{"GOOD\x01Coal\x00", "fatal", "-1", "GOOD\x01Coal\x00", fault.Limit},
		{"GOOD\x01Coal\x00", "rest", "0aff", "GOOD\x01Coal\x00\x0a\xff", ""},
		{"GOOD\x01Coal\x00", "rest", "xyz", "GOOD\x01Coal\x00", fault.BadEntry},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := object.Decode(&node.Node{Type: node.XREF, Body: []byte(test.body)})
			if err != nil {
				t.Fatal(err)
			}
			err = d.Set(test.name, test.value)
			if out, _ := d.Encode(); fault.KindOf(err) != test.kind || string(out) != test.want {
				t.Errorf("%s=%q makes %q (%v), want %q", test.name, test.value, out, err, test.want)
			}
		})
	}
}

// TestMoneyIsSaidInCreditsAndStoredInCents: Set reads what people write, Store
// what is in the body.
func TestMoneyIsSaidInCreditsAndStoredInCents(t *testing.T) {
	d := object.New(node.VHCL, object.Version{Standard: 12})
	for _, test := range []struct {
		set         func(name, value string) error
		value, text string
		want        int64
	}{
		{d.Set, "12", "12.00", 1200}, {d.Set, "12.5", "12.50", 1250}, {d.Set, "-3.07", "-3.07", -307}, {d.Set, "0x10", "0.16", 16},
		{d.Store, "12", "0.12", 12}, {d.Store, "-1234", "-12.34", -1234}, {d.Store, "1.5", "1.50", 150},
	} {
		err := test.set("price", test.value)
		f, _ := d.Field("price")
		if err != nil || f.Value != test.want || f.Text != test.text || f.Number() != json.Number(test.text) || f.Unit != "Cr" {
			t.Errorf(`%s: f = %+v, err = %v; want no error, f.Value = %v, f.Text = %v, f.Number() = json.Number(test.text), f.Unit = "Cr"`, test.value, f, err, test.want, test.text)
		}
	}
	for _, wrong := range []string{"", ".5", "1.234", "many"} {
		if err := d.Set("price", wrong); fault.KindOf(err) != fault.BadEntry {
			t.Errorf("%q: err = %v; want err of kind fault.BadEntry", wrong, err)
		}
	}
	if f, _ := d.Field("capacity"); f.Number() != int64(0) {
		t.Errorf("f.Number() = %v; want int64(0)", f.Number())
	}
}

// TestIsDefault: what a source that does not speak of a field gives it.
func TestIsDefault(t *testing.T) {
	d := object.New(node.VHCL, object.Version{Standard: 11})
	for _, test := range []struct {
		name, value string
		want        bool
	}{
		{"gear", "64", true}, {"gear", "65", false}, {"gear", "0", true},
		{"length", "8", true}, {"length", "7", false}, {"capacity", "1", false}, {"capacity", "0", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := d.Store(test.name, test.value); err != nil {
				t.Fatal(err)
			}
			if f, _ := d.Field(test.name); f.IsDefault() != test.want {
				t.Errorf("%s=%s is the default: %v", test.name, test.value, !test.want)
			}
		})
	}
}

// TestWordsForValues: both ways between numbers and words.
func TestWordsForValues(t *testing.T) {
	d := object.New(node.BUIL, object.Version{Standard: 9})
	for _, test := range []struct {
		name string
		v    int64
		text string
	}{
		{"climates", 0, "0"}, {"climates", 3, "water,desert"}, {"climates", 0x180, "arctic,256"}, {"climates", 0x100, "256"},
		{"building_type", 37, "res"}, {"building_type", 200, "200"}, {"enables", 5, "pax,ware"},
		{"intro", 1900 * 12, "1900-01"}, {"intro", 1900*12 + 11, "1900-12"},
	} {
		d.Put(test.name, test.v)
		f, _ := d.Field(test.name)
		if f.Text != test.text {
			t.Errorf("%s %d is %q, want %q", test.name, test.v, f.Text, test.text)
		}
		d.Put(test.name, 1)
		if err := d.Set(test.name, test.text); d.Int(test.name) != test.v && !strings.Contains(test.text, ",256") {
			t.Errorf("%s %q is %d, want %d (%v)", test.name, test.text, d.Int(test.name), test.v, err)
		}
	}
	for name, wrong := range map[string]string{"intro": "1900-13", "retire": "1900-00", "climates": "desert,moon", "building_type": "house"} {
		if err := d.Set(name, wrong); fault.KindOf(err) != fault.BadEntry {
			t.Errorf("name = %s=wrong = %s: err = %v; want err of kind fault.BadEntry", name, wrong, err)
		}
	}
}

// TestVehicleFactsOfBothBranches: Extended has the capacity by class, and old
// versions the weight in tons.
func TestVehicleFactsOfBothBranches(t *testing.T) {
	old := object.New(node.VHCL, object.Version{Standard: 8})
	old.Put("weight", 7)
	old.Put("capacity", 30)
	if old.Tons() != 7 || old.Capacity() != 30 {
		t.Errorf("old.Tons() = %v t, old.Capacity() = %d; want old.Tons() = 7, old.Capacity() = 30", old.Tons(), old.Capacity())
	}
	now := object.New(node.VHCL, object.Version{Standard: 11})
	now.Put("weight", 7250)
	if now.Tons() != 7.25 {
		t.Errorf("now.Tons() = %v t; want 7.25", now.Tons())
	}
	s := source(t, object.Extended, "obj=vehicle\nname=a\nwaytype=road\npayload[0]=30\npayload[1]=12\n")
	d, err := object.Decode(s.Objects[0].Node)
	if err != nil || d.Capacity() != 42 {
		t.Errorf("d.Capacity() = %d (err = %v); want no error, d.Capacity() = 42", d.Capacity(), err)
	}
}

// TestVersions: how directives say which versions are written.
func TestVersions(t *testing.T) {
	target, err := object.LookupTarget("60.6")
	if err != nil {
		t.Fatal(err)
	}
	if got := target.Version(node.BUIL); got != (object.Version{Standard: 10}) {
		t.Errorf("60.6 writes buildings of version %s", got)
	}
	for _, test := range []struct {
		directive string
		typ       node.Type
		want      object.Version
		word      uint16
	}{
		{"BUIL=8 GOOD=0", node.BUIL, object.Version{Standard: 8}, 0x8008},
		{"BUIL=8 GOOD=4", node.GOOD, object.Version{Standard: 4}, 0x8004},
		{"BUIL=9x5", node.BUIL, object.Version{Standard: 9, Extended: 5, IsExt: true}, 0xC609},
		{"IMG=0", node.IMG, object.Version{}, 0x8000},
		{"IMG=3", node.IMG, object.Version{Standard: 3}, 0x8003},
	} {
		changed, err := target.With(test.directive)
		got := changed.Version(test.typ)
		if err != nil || got != test.want || got.Word() != test.word {
			t.Errorf("%s: %s is %+v, %#x (%v)", test.directive, test.typ, got, got.Word(), err)
		}
		if words := target.DirectiveFor(map[node.Type]object.Version{test.typ: got}); words != "" && !strings.Contains(test.directive, words) {
			t.Errorf("%s becomes %q", test.directive, words)
		}
	}
	if target.Version(node.BUIL).Standard != 10 {
		t.Error("With changes the target it is called on")
	}
	for _, wrong := range []string{"BUIL=99", "BUIL=x", "BUIL=9xx", "IMG=4", "IMG=-1", "IMG=1x1", "TEXT=0", "NOPE=1", "BUIL"} {
		if _, err := target.With(wrong); err == nil {
			t.Errorf("%s is a version", wrong)
		}
	}
	all := map[node.Type]object.Version{node.WAY: {Standard: 5}, node.BUIL: {Standard: 8}, node.GOOD: {Standard: 3}}
	if got := target.DirectiveFor(all); got != "BUIL=8 WAY=5" {
		t.Errorf(`got = %q; want "BUIL=8 WAY=5"`, got)
	}
	if _, err := object.LookupTarget("59"); err == nil || !strings.Contains(err.Error(), "60.6, 60.12, extended") {
		t.Errorf(`err = %v; want an error, err with "60.6, 60.12, extended"`, err)
	}
	if object.Versioned(node.TEXT) || object.Versioned(node.IMG) || !object.Versioned(node.TILE) {
		t.Error("texts have versions, or tiles none")
	}
}

// TestAtoi: as C reads numbers.
func TestAtoi(t *testing.T) {
	for s, want := range map[string]int{"": 0, "7": 7, " \t42x": 42, "-3": -3, "+3": 3, "--3": 0, "-": 0, "x": 0, "09": 9, "16777215": 16777215} {
		if got := object.Atoi(s); got != want {
			t.Errorf("%q is %d, want %d", s, got, want)
		}
	}
}
