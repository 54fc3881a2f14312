package simutrans

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// record is a JSON object whose members keep their order.
type record []member

type member struct {
	name  string
	value any
}

func (r *record) add(name string, value any) { *r = append(*r, member{name, value}) }

// MarshalJSON implements json.Marshaler.
func (r record) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	for i, m := range r {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(strconv.AppendQuote(b, m.name), ':'), value...)
	}
	return append(b, '}'), nil
}

// document is everything that is known of an object: its values, those of the
// nodes below it, and its images.
func (o Object) document() record {
	r := append(record{{"folder", o.Folder}}, recordOf(o.Node)...)
	r.add("parts", parts(o.Node))
	r.add("images", images(o.Node))
	return r
}

// recordOf are an object's facts as one flat record, for queries and JSON:
// numbers as they are stored, money in credits, and, where a number has words,
// these under the field's name with _text behind it. What sources say under
// another name (cost, payload, intro_year) is there too, as sources say it.
func recordOf(n *node.Node) (r record) {
	words := map[string]record{}
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
		r.add(f.Name, f.Value)
		r = append(r, words[f.Name]...)
	}
	return r.addWords(said)
}

// addWords adds what sources say under names that are not taken.
func (r record) addWords(words []object.Word) record {
	taken := map[string]bool{}
	for _, m := range r {
		taken[m.name] = true
	}
	for _, w := range words {
		if !taken[w.Key] {
			taken[w.Key] = true
			r.add(w.Key, numberOrText(w.Value))
		}
	}
	return r
}

// numberOrText is what JSON has for a value of a source.
func numberOrText(value string) any {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return n
	}
	return node.Display(value)
}

// wordsOf says in words what a field's number means.
func wordsOf(f object.Field, prefix string) (r record) {
	if _, ok := f.Value.(int64); ok && f.Text != fmt.Sprint(f.Number()) {
		r.add(prefixed(prefix, f.Name)+"_text", f.Text)
	}
	return r
}

// parts are the nodes below an object that have fields of their own: what a
// factory makes and needs, the tiles of a building.
func parts(n *node.Node) []record {
	list := []record{}
	for _, c := range n.Children {
		switch c.Type {
		case node.TEXT, node.XREF, node.IMG, node.IMG1, node.IMG2, node.IMG3:
			continue
		case node.BUIL: // its fields are among the object's
			list = append(list, parts(c)...)
			continue
		}
		r := record{{"part", c.Type.Name()}}
		if d, err := object.Decode(c); err == nil {
			for _, f := range d.Fields() {
				r.add(f.Name, f.Number())
				r = append(r, wordsOf(f, "")...)
			}
			r = r.addWords(d.Words())
		}
		for _, x := range c.Children {
			if ref, ok := x.Xref(); ok && ref.Name != "" {
				r.add(strings.ReplaceAll(ref.Type.Name(), "-", "_"), node.Display(ref.Name))
			}
		}
		if inner := parts(c); len(inner) > 0 {
			r.add("parts", inner)
		}
		list = append(list, r)
	}
	return list
}

// images lists the images that have pixels, with the boxes they fill in their
// cells.
func images(n *node.Node) []record {
	list := []record{}
	for _, m := range decompile.Images(n) {
		if len(m.Node.Body) <= emptyImage {
			continue
		}
		r := record{{"key", m.Key}}
		if i, err := img.Parse(m.Node.Body, m.Node.BodyOffset()); err == nil {
			r = append(r, record{{"x", i.X}, {"y", i.Y}, {"width", i.W}, {"height", i.H}}...)
		}
		list = append(list, r)
	}
	return list
}
