package check_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

// compiled are the objects of a source.
func compiled(t *testing.T, source string) []*node.Node {
	t.Helper()
	c, err := compile.NewCompiler("", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Source("set.dat", t.TempDir(), []byte(source))
	if s.Failed() {
		t.Fatalf("s.Problems = %v; want s.Failed() = false", s.Problems)
	}
	var nodes []*node.Node
	for _, o := range s.Objects {
		nodes = append(nodes, o.Node)
	}
	return nodes
}

// found is what the rules say of objects: rule, object, message.
func found(rule string, nodes ...*node.Node) string {
	set := &check.Set{}
	for i, n := range nodes {
		set.Add(n, string(rune('a'+i))+".pak")
	}
	var lines []string
	for _, f := range set.Run(nil) {
		if f.Rule == rule {
			lines = append(lines, string(f.Severity)+" "+f.Entry+": "+f.Message)
		}
	}
	return strings.Join(lines, "\n")
}

func vehicle(lines ...string) string {
	return "obj=vehicle\nwaytype=road\n" + strings.Join(lines, "\n") + "\n---\n"
}

func good(name, category string) string {
	return "obj=good\nname=" + name + "\ncatg=" + category + "\n---\n"
}

// part is a node with references to goods.
func part(typ node.Type, goods ...string) *node.Node {
	n := &node.Node{Type: typ}
	for _, g := range goods {
		n.Children = append(n.Children, node.NewXref(node.Xref{Type: node.GOOD, Name: g}))
	}
	return n
}

func named(typ node.Type, name string, children ...*node.Node) *node.Node {
	return &node.Node{Type: typ, Children: append([]*node.Node{node.NewText(name), node.NewText("")}, children...)}
}

// pixel is an image of a pixel, w to the right of its cell's edge.
func pixel(w byte) *node.Node {
	return &node.Node{Type: node.IMG, Body: []byte{w, 0, 0, 0, 1, 0, 3, 1, 0, 1, 0, 0, 1, 0, 7, 0, 0, 0}}
}

func empty() *node.Node {
	return &node.Node{Type: node.IMG, Body: []byte{0, 0, 0, 0, 0, 0, 3, 0, 0, 1}}
}

func list(images ...*node.Node) *node.Node {
	return &node.Node{Type: node.IMG1, Body: []byte{byte(len(images)), 0, 0, 0}, Children: images}
}

// A vehicle that may follow another must be allowed there, if the other restricts
// its followers. A missing vehicle is reported by another rule.
func TestCouplings(t *testing.T) {
	for source, want := range map[string]string{
		vehicle("name=A", "constraint[next][0]=B") + vehicle("name=B", "constraint[prev][0]=A"):                                                                          "",
		vehicle("name=A", "constraint[next][0]=B") + vehicle("name=B"):                                                                                                   "",
		vehicle("name=A") + vehicle("name=B", "constraint[prev][0]=A"):                                                                                                   "",
		vehicle("name=A", "constraint[next][0]=any") + vehicle("name=B", "constraint[prev][0]=A"):                                                                        "",
		vehicle("name=A", "constraint[next][0]=Gone", "constraint[next][1]=B") + vehicle("name=B", "constraint[prev][0]=C") + vehicle("name=C", "constraint[next][0]=B"): "warning vehicle.A: B may follow it, but not the other way round",
		vehicle("name=B", "constraint[prev][0]=Gone", "constraint[prev][1]=A") + vehicle("name=A", "constraint[next][0]=C") + vehicle("name=C", "constraint[prev][0]=A"): "warning vehicle.B: it may follow A, but not the other way round",
	} {
		if got := found("coupling", compiled(t, source)...); got != want {
			t.Errorf("%s\n%q, want %q", source, got, want)
		}
	}
}

// TestLengths: only vehicles that always run together can differ by mistake.
func TestLengths(t *testing.T) {
	front, behind := vehicle("name=A", "length=8", "constraint[next][0]=B"), vehicle("name=B", "length=5", "constraint[prev][0]=A")
	for source, want := range map[string]string{
		front + behind: "note vehicle.A: its length is 8 and that of B, which always follows, is 5: there is a gap or an overlap between them unless the images are moved",
		front + strings.Replace(behind, "length=5", "length=8", 1):                   "",
		front + vehicle("name=B", "length=5"):                                        "",
		vehicle("name=A", "constraint[next][0]=B", "constraint[next][1]=C") + behind: "",
		vehicle("name=A", "length=8", "constraint[next][0]=Gone") + behind:           "",
		vehicle("name=A", "constraint[next][0]=A", "constraint[prev][0]=A"):          "",
	} {
		if got := found("length", compiled(t, source)...); got != want {
			t.Errorf("%s\n%q, want %q", source, got, want)
		}
	}
}

// Goods are made, needed and carried: the last also by whoever carries another
// of the category, but 0 is not a category.
func TestGoods(t *testing.T) {
	factory := named(node.FACT, "Mine", part(node.FPRO, "Coal", "Ore"), part(node.FSUP, "Coal", "Wood"))
	nodes := compiled(t, good("Coal", "3")+good("Ore", "3")+good("Wood", "4")+good("Oil", "0")+good("Gas", "0")+good("Passagiere", "1")+good("Post", "2")+
		vehicle("name=Truck", "freight=Ore")+vehicle("name=Tank", "freight=Oil"))
	want := strings.Join([]string{
		"note good.Ore: no factory needs it", "note good.Wood: no factory makes it", "warning good.Wood: no vehicle carries it",
		"note good.Oil: no factory makes it", "note good.Oil: no factory needs it",
		"note good.Gas: no factory makes it", "note good.Gas: no factory needs it", "warning good.Gas: no vehicle carries it",
	}, "\n")
	got := found("goods", append(nodes, factory)...)
	var lines []string
	for line := range strings.SplitSeq(got, "\n") {
		if !strings.Contains(line, "good.Pas") && !strings.Contains(line, "good.Post") {
			lines = append(lines, line)
		} else if !strings.Contains(line, "carries") {
			t.Errorf("cities make and need it: %s", line)
		}
	}
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDates(t *testing.T) {
	for dates, want := range map[string]string{
		"intro_year=1950\nretire_year=1950": "warning vehicle.A: it is introduced in 1950-01 and retires in 1950-01, so it is never available",
		"intro_year=1950\nretire_year=1951": "",
		"retire_year=1900":                  "",
	} {
		got := found("dates", compiled(t, vehicle("name=A", dates))...)
		if want == "" && dates == "retire_year=1900" {
			continue // whatever the default of the introduction is
		}
		if got != want {
			t.Errorf("%s: %q, want %q", dates, got, want)
		}
	}
}

func TestDirections(t *testing.T) {
	for _, test := range []struct {
		typ    node.Type
		images []*node.Node
		want   string
	}{
		{node.VHCL, []*node.Node{pixel(0), pixel(0), pixel(0), pixel(0)}, ""},
		{node.VHCL, []*node.Node{empty(), empty(), empty(), empty()}, "warning vehicle.A: it has no image, so it is invisible"},
		{node.VHCL, []*node.Node{pixel(0), pixel(0), pixel(0), empty()}, "warning vehicle.A: 1 of 4 directions have no image, so it is invisible there"},
		{node.VHCL, []*node.Node{pixel(0), pixel(0)}, "warning vehicle.A: it has images for 2 directions, so it is invisible in the others"},
		{node.VHCL, []*node.Node{pixel(0), pixel(0), pixel(0), pixel(0), pixel(0), pixel(0), pixel(0), pixel(0)}, ""},
		{node.CCAR, []*node.Node{pixel(0), empty()}, "warning citycar.A: 1 of 2 directions have no image, so it is invisible there"},
		{node.PASS, []*node.Node{pixel(0), pixel(0)}, ""},
		{node.TREE, []*node.Node{pixel(0), empty()}, ""},
		{node.VHCL, nil, "warning vehicle.A: it has no image, so it is invisible"},
	} {
		if got := found("directions", named(test.typ, "A", list(test.images...))); got != test.want {
			t.Errorf("%s with %d images: %q, want %q", test.typ, len(test.images), got, test.want)
		}
	}
}

func TestSeasons(t *testing.T) {
	tile := func(images ...*node.Node) *node.Node {
		n := &node.Node{Type: node.TILE}
		for _, i := range images {
			n.Children = append(n.Children, &node.Node{Type: node.IMG2, Body: []byte{1, 0, 0, 0}, Children: []*node.Node{list(i)}})
		}
		return n
	}
	for want, n := range map[string]*node.Node{
		"": named(node.BUIL, "A", tile(pixel(0), empty(), empty(), pixel(0)), tile(empty(), empty())),
		"warning building.A: tile 1 has no image in season 0, 2": named(node.BUIL, "A", tile(pixel(0), empty()), tile(empty(), empty(), pixel(0), empty(), empty(), empty(), pixel(0), empty())),
	} {
		if got := found("seasons", n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The size of a cell is derived from the ground outside the map.
func TestOutside(t *testing.T) {
	outside := named(node.GRND, "Outside", &node.Node{Type: node.IMG2, Body: []byte{1, 0, 0, 0}, Children: []*node.Node{list(pixel(63))}})
	broken := &node.Node{Type: node.IMG, Body: []byte{0, 0, 0, 0, 0, 0, 9}}
	place := func(x, y int16) *node.Node {
		n := pixel(0)
		n.Body[0], n.Body[1], n.Body[2], n.Body[3] = byte(x), byte(uint16(x)>>8), byte(y), byte(uint16(y)>>8)
		return n
	}
	tree := func(images ...*node.Node) *node.Node {
		return named(node.TREE, "A", &node.Node{Type: node.IMG2, Body: []byte{1, 0, 0, 0}, Children: []*node.Node{list(images...)}})
	}
	const one = "note tree.A: 1 images reach out of the cell of 64 pixels, the first is image[2][0][0]"
	for _, test := range []struct {
		n    *node.Node
		want string
	}{
		{tree(place(63, 63)), ""}, {tree(place(0, -64)), ""},
		{tree(place(64, 0)), one}, {tree(place(0, 64)), one}, {tree(place(-1, 0)), one}, {tree(place(0, -65)), one},
		{named(node.SYMB, "A", list(place(64, 0))), ""},
	} {
		if got := found("outside", outside, test.n); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if got := found("outside", test.n); got != "" {
			t.Errorf("without a ground: %q", got)
		}
	}
	if got := found("outside", outside, tree(broken)); !strings.HasPrefix(got, "error tree.A: image[2][0][0]: version at 0x") {
		t.Errorf(`got = %q; want got beginning with "error tree.A: image[2][0][0]: version at 0x"`, got)
	}
}

func TestDuplicatesAndCases(t *testing.T) {
	a, b := named(node.SMOK, "Steam"), named(node.SMOK, "Steam")
	other := named(node.SMOK, "Steam")
	other.Children[1] = node.NewText("me")
	if got := found("duplicate", a, b, other); got != "note smoke.Steam: there is the same one in a.pak\nwarning smoke.Steam: there is another one in a.pak" {
		t.Errorf("got = %q; want \"note smoke.Steam: there is the same one in a.pak\\nwarning smoke.Steam: there is another one in a.pak\"", got)
	}
	if got := found("case", a, named(node.SMOK, "STEAM"), named(node.TREE, "steam"), named(node.SMOK, "steam")); got != "warning smoke.STEAM: its name differs only in case from Steam in a.pak\nwarning smoke.steam: its name differs only in case from Steam in a.pak" {
		t.Errorf("got = %q; want \"warning smoke.STEAM: its name differs only in case from Steam in a.pak\\nwarning smoke.steam: its name differs only in case from Steam in a.pak\"", got)
	}
	// A reference is reported once, and the game defines some targets itself.
	x := node.NewXref(node.Xref{Type: node.SMOK, Name: "Gone"})
	refs := named(node.VHCL, "A", x, x.Clone(), node.NewXref(node.Xref{Type: node.VHCL, Name: "ANY"}), node.NewXref(node.Xref{Type: node.GOOD, Name: "None", Fatal: true}), node.NewXref(node.Xref{Type: node.GOOD}))
	if got := found("dangling", refs); got != `warning vehicle.A: it wants the smoke "Gone", which is not there` {
		t.Errorf("got = %q; want `warning vehicle.A: it wants the smoke \"Gone\", which is not there`", got)
	}
}

// An unreadable file is a finding with its name, and the others are checked.
func TestBrokenFiles(t *testing.T) {
	whole, err := node.New(named(node.SMOK, "Steam"), &node.Node{Type: node.VHCL, Body: []byte{11, 0x80, 1}, Children: []*node.Node{node.NewText("Bus")}}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := check.LoadFiles(context.Background(), []string{"a.pak", "b.pak", "c.pak"}, func(name string) ([]byte, error) {
		switch name {
		case "a.pak":
			return nil, errors.New("no permission")
		case "b.pak":
			return []byte("text"), nil
		}
		return whole, nil
	})
	if err != nil || len(set.Objects) != 1 || set.Objects[0].Name != "Steam" {
		t.Fatalf(`set = %v, err = %v; want no error, set.Objects of length 1, set.Objects[0].Name = "Steam"`, set, err)
	}
	var got []string
	for _, f := range set.Run(nil) {
		got = append(got, f.String())
	}
	want := []string{
		"a.pak: error: broken: no permission",
		"b.pak: error: broken: banner at 0x0: no 0x1A ends the text an object file begins with (compile it again)",
		"c.pak: error: broken: vehicle.Bus: price at 0x",
	}
	for i := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%q, want %q", got, want[i])
		}
	}
	if _, err := check.Load(context.Background(), []string{t.TempDir() + "/none"}, nil); err == nil {
		t.Error("a folder that is not there is checked")
	}
}

func TestConfigSaysWhichLine(t *testing.T) {
	for text, want := range map[string]string{
		"# a\n\ncase *": "line 3: ", "case * off\ncase * loud": "line 2: ", "x * off": `line 1: unknown rule "x"`, "case [ off": "line 1: ", "broken * note\n* * off # all": "",
	} {
		_, err := check.ParseConfig(strings.NewReader(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A train needs a front and an end that the constraints allow.
func TestTrains(t *testing.T) {
	for _, test := range []struct {
		vehicles string
		want     string
	}{
		{vehicle("name=A", ""), ""},
		{vehicle("name=A", "constraint[next][0]=B") + vehicle("name=B", "constraint[prev][0]=A"), ""},
		{vehicle("name=A", "constraint[next][0]=B") + vehicle("name=B", "constraint[prev][0]=A\nconstraint[next][0]=B"),
			"warning vehicle.A: no train with it has an end: the constraints never allow one\nwarning vehicle.B: no train with it has an end: the constraints never allow one"},
		{vehicle("name=A", "constraint[next][0]=B") + vehicle("name=B", "constraint[prev][0]=A\nconstraint[next][0]=B\nconstraint[next][1]=none"), ""},
		{vehicle("name=A", "constraint[prev][0]=A"), "warning vehicle.A: no train with it has a front: the constraints never allow one"},
		{vehicle("name=A", "constraint[prev][0]=missing"), ""},
	} {
		if got := found("train", compiled(t, test.vehicles)...); got != test.want {
			t.Errorf("%s: %q, want %q", test.vehicles, got, test.want)
		}
	}
}
