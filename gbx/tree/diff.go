package tree

import (
	"bytes"
	"fmt"
	"iter"

	"pakbox/archive"
	"pakbox/gbx"
)

// Diff lists the values that differ between two files. Values are matched by name. Lists
// are compared from both ends, so that a new element does not change all later ones. It
// reads a few chunks at a time.
func Diff(a, b *gbx.File) ([]archive.ValueChange, error) {
	x, err := namesOfParts(a, map[int]bool{})
	if err != nil {
		return nil, err
	}
	y, err := namesOfParts(b, map[int]bool{})
	if err != nil {
		return nil, err
	}
	d := &differ{}
	h, g := &a.Header, &b.Header
	if h.Version != g.Version {
		d.changed("header.version", fmt.Sprint(h.Version), fmt.Sprint(g.Version))
	}
	if letters(h) != letters(g) {
		d.changed("header.letters", letters(h), letters(g))
	}
	if x, y := rawText(h), rawText(g); x != y || !bytes.Equal(h.RawUserData, g.RawUserData) {
		d.changed("header.userData", x, y)
	}
	d.named(&x.Header, &y.Header, "header")
	d.value(&x.Body, &y.Body, "body")
	for batch := range batches(x, y) {
		if err := d.parts(a, b, batch); err != nil {
			return nil, err
		}
	}
	d.bytes("rest", a.Rest, b.Rest)
	d.bytes("trailer", a.Trailer, b.Trailer)
	return d.list, nil
}

// pair is a part of both files, with its number in each.
type pair struct{ a, b int }

// batchBytes is the size of the parts that are compared at a time.
const batchBytes = 256 << 10

// batches returns the parts that are in both files, a few at a time.
func batches(x, y *Tree) iter.Seq[[]pair] {
	return func(yield func([]pair) bool) {
		inY := map[string]int{}
		for n, p := range y.parts() {
			inY[p.path] = n
		}
		var batch []pair
		size := int64(0)
		for n, p := range x.parts() {
			m, both := inY[p.path]
			if !both {
				continue
			}
			if size += p.Length; size > batchBytes && len(batch) > 0 {
				if !yield(batch) {
					return
				}
				batch, size = nil, p.Length
			}
			batch = append(batch, pair{n, m})
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// part is a chunk of the header or the main node, with its path.
type part struct {
	*Value
	path string
}

// parts returns the parts with their numbers.
func (t *Tree) parts() iter.Seq2[int, part] {
	return func(yield func(int, part) bool) {
		n := 0
		for _, above := range []*Value{&t.Header, &t.Body} {
			for i := range above.Children {
				if v := &above.Children[i]; v.Kind == Chunk {
					if n++; !yield(n, part{v, ChildPath(above.Name, v)}) {
						return
					}
				}
			}
		}
	}
}

func (d *differ) parts(a, b *gbx.File, batch []pair) error {
	inA, inB := map[int]bool{}, map[int]bool{}
	for _, p := range batch {
		inA[p.a], inB[p.b] = true, true
	}
	x, err := namesOfParts(a, inA)
	if err != nil {
		return err
	}
	y, err := namesOfParts(b, inB)
	if err != nil {
		return err
	}
	of := map[string]*Value{}
	for n, p := range y.parts() {
		if inB[n] {
			of[p.path] = p.Value
		}
	}
	for n, p := range x.parts() {
		if inA[n] {
			d.named(p.Value, of[p.path], p.path)
		}
	}
	return nil
}

// rawText describes user data that is not a table of chunks.
func rawText(h *gbx.Header) string {
	if h.RawUserData == nil {
		return "chunks"
	}
	return blobText(h.RawUserData)
}

type differ struct{ list []archive.ValueChange }

func (d *differ) changed(path, old, new string) {
	d.list = append(d.list, archive.ValueChange{Kind: archive.Changed, Path: path, Old: old, New: new})
}

func (d *differ) bytes(path string, old, new []byte) {
	if !bytes.Equal(old, new) {
		d.changed(path, blobText(old), blobText(new))
	}
}

func (d *differ) value(a, b *Value, path string) {
	switch {
	case equal(a, b):
	case a.Kind == Leaf && b.Kind == Leaf && a.Text() == b.Text(): // different kinds of ID with the same text
		d.changed(path, string(appendJSON(nil, a.p, true)), string(appendJSON(nil, b.p, true)))
	case a.Kind != b.Kind || a.Kind == Leaf || (a.node == nil) != (b.node == nil):
		d.changed(path, summary(a), summary(b))
	case a.Kind == List:
		d.lists(a.Children, b.Children, path)
	default:
		if a.node != nil && a.node.Class != b.node.Class {
			d.changed(path+".class", a.node.Class.String(), b.node.Class.String())
		}
		if a.node == nil && a.Kind == Node { // two references to nodes that are stored elsewhere
			d.changed(path, summary(a), summary(b))
		}
		if x, y := form(a), form(b); x != y {
			d.changed(path+".form", x, y)
		}
		d.named(a, b, path)
	}
}

// form describes how a chunk is stored.
func form(v *Value) string {
	switch c := v.p.(type) {
	case *gbx.Chunk:
		if c.Skip {
			return "skippable"
		}
	case *gbx.HeaderChunk:
		if c.Heavy {
			return "heavy"
		}
	}
	return "plain"
}

func (d *differ) named(a, b *Value, path string) {
	inA, inB := byName(a), byName(b)
	for i := range a.Children {
		old := &a.Children[i]
		at := path + separator(old.Name) + old.Name
		if new := inB[old.Name]; new != nil {
			d.value(old, new, at)
		} else {
			d.list = append(d.list, archive.ValueChange{Kind: archive.Removed, Path: at, Old: summary(old)})
		}
	}
	for i := range b.Children {
		new := &b.Children[i]
		if inA[new.Name] == nil {
			d.list = append(d.list, archive.ValueChange{Kind: archive.Added, Path: path + separator(new.Name) + new.Name, New: summary(new)})
		}
	}
}

func byName(v *Value) map[string]*Value {
	m := make(map[string]*Value, len(v.Children))
	for i := range v.Children {
		m[v.Children[i].Name] = &v.Children[i]
	}
	return m
}

// lists compares two lists without their common beginning and end.
func (d *differ) lists(a, b []Value, path string) {
	first := 0
	for first < len(a) && first < len(b) && equal(&a[first], &b[first]) {
		first++
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && equal(&a[len(a)-1-last], &b[len(b)-1-last]) {
		last++
	}
	a, b = a[first:len(a)-last], b[first:len(b)-last]
	for i := range max(len(a), len(b)) {
		at := fmt.Sprintf("%s[%d]", path, first+i)
		switch {
		case i >= len(b):
			d.list = append(d.list, archive.ValueChange{Kind: archive.Removed, Path: at, Old: summary(&a[i])})
		case i >= len(a):
			d.list = append(d.list, archive.ValueChange{Kind: archive.Added, Path: at, New: summary(&b[i])})
		default:
			d.value(&a[i], &b[i], at)
		}
	}
}

// equal reports whether two values are equal. Numbers of elements and nodes may differ.
func equal(a, b *Value) bool {
	if a.Kind != b.Kind || len(a.Children) != len(b.Children) || (a.node == nil) != (b.node == nil) {
		return false
	}
	switch a.Kind {
	case Leaf:
		return equalLeaves(a.p, b.p)
	case Chunk:
		if form(a) != form(b) {
			return false
		}
	case Node:
		if a.node != nil && a.node.Class != b.node.Class || a.node == nil && summary(a) != summary(b) {
			return false
		}
	}
	for i := range a.Children {
		x, y := &a.Children[i], &b.Children[i]
		if a.Kind != List && x.Name != y.Name || !equal(x, y) {
			return false
		}
	}
	return true
}

func equalLeaves(a, b any) bool {
	x, isID := a.(*gbx.ID)
	if y, ok := b.(*gbx.ID); isID && ok {
		return x.Equal(*y) && x.IsGlobal() == y.IsGlobal()
	}
	return bytes.Equal(appendJSON(nil, a, false), appendJSON(nil, b, false))
}

// summary describes a value in a few words.
func summary(v *Value) string {
	switch v.Kind {
	case Leaf:
		return v.Text()
	case List:
		return fmt.Sprintf("%d elements", len(v.Children))
	case Chunk:
		return fmt.Sprintf("%d bytes", v.Length)
	case Node:
		return refText(v)
	}
	if t, ok := tuple(v); ok {
		return t
	}
	return fmt.Sprintf("%d values", len(v.Children))
}
