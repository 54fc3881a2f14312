// Package decompile turns compiled Simutrans objects back into sources as an author would
// write them: a .dat and one picture with all images.
//
// Compiling the result must give the same object, byte for byte. [Object] checks this: it
// compiles its result, compares, and sets Result.Exact. Content that the language lacks
// is in comments that only pakbox's compiler reads: versions of nodes that differ from
// the target's, single values that no source can give (see package pin), and all nodes of
// an object whose source language is unknown.
package decompile

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"sync"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
	"pakbox/simutrans/pin"
)

// Options say how to decompile.
type Options struct {
	// Sheet is the name of the picture in the source, without ".png"; "" makes a name
	// from the object's.
	Sheet string
	// Target is the compiler that the source is for; "" finds a target that reproduces
	// the object.
	Target string
	// Head is a file whose head the source must reproduce, if it differs from what a
	// compiler writes today; nil for none.
	Head *node.File
}

// Result is a decompiled object.
type Result struct {
	Dat    []byte
	Sheet  string       // the picture's name, without ".png"
	Image  *image.NRGBA // nil if the object has no image
	Target string       // the compiler the source is for
	Exact  bool         // compiling the source gives the same object
	Pins   int          // number of values in comments, because the language cannot express them
	// Carried states that the source language is unknown. The source has the nodes as
	// bytes; only name, copyright and images are as an author would write them.
	Carried bool
	Loss    string // the first difference, if not Exact

	got *node.Node // the object that the source compiles to
}

// PNG returns the picture as a file. It has a palette if there are few enough colours,
// which takes a fraction of the time and space.
func (r *Result) PNG() ([]byte, error) {
	var b bytes.Buffer
	var m image.Image = r.Image
	if p := paletted(r.Image); p != nil {
		m = p
	}
	err := pictures.Encode(&b, m)
	return b.Bytes(), err
}

// pictures writes pictures fast. A sheet is mostly background and becomes small anyway.
var pictures = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffers{}}

// buffers reuses the memory of encoders, because each needs much.
type buffers struct{ sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	e, _ := b.Pool.Get().(*png.EncoderBuffer)
	return e
}

func (b *buffers) Put(e *png.EncoderBuffer) { b.Pool.Put(e) }

// paletted returns a picture with a palette, if it has few colours; otherwise nil.
func paletted(m *image.NRGBA) *image.Paletted {
	p := image.NewPaletted(m.Rect, nil)
	index := map[color.NRGBA]uint8{}
	last, at := color.NRGBA{}, uint8(0)
	for i := range p.Pix {
		px := m.Pix[4*i : 4*i+4 : 4*i+4] // a sheet has no gap between its rows
		c := color.NRGBA{px[0], px[1], px[2], px[3]}
		if c != last || i == 0 { // neighbours are often equal
			known, ok := index[c]
			if !ok {
				if len(p.Palette) == 256 {
					return nil
				}
				known = uint8(len(p.Palette))
				index[c] = known
				p.Palette = append(p.Palette, c)
			}
			last, at = c, known
		}
		p.Pix[i] = at
	}
	return p
}

// Object decompiles one object, a child of ROOT.
func Object(n *node.Node, opts Options) (*Result, error) {
	if n.Type.Obj() == "" {
		return nil, fault.New(fault.UnknownClass, "a %s cannot be decompiled", n.Type)
	}
	if opts.Sheet == "" {
		opts.Sheet = SheetName(n)
	}
	found, err := versions(n)
	targets := candidates(found, opts)
	var best *Result
	for _, target := range targets {
		if err != nil {
			break // its versions are unknown
		}
		c, err := compile.NewCompiler(target, 0)
		if err != nil {
			return nil, err
		}
		r, err := inLanguage(n, c, found, opts)
		if err != nil {
			break // other targets give the same error, which is about the object
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

// candidates are the targets to try, the likeliest first. Extended comes first for
// objects that only it can write or has written.
func candidates(found map[node.Type]object.Version, opts Options) []string {
	if opts.Target != "" {
		return []string{opts.Target}
	}
	isExtended := opts.Head != nil && string(opts.Head.Banner) == node.BannerExtended
	for _, v := range found {
		isExtended = isExtended || v.IsExt
	}
	if isExtended {
		return []string{object.Extended}
	}
	return []string{"60.6", "60.12"}
}

// inLanguage writes the object as its author would, and adds pins for values that compile
// differently.
func inLanguage(n *node.Node, c *compile.Compiler, found map[node.Type]object.Version, opts Options) (*Result, error) {
	w := newWriter(n, opts.Sheet)
	if err := w.sheet.measure(n); err != nil {
		return nil, err
	}
	w.Comment("decompiled for makeobj %s", c.Target().Name())
	w.head(c.Target(), found, opts.Head)
	if err := w.Body(); err != nil {
		return nil, fault.InEntry(err, n.Type.Name()+" "+n.Name())
	}
	r, err := w.result(c, n)
	if err != nil || r.Exact || r.got == nil {
		return r, err
	}
	pins := pin.Difference(n, r.got)
	w.Blank()
	for _, p := range pins {
		w.Directive(p.String())
	}
	if r, err = w.result(c, n); err == nil {
		r.Pins = len(pins)
	}
	return r, err
}

// result draws the sheet, compiles the source and compares.
func (w *writer) result(c *compile.Compiler, want *node.Node) (*Result, error) {
	r := &Result{Dat: w.Bytes(), Sheet: w.sheet.name, Target: c.Target().Name()}
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
	for _, p := range s.Problems {
		if p.Severity == finding.Error {
			r.Loss = p.String()
			return
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
		if d := difference(a.Children[i], b.Children[i], path+"/"+node.Step(i, a.Children[i].Type)); d != "" {
			return d
		}
	}
	return ""
}

func fieldDifference(a, b *node.Node) string {
	da, errA := object.Decode(a)
	db, errB := object.Decode(b)
	if errA == nil && errB == nil {
		fa, fb := da.Fields(), db.Fields()
		for i := range min(len(fa), len(fb)) {
			if fa[i].Name != fb[i].Name || fa[i].Value != fb[i].Value {
				return fmt.Sprintf("%s was %s, becomes %s %s", fa[i].Name, fa[i].Text, fb[i].Name, fb[i].Text)
			}
		}
	}
	return fmt.Sprintf("%d bytes become %d", len(a.Body), len(b.Body))
}

// SheetName is the name of an object's picture: the object's own name, without characters
// that are not allowed in a reference. A dot would end the name and a comma the numbers.
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

// writer writes the source of one object, with its images on a sheet.
type writer struct {
	*object.Writer
	object *node.Node
	sheet  *sheet
}

func newWriter(n *node.Node, name string) *writer {
	sheet := newSheet(name)
	return &writer{object.NewWriter(n, sheet), n, sheet}
}

// versions collects the versions of all nodes of an object.
func versions(n *node.Node) (map[node.Type]object.Version, error) {
	found := map[node.Type]object.Version{}
	var failed error
	n.Walk(func(n *node.Node, _ int) bool {
		switch {
		case n.Type == node.IMG:
			m, err := img.Parse(n.Body, n.BodyOffset())
			if err != nil {
				failed = err
				return false
			}
			found[n.Type] = object.Version{Standard: m.Version}
		case object.Versioned(n.Type):
			d, err := object.Decode(n)
			if err == nil && d.Opaque() {
				err = fault.At(fault.UnsupportedVersion, n.Offset, n.Type.String(), "its source language is not known")
			}
			if err != nil {
				failed = err
				return false
			}
			found[n.Type] = d.Version
		}
		return true
	})
	return found, failed
}

// head writes the beginning of the source.
func (w *writer) head(target object.Target, versions map[node.Type]object.Version, file *node.File) {
	if directive := target.DirectiveFor(versions); directive != "" {
		w.Directive(directive)
	}
	if file != nil {
		if directive := compile.FileDirective(file, target); directive != "" {
			w.Directive(directive)
		}
	}
	w.Set("obj", w.object.Type.Obj())
	w.Set("name", w.object.Name())
	if c := w.object.Copyright(); c != "" {
		w.Set("copyright", c)
	}
	if w.sheet.cell > 0 {
		w.Set("cell_size", w.sheet.cell)
	}
}
