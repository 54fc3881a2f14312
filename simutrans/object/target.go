package object

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pakbox/simutrans/node"
)

// versions are the versions of a type in the three targets: 60.6, 60.12 and Extended.
type versions [3]Version

// same returns versions that are the same for all targets.
func same(v int) versions { return versions{{Standard: v}, {Standard: v}, {Standard: v}} }

// since12 returns versions for a type whose version changed in 60.12.
func since12(v, newer int) versions {
	return versions{{Standard: v}, {Standard: newer}, {Standard: v}}
}

// extended adds the version of Simutrans-Extended.
func (v versions) extended(standard, extended int) versions {
	v[2] = Version{Standard: standard, Extended: extended, IsExt: true}
	return v
}

// noVersions is for a type without a version that all targets know.
var noVersions = same(-1)

// Target states which makeobj to imitate: the versions of bodies, and other differences
// between makeobjs.
type Target struct {
	name     string
	index    int // index into versions
	banner   string
	versions map[node.Type]Version

	// wideMoney: amounts of money are rounded decimals and may need more than 32 bits.
	wideMoney bool
	// closeDiagonals: ways and way objects have two more diagonal images.
	closeDiagonals bool
	// westFirst: for signals written as image[dir][state], west comes before east. Older
	// targets show them swapped.
	westFirst bool
	// NumberByRows: the row of image n is n divided by the number of rows of the picture.
	// This is a mistake unless the picture is square; Extended divides by the number of
	// columns.
	NumberByRows bool
}

// Banner is the text at the beginning of a file for the target.
func (t Target) Banner() string { return t.banner }

// Name returns the version of makeobj that the target imitates.
func (t Target) Name() string { return t.name }

// DefaultTarget is the makeobj that Debian ships.
const DefaultTarget = "60.6"

// Extended is the target of Simutrans-Extended: its makeobj of version 60.21.
const Extended = "extended"

// Targets returns the names of the targets.
func Targets() []string { return []string{"60.6", "60.12", Extended} }

// LookupTarget returns the target of a name.
func LookupTarget(name string) (Target, error) {
	i := slices.Index(Targets(), name)
	if i < 0 {
		return Target{}, fmt.Errorf("unknown target %q; expected one of %s", name, strings.Join(Targets(), ", "))
	}
	t := Target{name: name, index: i, versions: map[node.Type]Version{node.IMG: {Standard: newestImage}}}
	for _, typ := range types {
		if v := typ.Versions[i]; v.Standard > 0 {
			t.versions[typ.Node] = v
		}
	}
	t.banner, t.NumberByRows = node.Banner, true
	switch name {
	case "60.12":
		t.wideMoney, t.closeDiagonals, t.westFirst = true, true, true
	case Extended:
		t.banner, t.NumberByRows = node.BannerExtended, false
	}
	return t, nil
}

// newestImage is the version of images that all targets write.
const newestImage = 3

// Objects returns the obj= names that the target compiles, sorted.
func (t Target) Objects() (names []string) {
	for _, typ := range types {
		if typ.Build != nil && t.has(typ) {
			names = append(names, typ.Word)
		}
	}
	slices.Sort(names)
	return names
}

// Version is the version of a type that the target writes.
func (t Target) Version(typ node.Type) Version { return t.versions[typ] }

// isExtended reports whether the target writes a type in Extended's form.
func (t Target) isExtended(typ node.Type) bool { return t.versions[typ].IsExt }

// has reports whether the target knows a type.
func (t Target) has(typ *Type) bool {
	return typ.Versions[t.index] != Version{} || t.versions[typ.Node] != Version{}
}

// since reports whether the target writes a type in this version or a later one.
func (t Target) since(typ node.Type, version int) bool { return t.versions[typ].Standard >= version }

// With returns the target changed by a directive of the form "BUIL=9 FACT=4". Decompiled
// sources contain it, so that compiling gives the same versions.
func (t Target) With(directive string) (Target, error) {
	t.versions = maps.Clone(t.versions)
	for word := range strings.FieldsSeq(directive) {
		name, value, _ := strings.Cut(word, "=")
		version, err := parseVersion(value)
		if typ := node.TypeOf(name); err == nil && len(name) <= 4 && writable(typ, version) {
			t.versions[typ] = version
			continue
		}
		return t, fmt.Errorf("%q names no version of a node", word)
	}
	return t, nil
}

// writable reports whether a type has this version.
func writable(typ node.Type, v Version) bool {
	if typ == node.IMG {
		return !v.IsExt && v.Standard >= 0 && v.Standard <= newestImage
	}
	t := lookup(typ)
	return t != nil && !t.unversioned && t.layouts[v] != nil
}

// DirectiveFor returns the directive that makes the target write the given versions, ""
// if it writes them anyway.
func (t Target) DirectiveFor(versions map[node.Type]Version) string {
	var words []string
	for typ, version := range versions {
		if want, ok := t.versions[typ]; ok && want != version {
			words = append(words, fmt.Sprintf("%s=%s", typ, version))
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
