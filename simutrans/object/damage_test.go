package object_test

import (
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// noSheet has a cell for every image, and reports broken ones as broken.
type noSheet struct{}

func (noSheet) Row() {}
func (noSheet) Image(_ string, n *node.Node) (string, error) {
	if len(n.Body) == 0 {
		return "", fault.New(fault.Truncated, "an image without a head")
	}
	return "s.0.0", nil
}

// nth finds a node below n, by the types on the way; "TILE:1" is the second.
func nth(n *node.Node, path string) *node.Node {
	for step := range strings.FieldsSeq(path) {
		name, more := strings.CutSuffix(step, ":1")
		i := slices.IndexFunc(n.Children, func(c *node.Node) bool { return c.Type.String() == name })
		if more {
			i += 1 + slices.IndexFunc(n.Children[i+1:], func(c *node.Node) bool { return c.Type.String() == name })
		}
		n = n.Children[i]
	}
	return n
}

// drop takes a child away.
func drop(n, c *node.Node) {
	i := slices.Index(n.Children, c)
	n.Children = slices.Delete(n.Children, i, i+1)
}

// TestObjectsThatNoSourceSays damages objects in ways that no compiler does.
// Their nodes contradict each other, so that a source of them would
// be made up.
func TestObjectsThatNoSourceSays(t *testing.T) {
	const (
		building = "obj=building\nname=a\nbackimage[0][0][0][0][0]=s.0.0\n"
		factory  = "obj=factory\nname=a\nmapcolor=5\nbackimage[0][0][0][0][0]=s.0.0\ninputgood[0]=A\noutputgood[0]=B\noutputcapacity[0]=20\nfields[0]=F\nfields[1]=G\nsmoke=S\n"
		vehicle  = "obj=vehicle\nname=a\nwaytype=road\nemptyimage[s,w]=s.0.0\nfreightimage[0][s,w]=s.0.1\nfreightimagetype[0]=Coal\nconstraint[prev][0]=b\n"
		way      = "obj=way\nname=a\nwaytype=road\nimage[-]=s.0.0\n"
		tunnel   = "obj=tunnel\nname=a\nwaytype=road\n"
		liveries = "obj=vehicle\nname=a\nwaytype=road\npayload=3\nemptyimage[s][0-1]=s.0.0\nliverytype[0-1]=red\n"
	)
	short := func(path string) func(*node.Node) {
		return func(n *node.Node) { nth(n, path).Body = []byte{0} }
	}
	again := func(path string) func(*node.Node) {
		return func(n *node.Node) { n.Children = append(n.Children, nth(n, path).Clone()) }
	}
	without := func(path string) func(*node.Node) {
		return func(n *node.Node) {
			above, _, _ := cutLast(path, " ")
			drop(nth(n, above), nth(n, path))
		}
	}
	images := func(path string, count int) func(*node.Node) {
		return func(n *node.Node) {
			list := nth(n, path)
			one := &node.Node{Type: node.IMG, Body: make([]byte, 10)}
			list.Children = slices.Repeat([]*node.Node{one}, count)
		}
	}
	for _, test := range []struct {
		target, source string
		damage         func(*node.Node)
		want           string
	}{
		{"60.6", "obj=bridge\nname=a\nwaytype=road\n", without("IMG1"), "a bridge with 1 lists of images"},
		{"60.6", "obj=bridge\nname=a\nwaytype=road\n", again("IMG1"), "a bridge with 3 lists of images"},
		{"60.6", "obj=bridge\nname=a\nwaytype=road\n", images("IMG1", 30), "a list has 30 images"},
		{"60.6", building, func(n *node.Node) { n.Body[3] = 200 }, "a building of type 200"},
		{"60.6", building, without("TILE"), "a building of 0 tiles lacks some"},
		{"60.6", building, func(n *node.Node) { nth(n, "TILE IMG2 IMG1").Type = node.XREF }, "a tile with a XREF"},
		{"60.6", building, func(n *node.Node) { nth(n, "TILE IMG2 IMG1 IMG").Type = node.TEXT }, "backimage[0][0][0][0][0] is a TEXT and no image"},
		{"60.6", building, func(n *node.Node) { nth(n, "TILE IMG2 IMG1 IMG").Body = nil }, "an image without a head"},
		{"60.6", "obj=crossing\nname=a\nwaytype[0]=road\nwaytype[1]=track\nspeed[0-1]=1\nopenimage[ns,ew][0]=s.0.0\n", again("IMG1"), "9 lists of images in the place of 8"},
		{"60.6", factory, without("BUIL"), "a part of the object is not understood"},
		{"60.6", factory, short("BUIL"), "a part of the object is not understood"},
		{"60.6", factory, short("FSUP"), "a part of the object is not understood"},
		{"60.6", factory, short("FSMO"), "a part of the object is not understood"},
		{"60.6", factory, short("FFIE"), "a part of the object is not understood"},
		{"60.6", factory, func(n *node.Node) { nth(n, "FFIE").Body = []byte("\x01\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00") }, "a factory whose fields are not understood"},
		{"60.6", factory, short("FFIE FFCL:1"), "a part of the object is not understood"},
		{"extended", tunnel, func(n *node.Node) {
			n.Children = slices.DeleteFunc(n.Children, func(c *node.Node) bool { return c.Type == node.IMG1 })
			n.Children = append(n.Children, slices.Repeat([]*node.Node{{Type: node.IMG1}}, 5)...)
		}, "a tunnel with 5 lists of images"},
		{"60.6", vehicle, func(n *node.Node) {
			n.Children = slices.DeleteFunc(n.Children, func(c *node.Node) bool { x, ok := c.Xref(); return ok && x.Type == node.GOOD })
		}, "a vehicle without freight"},
		{"60.6", vehicle, func(n *node.Node) {
			n.Children = slices.DeleteFunc(n.Children, func(c *node.Node) bool { x, ok := c.Xref(); return ok && x.Type == node.VHCL })
		}, "a vehicle with 0 references to others"},
		{"60.6", vehicle, again("IMG1"), "a vehicle with 3 lists of images"},
		{"60.6", vehicle, func(n *node.Node) { drop(n, nth(n, "IMG1")); drop(n, nth(n, "IMG2")) }, "a vehicle with 0 lists of images"},
		{"60.6", vehicle, func(n *node.Node) { drop(n, n.Children[len(n.Children)-1]); drop(n, n.Children[len(n.Children)-1]) }, "a vehicle with images of freight but no freight"},
		{"60.6", way, again("IMG1"), "a way with 7 lists of images"},
		{"60.6", way, func(n *node.Node) { n.Children = n.Children[:2] }, "a way with 0 lists of images"},
		{"60.6", way, images("IMG1:1", 3), "a list has 3 images in the place of 8"},
		{"60.6", way, images("IMG1:1", 9), "a list has 9 images in the place of 8"},
		{"60.6", way, images("IMG1:1", 8), ""},
		{"60.6", way, images("IMG1:1", 0), ""},
		{"60.6", "obj=way-object\nname=a\nwaytype=track\nown_waytype=electrified_track\n", without("IMG1"), "5 lists of images in the place of 6"},
		{"extended", liveries, again("IMG2"), ""},
		{"extended", liveries, func(n *node.Node) { again("IMG2")(n); again("IMG2")(n) }, "a vehicle with 3 lists of images"},
		{"extended", liveries, without("IMG2"), "a vehicle with 0 lists of images"},
		{"extended", liveries, images("IMG2", 9), "a vehicle with 1 lists of images"},
		{"extended", liveries, func(n *node.Node) { drop(n, n.Children[len(n.Children)-1]) }, "a vehicle with 2 liveries and 2 names"},
		{"extended", "obj=pier\nname=a\nbackimage[00][0][0]=s.0.0\n", without("IMG1"), "a pier with 1 lists of images"},
		{"60.6", "obj=sound\nname=a\n", func(n *node.Node) { n.Type, n.Body = node.TEXT, []byte("a\x00") }, "a TEXT is not known as an object"},
		{"60.6", "obj=sound\nname=a\n", func(n *node.Node) { n.Body = n.Body[:3] }, "needs 2 bytes, 1 remain"},
	} {
		s := source(t, test.target, test.source)
		if len(s.Objects) != 1 {
			t.Fatalf("s.Problems = %v; want s.Objects of length 1", s.Problems)
		}
		n := s.Objects[0].Node
		if err := object.NewWriter(n, noSheet{}).Body(); err != nil {
			t.Errorf("%s: %v", test.source, err)
		}
		test.damage(n)
		err := object.NewWriter(n, noSheet{}).Body()
		switch {
		case test.want == "" && err != nil:
			t.Errorf(`%s: err = %v; want test.want not empty or no error`, test.source, err)
		case test.want != "" && (fault.KindOf(err) == "" || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %s", test.source, err, test.want)
		}
	}
}

// cutLast is strings.Cut at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}
