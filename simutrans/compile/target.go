package compile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
)

// Target says what to compile for: the versions of the descriptors, and the
// ways of the makeobj that wrote them.
type Target struct {
	name     string
	versions map[node.Type]int

	// wideMoney: amounts of money are decimals that are rounded, and may
	// need more than 32 bits.
	wideMoney bool
	// closeDiagonals: ways and way objects have two more diagonal images.
	closeDiagonals bool
	// westFirst: signals written as image[dir][state] have west before
	// east. Before, they were swapped on the screen.
	westFirst bool
	// lazySlopes: a way without an image on slopes has an empty list of
	// them, not a list of empty images.
	lazySlopes bool
}

// Name returns the version of makeobj the target follows.
func (t Target) Name() string { return t.name }

// Default is the target used where none is chosen: what Debian ships.
const Default = "60.6"

// base is what all targets write; the others differ from it.
var base = map[node.Type]int{
	node.BRDG: 9, node.TUNL: 5, node.WAY: 6, node.WYOB: 1, node.CRSS: 2, node.SIGN: 5,
	node.GOOD: 3, node.BUIL: 10, node.TILE: 2, node.FACT: 5, node.FPRO: 1, node.FFIE: 3,
	node.FFCL: 1, node.VHCL: 11, node.CCAR: 2, node.PASS: 2, node.TREE: 2, node.GOBJ: 1,
	node.SOUN: 2, node.IMG: 3,
}

var newest = map[node.Type]int{
	node.BRDG: 11, node.TUNL: 6, node.WAY: 8, node.WYOB: 2, node.SIGN: 6, node.GOOD: 4,
	node.BUIL: 12, node.FACT: 6, node.VHCL: 13, node.GOBJ: 2,
}

// Targets returns the names of the targets.
func Targets() []string { return []string{"60.6", "60.12"} }

// LookupTarget returns the target of a name.
func LookupTarget(name string) (Target, error) {
	t := Target{name: name, versions: maps.Clone(base)}
	switch name {
	case "60.6":
	case "60.12":
		maps.Copy(t.versions, newest)
		t.wideMoney, t.closeDiagonals, t.westFirst, t.lazySlopes = true, true, true, true
	default:
		return Target{}, fmt.Errorf("there is no target %q; there are %s", name, strings.Join(Targets(), " and "))
	}
	return t, nil
}

// with returns the target changed by a directive of the form "BUIL=9 FACT=4",
// which decompiled sources carry so that they give their versions again.
func (t Target) with(directive string) (Target, error) {
	if directive == "" {
		return t, nil
	}
	t.versions = maps.Clone(t.versions)
	for word := range strings.FieldsSeq(directive) {
		name, value, _ := strings.Cut(word, "=")
		version, err := strconv.Atoi(value)
		typ, ok := typeNamed(name)
		max, _ := desc.Newest(typ)
		if typ == node.IMG {
			max = 3
		}
		if !ok || err != nil || version < 0 || version > max {
			return t, fmt.Errorf("%q names no version of a node", word)
		}
		t.versions[typ] = version
	}
	return t, nil
}

func typeNamed(name string) (node.Type, bool) {
	for typ := range base {
		if typ.String() == name {
			return typ, true
		}
	}
	return 0, false
}

// DirectiveFor returns the directive that makes the target write the given
// versions, "" if it does so by itself.
func (t Target) DirectiveFor(versions map[node.Type]int) string {
	var words []string
	for typ, version := range versions {
		if want, ok := t.versions[typ]; ok && want != version {
			words = append(words, fmt.Sprintf("%s=%d", typ, version))
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
