package decompile

import (
	"encoding/hex"
	"fmt"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
	"pakbox/simutrans/pin"
)

// carried writes an object whose source language is unknown. Its nodes are written as
// bytes; only its name, its copyright and its images can be changed.
func carried(n *node.Node, target string, opts Options) (*Result, error) {
	c, err := compile.NewCompiler(target, 0)
	if err != nil {
		return nil, err
	}
	r, err := carry(n, c, opts, map[*node.Node]bool{})
	if err == nil && !r.Exact && r.got != nil {
		// Images that old compilers encoded differently are written as bytes too.
		r, err = carry(n, c, opts, otherImages(n, r.got, map[*node.Node]bool{}))
	}
	return r, err
}

// carry writes the source. Images in raw are written as bytes.
func carry(n *node.Node, c *compile.Compiler, opts Options, raw map[*node.Node]bool) (*Result, error) {
	w := newWriter(n, opts.Sheet)
	w.Comment("decompiled for pakbox: its nodes are kept, because no language for them is known")
	drawable := w.sheet.measure(n) == nil
	w.head(c.Target(), imageVersion(n), opts.Head)
	w.Blank()
	pins := 0
	w.carryNode(n, node.Step(0, n.Type), "image", func(m *node.Node) bool { return drawable && !raw[m] }, &pins)
	r, err := w.result(c, n)
	if err == nil {
		r.Pins, r.Carried = pins, true
	}
	return r, err
}

// carryNode writes a node and everything below it. key is the name of an image there, as
// in [Images].
func (w *writer) carryNode(n *node.Node, path, key string, draw func(*node.Node) bool, pins *int) {
	*pins++
	p := pin.Pin{Path: path, Name: pin.Body, Value: hex.EncodeToString(n.Body)}
	if n.Type == node.IMG && !object.IsBlank(n) && draw(n) {
		if ref, err := w.sheet.Image(key, n); err == nil {
			w.Set(key, ref)
			p.Name, p.Value = pin.Image, key
		}
	}
	w.Directive(p.String())
	w.sheet.Row()
	for i, c := range n.Children {
		w.carryNode(c, path+"/"+node.Step(i, c.Type), fmt.Sprintf("%s[%d]", key, i), draw, pins)
	}
}

// imageVersion finds the version of the images.
func imageVersion(n *node.Node) map[node.Type]object.Version {
	versions := map[node.Type]object.Version{}
	n.Walk(func(n *node.Node, _ int) bool {
		if n.Type == node.IMG {
			if m, err := img.Parse(n.Body, n.BodyOffset()); err == nil {
				versions[node.IMG] = object.Version{Standard: m.Version}
			}
		}
		return true
	})
	return versions
}

// otherImages collects the images of want that are encoded differently in got, a tree of
// the same form.
func otherImages(want, got *node.Node, raw map[*node.Node]bool) map[*node.Node]bool {
	if want.Type == node.IMG && string(want.Body) != string(got.Body) {
		raw[want] = true
	}
	for i := range min(len(want.Children), len(got.Children)) {
		otherImages(want.Children[i], got.Children[i], raw)
	}
	return raw
}
