package tree

import (
	"fmt"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/gbx/classid"
)

// Match is a value that a path leads to.
type Match struct {
	Path  string
	Value *Value
	main  bool // in the header, or in a chunk of the main node itself
	guard bool // in a replay or ghost
}

// Find returns the values a path leads to: the one whose whole path it is,
// else all whose path ends with it, else all whose path has its names in
// order. So mapName and 0304301F.blocks[3].name find what they should.
// Chunks may be called by any number that their class has had.
func (t *Tree) Find(path string) []Match {
	want := split(path)
	if len(want) == 0 {
		return nil
	}
	f := &finder{t: t, want: want}
	f.walk(&t.Header, Match{Path: "header", main: true, guard: isEvidence(t.File.Class)}, []string{"header"})
	f.walk(&t.Body, Match{Path: "body", main: true}, []string{"body"})
	for _, found := range [][]Match{f.exact, f.suffix, f.loose} {
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// split cuts a path into names; elements of lists keep their brackets.
func split(path string) []string {
	var names []string
	for part := range strings.SplitSeq(path, ".") {
		for part != "" {
			i := strings.IndexByte(part[1:], '[')
			if i < 0 {
				names = append(names, part)
				break
			}
			names = append(names, part[:i+1])
			part = part[i+1:]
		}
	}
	return names
}

type finder struct {
	t                    *Tree
	want                 []string
	exact, suffix, loose []Match
}

func (f *finder) walk(v *Value, at Match, names []string) {
	at.Value = v
	if v.Kind == Node && v.node != nil && isEvidence(v.node.Class) {
		at.guard = true
	}
	if last := len(f.want) - 1; same(names[len(names)-1], f.want[last]) {
		f.check(at, names)
	}
	for i := range v.Children {
		c := &v.Children[i]
		next := at
		next.Path += separator(c.Name) + c.Name
		if v.Kind == Node && v != &f.t.Body {
			next.main = false
		}
		f.walk(c, next, append(names, c.Name))
	}
}

func separator(name string) string {
	if strings.HasPrefix(name, "[") {
		return ""
	}
	return "."
}

// check sorts a value whose last name fits by how well the others fit.
func (f *finder) check(at Match, names []string) {
	k := len(f.want) - 1
	straight := true
	for i := len(names) - 1; i >= 0 && k >= 0; i-- {
		if same(names[i], f.want[k]) {
			k--
		} else {
			straight = false
		}
		if k < 0 {
			switch {
			case straight && i == 0:
				f.exact = append(f.exact, at)
			case straight:
				f.suffix = append(f.suffix, at)
			default:
				f.loose = append(f.loose, at)
			}
		}
	}
}

// same reports whether a name is the one asked for.
func same(name, want string) bool {
	if strings.EqualFold(name, want) {
		return true
	}
	if len(want) != 8 || len(name) != 8 {
		return false
	}
	a, err := strconv.ParseUint(name, 16, 32)
	b, bad := strconv.ParseUint(want, 16, 32)
	return err == nil && bad == nil && classid.ID(a).Latest() == classid.ID(b).Latest()
}

// Resolve finds the values that a path means: the only one, or those of the
// header and the main node if all of them are the same, as the name of a map
// is that stands in both.
func (t *Tree) Resolve(path string) ([]Match, error) {
	found := t.Find(path)
	if len(found) == 0 {
		return nil, t.missing(path)
	}
	if len(found) == 1 {
		return found, nil
	}
	var main []Match
	for _, m := range found {
		if m.main {
			main = append(main, m)
		}
	}
	if len(main) == 0 {
		return nil, ambiguous(path, found)
	}
	for _, m := range main[1:] {
		if m.Value.Kind != Leaf || main[0].Value.Kind != Leaf || m.Value.Text() != main[0].Value.Text() {
			return nil, ambiguous(path, main)
		}
	}
	return main, nil
}

// mostCandidates is how many values an error lists.
const mostCandidates = 12

func ambiguous(path string, found []Match) error {
	var b strings.Builder
	for i, m := range found {
		if i == mostCandidates {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(m.Path)
		if m.Value.Kind == Leaf {
			b.WriteString(" (" + m.Value.Text() + ")")
		}
	}
	return &archive.ValueError{Path: path, Message: fmt.Sprintf("can mean %d values: %s", len(found), b.String())}
}
