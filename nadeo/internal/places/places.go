// Package places knows all places in a file that state one fact.
//
// A file states most facts more than once. A map's name is in two chunks of the header,
// in the header's XML, and in a chunk of the body, a different one in each game. The
// packages below trackmania list these places once, in their tables of facts. A reader
// takes the value from the first place that has one, a change is written to every place,
// and a check compares all places.
package places

import (
	"fmt"
	"reflect"
	"strings"

	"pakbox/gbx"
)

// Site is the part of a file that holds the places: its header and its main
// node. Header is nil for a node inside of a file.
type Site struct {
	Header *gbx.Header
	Node   *gbx.Node
}

// SiteOf returns the site of a whole file.
func SiteOf(f *gbx.File) Site { return Site{&f.Header, f.Body} }

// Place is one place where a file states a fact.
type Place[T any] struct {
	Name func() string // in the form that people see: header chunk 03043003
	Get  func(Site) (T, bool)
	Set  func(Site, T) // does nothing where the place is absent
}

// Fact lists the places of one fact, and the way to compare them.
type Fact[T any] struct {
	What string // beginning of sentences about the fact: "the map's name"
	// Text converts a value to text. Values with equal texts agree. If Text is nil, the
	// places are not compared, and no value counts as empty.
	Text   func(T) string
	None   T          // the value of a file without the fact
	Places []Place[T] // in order of trust: the first place wins
	// Matters reports whether the places of a file must agree. Nil means that
	// they must in every file.
	Matters func(Site) bool
}

// Read returns the value of the first place that is not empty.
func (f *Fact[T]) Read(s Site) T {
	v, _ := f.Find(s)
	return v
}

// Find is [Of.Read], and also reports whether the file has any of the places, even an
// empty one.
func (f *Fact[T]) Find(s Site) (v T, ok bool) {
	for i := range f.Places {
		got, there := f.Places[i].Get(s)
		if there && (f.Text == nil || f.Text(got) != f.Text(f.None)) {
			return got, true
		}
		ok = ok || there
	}
	return f.None, ok
}

// Set writes the value to every place that exists in the file.
func (f *Fact[T]) Set(s Site, v T) {
	for i := range f.Places {
		f.Places[i].Set(s, v)
	}
}

// Change writes the value to every place that states another one, and returns the number
// of places that the file has. A place that agrees keeps its bytes.
func (f *Fact[T]) Change(s Site, v T) (n int) {
	for i := range f.Places {
		got, ok := f.Places[i].Get(s)
		if !ok {
			continue
		}
		n++
		if f.Text(got) != f.Text(v) {
			f.Places[i].Set(s, v)
		}
	}
	return n
}

// Contradiction returns a sentence about two places that disagree, or "".
func (f *Fact[T]) Contradiction(s Site) string {
	if f.Matters != nil && !f.Matters(s) {
		return ""
	}
	first, firstPlace := "", (*Place[T])(nil)
	for i := range f.Places {
		p := &f.Places[i]
		v, ok := p.Get(s)
		switch {
		case !ok:
		case firstPlace == nil:
			first, firstPlace = f.Text(v), p
		case f.Text(v) != first:
			return fmt.Sprintf("the %s is %q in %s, but %q in %s", f.What, first, firstPlace.Name(), f.Text(v), p.Name())
		}
	}
	return ""
}

// Agreeing is an [Of] for a fact of any type.
type Agreeing interface{ Contradiction(Site) string }

// Contradictions collects the sentences of [Of.Contradiction] for several facts.
func Contradictions(s Site, facts ...Agreeing) []string {
	var list []string
	for _, f := range facts {
		if sentence := f.Contradiction(s); sentence != "" {
			list = append(list, sentence)
		}
	}
	return list
}

// InBody makes a place that is a field in a chunk of the main node. The function field
// returns nil if this version of the chunk does not have the field.
func InBody[C gbx.Body, T any](field func(C) *T) Place[T] {
	return InChunk("chunk", func(s Site) (C, bool) { return gbx.Find[C](s.Node) }, field)
}

// InHeader makes a place that is a field in a chunk of the header.
func InHeader[C gbx.Body, T any](field func(C) *T) Place[T] {
	return InChunk("header chunk", func(s Site) (c C, ok bool) {
		if s.Header == nil {
			return c, false
		}
		return gbx.FindHeader[C](s.Header)
	}, field)
}

// InChunk makes a place that is a field in a chunk. The function find looks the chunk up.
// kind is the word for such chunks in sentences: "chunk", "header chunk".
func InChunk[C gbx.Body, T any](kind string, find func(Site) (C, bool), field func(C) *T) Place[T] {
	at := func(s Site) *T {
		if c, ok := find(s); ok {
			return field(c)
		}
		return nil
	}
	return Place[T]{
		Name: func() string { return kind + " " + chunkName(reflect.TypeFor[C]()) },
		Get: func(s Site) (v T, ok bool) {
			if p := at(s); p != nil {
				return *p, true
			}
			return v, false
		},
		Set: func(s Site, v T) {
			if p := at(s); p != nil {
				*p = v
			}
		},
	}
}

// chunkName returns the number of a chunk, taken from the name of its Go type:
// *game.Header03043003.
func chunkName(t reflect.Type) string {
	return strings.TrimPrefix(strings.TrimPrefix(t.Elem().Name(), "Header"), "Chunk")
}

// When returns the field if the condition holds, nil otherwise.
func When[T any](there bool, field *T) *T {
	if there {
		return field
	}
	return nil
}

// Within turns places of a whole value into places of one field of it.
func Within[W, T any](list []Place[W], field func(*W) *T) []Place[T] {
	out := make([]Place[T], len(list))
	for i, p := range list {
		out[i] = Place[T]{
			Name: p.Name,
			Get: func(s Site) (T, bool) {
				whole, ok := p.Get(s)
				return *field(&whole), ok
			},
			Set: func(s Site, v T) {
				if whole, ok := p.Get(s); ok {
					*field(&whole) = v
					p.Set(s, whole)
				}
			},
		}
	}
	return out
}

// Texts turns places of IDs into places of their texts.
func Texts(list []Place[gbx.ID]) []Place[string] {
	out := make([]Place[string], len(list))
	for i, p := range list {
		out[i] = Place[string]{
			Name: p.Name,
			Get: func(s Site) (string, bool) {
				id, ok := p.Get(s)
				return id.String(), ok
			},
			Set: func(s Site, v string) { p.Set(s, gbx.NewID(v)) },
		}
	}
	return out
}

// IDOf turns a place of a text into a place of an ID.
func IDOf(p Place[string]) Place[gbx.ID] {
	return Place[gbx.ID]{
		Name: p.Name,
		Get: func(s Site) (gbx.ID, bool) {
			text, ok := p.Get(s)
			return gbx.NewID(text), ok
		},
		Set: func(s Site, v gbx.ID) { p.Set(s, v.String()) },
	}
}
