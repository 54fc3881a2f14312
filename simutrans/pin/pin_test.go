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
			t.Errorf("%s: %v", name, pins)
		}
		apply(t, got, pins)
		if !got.Equal(want) {
			t.Errorf("%s: %v do not make the object", name, pins)
		}
	}
	if pins := pin.Difference(vehicle(), vehicle()); pins != nil {
		t.Error(pins)
	}
}

func TestMistakes(t *testing.T) {
	for _, text := range []string{
		"node", "node 000.VHCL", "node 000.VHCL =1", "node x.VHCL body=", "node 000.TREE/000.TEXT text=a", "node 000.VHCL/009.TEXT body=",
		"node 000.VHCL/003.TEXT text=a", "node 000.VHCL/000.TEXT nofield=1", "node 000.VHCL body=0", "node 000.VHCL children=4",
		"node 000.VHCL/000.TOOLONG body=", "node 000.VHCL/000.0xzzzzzzzz body=", "node 000.VHCL/-1.TEXT body=", "node 000.VHCL/000.TEXT rest=x",
		"node 000.VHCL/001.XREF type=TOOLONG", "node 000.VHCL/001.XREF fatal=256",
	} {
		p, ok, err := pin.Parse(text)
		if ok && err == nil {
			err = p.Apply(vehicle(), image)
		}
		if ok && fault.KindOf(err) == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, ok, _ := pin.Parse("BUIL=9"); ok {
		t.Error("versions are no pin")
	}
}

// FuzzPin: a pin changes a tree or says why not, and what it says is read as
// what was written.
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
