package simutrans_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// drawn makes an image of the words, whose upper left corner is at x, y.
func drawn(x, y, w, h int, words ...uint16) *node.Node {
	n := image3(x, w, h, words...)
	n.Body[2], n.Body[3] = byte(y), byte(y>>8)
	return n
}

// One row of two pixels, and the same with the second in another colour.
var (
	twoPixels = []uint16{0, 2, 0x1111, 0x2222, 0}
	other     = []uint16{0, 2, 0x1111, 0x3333, 0}
)

// Differences of images are counted in the cell, regardless of the box.
func TestDiffOfImages(t *testing.T) {
	static := drawn(3, 4, 2, 1, twoPixels...)
	static.Body[9] = 0
	far := drawn(3, 32000, 2, 1, twoPixels...)
	for name, test := range map[string]struct {
		old, new *node.Node
		want     string
	}{
		"the same":           {drawn(3, 4, 2, 1, twoPixels...), drawn(3, 4, 2, 1, twoPixels...), ""},
		"another colour":     {drawn(3, 4, 2, 1, twoPixels...), drawn(3, 4, 2, 1, other...), "image[0] 1 "},
		"one to the right":   {drawn(3, 4, 2, 1, twoPixels...), drawn(4, 4, 2, 1, twoPixels...), "image[0] 3 "},
		"one to the left":    {drawn(3, 4, 2, 1, twoPixels...), drawn(2, 4, 2, 1, twoPixels...), "image[0] 3 "},
		"one down":           {drawn(3, 4, 2, 1, twoPixels...), drawn(3, 5, 2, 1, twoPixels...), "image[0] 4 "},
		"one up":             {drawn(3, 4, 2, 1, twoPixels...), drawn(3, 3, 2, 1, twoPixels...), "image[0] 4 "},
		"a pixel more":       {drawn(3, 4, 2, 1, twoPixels...), drawn(3, 4, 3, 1, 0, 3, 0x1111, 0x2222, 5, 0), "image[0] 1 "},
		"a row more":         {drawn(3, 4, 2, 1, twoPixels...), drawn(3, 4, 2, 2, append(slices.Clone(twoPixels), twoPixels...)...), "image[0] 2 "},
		"zooming":            {drawn(3, 4, 2, 1, twoPixels...), static, "image[0] 0 whether it may be zoomed"},
		"the old is damaged": {drawn(3, 4, 2, 1, 0, 9), drawn(3, 4, 2, 1, twoPixels...), "image[0] 0 it cannot be decoded"},
		"the new is damaged": {drawn(3, 4, 2, 1, twoPixels...), drawn(3, 4, 2, 1, 0, 9), "image[0] 0 it cannot be decoded"},
		"far to the right":   {drawn(-32000, 4, 2, 1, twoPixels...), drawn(32000, -32000, 2, 1, twoPixels...), "image[0] 0 it is somewhere else"},
		"far below":          {drawn(3, 4, 2, 1, twoPixels...), far, "image[0] 4 "},
	} {
		d := simutrans.Diff([]*node.Node{symbol(test.old)}, []*node.Node{symbol(test.new)})
		var got string
		for _, d := range d {
			for _, i := range d.Images {
				got += fmt.Sprint(i.Key, " ", i.Pixels, " ", i.Note)
			}
			if len(d.Fields) != 0 {
				t.Errorf("%s: fields %+v", name, d.Fields)
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Added, removed and changed nodes, and the words of the report.
func TestDiffOfNodes(t *testing.T) {
	const file = "debian-pak64__vehicle.TB24.pak"
	set := func(field, value string) func(*node.Node) {
		return func(n *node.Node) {
			d, err := object.Decode(n)
			if err == nil {
				err = d.Set(field, value)
			}
			if err == nil {
				n.Body, err = d.Encode()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range map[string]struct {
		change func(*node.Node)
		want   string
	}{
		"a field": {set("topspeed", "55"), "changed vehicle.TB24/topspeed: 54, 55"},
		"a text":  {func(n *node.Node) { n.SetCopyright("me") }, "changed vehicle.TB24/001.TEXT/text: RK, me"},
		"a reference": {func(n *node.Node) {
			n.Children[2] = node.NewXref(node.Xref{Type: node.GOOD, Fatal: true, Name: "Post"})
		},
			"changed vehicle.TB24/002.XREF/name: Passagiere, Post"},
		"a node less":     {func(n *node.Node) { n.Children = n.Children[:9] }, "changed vehicle.TB24/children: 10, 9"},
		"another node":    {func(n *node.Node) { n.Children[9] = node.NewText("x") }, "changed vehicle.TB24/009.XREF/type: XREF, TEXT"},
		"an image less":   {func(n *node.Node) { n.Children[4].Children = n.Children[4].Children[:3] }, "changed vehicle.TB24/004.IMG1/children: 4, 3; removed vehicle.TB24/images/emptyimage[se]: an image, "},
		"a body too long": {func(n *node.Node) { n.Body = n.Body[:9] }, "changed vehicle.TB24/body: 41 bytes, 9 bytes"},
		"another name":    {func(n *node.Node) { n.SetName("New") }, "added vehicle.New: , an object; removed vehicle.TB24: an object, "},
		"zooming": {func(n *node.Node) { n.Children[4].Children[0].Body[9] = 0 },
			"changed vehicle.TB24/images/emptyimage[s]: an image, differs in 0 pixels; whether it may be zoomed"},
	} {
		t.Run(name, func(t *testing.T) {
			a, n := open(t, read(t, file)), clone(t, file)
			test.change(n)
			told := func(from, to *simutrans.Archive) string {
				changes, ok, err := from.DiffValues(to)
				if err != nil || !ok {
					t.Fatalf("err = %v; want no error, ok = true", err)
				}
				var lines []string
				for _, c := range changes {
					lines = append(lines, fmt.Sprintf("%s %s: %s, %s", c.Kind, c.Path, c.Old, c.New))
				}
				return strings.Join(lines, "; ")
			}
			b := simutrans.New(node.New(n))
			// An object that is not whole has its images under other names.
			if got := told(a, b); got != test.want && !strings.HasPrefix(got, test.want+"; removed vehicle.TB24/images/emptyimage[s]") {
				t.Errorf("%s: %q, want %q", name, got, test.want)
			}
			if back := told(b, a); strings.HasSuffix(test.want, "emptyimage[se]: an image, ") && !strings.HasSuffix(back, "added vehicle.TB24/images/emptyimage[se]: , an image") {
				t.Errorf("%s, the other way round: %q", name, back)
			}
		})
	}
}

// An object of another version has other fields.
func TestDiffOfVersions(t *testing.T) {
	older := &node.Node{Type: node.GOOD, Body: []byte{1, 0x80, 5, 0, 2, 0, 10, 0}, Children: []*node.Node{node.NewText("Coal"), node.NewText("")}}
	newer := older.Clone()
	newer.Body = []byte{3, 0x80, 5, 0, 2, 0, 10, 0, 7, 99}
	d := simutrans.Diff([]*node.Node{older}, []*node.Node{newer})
	if len(d) != 1 {
		t.Fatalf("d = %v; want d of length 1", d)
	}
	var got []string
	for _, f := range d[0].Fields {
		if f.Node != "000.GOOD" {
			t.Errorf(`f = %+v; want f.Node = "000.GOOD"`, f)
		}
		got = append(got, f.Field+" "+f.Old+" "+f.New)
	}
	if !slices.Contains(got, "version 1 3") || !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, "  99") }) || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "value") }) {
		t.Errorf("got = %q", got)
	}
}

// Each value is found under each of its names.
func TestGet(t *testing.T) {
	vehicle, factory := "debian-pak64__vehicle.TB24.pak", "debian-pak64__factory.Raffinerie.pak"
	for _, test := range []struct{ file, path, at, text, json string }{
		{vehicle, "topspeed", "vehicle.TB24/topspeed", "54", "54"},
		{vehicle, "vehicle.TB24/topspeed", "vehicle.TB24/topspeed", "54", "54"},
		{vehicle, "000.VHCL/topspeed", "vehicle.TB24/topspeed", "54", "54"},
		{vehicle, "waytype", "vehicle.TB24/waytype", "tram_track", "7"},
		{vehicle, "002.XREF/name", "vehicle.TB24/002.XREF/name", "Passagiere", `"Passagiere"`},
		{vehicle, "name", "vehicle.TB24/name", "TB24", `"TB24"`},
		{vehicle, "refers_to_good", "vehicle.TB24/refers_to_good", "Passagiere", `["Passagiere"]`},
		{factory, "building_level", "factory.Raffinerie/building_level", "1", "1"},
		{factory, "000.BUIL/level", "factory.Raffinerie/000.BUIL/level", "1", "1"},
		{factory, "000.BUIL/002.TILE/index", "factory.Raffinerie/000.BUIL/002.TILE/index", "0", "0"},
		{factory, "intro_year", "factory.Raffinerie/intro_year", "1865", "1865"},
		{factory, "needs_ground", "factory.Raffinerie/needs_ground", "0", "0"},
		{factory, "mapcolor", "factory.Raffinerie/mapcolor", "58", "58"},
	} {
		v, err := open(t, read(t, test.file)).Get(test.path)
		if err != nil || len(v) != 1 || v[0].Path != test.at || v[0].Text != test.text || string(v[0].JSON) != test.json {
			t.Errorf("%s: v = %+v v = %s, err = %v; want no error, v of length 1, v[0].Path = %v, v[0].Text = %v, v[0].JSON = %v", test.path, v, v, err, test.at, test.text, test.json)
		}
	}
	merged := open(t, read(t, "wrapper__merged.pak"))
	if v, err := merged.Get("vehicle.test2/name"); err != nil || v[0].Text != "test2" {
		t.Errorf(`v = %+v, err = %v; want no error, v[0].Text = "test2"`, v, err)
	}
	for _, test := range []struct {
		a             *simutrans.Archive
		path, message string
		near          []string
	}{
		{open(t, read(t, vehicle)), "topsped", "value not found; there are price, capacity,", []string{"vehicle.TB24/topspeed"}},
		{open(t, read(t, vehicle)), "004.IMG1/cuont", "value not found; there are count, reserved", []string{"vehicle.TB24/004.IMG1/count"}},
		{open(t, read(t, vehicle)), "000.TEXT/txet", "value not found; there are text", []string{"vehicle.TB24/000.TEXT/text"}},
		{open(t, read(t, vehicle)), "004.IMG1/name", "value not found; there are count, reserved", nil},
		{open(t, read(t, vehicle)), "012.IMG1/count", "there is no such node", nil},
		{open(t, read(t, vehicle)), "004.IMG1/building_level", "value not found; there are count, reserved", nil},
		{open(t, read(t, factory)), "extra_data", "value not found; there are placement", nil},
		{open(t, read(t, factory)), "building_nosuch", "value not found; there are placement", nil},
		{merged, "name", "the file has 2 objects; say which one, as in citycar.test1/FIELD", nil},
		{merged, "vehicle.test2", "the file has 2 objects; say which one, as in citycar.test1/FIELD", nil},
		{simutrans.New(node.New()), "name", "the file has 0 objects; say which one, as in TYPE.NAME/FIELD", nil},
	} {
		_, err := test.a.Get(test.path)
		var e *archive.ValueError
		if !errors.As(err, &e) || !strings.Contains(e.Message, test.message) || !slices.Equal(e.Near, test.near) || e.Missing != strings.Contains(test.message, "there are") {
			t.Errorf(`%s: e = %+v; want err of the type of e, e.Message with %q, e.Near equal to %v, e.Missing = strings.Contains(test.message, "there are")`, test.path, e, test.message, test.near)
		}
		if _, err := test.a.Set([]archive.Assignment{{Path: test.path, Value: "1"}}); !errors.As(err, &e) {
			t.Errorf("test.path = %s=1: err = %v; want err of the type of e", test.path, err)
		}
	}
}

// Setting a value reports the bytes that change in the file, and changes no others;
// the archive itself stays unchanged.
func TestSet(t *testing.T) {
	const file = "debian-pak64__vehicle.TB24.pak"
	a := open(t, read(t, file))
	for _, test := range []struct{ path, value, part, place, old, new string }{
		{"topspeed", "55", "body of VHCL", "vehicle.TB24/topspeed", "54 km/h", "55 km/h"},
		{"topspeed", "310", "body of VHCL", "vehicle.TB24/topspeed", "54 km/h", "310 km/h"},
		{"copyright", "RKx", "body of TEXT", "vehicle.TB24/001.TEXT/text", "RK", "RKx"},
		{"copyright", "", "body of TEXT", "vehicle.TB24/001.TEXT/text", "RK", ""},
		{"002.XREF/name", "Post", "body of XREF", "vehicle.TB24/002.XREF/name", "Passagiere", "Post"},
		{"speed", "60", "body of VHCL", "vehicle.TB24/speed", "", ""},
	} {
		r, err := a.Set([]archive.Assignment{{Path: test.path, Value: test.value}})
		if err != nil || len(r.Changes) != 1 {
			t.Errorf("test.path = %s=test.value = %s: r = %+v, err = %v; want no error, r.Changes of length 1", test.path, test.value, r, err)
			continue
		}
		c := r.Changes[0]
		if c.Part != test.part || c.Place != test.place || c.OldText != test.old || c.NewText != test.new {
			t.Errorf("test.path = %s=test.value = %s: c = %+v; want c.Part = %v, c.Place = %v, c.OldText = %v, c.NewText = %v", test.path, test.value, c, test.part, test.place, test.old, test.new)
		}
		// The reported bytes make the one body equal to the other, and no shorter range
		// does.
		at, _, _ := strings.Cut(strings.TrimPrefix(c.Place, "vehicle.TB24/"), "/")
		if !strings.Contains(at, ".") {
			at = ""
		}
		before, err := a.File.Root.Children[0].At(at)
		if err != nil {
			t.Fatal(err)
		}
		after, err := open(t, r.Data).File.Root.Children[0].At(at)
		if err != nil {
			t.Fatal(err)
		}
		made := string(before.Body[:c.Offset]) + string(c.New) + string(before.Body[int(c.Offset)+len(c.Old):])
		if made != string(after.Body) {
			t.Errorf("%s=%s: %+v makes %q, the body is %q", test.path, test.value, c, made, after.Body)
		}
		if o, n := c.Old, c.New; len(o) > 0 && len(n) > 0 && (o[0] == n[0] || o[len(o)-1] == n[len(n)-1]) {
			t.Errorf("%s=%s: %+v is longer than needed", test.path, test.value, c)
		}
		if old, err := open(t, read(t, file)).Get(test.path); err != nil {
			t.Error(err)
		} else if now, err := a.Get(test.path); err != nil || now[0].Text != old[0].Text {
			t.Errorf("%s=%s: the open archive has changed", test.path, test.value)
		}
	}
	for path, message := range map[string]string{
		"name": "an object is renamed by moving its folder", "bytes": "follows from other values",
		"next": "determines the nodes", "004.IMG1/count": "determines the nodes",
		"refers_to_good": "follows from other values", "topspeed": "99999999",
	} {
		_, err := a.Set([]archive.Assignment{{Path: path, Value: "99999999"}})
		var e *archive.ValueError
		if !errors.As(err, &e) || !strings.Contains(e.Message, message) {
			t.Errorf("%s: err = %v; want err of the type of e, e.Message with %q", path, err, message)
		}
	}
	good := &node.Node{Type: node.GOOD, Body: []byte{1, 0x80, 5, 0, 2, 0, 10, 0}, Children: []*node.Node{node.NewText("Coal")}}
	if _, err := simutrans.New(node.New(good)).Set([]archive.Assignment{{Path: "copyright", Value: "me"}}); err == nil || !strings.Contains(err.Error(), "no place for it") {
		t.Errorf("a copyright without a text: %v", err)
	}
	// A field of a factory's building.
	factory := open(t, read(t, "debian-pak64__factory.Raffinerie.pak"))
	if r, err := factory.Set([]archive.Assignment{{Path: "building_chance", Value: "50"}}); err != nil || len(r.Changes) != 1 || r.Changes[0].Place != "factory.Raffinerie/000.BUIL/chance" {
		t.Errorf(`r = %+v, err = %v; want no error, r.Changes of length 1, r.Changes[0].Place = "factory.Raffinerie/000.BUIL/chance"`, r, err)
	}
	// Two values of one object, and one of another.
	merged := open(t, read(t, "wrapper__merged.pak"))
	r, err := merged.Set([]archive.Assignment{{Path: "vehicle.test2/topspeed", Value: "11"}, {Path: "citycar.test1/copyright", Value: "a"}, {Path: "vehicle.test2/weight", Value: "12"}})
	if err != nil || len(r.Changes) != 3 {
		t.Fatalf("r = %v, err = %v; want no error, r.Changes of length 3", r, err)
	}
	for path, want := range map[string]string{"vehicle.test2/topspeed": "11", "citycar.test1/copyright": "a", "vehicle.test2/weight": "12"} {
		if v, err := open(t, r.Data).Get(path); err != nil || v[0].Text != want {
			t.Errorf("%s: v = %+v, err = %v; want no error, v[0].Text = %v", path, v, err, want)
		}
	}
}

// The images that an object's folder has: those with pixels, each key once.
func TestImagesOfTheFolder(t *testing.T) {
	files := func(n *node.Node) (list []string) {
		for _, e := range simutrans.New(node.New(n)).Entries() {
			if strings.HasSuffix(e.Name, ".png") {
				list = append(list, strings.TrimPrefix(e.Name, "symbol.a/"))
			}
		}
		return list
	}
	pixels := func() *node.Node { return drawn(3, 4, 2, 1, twoPixels...) }
	for want, n := range map[string]*node.Node{
		"[]":                                  symbol(drawn(0, 0, 0, 0)),
		"[symbol_a.png]":                      symbol(drawn(1, 0, 0, 0)),
		"[symbol_a.png ]":                     symbol(drawn(0, 1, 0, 0)),
		"[symbol_a.png images/image[0].png]":  symbol(pixels()),
		"[symbol_a.png images/image[0].png ]": symbol(drawn(0, 0, 2, 1, twoPixels...)),
		"[symbol_a.png images/image[1].png images/image[2].png]": symbol(drawn(0, 0, 0, 0), pixels(), pixels()),
	} {
		if got := fmt.Sprint(files(n)); got != strings.ReplaceAll(want, " ]", "]") {
			t.Errorf("%s, want %s", got, want)
		}
		a := simutrans.New(node.New(n))
		var b strings.Builder
		if err := a.DumpJSON(&b, archive.Everything); err != nil || strings.Count(b.String(), `"key":"image[`) != strings.Count(want, "images/") {
			t.Errorf("%s: b.String() = %s, err = %v; want no error, strings.Count(b.String(), `\"key\":\"image[`) = strings.Count(want, \"images/\")", want, b.String(), err)
		}
		if got := a.Groups()[0].Summary[3]; got.Name != "images" || got.Value != int64(strings.Count(want, "images/")) {
			t.Errorf(`%s: got = %+v; want got.Name = "images", got.Value = int64(strings.Count(want, "images/"))`, want, got)
		}
	}
}

// A picture that is put takes the place of an image, in the cell too.
func TestPutImage(t *testing.T) {
	const file, key = "debian-pak64__vehicle.TB24.pak", "vehicle.TB24/images/emptyimage[sw].png"
	data := read(t, file)
	red := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for i := range 6 {
		red.Set(i%3, i/3, color.NRGBA{255, 0, 0, 255})
	}
	var b strings.Builder
	if err := png.Encode(&b, red); err != nil {
		t.Fatal(err)
	}
	a, _, err := edit(t, data, put(key, []byte(b.String())))
	if err != nil {
		t.Fatal(err)
	}
	before, after := open(t, data).File.Root.Children[0].Children[4], a.File.Root.Children[0].Children[4]
	changed := -1
	for i := range after.Children {
		if !after.Children[i].Equal(before.Children[i]) {
			changed = i
		}
	}
	if changed < 0 || string(after.Children[changed].Body[:4]) != string(before.Children[changed].Body[:4]) {
		t.Fatalf("image %d: %v", changed, after.Children)
	}
	if f, err := a.Open(key); err != nil {
		t.Error(err)
	} else if m, err := png.Decode(f); err != nil || m.Bounds() != red.Bounds() || !sameColour(m.At(1, 1), red.At(1, 1)) {
		t.Errorf("m = %v, err = %v; want no error, m.Bounds() = red.Bounds(), sameColour(m.At(1, 1), red.At(1, 1)) = true", m, err)
	}
	var problem *fault.Error
	for name, content := range map[string]string{
		key:                                   "no picture",
		"vehicle.TB24/images/none.png":        b.String(),
		"vehicle.TB24/nodes/000.VHCL.txt":     "x",
		"vehicle.TB24/nodes/000.VHCL/99.body": "x",
		"vehicle.TB24/else.png":               b.String(),
		"vehicle.TB24/vehicle_TB24.png":       "no picture",
		"vehicle.TB24/object.pak":             "no object",
		"vehicle.TB24/object.dat":             "obj=nothing\nname=x\n",
		"vehicle.TB24/readme.txt":             "x",
		"vehicle.Other/images/a.png":          b.String(),
		"other.pak":                           "no object",
		"../other.pak":                        "x",
	} {
		_, _, err := edit(t, data, put(name, []byte(content)))
		if err == nil || !errors.As(err, &problem) && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: err = %v; want an error, (err of the type of problem or err matching fs.ErrNotExist)", name, err)
		}
	}
	// A file that cannot be opened or read is an error with the reason.
	gone := archive.Item{Name: "a.pak", Size: 1, Open: func() (io.ReadCloser, error) { return nil, fs.ErrPermission }}
	if _, _, err := create(t, gone); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("err = %v; want err matching fs.ErrPermission", err)
	}
}

// sameColour: colours have five bits each in an object file.
func sameColour(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	s, h, cl, _ := b.RGBA()
	return r>>13 == s>>13 && g>>13 == h>>13 && bl>>13 == cl>>13
}

// An object that is renamed is renamed wherever its name stands: in what
// refers to it, and in its own cursor.
func TestRenameFollows(t *testing.T) {
	texts := func(name string) []*node.Node { return []*node.Node{node.NewText(name), node.NewText("")} }
	refers := func(to node.Xref) *node.Node {
		return &node.Node{Type: node.VHCL, Children: append(texts("by "+to.Type.Name()), node.NewXref(to))}
	}
	target := &node.Node{Type: node.BRDG, Children: append(texts("Old"),
		&node.Node{Type: node.CURS, Children: texts("Old")}, &node.Node{Type: node.CURS, Children: texts("Own")})}
	file := node.New(target, refers(node.Xref{Type: node.BRDG, Name: "Old"}), refers(node.Xref{Type: node.WAY, Name: "Old"}))
	data, err := file.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := edit(t, data, archive.Edit{Rename: &archive.Rename{From: "bridge.Old", To: "bridge.New"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(a); got != "bridge.New vehicle.by bridge vehicle.by way" {
		t.Errorf(`got = %v; want "bridge.New vehicle.by bridge vehicle.by way"`, got)
	}
	root := a.File.Root
	if cursors := root.Children[0].Children[2:]; cursors[0].Name() != "New" || cursors[1].Name() != "Own" {
		t.Errorf("the cursors are %q and %q", cursors[0].Name(), cursors[1].Name())
	}
	for i, want := range map[int]string{1: "New", 2: "Old"} {
		if x, _ := root.Children[i].Children[2].Xref(); x.Name != want {
			t.Errorf("%s refers to %q", root.Children[i].Name(), x.Name)
		}
	}
	for _, r := range []archive.Rename{{From: "bridge.Old", To: "way.New"}, {From: "bridge.Old", To: "bridge."}, {From: "bridge.Old/nodes", To: "bridge.Old/other"}, {From: "bridge.Old/object.pak", To: "bridge.New/object.pak"}} {
		if _, _, err := edit(t, data, archive.Edit{Rename: &r}); fault.KindOf(err) == "" {
			t.Errorf(`%+v: err = %v; want err of a kind other than none`, r, err)
		}
	}
	if _, ok := a.Find("bridge.Old"); ok {
		t.Error("the old name is found")
	}
}

// A folder has a name that every system and terminal can stand.
func TestFolderNames(t *testing.T) {
	for name, want := range map[string]string{
		"plain": "good.plain", "two words": "good.two words", "a\x1fb\x7fc": "good.a_b_c", "a\nb": "good.a_b", "Stra\xdfe": "good.Straße", "~": "good.~",
	} {
		n := &node.Node{Type: node.GOOD, Children: []*node.Node{node.NewText(name)}}
		if got := simutrans.FolderName(n); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// closing counts what is open.
type closing struct {
	io.Reader
	open *int
}

func (c closing) Close() error { *c.open--; return nil }

// Every item of Put is closed, and cancelled work is not done.
func TestPutClosesAndStops(t *testing.T) {
	data, left := read(t, "debian-pak64__good.None.pak"), 0
	i := item("a.pak", data)
	i.Open = func() (io.ReadCloser, error) { left++; return closing{strings.NewReader(string(data)), &left}, nil }
	if _, got, err := create(t, i); err != nil || left != 0 || string(got) != string(data) {
		t.Errorf("%d left open, %v", left, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped := func(stage *archive.Stage) error {
		return simutrans.Format{}.Create(ctx, stage, []archive.Item{i}, archive.CreateOptions{})
	}
	if _, _, err := staged(t, stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	for name, value := range map[string]string{"cell": "x", "target": "nobody"} {
		_, _, err := staged(t, func(stage *archive.Stage) error {
			return open(t, data).Edit(context.Background(), stage, nil, archive.CreateOptions{Params: map[string]string{name: value}})
		})
		var e *archive.ParamError
		if !errors.As(err, &e) || e.Name != name || e.Value != value {
			t.Errorf("name = %s=value = %s: err = %v; want err of the type of e, e.Name = %v, e.Value = %v", name, value, err, name, value)
		}
	}
}
