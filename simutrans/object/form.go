package object

import (
	"slices"

	"pakbox/simutrans/node"
)

// form describes the keys of a list of images. Both the compiler and the decompiler use
// it.
type form struct {
	keys []string // keys of the images; a missing one gives an empty image
	must string   // key that must be written even for an empty image, because others depend on it

	more    []string // keys of further images that may be missing
	instead []string // other names for more, which take precedence

	counted func(i int) string // instead of keys: as many as the source has
	orNone  bool               // the list is omitted without any image
}

// images makes the lists of images of an object, in order.
func (b *Builder) images(forms ...form) (lists []*node.Node) {
	for _, f := range forms {
		keys := f.keys
		if f.counted != nil {
			keys = b.present(f.counted)
		}
		for i, k := range f.more {
			switch {
			case f.instead != nil && b.Has(f.instead[i]):
				keys = append(slices.Clip(keys), f.instead[i])
			case b.Has(k):
				keys = append(slices.Clip(keys), k)
			}
		}
		if len(keys) == 0 && f.orNone {
			lists = append(lists, noList())
		} else {
			lists = append(lists, b.list(keys))
		}
	}
	return lists
}

// images writes lists of images by their forms.
func (w *Writer) images(lists []*node.Node, forms ...form) {
	if len(lists) != len(forms) {
		w.fail("%d lists of images in the place of %d", len(lists), len(forms))
		return
	}
	for i, f := range forms {
		if f.counted != nil {
			w.all(lists[i], f.counted)
			continue
		}
		first := *lists[i]
		first.Children = first.Children[:min(len(first.Children), len(f.keys))]
		w.some(&first, f.keys, f.must)
		rest := lists[i].Children[len(first.Children):]
		isCut := f.more != nil && len(first.Children) > 0 && len(first.Children) < len(f.keys)
		if isCut || len(rest) > len(f.more) {
			w.fail("a list has %d images in the place of %d", len(lists[i].Children), len(f.keys)+len(f.more))
			return
		}
		for j, n := range rest {
			w.image(f.more[j], n)
		}
	}
}

// cursorKeys are the keys of the images that tools of the game show.
var cursorKeys = []string{"cursor", "icon"}

// cursor makes the CURS child.
func (b *Builder) cursor() *node.Node {
	return &node.Node{Type: node.CURS, Children: append(b.nameAndCopyright(), b.list(cursorKeys))}
}

// maybeCursor makes the CURS child only if the source has its keys.
func (b *Builder) maybeCursor() []*node.Node {
	if b.anyOf(cursorKeys) {
		return []*node.Node{b.cursor()}
	}
	return nil
}

// cursor writes the images of a CURS child.
func (w *Writer) cursor() {
	if c := child(w.object, node.CURS); c != nil {
		w.some(child(c, node.IMG1), cursorKeys, "")
	}
}

// maybeCursor writes the images of CURS for a type that has a CURS only if its keys are
// set.
func (w *Writer) maybeCursor(n *node.Node) {
	c := child(n, node.CURS)
	if c == nil {
		return
	}
	list, must := child(c, node.IMG1), ""
	if list != nil && !slices.ContainsFunc(list.Children, func(n *node.Node) bool { return !IsBlank(n) }) {
		must = cursorKeys[0] // this key makes the compiler add a CURS
	}
	w.some(list, cursorKeys, must)
}
