package object

import (
	"bytes"
	"fmt"
	"strings"

	"pakbox/fault"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
)

// Writer writes the source of one object.
type Writer struct {
	object *node.Node
	sheet  Sheet
	text   bytes.Buffer
	err    error
}

// Sheet collects the images of an object.
type Sheet interface {
	// Row begins a group of images that belong together.
	Row()
	// Image places an image and returns the reference to it for the source.
	Image(key string, n *node.Node) (reference string, err error)
}

// NewWriter returns a writer for an object, a child of ROOT.
func NewWriter(n *node.Node, sheet Sheet) *Writer { return &Writer{object: n, sheet: sheet} }

// Bytes returns the source so far.
func (w *Writer) Bytes() []byte { return bytes.Clone(w.text.Bytes()) }

// Comment writes a comment for people.
func (w *Writer) Comment(format string, args ...any) { fmt.Fprintf(&w.text, "# "+format+"\n", args...) }

// Directive writes a comment that only pakbox reads.
func (w *Writer) Directive(text string) { fmt.Fprintf(&w.text, "%s %s\n", dat.Directive, text) }

// Set writes a line.
func (w *Writer) Set(key string, value any) { fmt.Fprintf(&w.text, "%s=%v\n", key, value) }

// Blank writes an empty line.
func (w *Writer) Blank() { w.text.WriteByte('\n') }

// Body writes the source of the object without its head.
func (w *Writer) Body() error {
	d, err := Decode(w.object)
	if err != nil {
		return err
	}
	t := types[w.object.Type]
	if t == nil || t.Write == nil {
		return fault.New(fault.Unsupported, "a %s is not known as an object", w.object.Type)
	}
	t.Write(w, d)
	return w.err
}

// fail records the first reason why an object cannot be written as a source.
func (w *Writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fault.New(fault.Unsupported, format, args...)
	}
}

// fields writes the keys for the fields of a body.
func (w *Writer) fields(d *Body, index string) {
	if d.layout == nil {
		return
	}
	for _, s := range d.layout.specs {
		f := sourceField{s, d, index}
		if len(s.keys) > 0 && !(s.quiet && f.isDefault()) {
			f.write(w)
		}
	}
}

// decode reads a part of the object.
func (w *Writer) decode(n *node.Node) *Body {
	if n != nil {
		if d, err := Decode(n); err == nil && !d.Opaque() {
			return d
		}
	}
	w.fail("a part of the object is not understood")
	return nil
}

// image writes the line of an image.
func (w *Writer) image(key string, n *node.Node) {
	if n.Type != node.IMG {
		w.fail("%s is a %s and no image", key, n.Type)
		return
	}
	ref, err := w.sheet.Image(key, n)
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return
	}
	if ref != "" {
		w.Set(key, ref)
	}
}

// IsBlank reports whether an image is the empty image of a missing key.
func IsBlank(n *node.Node) bool {
	return len(n.Body) == 10 && n.Body[0]|n.Body[1]|n.Body[2]|n.Body[3] == 0 && n.Body[9] == 1
}

// all writes every image of a list, even empty ones, because the compiler counts their
// keys.
func (w *Writer) all(list *node.Node, key func(i int) string) {
	if list == nil || list.Type != node.IMG1 {
		return
	}
	w.sheet.Row()
	for i, n := range list.Children {
		w.image(key(i), n)
	}
}

// some writes the images of a list that are not empty. It always writes the key must,
// because others depend on it.
func (w *Writer) some(list *node.Node, keys []string, must string) {
	if list == nil {
		return
	}
	if len(list.Children) > len(keys) {
		w.fail("a list has %d images, of which %d have a name", len(list.Children), len(keys))
		return
	}
	w.sheet.Row()
	for i, n := range list.Children {
		if !IsBlank(n) || keys[i] == must {
			w.image(keys[i], n)
		}
	}
}

// from returns a function that gives the i-th key.
func from(keys []string) func(int) string {
	return func(i int) string {
		if i < len(keys) {
			return keys[i]
		}
		return "image[unknown]"
	}
}

// names writes the names of the objects of a type that the object refers to.
func (w *Writer) names(key string, t node.Type) {
	for _, name := range xrefs(w.object, t) {
		if name != "" {
			w.Set(key, name)
		}
	}
}

// clusters writes a set of numbers from 1.
func (w *Writer) clusters(key string, set int64) {
	if set != 0 {
		w.Set(key, strings.Join(setOf(set&0xFFFFFFFF, 1), ","))
	}
}

// grid writes the images of an IMG2 child: row[0], row[1], …
func (w *Writer) grid(row func(i int) string) {
	grid := child(w.object, node.IMG2)
	if grid == nil {
		return
	}
	for i, list := range grid.Children {
		w.all(list, numbered(row(i)))
	}
}

// lists returns the children of a node that are lists of images.
func lists(n *node.Node) (out []*node.Node) {
	for _, c := range n.Children {
		if c.Type == node.IMG1 || c.Type == node.IMG2 || c.Type == node.IMG3 {
			out = append(out, c)
		}
	}
	return out
}

// xrefs returns the names of the children that refer to a type.
func xrefs(n *node.Node, t node.Type) (names []string) {
	for _, c := range n.Children {
		if x, ok := c.Xref(); ok && x.Type == t {
			names = append(names, x.Name)
		}
	}
	return names
}

// child returns the first child of a type, or nil.
func child(n *node.Node, t node.Type) *node.Node {
	for _, c := range n.Children {
		if c.Type == t {
			return c
		}
	}
	return nil
}
