package trackmania

import (
	"fmt"
	"reflect"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// A file says many things more than once: a map's name stands in two chunks
// of the header, in the XML there, and in a chunk of the body that is another
// one in each game. The tables of this package (mapfacts.go and its like) are
// the one list of those places. Whoever wants a value asks the table, whoever
// changes one changes it everywhere, and a check compares the places.

// site is where facts are looked for: the header and the main node of a file,
// or a node that has no header of its own.
type site struct {
	header *gbx.Header
	node   *gbx.Node
}

// siteOf is the site of a whole file.
func siteOf(f *gbx.File) site { return site{&f.Header, f.Body} }

// place is one place where a fact may stand.
type place[T any] struct {
	name string // as people read it: header chunk 03043003
	get  func(site) (T, bool)
	set  func(site, T) // does nothing where the place is absent
}

// fact is something that a file says, perhaps in several places.
type fact[T any] struct {
	what   string         // as in "the map's name is …"
	text   func(T) string // what is compared and shown; nil if every value counts
	none   T              // what no place says, or an empty one
	places []place[T]     // the one to believe first
	// matters tells whether the places have to agree; nil if they always do.
	matters func(site) bool
}

// in returns what the first place says that says anything.
func (f *fact[T]) in(s site) T {
	v, _ := f.find(s)
	return v
}

// find is in, and tells whether there is any place at all.
func (f *fact[T]) find(s site) (v T, ok bool) {
	for i := range f.places {
		got, there := f.places[i].get(s)
		if there && (f.text == nil || f.text(got) != f.text(f.none)) {
			return got, true
		}
		ok = ok || there
	}
	return f.none, ok
}

// set changes the fact everywhere.
func (f *fact[T]) set(s site, v T) {
	for i := range f.places {
		f.places[i].set(s, v)
	}
}

// contradiction is a sentence about two places that do not agree, or "".
func (f *fact[T]) contradiction(s site) string {
	if f.matters != nil && !f.matters(s) {
		return ""
	}
	first, firstPlace := "", ""
	for i := range f.places {
		p := &f.places[i]
		v, ok := p.get(s)
		switch {
		case !ok:
		case firstPlace == "":
			first, firstPlace = f.text(v), p.name
		case f.text(v) != first:
			return fmt.Sprintf("the %s is %q in %s, but %q in %s", f.what, first, firstPlace, f.text(v), p.name)
		}
	}
	return ""
}

// inBody is a field of a chunk of the main node. The function returns nil
// where a chunk of this version does not have the field.
func inBody[C gbx.Body, T any](field func(C) *T) place[T] {
	return inChunk("chunk", func(s site) (C, bool) { return gbx.Find[C](s.node) }, field)
}

// inHeader is a field of a chunk of the header.
func inHeader[C gbx.Body, T any](field func(C) *T) place[T] {
	return inChunk("header chunk", func(s site) (c C, ok bool) {
		if s.header == nil {
			return c, false
		}
		return gbx.FindHeader[C](s.header)
	}, field)
}

// inParameters is a field of a chunk of a map's parameters, a node of its own
// that holds the medals.
func inParameters[C gbx.Body, T any](field func(C) *T) place[T] {
	return inChunk("chunk", func(s site) (C, bool) { return gbx.Find[C](parameters(s.node)) }, field)
}

// parameters returns the node that holds a map's medals, or nil.
func parameters(n *gbx.Node) *gbx.Node {
	if c, ok := gbx.Find[*game.Chunk03043011](n); ok {
		return c.ChallengeParameters.Node
	}
	return nil
}

func inChunk[C gbx.Body, T any](kind string, find func(site) (C, bool), field func(C) *T) place[T] {
	at := func(s site) *T {
		if c, ok := find(s); ok {
			return field(c)
		}
		return nil
	}
	return place[T]{
		name: kind + " " + chunkName(reflect.TypeFor[C]()),
		get: func(s site) (v T, ok bool) {
			if p := at(s); p != nil {
				return *p, true
			}
			return v, false
		},
		set: func(s site, v T) {
			if p := at(s); p != nil {
				*p = v
			}
		},
	}
}

// chunkName is the number of a chunk, which its type is named after:
// *game.Header03043003.
func chunkName(t reflect.Type) string {
	return strings.TrimPrefix(strings.TrimPrefix(t.Elem().Name(), "Header"), "Chunk")
}

// when is a field that is there on a condition.
func when[T any](there bool, field *T) *T {
	if there {
		return field
	}
	return nil
}

// within are places that hold a part of what others hold.
func within[W, T any](list []place[W], field func(*W) *T) []place[T] {
	out := make([]place[T], len(list))
	for i, p := range list {
		out[i] = place[T]{
			name: p.name,
			get: func(s site) (T, bool) {
				whole, ok := p.get(s)
				return *field(&whole), ok
			},
			set: func(s site, v T) {
				if whole, ok := p.get(s); ok {
					*field(&whole) = v
					p.set(s, whole)
				}
			},
		}
	}
	return out
}

// texts are places of IDs, by their names.
func texts(list []place[gbx.ID]) []place[string] {
	out := make([]place[string], len(list))
	for i, p := range list {
		out[i] = place[string]{
			name: p.name,
			get: func(s site) (string, bool) {
				id, ok := p.get(s)
				return id.String(), ok
			},
			set: func(s site, v string) { p.set(s, gbx.NewID(v)) },
		}
	}
	return out
}

// idOf is a place of a text that stands for an ID elsewhere.
func idOf(p place[string]) place[gbx.ID] {
	return place[gbx.ID]{
		name: p.name,
		get: func(s site) (gbx.ID, bool) {
			text, ok := p.get(s)
			return gbx.NewID(text), ok
		},
		set: func(s site, v gbx.ID) { p.set(s, v.String()) },
	}
}
