// Package object knows the types of Simutrans objects: what a vehicle costs,
// how high a bridge may be, which images a building has.
//
// Every type is one registration in a file of its own. Its tables say which
// fields there are, what they are called in the source language and what they
// are without a word of it, and in which order and width they stand in the
// body of each version. Reading and writing a [Body], compiling ([Builder]),
// decompiling ([Writer]), checking and setting single values all follow these
// tables. What a table cannot say, mostly which images an object has, is a
// pair of functions beside it, one for each direction.
//
// The first word of most bodies is their version: the high bit is set and the
// rest is the number; a clear high bit means version 0, whose first field
// that word already is. Simutrans-Extended sets the next bit too and adds its
// own number in the high byte.
package object

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/simutrans/node"
)

// Type is one type of node, and what is known of it.
type Type struct {
	Node node.Type
	// Versions are what the targets write: see target.go. A type that is not
	// compiled by itself, or has no version, leaves them out.
	Versions versions
	// Fields and Bodies are the tables: see table.go.
	Fields, Extended string
	Bodies           []string

	// Build makes the node of an object from its source, and Write writes
	// that source again. Nodes that are part of others have neither.
	Build func(*Builder) *node.Node
	Write func(*Writer, *Body)

	unversioned bool // a body does not begin with its version
	always      bool // the first word is the version, whatever its high bit
	emptyFirst  bool // an empty body is one of version 0

	once    sync.Once
	slots   map[string]int
	layouts map[Version]*layout
	newest  int // version of Standard
}

// Obj is the name of the type in a source, "" if it is no object.
func (t *Type) Obj() string { return t.Node.Obj() }

var types = map[node.Type]*Type{}

func register(t *Type) { types[t.Node] = t }

// lookup returns a type with its tables read, nil if it is not known.
func lookup(t node.Type) *Type {
	typ := types[t]
	if typ != nil {
		typ.once.Do(typ.parse)
	}
	return typ
}

// Capabilities returns the obj= names that can be compiled, sorted.
func Capabilities() []string {
	var names []string
	for _, t := range types {
		if t.Build != nil && t.Versions.standard() {
			names = append(names, t.Obj())
		}
	}
	slices.Sort(names)
	return names
}

// Version is the version of a body.
type Version struct {
	Standard int  // the number Standard's makeobj counts
	Extended int  // Simutrans-Extended's own number on top of it
	IsExt    bool // written by Simutrans-Extended
}

const (
	versionBit  = 0x8000
	extendedBit = 0x4000
)

// Word returns the version as it stands at the begin of a body.
func (v Version) Word() uint16 {
	if v.IsExt {
		return uint16(versionBit | extendedBit | (v.Extended+1)<<8 | v.Standard)
	}
	return uint16(versionBit | v.Standard)
}

// String writes a version as directives of a source do: 11, or 11x7 for
// Extended.
func (v Version) String() string {
	if v.IsExt {
		return fmt.Sprintf("%dx%d", v.Standard, v.Extended)
	}
	return strconv.Itoa(v.Standard)
}

// parseVersion reads what String writes.
func parseVersion(s string) (v Version, err error) {
	standard, extended, isExt := strings.Cut(s, "x")
	if v.Standard, err = strconv.Atoi(standard); err == nil && isExt {
		v.IsExt = true
		v.Extended, err = strconv.Atoi(extended)
	}
	return v, err
}

// versionOf takes a version word apart.
func versionOf(word uint16) Version {
	if word&extendedBit != 0 {
		return Version{Standard: int(word & 0xFF), Extended: int(word>>8&0x3F) - 1, IsExt: true}
	}
	return Version{Standard: int(word &^ versionBit)}
}

// Versioned reports whether the bodies of a type say their version.
func Versioned(t node.Type) bool {
	typ := lookup(t)
	return typ != nil && !typ.unversioned
}
