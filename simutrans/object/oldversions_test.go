package object_test

import (
	"fmt"
	"testing"

	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// TestOldVersionsAreSaidAgain writes every type in every version that was
// ever used. A source of it compiles to the same object again.
func TestOldVersionsAreSaidAgain(t *testing.T) {
	target, err := object.LookupTarget("60.6")
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for typ, text := range plainSources {
		for version := range 14 {
			directive := fmt.Sprintf("%s=%d", typ, version)
			if _, err := target.With(directive); err != nil {
				continue
			}
			s := source(t, "60.6", fmt.Sprintf("#pakbox %s\nobj=%s\nname=a\n%s", directive, typ.Obj(), text))
			if len(s.Objects) != 1 {
				t.Errorf("%s: s.Problems = %v; want s.Objects of length 1", directive, s.Problems)
				continue
			}
			n := s.Objects[0].Node
			d, err := object.Decode(n)
			if err != nil || d.Version.Standard != version || d.Opaque() {
				t.Errorf("%s has version %s (%v)", directive, d.Version, err)
			}
			r, err := decompile.Object(n, decompile.Options{Target: "60.6"})
			if err != nil || !r.Exact || r.Pins > 0 || r.Carried {
				t.Errorf("%s: %s, %d pins, carried %v (%v)\n%s", directive, r.Loss, r.Pins, r.Carried, err, r.Dat)
			}
			written++
		}
	}
	t.Logf("%d versions", written)
}

// TestImagesOfOldVersions: front images of ways came with version 5, the
// pillars of bridges with 9.
func TestImagesOfOldVersions(t *testing.T) {
	for _, test := range []struct {
		directive, source string
		lists, images     int // lists of the object, and images of the first
	}{
		{"WAY=4", plainSources[node.WAY], 3, 16}, {"WAY=5", plainSources[node.WAY], 6, 16},
		{"BRDG=8", plainSources[node.BRDG], 2, 10}, {"BRDG=8", plainSources[node.BRDG] + "backpillar[s]=s.0.0\n", 2, 12}, {"BRDG=9", plainSources[node.BRDG], 2, 24},
	} {
		typ, _, _ := cutLast(test.directive, "=")
		obj := map[string]string{"WAY": "way", "BRDG": "bridge"}[typ]
		s := source(t, "60.6", fmt.Sprintf("#pakbox %s\nobj=%s\nname=a\n%s", test.directive, obj, test.source))
		var lists []int
		for _, c := range s.Objects[0].Node.Children {
			if c.Type == node.IMG1 {
				lists = append(lists, len(c.Children))
			}
		}
		if len(lists) != test.lists || lists[0] != test.images {
			t.Errorf("%s: lists = %d; want lists of length %v, lists[0] = %v", test.directive, lists, test.lists, test.images)
		}
	}
}
