package object

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/simutrans/dat"
)

// Single values in the words of the source language. A source has cost for the price of
// a vehicle, and gives its gear in percent while the body has 64ths.

// Word is a line of a source.
type Word struct{ Key, Value string }

// Words returns the lines of a source for all fields of a body.
func (d *Body) Words() (words []Word) {
	if d.layout == nil {
		return nil
	}
	for _, s := range d.layout.specs {
		words = append(words, d.wordsOf(s)...)
	}
	return words
}

// wordsOf returns the lines for one field.
func (d *Body) wordsOf(s *spec) (words []Word) {
	if len(s.keys) == 0 || s.kind.late {
		return nil
	}
	w := &Writer{}
	sourceField{s, d, ""}.write(w)
	for line := range strings.Lines(w.text.String()) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		words = append(words, Word{key, value})
	}
	return words
}

// HasWord reports whether a key of the source language sets a field of the body.
func (d *Body) HasWord(key string) bool { return d.specOf(key) != nil }

func (d *Body) specOf(key string) *spec {
	if d.layout == nil {
		return nil
	}
	for _, s := range d.layout.specs {
		isKey := func(k string) bool { return strings.ReplaceAll(k, "#", "") == key }
		if !s.kind.late && (slices.ContainsFunc(s.keys, isKey) || slices.ContainsFunc(d.wordsOf(s), func(w Word) bool { return w.Key == key })) {
			return s
		}
	}
	return nil
}

// named reports whether the keys of a field are alternative names for one value, rather
// than names for parts of it.
func (s *spec) named() bool { return !s.kind.parts }

// SetWord sets a field. key and value are in the form of a source. Other keys of the same
// field, such as the month of a year, keep their values.
func (d *Body) SetWord(key, value string) error {
	s := d.specOf(key)
	if s == nil {
		return fault.New(fault.BadEntry, "sources have no key %q for it", key)
	}
	// The first line of a key wins.
	source := fmt.Sprintf("%s=%s\n", key, value)
	for _, w := range d.wordsOf(s) {
		// A second name of the field is used only if the first one is missing.
		if w.Key != key && !(s.named() && w.Key == s.keys[0]) {
			source += w.Key + "=" + w.Value + "\n"
		}
	}
	objects, problems := dat.Parse("", []byte(source))
	if len(objects) != 1 {
		return fault.New(fault.BadEntry, "%q is not a value", value)
	}
	b := NewBuilder(objects[0], Target{}, nil)
	v := sourceField{s, d, ""}.read(b)
	for _, p := range append(problems, b.Problems()...) {
		return fault.New(fault.BadEntry, "%s", p.Message)
	}
	for i := range d.layout.items {
		if it := &d.layout.items[i]; it.spec.name == s.name {
			return place{item: it, num: &d.nums[it.slot]}.put(v)
		}
	}
	return nil
}
