package simutrans

import (
	"fmt"
	"strconv"
	"strings"

	"pakbox/fact"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// member is a member of a JSON object.
func member(name string, value any) fact.Value { return fact.Make(name, "", fact.Object, value, "") }

// document is everything about an object: its values, the values of the nodes below it,
// and its images.
func (o Object) document() fact.Record {
	r := append(fact.Record{member("folder", o.Folder)}, recordOf(o.Node)...)
	return append(r, member("parts", parts(o.Node)), member("images", images(o.Node)))
}

// recordOf returns an object's facts as one flat record, for queries and JSON: numbers as
// they are stored, and money in credits. If a number has words, they are under the
// field's name with _text. Values that sources call by another name (cost, payload,
// intro_year) are included, in the units of sources.
func recordOf(n *node.Node) (r fact.Record) {
	words := map[string]fact.Record{}
	var said []object.Word
	collect := func(n *node.Node, prefix string) {
		if d, err := object.Decode(n); err == nil {
			for _, f := range d.Fields() {
				words[prefixed(prefix, f.Name)] = wordsOf(f, prefix)
			}
			said = append(said, d.Words()...)
		}
	}
	collect(n, "")
	for _, c := range n.Children {
		if c.Type == node.BUIL {
			collect(c, "building_")
		}
	}
	for _, f := range ObjectFacts(n) {
		r = append(append(r, member(f.Name, f.Value)), words[f.Name]...)
	}
	return addWords(r, said)
}

// addWords adds the lines of a source whose names are not used yet.
func addWords(r fact.Record, words []object.Word) fact.Record {
	for _, w := range words {
		if !r.Has(w.Key) {
			r = append(r, member(w.Key, numberOrText(w.Value)))
		}
	}
	return r
}

// numberOrText converts a value of a source for JSON: to a number if it is one, otherwise
// to a text.
func numberOrText(value string) any {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return n
	}
	return node.Display(value)
}

// wordsOf returns the meaning of a field's number in words.
func wordsOf(f object.Field, prefix string) (r fact.Record) {
	if _, ok := f.Value.(int64); ok && f.Text != fmt.Sprint(f.Number()) {
		r = fact.Record{member(prefixed(prefix, f.Name)+"_text", f.Text)}
	}
	return r
}

// parts are the nodes below an object with fields of their own: goods that a factory
// makes and needs, tiles of a building.
func parts(n *node.Node) []fact.Record {
	list := []fact.Record{}
	for _, c := range n.Children {
		switch c.Type {
		case node.TEXT, node.XREF, node.IMG, node.IMG1, node.IMG2, node.IMG3:
			continue
		case node.BUIL: // its fields are among those of the object
			list = append(list, parts(c)...)
			continue
		}
		r := fact.Record{member("part", c.Type.Name())}
		if d, err := object.Decode(c); err == nil {
			for _, f := range d.Fields() {
				r = append(append(r, member(f.Name, f.Number())), wordsOf(f, "")...)
			}
			r = addWords(r, d.Words())
		}
		for _, x := range c.Children {
			if ref, ok := x.Xref(); ok && ref.Name != "" {
				r = append(r, member(strings.ReplaceAll(ref.Type.Name(), "-", "_"), node.Display(ref.Name)))
			}
		}
		if inner := parts(c); len(inner) > 0 {
			r = append(r, member("parts", inner))
		}
		list = append(list, r)
	}
	return list
}

// images lists the images with pixels, with their boxes in their cells.
func images(n *node.Node) []fact.Record {
	list := []fact.Record{}
	for _, m := range decompile.Images(n) {
		if len(m.Node.Body) <= emptyImage {
			continue
		}
		r := fact.Record{member("key", m.Key)}
		if i, err := img.Parse(m.Node.Body, m.Node.BodyOffset()); err == nil {
			r = append(r, member("x", i.X), member("y", i.Y), member("width", i.W), member("height", i.H))
		}
		list = append(list, r)
	}
	return list
}
