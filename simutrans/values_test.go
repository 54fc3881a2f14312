package simutrans_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

func TestDump(t *testing.T) {
	a := open(t, read(t, "debian-pak64__factory.Raffinerie.pak"))
	var b bytes.Buffer
	if err := a.DumpJSON(&b, archive.Everything); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Objects []struct {
			Name, Folder string
			Suppliers    int
			Placement    string `json:"placement_text"`
			Parts        []struct {
				Part, Good string
				Capacity   int
			}
			Images []struct{ Width, Height int }
		}
	}
	if err := json.Unmarshal([]byte("{"+b.String()+"}"), &doc); err != nil {
		t.Fatal(err)
	}
	o := doc.Objects[0]
	if len(doc.Objects) != 1 || o.Name != "Raffinerie" || o.Folder != "factory.Raffinerie" || o.Placement != "land" || len(o.Images) != 4 || o.Images[0].Width == 0 {
		t.Errorf(`doc = %+v; want doc.Objects of length 1, o.Name = "Raffinerie", o.Folder = "factory.Raffinerie", o.Placement = "land", o.Images of length 4, o.Images[0].Width other than 0`, doc)
	}
	goods := map[string]string{}
	for _, p := range o.Parts {
		goods[p.Good] = p.Part
	}
	if goods["Oel"] == "" || goods["Oel"] == goods["Plastik"] || goods["Plastik"] != goods["Chemicals"] {
		t.Errorf("parts %+v", o.Parts)
	}

	b.Reset()
	if err := a.DumpText(&b, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"factory.Raffinerie\n", "FACT version 4 at 0x", "productivity           320  (+0x", `XREF to good "Oel"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	// A supplier has two bytes that mean nothing.
	c, err := a.Coverage()
	if err != nil || c.Bytes == 0 || c.Bytes-2 != c.Decoded || len(c.Parts) < 5 {
		t.Errorf("c = %+v, err = %v; want no error, c.Bytes other than 0, c.Bytes - 2 = %v, len(c.Parts) at least 5", c, err, c.Decoded)
	}
}

func TestDiffValues(t *testing.T) {
	a := open(t, read(t, "debian-pak64__vehicle.TB24.pak"))
	n := a.File.Root.Children[0].Clone()
	d, err := object.Decode(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Set("topspeed", "77"); err != nil {
		t.Fatal(err)
	}
	if n.Body, err = d.Encode(); err != nil {
		t.Fatal(err)
	}
	image := n.Find(node.IMG)
	image.Body[len(image.Body)-4] ^= 1 // the last pixel of the last row
	extra := open(t, read(t, "debian-pak64__good.None.pak")).File.Root.Children[0]
	changes, ok, err := a.DiffValues(simutrans.New(node.New(n, extra)))
	if err != nil || !ok {
		t.Fatalf("ok = %v, err = %v; want no error, ok = true", ok, err)
	}
	want := []archive.ValueChange{
		{Kind: archive.Added, Path: "good.None", New: "an object"},
		{Kind: archive.Changed, Path: "vehicle.TB24/topspeed", Old: "54", New: "77"},
		{Kind: archive.Changed, Path: "vehicle.TB24/images/emptyimage[s]", Old: "an image", New: "differs in 1 pixels"},
	}
	if len(changes) != len(want) {
		t.Fatalf("changes = %+v; want changes of length len(want)", changes)
	}
	for i := range want {
		if changes[i] != want[i] {
			t.Errorf("%+v, want %+v", changes[i], want[i])
		}
	}
}

// TestWords: values can be asked for and set under the names that sources
// have for them, as sources say them; money is in credits under its own.
func TestWords(t *testing.T) {
	a := open(t, read(t, "debian-pak64__vehicle.TB24.pak"))
	get := func(path string) string {
		t.Helper()
		v, err := a.Get(path)
		if err != nil {
			t.Fatal(err)
		}
		return v[0].Text + " " + string(v[0].JSON)
	}
	for _, step := range []struct{ set, get, want string }{
		{"", "price", "6500.00 6500.00"},
		{"price=6500.00", "cost", "650000 650000"},
		{"price=16000", "price", "16000.00 16000.00"},
		{"price=7.5", "cost", "750 750"},
		{"cost=123456", "price", "1234.56 1234.56"},
		{"speed=77", "topspeed", "77 77"},
		{"payload=12", "capacity", "12 12"},
		{"runningcost=45", "running_cost", "0.45 0.45"},
		{"gear=150", "gear", "150 150"},
		{"intro_year=1950", "intro", "1950-01 23400"},
		{"intro_month=7", "intro", "1950-07 23406"},
	} {
		if name, value, ok := strings.Cut(step.set, "="); ok {
			r, err := a.Set([]archive.Assignment{{Path: name, Value: value}})
			if err != nil {
				t.Fatal(err)
			}
			a = open(t, r.Data)
		}
		if got := get(step.get); got != step.want {
			t.Errorf("after %q %s is %s, want %s", step.set, step.get, got, step.want)
		}
	}
	var refused *archive.ValueError
	if _, err := a.Set([]archive.Assignment{{Path: "payload", Value: "many"}}); !errors.As(err, &refused) {
		t.Errorf("payload=many: %v", err)
	}
	var b bytes.Buffer
	if err := a.DumpJSON(&b, archive.Everything); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"price":1234.56,`, `"cost":123456,`, `"payload":12,`, `"intro_year":1950,`} {
		if !strings.Contains(strings.ReplaceAll(b.String(), "\n", ""), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}

// TestTheTypeOfABuildingHasANameOfItsOwn: type is that of the object.
func TestTheTypeOfABuildingHasANameOfItsOwn(t *testing.T) {
	for file, want := range map[string]string{
		"debian-pak64__building.A5_STONEHENGE.pak": `"type":"building"`,
		"debian-pak64__factory.Raffinerie.pak":     `"type":"factory"`,
	} {
		t.Run(file, func(t *testing.T) {
			var b bytes.Buffer
			if err := open(t, read(t, file)).DumpJSON(&b, archive.Everything); err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(b.String(), "\n", "")
			if !strings.Contains(text, want) || strings.Count(text, `"building_type":`) != 1 || !strings.Contains(text, `"building_type_text":"`) {
				t.Errorf("%s: text = %s; want text with %q, strings.Count(text, `\"building_type\":`) = 1, text with `\"building_type_text\":\"`", file, text, want)
			}
		})
	}
}

// The dump of a small real file. Fields that are missing in the
// text of the manifest were read off its 10 bytes.
func TestDumpOfAGood(t *testing.T) {
	const plain = `good.None
  GOOD version 3
    value                  0
    category               0
    speed_bonus            0
    weight_per_unit        0 kg
    color                  255
    TEXT "None"
    TEXT ""
    TEXT ""
`
	const offsets = `good.None
  GOOD version 3 at 0x45, 10 bytes
    value                  0  (+0x2: 00 00)
    category               0  (+0x4: 00)
    speed_bonus            0  (+0x5: 00 00)
    weight_per_unit        0 kg  (+0x7: 00 00)
    color                  255  (+0x9: ff)
    TEXT "None" at 0x57, 5 bytes
    TEXT "" at 0x64, 1 bytes
    TEXT "" at 0x6D, 1 bytes
`
	a := open(t, read(t, "debian-pak64__good.None.pak"))
	for asked, want := range map[bool]string{false: plain, true: offsets} {
		var b strings.Builder
		if err := a.DumpText(&b, asked); err != nil || b.String() != want {
			t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
		}
	}
	// Lists of images, images, references; a text that would talk to a terminal.
	odd := simutrans.New(node.New(symbol(image3(5, 2, 1, 0, 2, 7, 8, 0)), &node.Node{Type: node.GOOD, Children: []*node.Node{
		node.NewText("a\x1b[2Jb"), node.NewXref(node.Xref{Type: node.WAY, Name: "Road"}),
	}}))
	var b strings.Builder
	if err := odd.DumpText(&b, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n    IMG1 version 0\n      count                  1\n", "\n      IMG version 3, 2 x 1 at 5,0\n", "\n    XREF to way \"Road\"\n", "\n  SYMB\n", `TEXT "a\x1b[2Jb"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Errorf("b.String() = %q; want b.String() without \"\\x1b\"", b.String())
	}
}

// The parts of an object in JSON, with those inside them.
func TestPartsInJSON(t *testing.T) {
	for file, want := range map[string]string{
		"pak64-mo60.6__factory.PVkraftwerk.pak": `"parts":[{"part":"tile","phases":1,"index":0,"seasons":1},{"part":"factory field","probability_to_spawn":1,"max_fields":121,"min_fields":10,"start_fields":70,"classes":1,` +
			`"parts":[{"part":"factory field class","has_snow":0,"production_per_field":1,"storage_capacity":17,"spawn_weight":1,"field":"PV_fields"}]}],`,
		"debian-pak64__vehicle.TB24.pak": `"parts":[],"images":[{"key":"emptyimage[s]","x":30,"y":34,"width":17,"height":15},`,
	} {
		var b strings.Builder
		if err := open(t, read(t, file)).DumpJSON(&b, archive.Everything); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s, %v: no %s in\n%s", file, err, want, b.String())
		}
	}
	var b strings.Builder
	if err := open(t, read(t, "wrapper__merged.pak")).DumpJSON(&b, archive.Everything); err != nil || !json.Valid([]byte("{"+b.String()+"}")) || strings.Count(b.String(), `"folder":`) != 2 {
		t.Errorf("%v: b.String() = %s; want no error, json.Valid([]byte(\"{\" + b.String() + \"}\")) = true, strings.Count(b.String(), `\"folder\":`) = 2", err, b.String())
	}
}

// A name that a file has in CP932 is asked for in letters.
func TestTextsAreShownInLetters(t *testing.T) {
	a := simutrans.New(node.New(&node.Node{Type: node.GOOD, Body: []byte{3, 0x80, 0, 0, 0, 0, 0, 0, 0, 0}, Children: []*node.Node{node.NewText("\x93\x64\x8e\xd4"), node.NewText("M\xfcller")}}))
	for path, want := range map[string]string{"name": "電車 \"電車\"", "001.TEXT/text": "Müller \"Müller\"", "copyright": "Müller \"Müller\""} {
		v, err := a.Get(path)
		if err != nil || v[0].Text+" "+string(v[0].JSON) != want {
			t.Errorf(`%s: v = %+v v[0].JSON = %s, err = %v; want no error, v[0].Text + " " + string(v[0].JSON) = %v`, path, v, v[0].JSON, err, want)
		}
	}
}
