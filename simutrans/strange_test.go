package simutrans_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
	"pakbox/simutrans/picture"
)

// symbol makes an object of one list with the given nodes.
func symbol(images ...*node.Node) *node.Node {
	list := &node.Node{Type: node.IMG1, Body: []byte{byte(len(images)), 0, 0, 0}, Children: images}
	return &node.Node{Type: node.SYMB, Children: []*node.Node{node.NewText("a"), node.NewText(""), list}}
}

// image3 makes a version 3 image at x, 0 of the size w × h.
func image3(x, w, h int, words ...uint16) *node.Node {
	body := []byte{byte(x), byte(x >> 8), 0, 0, byte(w), byte(w >> 8), 3, byte(h), byte(h >> 8), 1}
	for _, word := range words {
		body = append(body, byte(word), byte(word>>8))
	}
	return &node.Node{Type: node.IMG, Body: body}
}

// A few bytes that ask for a large picture get an error, not the picture.
func TestFewBytesGiveNoLargePicture(t *testing.T) {
	wide := symbol(image3(0, 7000, 1, 6999, 1, 0x1234, 0))
	a := simutrans.New(node.New(wide))
	for i, e := range a.Entries() {
		if strings.HasSuffix(e.Name, ".dat") || strings.HasSuffix(e.Name, "symbol_a.png") {
			if _, err := a.OpenEntry(i); fault.KindOf(err) != fault.Limit {
				t.Errorf("%s: err = %v; want err of kind fault.Limit", e.Name, err)
			}
		}
	}
	pixel := []uint16{0, 1, 0x1234, 0}
	apart := symbol(image3(0, 1, 1, pixel...), image3(30000, 1, 1, pixel...))
	apart.Children[2].Children[1].Body[2] = 0x7F // and far below
	apart.Children[2].Children[1].Body[3] = 0x7F
	if _, err := picture.Sheet(apart, picture.Options{}); fault.KindOf(err) != fault.Limit {
		t.Errorf("err = %v; want err of kind fault.Limit", err)
	}
}

// A node in the place of an image may be something else.
func TestListsOfOtherThings(t *testing.T) {
	for name, n := range map[string]*node.Node{
		"another node":  symbol(&node.Node{Type: node.CURS, Body: make([]byte, 12)}),
		"no pixels":     symbol(image3(0, 0, 0, 1, 2)),
		"place, no box": symbol(image3(5, 0, 0)),
	} {
		a := simutrans.New(node.New(n))
		for i, e := range a.Entries() {
			r, err := a.OpenEntry(i)
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if err != nil && fault.KindOf(err) == "" {
				t.Errorf("%s: %s: untyped error %v", name, e.Name, err)
			}
		}
	}
}

// Objects of one name get numbers, beside names that look like that, in time in
// proportion to how many there are: with more, this test would not end.
func TestManyOfOneName(t *testing.T) {
	named := func(name string) *node.Node {
		return &node.Node{Type: node.GOOD, Children: []*node.Node{node.NewText(name), node.NewText("")}}
	}
	const many = 65_535 // the most that a file can have
	objects := append([]*node.Node{named("a"), named("a(3)"), named("a(3)"), named("a"), named("a")}, slices.Repeat([]*node.Node{named("a")}, many-5)...)
	list := simutrans.New(node.New(objects...)).Objects()
	var first []string
	seen := map[string]bool{}
	for i, o := range list {
		seen[o.Folder] = true
		if i < 6 {
			first = append(first, strings.TrimPrefix(o.Folder, "good."))
		}
	}
	if got := strings.Join(first, " "); got != "a a(3) a(3)(2) a(2) a(4) a(5)" || len(seen) != many || list[many-1].Folder != "good.a(65534)" {
		t.Errorf("%s, %d different ones, the last is %s", got, len(seen), list[many-1].Folder)
	}
}
