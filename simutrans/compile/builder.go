package compile

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/simutrans/dat"
	"pakbox/simutrans/desc"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

// builder makes the node of one object. It collects what is wrong in the
// object and goes on, so that an author sees everything at once.
type builder struct {
	*dat.Object
	target Target
	sheets *sheets
	dir    string // that image references start from
	cell   int    // the size of a cell in pixels

	pictures map[string]bool // collects the files that were read
	head     fileHead        // of the file the object belongs into
	result   *node.Node      // what build returned
}

// writers are the objects that can be compiled.
var writers = map[string]func(*builder) *node.Node{
	"bridge":     (*builder).bridge,
	"building":   (*builder).building,
	"citycar":    (*builder).cityCar,
	"crossing":   (*builder).crossing,
	"cursor":     skin(node.CURS),
	"factory":    (*builder).factory,
	"field":      skin(node.FIEL),
	"good":       (*builder).good,
	"ground":     (*builder).ground,
	"ground_obj": (*builder).groundObject,
	"menu":       skin(node.MENU),
	"misc":       skin(node.MISC),
	"pedestrian": (*builder).pedestrian,
	"roadsign":   (*builder).sign,
	"smoke":      skin(node.SMOK),
	"sound":      (*builder).sound,
	"symbol":     skin(node.SYMB),
	"tree":       (*builder).tree,
	"tunnel":     (*builder).tunnel,
	"vehicle":    (*builder).vehicle,
	"way":        (*builder).way,
	"way-object": (*builder).wayObject,
}

// Capabilities returns the obj= names that can be compiled, sorted.
func Capabilities() []string {
	names := make([]string, 0, len(writers))
	for name := range writers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// build compiles one object. It returns nil and records why if it cannot.
func (b *builder) build() *node.Node {
	d := b.directives()
	if b.failed() {
		return nil
	}
	write := b.writer(d)
	if write == nil {
		return nil
	}
	if b.Get("name") == "" && !d.carried {
		b.Fail("name", "every object needs one", "the object has no name")
	}
	b.cell = int(b.Int("cell_size", int64(b.cell)))
	if !cellSizeOK(b.cell) {
		b.Fail("cell_size", "", "%d is not between %d and %d", b.cell, minCell, maxCell)
		return nil
	}
	n := write(b)
	if b.failed() {
		return nil
	}
	b.pin(n, d)
	if b.failed() {
		return nil
	}
	return n
}

// writer finds what makes the nodes of the object.
func (b *builder) writer(d directives) func(*builder) *node.Node {
	obj := b.Get("obj")
	if t, ok := node.ObjType(obj); ok && d.carried {
		return func(*builder) *node.Node { return &node.Node{Type: t} }
	}
	if write := writers[obj]; write != nil {
		return write
	}
	suggestion := "an object begins with obj="
	if obj != "" {
		suggestion = "there are " + strings.Join(Capabilities(), ", ")
		if near := dat.Nearest(strings.TrimSpace(obj), Capabilities()); near != "" {
			suggestion = "did you mean " + near + "?"
		}
	}
	b.Fail("obj", suggestion, "there is no object type %q", obj)
	return nil
}

func (b *builder) failed() bool {
	return slices.ContainsFunc(b.Problems(), func(p dat.Problem) bool { return p.Severity == dat.Error })
}

// version is the version of a descriptor the target writes.
func (b *builder) version(t node.Type) desc.Head {
	return desc.Head{Version: desc.Version{Standard: b.target.versions[t]}}
}

// node makes a node of a descriptor. A value too large for its field is cut,
// as makeobj does it, but not silently.
func (b *builder) node(t node.Type, d desc.Descriptor, children ...*node.Node) *node.Node {
	for _, cut := range desc.Wrap(d) {
		b.Warn("", "", "%s: %d does not fit and becomes %d", cut.Name, cut.From, cut.To)
	}
	body, err := desc.Encode(d)
	if err != nil {
		b.Fail("", "", "%v", err)
		return nil
	}
	return &node.Node{Type: t, Body: body, Children: children}
}

// nameAndCopyright are the first two children of every object.
func (b *builder) nameAndCopyright() []*node.Node {
	return []*node.Node{node.NewText(b.Get("name")), node.NewText(b.Get("copyright"))}
}

// money reads an amount.
func (b *builder) money(key string, def int64) desc.Money {
	if !b.target.wideMoney || !b.Has(key) {
		return desc.Money(b.Int(key, def))
	}
	return desc.Money(b.Float(key, 0) + 0.5)
}

// date reads a month from prefix_year and prefix_month.
func (b *builder) date(prefix string, year int64) desc.Date {
	y, m := b.Int(prefix+"_year", year), b.Int(prefix+"_month", 1)
	if m < 1 || m > 12 {
		b.Warn(prefix+"_month", "", "there is no month %d", m)
	}
	return desc.Date(y*12 + m - 1)
}

// intro and retire are the dates nearly every object has.
func (b *builder) intro() desc.Date  { return b.date("intro", 1900) }
func (b *builder) retire() desc.Date { return b.date("retire", 2999) }

// waytype reads the name of a way type.
func (b *builder) waytype(key string) desc.Waytype {
	name := b.Get(key)
	if w, ok := vocab.Waytypes[strings.ToLower(name)]; ok {
		return w
	}
	b.Fail(key, didYouMean(name, vocab.Waytypes), "there is no way type %q", name)
	return 0
}

// didYouMean suggests the nearest name, or all of them.
func didYouMean[V any](name string, names map[string]V) string {
	all := make([]string, 0, len(names))
	for n := range names {
		if n != "" {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if near := dat.Nearest(strings.TrimSpace(name), all); near != "" {
		return "did you mean " + near + "?"
	}
	return "there are " + strings.Join(all, ", ")
}

// climates reads a list of climates, which commas or spaces divide.
func (b *builder) climates() (set desc.Climates) {
	divides := func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }
	for name := range strings.FieldsFuncSeq(strings.ToLower(b.Get("climates")), divides) {
		c, ok := vocab.Climates[name]
		if !ok {
			b.Warn("climates", didYouMean(name, vocab.Climates), "there is no climate %q", name)
		}
		set |= c
	}
	return set
}

// voice reads a sound: a number, which is always decimal, or the name of a
// file. What begins with a number is one, so that 1.wav is the sound 1.
func (b *builder) voice() desc.Voice {
	value := strings.TrimLeft(b.Get("sound"), " \t")
	digits := strings.TrimLeft(value, "+-")
	switch {
	case value == "":
		return desc.Voice{ID: desc.NoSound}
	case digits != "" && digits[0] >= '0' && digits[0] <= '9' && len(value)-len(digits) <= 1:
		id := atoi(value)
		if strings.TrimLeft(digits, "0123456789 \t") != "" {
			b.Warn("sound", "", "%q begins with a number; it counts as the sound %d", value, id)
		}
		return desc.Voice{ID: int64(id)}
	case len(value) > 255:
		b.Fail("sound", "", "the file name is longer than 255 characters")
	}
	return desc.Voice{ID: desc.NamedSound, File: value}
}

// list makes an IMG1 of the images of keys, whether they are there or not.
func (b *builder) list(keys []string) *node.Node {
	images := make([]*node.Node, len(keys))
	for i, key := range keys {
		images[i] = b.image(key)
	}
	return listNode(node.IMG1, images)
}

// listNode makes a list of nodes.
func listNode(t node.Type, children []*node.Node) *node.Node {
	body, _ := desc.Encode(&desc.List{Count: int64(len(children))})
	return &node.Node{Type: t, Body: body, Children: children}
}

// present returns the keys from the first on that are there.
func (b *builder) present(key func(i int) string) []string {
	var keys []string
	for b.Has(key(len(keys))) {
		keys = append(keys, key(len(keys)))
	}
	return keys
}

// cursor makes the CURS child that tools of the game show.
func (b *builder) cursor() *node.Node {
	children := append(b.nameAndCopyright(), b.list([]string{"cursor", "icon"}))
	return &node.Node{Type: node.CURS, Children: children}
}

// image makes the IMG of a key; without a value it is an empty one.
func (b *builder) image(key string) *node.Node {
	m := b.load(key)
	return &node.Node{Type: node.IMG, Body: m.Append(nil)}
}

func (b *builder) load(key string) *img.Image {
	value := b.Get(key)
	if value == "" {
		return b.emptyImage()
	}
	ref := parseReference(value)
	m := b.emptyImage()
	if !ref.empty {
		loaded, err := b.sheets.image(filepath.Join(b.dir, filepath.FromSlash(ref.file)), ref, b.cell, b.target.versions[node.IMG])
		b.pictures[loaded.path] = true
		if err != nil {
			b.Fail(key, err.suggestion, "%s", err.message)
			return m
		}
		if loaded.warning != "" {
			b.Warn(key, "", "%s", loaded.warning)
		}
		m = &loaded.Image
	}
	m.Zoomable = 1
	if ref.fixed {
		m.Zoomable = 0
	}
	return m
}

// emptyImage is what stands where there is no image.
func (b *builder) emptyImage() *img.Image {
	m := img.Empty()
	m.Version = b.target.versions[node.IMG]
	return m
}

// key formats a key.
func key(format string, args ...any) string { return fmt.Sprintf(format, args...) }
