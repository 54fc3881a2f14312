package simutrans

import (
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

func TestGroups(t *testing.T) {
	c, err := compile.NewCompiler("", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Source("goods.dat", t.TempDir(), []byte("obj=good\nname=Coal\ncopyright=me\nvalue=12\n-\nobj=good\nname=Coal\n-\n"))
	if s.Failed() {
		t.Fatalf("s.Problems = %v; want s.Failed() = false", s.Problems)
	}
	var nodes []*node.Node
	for _, o := range s.Objects {
		nodes = append(nodes, o.Node)
	}
	a := New(node.New(nodes...))
	groups := a.Groups()
	if len(groups) != 2 || groups[0].Folder != "good.Coal" || groups[1].Folder != "good.Coal(2)" {
		t.Fatalf("groups %+v", groups)
	}
	g := groups[0]
	if g.Size != nodes[0].BodyBytes() {
		t.Fatalf("%d bytes", g.Size)
	}
	got := map[string]any{}
	for _, f := range append(g.Summary, g.Facts()...) {
		got[f.Name] = f.Value
	}
	for name, want := range map[string]any{"type": "good", "name": "Coal", "copyright": "me", "images": int64(0), "value": int64(12)} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}
