// Package decompile turns compiled Simutrans objects back into what an author
// would have written: a .dat and one picture with all images.
//
// The promise is that compiling the result gives the same object, byte for
// byte. It is not taken on trust: [Object] compiles what it made and compares,
// and says so in Result.Exact. What the language cannot say stands in comments
// that only pakbox's compiler reads: the versions of the nodes where a target
// would write others, single values that no source gives (see package pin),
// and all nodes of an object whose source language is not known.
package decompile

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"

	"pakbox/fault"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/desc"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/pin"
)

// Options say how to decompile.
type Options struct {
	// Sheet is the name of the picture in the source, without ".png";
	// "" derives it from the object.
	Sheet string
	// Target is the compiler the source is for; "" finds the one that
	// gives the object again.
	Target string
	// Head is a file whose head the source is to carry, if it is not what
	// a compiler writes today; nil carries none.
	Head *node.File
}

// Result is a decompiled object.
type Result struct {
	Dat    []byte
	Sheet  string       // the picture's name, without ".png"
	Image  *image.NRGBA // nil if the object has no image
	Target string       // the compiler the source is for
	Exact  bool         // compiling the source gives the same object
	Pins   int          // values the source carries because the language cannot say them
	// Carried: the source language is not known, so that the source holds the
	// nodes as they are, and only name, copyright and images as an author
	// would write them.
	Carried bool
	Loss    string // if not Exact: what differs first

	got *node.Node // what the source gives
}

// PNG returns the picture as a file.
func (r *Result) PNG() ([]byte, error) {
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&b, r.Image)
	return b.Bytes(), err
}

// Object decompiles one object, a child of ROOT.
func Object(n *node.Node, opts Options) (*Result, error) {
	if n.Type.Obj() == "" {
		return nil, fault.New(fault.UnknownClass, "a %s cannot be decompiled", n.Type)
	}
	targets := compile.Targets()
	if opts.Target != "" {
		targets = []string{opts.Target}
	}
	if opts.Sheet == "" {
		opts.Sheet = SheetName(n)
	}
	var best *Result
	for _, target := range targets {
		c, err := compile.NewCompiler(target, 0)
		if err != nil {
			return nil, err
		}
		r, err := inLanguage(n, c, opts)
		if err != nil {
			break // for all targets: it is about the object
		}
		if r.Exact && r.Pins == 0 {
			return r, nil
		}
		if best == nil || r.Exact && (!best.Exact || r.Pins < best.Pins) {
			best = r
		}
	}
	if best != nil && best.Exact {
		return best, nil
	}
	return carried(n, targets[0], opts)
}

// inLanguage writes the object as its author would have, and pins what comes
// out otherwise.
func inLanguage(n *node.Node, c *compile.Compiler, opts Options) (*Result, error) {
	w := &writer{sheet: newSheet(opts.Sheet), object: n}
	versions, err := w.versions()
	if err != nil {
		return nil, err
	}
	if err := w.sheet.measure(n); err != nil {
		return nil, err
	}
	fmt.Fprintf(&w.text, "# decompiled for makeobj %s\n", c.Target().Name())
	w.head(c.Target(), versions, opts.Head)
	if err := w.body(); err != nil {
		return nil, fault.InEntry(err, n.Type.Name()+" "+n.Name())
	}
	r, err := w.result(c, n)
	if err != nil || r.Exact || r.got == nil {
		return r, err
	}
	pins := pin.Difference(n, r.got)
	w.blank()
	for _, p := range pins {
		w.directive(p.String())
	}
	if r, err = w.result(c, n); err == nil {
		r.Pins = len(pins)
	}
	return r, err
}

// result draws the sheet, compiles the source and compares.
func (w *writer) result(c *compile.Compiler, want *node.Node) (*Result, error) {
	r := &Result{Dat: bytes.Clone(w.text.Bytes()), Sheet: w.sheet.name, Target: c.Target().Name()}
	bitmap, err := w.sheet.bitmap()
	if err != nil {
		return nil, err
	}
	if bitmap != nil {
		r.Image = bitmap.NRGBA()
		c.Picture("", w.sheet.name, bitmap)
	}
	r.verify(c, want)
	return r, nil
}

// verify compiles the result and compares.
func (r *Result) verify(c *compile.Compiler, want *node.Node) {
	s := c.Source("decompiled.dat", "", r.Dat)
	if s.Failed() {
		for _, p := range s.Problems {
			if p.Severity == dat.Error {
				r.Loss = p.Error()
				return
			}
		}
	}
	if len(s.Objects) != 1 {
		r.Loss = fmt.Sprintf("the source gives %d objects", len(s.Objects))
		return
	}
	r.got = s.Objects[0].Node
	r.Loss = difference(want, r.got, want.Type.Name())
	r.Exact = r.Loss == ""
}

// difference names the first node in which two trees differ.
func difference(a, b *node.Node, path string) string {
	switch {
	case a.Type != b.Type:
		return fmt.Sprintf("%s is %s, not %s", path, b.Type, a.Type)
	case !bytes.Equal(a.Body, b.Body):
		return fmt.Sprintf("%s differs: %s", path, fieldDifference(a, b))
	case len(a.Children) != len(b.Children):
		return fmt.Sprintf("%s has %d children, not %d", path, len(b.Children), len(a.Children))
	}
	for i := range a.Children {
		if d := difference(a.Children[i], b.Children[i], fmt.Sprintf("%s/%d %s", path, i, a.Children[i].Type)); d != "" {
			return d
		}
	}
	return ""
}

func fieldDifference(a, b *node.Node) string {
	da, errA := desc.Decode(a)
	db, errB := desc.Decode(b)
	if errA == nil && errB == nil {
		fa, fb := desc.Fields(da), desc.Fields(db)
		for i := range min(len(fa), len(fb)) {
			if fa[i].Name != fb[i].Name || fa[i].Value != fb[i].Value {
				return fmt.Sprintf("%s was %s, becomes %s %s", fa[i].Name, fa[i].Text, fb[i].Name, fb[i].Text)
			}
		}
	}
	return fmt.Sprintf("%d bytes become %d", len(a.Body), len(b.Body))
}

// SheetName is the name of an object's picture: its own, as far as a
// reference can hold it. A dot would end the name and a comma the numbers.
func SheetName(n *node.Node) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r <= ' ' || r >= 0x7F || strings.ContainsRune(`./\,<>:"|?*=[]`, r):
			return '_'
		}
		return r
	}, n.Name())
	return n.Type.Obj() + "_" + name
}

// writer writes the source of one object.
type writer struct {
	text   bytes.Buffer
	sheet  *sheet
	object *node.Node
	err    error

	// collect takes the images instead of the sheet, for who wants only them.
	collect *[]NamedImage
}

// versions collects the versions of the nodes of the object.
func (w *writer) versions() (map[node.Type]int, error) {
	versions := map[node.Type]int{}
	var failed error
	w.object.Walk(func(n *node.Node, _ int) bool {
		version := 0
		if n.Type == node.IMG {
			m, err := img.Parse(n.Body, n.Offset)
			if err != nil {
				failed = err
				return false
			}
			version = m.Version
		} else {
			if _, versioned := desc.Newest(n.Type); !versioned {
				return true
			}
			d, err := desc.Decode(n)
			if err != nil {
				failed = err
				return false
			}
			v := desc.VersionOf(d)
			if _, opaque := d.(*desc.Opaque); opaque || v.IsExt {
				failed = fault.At(fault.UnsupportedVersion, n.Offset, n.Type.String(), "its source language is not known")
				return false
			}
			version = v.Standard
		}
		versions[n.Type] = version
		return true
	})
	return versions, failed
}

// head writes what every object begins with.
func (w *writer) head(target compile.Target, versions map[node.Type]int, file *node.File) {
	if directive := target.DirectiveFor(versions); directive != "" {
		w.directive(directive)
	}
	if file != nil {
		if directive := compile.FileDirective(file); directive != "" {
			w.directive(directive)
		}
	}
	w.set("obj", w.object.Type.Obj())
	w.set("name", w.object.Name())
	if c := w.object.Copyright(); c != "" {
		w.set("copyright", c)
	}
	if w.sheet.cell > 0 && w.sheet.cell != compile.DefaultCell {
		w.set("cell_size", w.sheet.cell)
	}
}

// directive writes a comment that only pakbox reads.
func (w *writer) directive(text string) { fmt.Fprintf(&w.text, "%s %s\n", dat.Directive, text) }

// set writes a line.
func (w *writer) set(key string, value any) { fmt.Fprintf(&w.text, "%s=%v\n", key, value) }

// blank writes an empty line.
func (w *writer) blank() { w.text.WriteByte('\n') }

// body writes the rest, by type.
func (w *writer) body() error {
	n := w.object
	d, err := desc.Decode(n)
	if err != nil {
		return err
	}
	switch d := d.(type) {
	case *desc.Bridge:
		w.bridge(d)
	case *desc.Tunnel:
		w.tunnel(d)
	case *desc.Way:
		w.way(d)
	case *desc.WayObject:
		w.wayObject(d)
	case *desc.Crossing:
		w.crossing(d)
	case *desc.Sign:
		w.sign(d)
	case *desc.Building:
		w.building(n, d)
	case *desc.Factory:
		w.factory(d)
	case *desc.Vehicle:
		w.vehicle(d)
	case *desc.CityCar:
		w.cityCar(d)
	case *desc.Pedestrian:
		w.pedestrian(d)
	default:
		w.small(d)
	}
	return w.err
}

// fail keeps the first reason why an object cannot be written as a source.
func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fault.New(fault.Unsupported, format, args...)
	}
}

// lists returns the children of a node that are lists of images.
func lists(n *node.Node) (out []*node.Node) {
	for _, c := range n.Children {
		if c.Type == node.IMG1 || c.Type == node.IMG2 {
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
