package tree_test

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/nadeo/nadeotest/mapsample"
)

// Every value is found at the path that leads to it, and lies inside the one
// above it.
func TestAt(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	all, err := tree.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var walk func(v *tree.Value, path string)
	walk = func(v *tree.Value, path string) {
		n++
		if got := all.At(path); got != v {
			t.Errorf("%s leads to %v", path, got)
		}
		for i := range v.Children {
			walk(&v.Children[i], tree.ChildPath(path, &v.Children[i]))
		}
	}
	walk(&all.Header, "header")
	walk(&all.Body, "body")
	if n < 100 {
		t.Errorf("only %d values", n)
	}
	for _, path := range []string{"", "nothing", "body.nothing", "header.03043002.nothing", "body[0]"} {
		if v := all.At(path); v != nil {
			t.Errorf("%q leads to %q", path, v.Name)
		}
	}
}
