package object

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// Builder makes the node of one object from its source. It collects mistakes and
// continues, so that the author sees all of them.
type Builder struct {
	*dat.Object
	target Target
	load   func(key string) *img.Image
}

// NewBuilder returns a builder for an object of a source. load returns the image of a
// key.
func NewBuilder(o *dat.Object, t Target, load func(key string) *img.Image) *Builder {
	return &Builder{Object: o, target: t, load: load}
}

// Build returns the node, or nil if something is wrong with the source.
func (b *Builder) Build() *node.Node {
	t := b.typ()
	if t == nil {
		return nil
	}
	n := t.Build(b)
	b.checkTexts(t.Node)
	if b.Failed() {
		return nil
	}
	return n
}

// checkTexts reports comments and blanks after values. In a number or an image they are
// ignored, but in a text they become part of it.
func (b *Builder) checkTexts(t node.Type) {
	keys := ByStem(t, b.target)
	for _, e := range b.Entries() {
		k, ok := keys[dat.Stem(e.Key)]
		isName := e.Key == "name" || k.Refers != 0
		comment := strings.Index(e.Value, " #")
		switch {
		case !ok:
		case comment >= 0 && (isName || k.IsImage || strings.HasPrefix(e.Value[comment:], " # ")) && (k.IsText || k.IsImage || isName):
			message := "the comment behind the value belongs to it: %q"
			if k.IsImage {
				message = "a comment behind an image is read as a part of it: %q"
			}
			b.Warn(e.Key, "put the comment into a line of its own", message, e.Value)
		case isName && strings.TrimSpace(e.Value) != e.Value:
			b.Warn(e.Key, "remove it", "the blank before or behind the name belongs to it: %q", e.Value)
		}
	}
}

// typ finds the type of the object.
func (b *Builder) typ() *Type {
	obj := b.Get("obj")
	if t, ok := node.ObjType(obj); ok {
		if typ := types[t]; b.target.has(typ) {
			return typ
		}
		b.onlyExtended("obj", obj)
		return nil
	}
	suggestion := "an object begins with obj="
	if obj != "" {
		suggestion = didYouMean(obj, Capabilities())
	}
	f := finding.New(finding.Error, UnknownType, finding.Nowhere, "unknown object type %q", obj)
	f.Suggestion = suggestion
	b.Report("obj", f)
	return nil
}

// UnknownType is the rule of findings about an object whose type no compiler knows.
const UnknownType = "unknown_type"

// onlyExtended reports a word that only Extended knows.
func (b *Builder) onlyExtended(key, word string) {
	b.Fail(key, "choose the target "+Extended, "only Simutrans-Extended has a %s", word)
}

// Failed reports whether an error was recorded.
func (b *Builder) Failed() bool { return finding.Worst(b.Problems()) == finding.Error }

// didYouMean suggests the nearest word, or all of them.
func didYouMean(word string, words []string) string {
	words = slices.Sorted(slices.Values(words))
	if near := dat.Nearest(strings.TrimSpace(word), words); near != "" {
		return "did you mean " + near + "?"
	}
	return "expected one of " + strings.Join(words, ", ")
}

// read makes the body of a type from the keys of the source and the defaults. index is
// the index of a part of the object, "" for the object itself.
func (b *Builder) read(t node.Type, index string) *Body {
	d := New(t, b.target.versions[t])
	d.index = index
	if d.layout == nil {
		return d
	}
	for _, s := range d.layout.specs {
		f := sourceField{s, d, index}
		if len(s.keys) > 0 && !s.kind.late {
			d.Put(s.name, f.read(b))
		}
	}
	return d
}

// node makes a node from a body. As makeobj does, it cuts a value that is too large for
// its field, and it warns.
func (b *Builder) node(t node.Type, d *Body, children ...*node.Node) *node.Node {
	for _, cut := range d.Wrap() {
		name := cut.Key
		if name == "" {
			name = cut.Name
		}
		b.Warn(name, "", "%d does not fit and becomes %d", cut.From, cut.To)
	}
	body, err := d.Encode()
	if err != nil {
		b.Fail("", "", "%v", err)
		return nil
	}
	return &node.Node{Type: t, Body: body, Children: children}
}

// nameAndCopyright are the first two children of every object.
func (b *Builder) nameAndCopyright() []*node.Node {
	return []*node.Node{node.NewText(b.Get("name")), node.NewText(b.Get("copyright"))}
}

// money reads an amount.
func (b *Builder) money(key string, def int64) int64 {
	if !b.target.wideMoney || !b.Has(key) {
		return b.Int(key, def)
	}
	return int64(b.Float(key, 0) + 0.5)
}

// month reads a month from two keys. The range of the field is the range of the year.
func (b *Builder) month(f sourceField, months int64) int64 {
	year, month := f.word()+"_year", f.word()+"_month"
	y, m := b.limited(f, year, b.Int(year, f.def)), b.Int(month, 1)
	if m < 1 || m > 12 {
		b.Warn(month, "", "month %d is out of range; expected 1 to 12", m)
		if f.isLimited() {
			m = min(max(m, 1), 12)
		}
	}
	return y*months + m - 1
}

// listNode makes a list of nodes.
func listNode(t node.Type, children []*node.Node) *node.Node {
	count := len(children)
	return &node.Node{Type: t, Body: []byte{byte(count), byte(count >> 8), 0, 0}, Children: children}
}

// list makes an IMG1 from the images of keys. A key without a value gives an empty image.
func (b *Builder) list(keys []string) *node.Node {
	images := make([]*node.Node, len(keys))
	for i, key := range keys {
		images[i] = &node.Node{Type: node.IMG, Body: b.load(key).Append(nil)}
	}
	return listNode(node.IMG1, images)
}

// noList returns the node for a missing list of images.
func noList() *node.Node { return node.NewXref(node.Xref{Type: node.IMG1}) }

// grid makes an IMG2 from all rows of images in the source, and ends it with an empty
// list, as makeobj does.
func (b *Builder) grid(row func(i int) []string) *node.Node {
	var lists []*node.Node
	for {
		keys := row(len(lists))
		lists = append(lists, b.list(keys))
		if len(keys) == 0 {
			return listNode(node.IMG2, lists)
		}
	}
}

// present returns the keys from the first one on, up to a missing key.
func (b *Builder) present(key func(i int) string) []string {
	var keys []string
	for b.Has(key(len(keys))) {
		keys = append(keys, key(len(keys)))
	}
	return keys
}

// leading returns the keys before the first missing key.
func (b *Builder) leading(keys []string) []string {
	for i, k := range keys {
		if !b.Has(k) {
			return keys[:i]
		}
	}
	return keys
}

// required reports missing keys.
func (b *Builder) required(keys []string, message, suggestion string) []string {
	for _, k := range keys {
		if !b.Has(k) {
			b.Fail(k, suggestion, "%s", message)
		}
	}
	return keys
}

// anyOf reports whether one of the keys exists. It asks for all of them, so that none is
// reported as unused.
func (b *Builder) anyOf(keys []string) bool {
	found := false
	for _, k := range keys {
		found = b.Has(k) || found
	}
	return found
}

// bit returns the flag if the value of a key is not 0, otherwise 0.
func (b *Builder) bit(key string, flag int64) int64 {
	if b.Int(key, 0) != 0 {
		return flag
	}
	return 0
}

// references makes an XREF for each key, from the first one on, up to a missing key.
func (b *Builder) references(t node.Type, fatal bool, key func(i int) string) (nodes []*node.Node) {
	for _, k := range b.present(key) {
		nodes = append(nodes, reference(t, fatal, b.Get(k)))
	}
	return nodes
}

// reference makes an XREF.
func reference(t node.Type, fatal bool, name string) *node.Node {
	return node.NewXref(node.Xref{Type: t, Fatal: fatal, Name: name})
}

// key formats a key.
func key(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// numbered returns a function for the keys name[0], name[1], …
func numbered(name string) func(int) string {
	return func(i int) string { return key("%s[%d]", name, i) }
}

// numbers returns the first count keys of numbered.
func numbers(name string, count int) (keys []string) {
	for i := range count {
		keys = append(keys, numbered(name)(i))
	}
	return keys
}

// bracketed returns the keys name[index]suffix for all indices.
func bracketed(name string, indices []string, suffix string) []string {
	return suffixed(name+"[", indices, "]"+suffix)
}

// suffixed adds a prefix and a suffix to each key.
func suffixed(prefix string, keys []string, suffix string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = prefix + k + suffix
	}
	return out
}

// directions are the eight directions of vehicles, citycars and pedestrians, in the order
// of their images.
var directions = []string{"s", "w", "sw", "se", "n", "e", "ne", "nw"}
