package pin_test

import (
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/node"
	"pakbox/simutrans/pin"
)

func image(string) *node.Node { return &node.Node{Type: node.IMG, Body: []byte{1}} }

func vehicle() *node.Node {
	return &node.Node{Type: node.VHCL, Children: []*node.Node{
		node.NewText("a"), node.NewXref(node.Xref{Type: node.VHCL}), node.NewXref(node.Xref{Type: node.GOOD, Name: "x", Fatal: true}),
	}}
}

// apply applies pins as a source has them.
func apply(t *testing.T, n *node.Node, pins []pin.Pin) {
	t.Helper()
	for _, p := range pins {
		q, ok, err := pin.Parse(p.String())
		if !ok || err != nil || q != p {
			t.Fatalf("%s is read as %+v, %v", p, q, err)
		}
		if err := q.Apply(n, image); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
	}
}

func TestDifference(t *testing.T) {
	odd := node.Type(0x2F412020) // letters that a path cannot hold
	for name, c := range map[string]struct {
		change func(*node.Node)
		pins   int
	}{
		"a field":         {func(n *node.Node) { n.Children[1].Body = node.NewXref(node.Xref{Type: node.VHCL, Name: "none"}).Body }, 1},
		"two fields":      {func(n *node.Node) { n.Children[2].Body = node.NewXref(node.Xref{Type: node.SMOK, Name: "x"}).Body }, 2},
		"a strange text":  {func(n *node.Node) { n.Children[0].Body = []byte("a\nb") }, 1},
		"no NUL":          {func(n *node.Node) { n.Children[0].Body = []byte("a") }, 1},
		"another type":    {func(n *node.Node) { n.Children[0].Type = odd }, 1},
		"fewer children":  {func(n *node.Node) { n.Children = n.Children[:1] }, 1},
		"more children":   {func(n *node.Node) { n.Children = append(n.Children, vehicle(), &node.Node{Type: odd}) }, 5},
		"children's body": {func(n *node.Node) { n.Body = []byte{9, 9, 9} }, 1},
	} {
		want, got := vehicle(), vehicle()
		c.change(want)
		pins := pin.Difference(want, got)
		if len(pins) != c.pins {
			t.Errorf("%s: pins = %v; want pins of length %v", name, pins, c.pins)
		}
		apply(t, got, pins)
		if !got.Equal(want) {
			t.Errorf("%s: %v do not make the object", name, pins)
		}
	}
	if pins := pin.Difference(vehicle(), vehicle()); pins != nil {
		t.Errorf("pins = %v; want nil", pins)
	}
}

func TestMistakes(t *testing.T) {
	for _, text := range []string{
		"node", "node 000.VHCL", "node 000.VHCL =1", "node x.VHCL body=", "node 000.TREE/000.TEXT text=a", "node 000.VHCL/009.TEXT body=",
		"node 000.VHCL/003.TEXT text=a", "node 000.VHCL/000.TEXT nofield=1", "node 000.VHCL body=0", "node 000.VHCL children=4", "node 000.VHCL children=-1", "node 000.VHCL children=x", "node 000.VHCL a", "node 000.VHCL/007.IMG1/000.IMG body=00",
		"node 000.VHCL topspeed=5",
		"node 000.VHCL/000.TOOLONG body=", "node 000.VHCL/000.0xzzzzzzzz body=", "node 000.VHCL/-1.TEXT body=", "node 000.VHCL/000.TEXT rest=x",
		"node 000.VHCL/001.XREF type=TOOLONG", "node 000.VHCL/001.XREF fatal=256",
	} {
		p, ok, err := pin.Parse(text)
		if ok && err == nil {
			err = p.Apply(vehicle(), image)
		}
		if ok && fault.KindOf(err) == "" || !ok && text != "node" {
			t.Errorf(`%s: err = %v; want (ok = false or err of a kind other than none), (ok = true or text = "node")`, text, err)
		}
	}
	if _, ok, _ := pin.Parse("BUIL=9"); ok {
		t.Error("Parse of versions alone found a pin, want none")
	}
}

// Pins as in the lines at the head of the package.
func TestApply(t *testing.T) {
	list := func() *node.Node {
		return &node.Node{Type: node.VHCL, Children: []*node.Node{
			node.NewText("a"), {Type: node.IMG1, Body: []byte{1, 0, 0, 0}, Children: []*node.Node{{Type: node.IMG, Body: []byte("old")}}},
		}}
	}
	for line, want := range map[string]func(*node.Node){
		"node 000.VHCL/000.TEXT text=b c = d":    func(n *node.Node) { n.Children[0].Body = []byte("b c = d\x00") },
		"node 000.VHCL/000.TEXT text=":           func(n *node.Node) { n.Children[0].Body = []byte("\x00") },
		"node 000.VHCL body=0aff":                func(n *node.Node) { n.Body = []byte{10, 255} },
		"node 000.VHCL/000.XREF body=":           func(n *node.Node) { n.Children[0] = &node.Node{Type: node.XREF} },
		"node 000.VHCL/001.IMG1/000.IMG image=k": func(n *node.Node) { n.Children[1].Children[0].Body = []byte("image k") },
		"node 000.VHCL/001.IMG1/001.IMG image=l": func(n *node.Node) {
			l := n.Children[1]
			l.Children = append(l.Children, &node.Node{Type: node.IMG, Body: []byte("image l")})
		},
		"node 000.VHCL/001.IMG1 children=0": func(n *node.Node) { n.Children[1].Children = nil },
		"node 000.VHCL children=1":          func(n *node.Node) { n.Children = n.Children[:1] },
		"node 000.VHCL children=2":          func(n *node.Node) {},
		"node 000.VHCL/002.TEXT body=6100":  func(n *node.Node) { n.Children = append(n.Children, node.NewText("a")) },
	} {
		got, made := list(), list()
		want(made)
		p, ok, err := pin.Parse(line)
		if ok && err == nil {
			err = p.Apply(got, func(key string) *node.Node { return &node.Node{Type: node.IMG, Body: []byte("image " + key)} })
		}
		if !ok || err != nil || !got.Equal(made) {
			t.Errorf("%s: err = %v, got = %+v; want ok = true, no error, got.Equal(made) = true", line, err, got)
		}
	}
}

// A source is nothing but pins if the first gives the object its body.
func TestCarries(t *testing.T) {
	for line, want := range map[string]bool{
		"node 000.VHCL body=00": true, "node 000.VHCL children=1": false, "node 000.TREE body=00": false, "node 001.VHCL body=00": false, "node 000.VHCL/000.TEXT body=00": false,
	} {
		p, ok, err := pin.Parse(line)
		if got := p.Carries(node.VHCL); !ok || err != nil || got != want {
			t.Errorf("%s: got = %v, err = %v; want ok = true, no error, got = %v", line, got, err, want)
		}
	}
}

// A value that a line cannot express as a field is expressed by the body, and comes back.
func TestDifferenceOfOddTexts(t *testing.T) {
	for text, name := range map[string]string{
		"plain": "text", "two words": "text", " before": "body", "behind ": "body", "a\tb": "body", "a\x7fb": "body", "": "text", "ä": "text", "a\x00b": "body",
	} {
		want, got := vehicle(), vehicle()
		want.Children[0].Body = []byte(text + "\x00")
		pins := pin.Difference(want, got)
		if len(pins) != 1 || pins[0].Name != name || pins[0].Path != "000.VHCL/000.TEXT" {
			t.Errorf(`%q: pins = %v; want pins of length 1, pins[0].Name = %v, pins[0].Path = "000.VHCL/000.TEXT"`, text, pins, name)
		}
		apply(t, got, pins)
		if !got.Equal(want) {
			t.Errorf("%q: %v make %q", text, pins, got.Children[0].Body)
		}
	}
}

// FuzzPin: a pin changes a tree or returns an error, and its text is parsed as the pin that
// was written.
func FuzzPin(f *testing.F) {
	for _, text := range []string{"node 000.VHCL/001.XREF name=none", "node 000.VHCL/003.0x01020304 body=00", "node 000.VHCL children=1", "node 000.VHCL/000.TEXT image=a[0]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok, err := pin.Parse(text)
		if ok && err == nil {
			if q, _, err := pin.Parse(p.String()); err != nil || q != p {
				t.Fatalf("%q is %+v, then %+v, %v", text, p, q, err)
			}
			err = p.Apply(vehicle(), image)
		}
		if err != nil && fault.KindOf(err) == "" {
			t.Fatalf("untyped error %v", err)
		}
	})
}
