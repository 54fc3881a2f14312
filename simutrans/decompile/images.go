package decompile

import (
	"fmt"

	"pakbox/simutrans/node"
)

// image writes the key of an image.
func (w *writer) image(key string, n *node.Node) {
	if n.Type != node.IMG {
		w.fail("%s is a %s and no image", key, n.Type)
		return
	}
	if w.collect != nil {
		*w.collect = append(*w.collect, NamedImage{key, n})
		return
	}
	ref, err := w.sheet.reference(n)
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return
	}
	w.set(key, ref)
}

// isBlank reports whether an image is what a missing key gives.
func isBlank(n *node.Node) bool {
	return len(n.Body) == 10 && n.Body[0]|n.Body[1]|n.Body[2]|n.Body[3] == 0 && n.Body[9] == 1
}

// all writes an image for every key of a list, also the empty ones, because
// their keys are counted.
func (w *writer) all(list *node.Node, key func(i int) string) {
	if list == nil || list.Type != node.IMG1 {
		return
	}
	w.sheet.newRow()
	for i, n := range list.Children {
		w.image(key(i), n)
	}
}

// some writes the images of a list that are not empty. must names the key
// that is written in any case, because others depend on it.
func (w *writer) some(list *node.Node, keys []string, must string) {
	if list == nil {
		return
	}
	if len(list.Children) > len(keys) {
		w.fail("a list has %d images, of which %d have a name", len(list.Children), len(keys))
		return
	}
	w.sheet.newRow()
	for i, n := range list.Children {
		if !isBlank(n) || keys[i] == must {
			w.image(keys[i], n)
		}
	}
}

// numbered makes the keys name[0], name[1], …
func numbered(name string) func(int) string {
	return func(i int) string { return fmt.Sprintf("%s[%d]", name, i) }
}

// indexed makes the keys name[index]suffix.
func indexed(name string, indices []string, suffix string) []string {
	keys := make([]string, len(indices))
	for i, index := range indices {
		keys[i] = name + "[" + index + "]" + suffix
	}
	return keys
}

// from makes a function of a list of keys.
func from(keys []string) func(int) string {
	return func(i int) string {
		if i < len(keys) {
			return keys[i]
		}
		return "image[unknown]"
	}
}

// cursor writes the images of a CURS child.
func (w *writer) cursor(n *node.Node) {
	c := child(n, node.CURS)
	if c == nil {
		return
	}
	if list := child(c, node.IMG1); list != nil {
		w.some(list, []string{"cursor", "icon"}, "")
	}
}
