// Package object describes the types of Simutrans objects: the price of a vehicle, the
// height of a bridge, the images of a building.
//
// Every type is registered in a file of its own. Its tables name the fields, the keys of
// a source for them with their defaults and a sentence for authors, and the order and
// width of the fields in the body of each version. Reading and writing a [Body],
// compiling ([Builder]), decompiling ([Writer]), editors ([Keys]) and setting single
// values all follow these tables. Two functions beside the tables, one for each
// direction, do what a table cannot express: mostly which images an object has.
//
// The first word of most bodies is their version: the high bit is set and the rest is the
// number. A clear high bit means version 0, and the word is the first field.
// Simutrans-Extended sets the next bit too and keeps its own number in the high byte.
package object

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"pakbox/simutrans/node"
)

// Type describes one type of node.
type Type struct {
	Node  node.Type
	Word  string // the obj= of a source; for a part of an object makeobj's name
	About string // one sentence about an object for its author
	// Versions are the versions that the targets write: see target.go. It is empty for a
	// part without a version.
	Versions versions
	// Fields, Extended and Bodies are the tables: see table.go.
	Fields, Extended string
	Bodies           []string
	// Names are the names that the game looks for.
	Names []string
	// Parts are the types whose keys are also in the source of the object.
	Parts []node.Type
	// Axes are the choices in the indices of an image's key: see package picture.
	Axes []string

	// Build makes the node of an object from its source, and Write writes the source from
	// the node. Both are nil for parts of objects.
	Build func(*Builder) *node.Node
	Write func(*Writer, *Body)

	unversioned bool // bodies have no version word
	always      bool // the first word is always the version, whatever its high bit
	emptyFirst  bool // an empty body has version 0

	once               sync.Once
	slots              map[string]int
	layouts            map[Version]*layout
	standard, extended []*spec
	newest             int // newest version of Standard
}

var types = map[node.Type]*Type{}

func register(t *Type) {
	types[t.Node] = t
	node.Declare(t.Node, t.Word, t.Build != nil)
}

// lookup returns a type with its tables parsed, nil if it is unknown.
func lookup(t node.Type) *Type {
	typ := types[t]
	if typ != nil {
		typ.once.Do(typ.parse)
	}
	return typ
}

// Capabilities returns the obj= names that Standard's makeobj compiles, sorted.
func Capabilities() []string {
	target, _ := LookupTarget(DefaultTarget)
	return target.Objects()
}

// About returns the sentence about an object type, "" if none exists.
func About(t node.Type) string {
	if typ := types[t]; typ != nil {
		return typ.About
	}
	return ""
}

// SpecialNames returns the names of a type that the game looks for.
func SpecialNames(t node.Type) []string {
	if typ := types[t]; typ != nil {
		return typ.Names
	}
	return nil
}

// Axes returns the choices in the indices of an image's key.
func Axes(t node.Type) []string {
	if typ := types[t]; typ != nil {
		return typ.Axes
	}
	return nil
}

// Version is the version of a body.
type Version struct {
	Standard int  // version number of Standard's makeobj
	Extended int  // additional version number of Simutrans-Extended
	IsExt    bool // Simutrans-Extended wrote the body
}

const (
	versionBit  = 0x8000
	extendedBit = 0x4000
)

// Word returns the version word at the beginning of a body.
func (v Version) Word() uint16 {
	if v.IsExt {
		return uint16(versionBit | extendedBit | (v.Extended+1)<<8 | v.Standard)
	}
	return uint16(versionBit | v.Standard)
}

// String returns a version in the form of directives: 11, or 11x7 for Extended.
func (v Version) String() string {
	if v.IsExt {
		return fmt.Sprintf("%dx%d", v.Standard, v.Extended)
	}
	return strconv.Itoa(v.Standard)
}

// parseVersion reads the text of String.
func parseVersion(s string) (v Version, err error) {
	standard, extended, isExt := strings.Cut(s, "x")
	if v.Standard, err = strconv.Atoi(standard); err == nil && isExt {
		v.IsExt = true
		v.Extended, err = strconv.Atoi(extended)
	}
	return v, err
}

// versionOf splits a version word.
func versionOf(word uint16) Version {
	if word&extendedBit != 0 {
		return Version{Standard: int(word & 0xFF), Extended: int(word>>8&0x3F) - 1, IsExt: true}
	}
	return Version{Standard: int(word &^ versionBit)}
}

// Versioned reports whether the bodies of a type have a version word.
func Versioned(t node.Type) bool {
	typ := lookup(t)
	return typ != nil && !typ.unversioned
}
