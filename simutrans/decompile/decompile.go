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

// PNG returns the picture as a file, with a palette if that holds its colours,
// which takes a fraction of the time and the room.
func (r *Result) PNG() ([]byte, error) {
	var b bytes.Buffer
	var m image.Image = r.Image
	if p := paletted(r.Image); p != nil {
		m = p
	}
	err := pictures.Encode(&b, m)
	return b.Bytes(), err
}

// pictures writes pictures fast: a sheet is mostly background, which becomes
// small anyway.
var pictures = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffers{}}

// buffers lends encoders their memory, of which each needs much.
type buffers struct{ sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	e, _ := b.Pool.Get().(*png.EncoderBuffer)
	return e
}

func (b *buffers) Put(e *png.EncoderBuffer) { b.Pool.Put(e) }

// paletted gives a picture a palette, if it has few colours.
func paletted(m *image.NRGBA) *image.Paletted {
	p := image.NewPaletted(m.Rect, nil)
	index := map[color.NRGBA]uint8{}
	last, at := color.NRGBA{}, uint8(0)
	for i := range p.Pix {
		px := m.Pix[4*i : 4*i+4 : 4*i+4] // sheets are whole pictures, without a gap between rows
		c := color.NRGBA{px[0], px[1], px[2], px[3]}
		if c != last || i == 0 { // neighbours are mostly alike
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
			break // its versions are not known
		}
		c, err := compile.NewCompiler(target, 0)
		if err != nil {
			return nil, err
		}
		r, err := inLanguage(n, c, found, opts)
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

// candidates are the targets to try, the likeliest first: Extended's for what
// only it has, or has written.
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

// inLanguage writes the object as its author would have, and pins what comes
// out otherwise.
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

// versions collects the versions of the nodes of an object.
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

// head writes what every object begins with.
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
