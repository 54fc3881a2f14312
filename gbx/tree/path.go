package tree

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/gbx/classid"
)

// Match is a value that matches a path. Only [Tree.Resolve] fills in its children.
type Match struct {
	Path    string
	Value   *Value
	number  int     // its number among all values and groups that the search visited
	part    int     // the number of its part, 0 outside of parts
	from    int     // the number of values before that part
	seen    *choice // the groups that the search visited
	main    bool    // it is directly in the header or in a chunk of the main node
	guard   bool    // it belongs to a replay or ghost, which must not change
	inexact bool    // it is in a compressed block that pakbox cannot encode to the same bytes
}

// Find returns the values that match a path: first the value with this complete path,
// otherwise all values whose path ends with it, otherwise all whose path contains its
// names in order. So mapName and 0304301F.blocks[3].name are enough. A chunk ID may be
// old or new.
func (t *Tree) Find(path string) ([]Match, error) {
	want := split(path)
	if len(want) == 0 {
		return nil, nil
	}
	f, err := t.search(want, 0, nil)
	return f.found, err
}

// lookUp is a faster Find for [Tree.Resolve]: it searches likely places first, and stops
// when other places cannot change the result. part limits the search to one part; 0 means
// all.
func (t *Tree) lookUp(path string, part int) ([]Match, error) {
	want := split(path)
	if len(want) == 0 {
		return nil, nil
	}
	for _, where := range choices(want) {
		f, err := t.search(want, part, where)
		if err != nil || where.enough(f.fit, f.found) {
			return f.found, err
		}
	}
	return nil, nil
}

func (t *Tree) search(want []string, part int, where *choice) (*finder, error) {
	f := &finder{cursor: newCursor(), where: where, want: want, evidence: isEvidence(t.File.Class)}
	f.parts = only(part)
	if header := f.stack[0].Value; same(header.Name, want[len(want)-1]) {
		f.check(&header, 0)
	}
	return f, t.File.Walk(f)
}

// split splits a path into names. The name of an element is [3].
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

// finder is the visitor behind Find.
type finder struct {
	cursor
	where    *choice
	want     []string // the names of the path
	evidence bool     // the file is a replay or ghost
	fit      fit      // how well the values in found match
	found    []Match
}

// fit is how well a value matches a path; see [Tree.Find].
type fit uint8

const (
	loose fit = iota
	suffix
	whole
)

func (f *finder) Coded(name string, p any, offset, length int64) {
	if v := f.leaf(name, p, offset, length); v != nil && same(v.Name, f.want[len(f.want)-1]) {
		f.check(v, f.count-1)
	}
}

func (f *finder) Begin(name string, p any, offset int64) {
	g := f.open(name, p, offset)
	if g.shared {
		// The node shares the frame of its reference, which was opened before.
		ref := &f.stack[len(f.stack)-2]
		if last := len(f.found) - 1; last >= 0 && f.found[last].number == ref.number {
			f.found[last].Value.node = ref.node
			f.found[last].guard = f.found[last].guard || isEvidence(ref.node.Class)
		}
		return
	}
	if same(g.Name, f.want[len(f.want)-1]) {
		own := *g
		f.stack = f.stack[:len(f.stack)-1] // check expects only the groups around the value
		f.check(&own.Value, own.number)
		f.stack = f.stack[:len(f.stack)+1]
	}
}

// Wants skips groups that the search need not visit.
func (f *finder) Wants(name string, p any) bool {
	return f.parts.Wants(name, p) && f.where.wants(f.isMain(), name, p)
}

// Inside marks the values in a compressed block that pakbox cannot encode to the same
// bytes.
func (f *finder) Inside(found, coded []byte, err error) bool {
	if f.shown != 0 && !bytes.Equal(found, coded) {
		for i := range f.found {
			if f.found[i].Value.Space == f.shown {
				f.found[i].inexact = true
			}
		}
	}
	return f.cursor.Inside(found, coded, err)
}

// check adds a value whose name is the last name of the path, if it matches at least as
// well as the values in found.
func (f *finder) check(v *Value, number int) {
	k := len(f.want) - 2
	straight := true
	around := f.stack
	inBody := len(around) > 1 && around[1].Space != InHeader || f.isBody(v)
	if inBody || number == 0 {
		around = around[1:] // leave out the header, if the value is in the body or is the header itself
	}
	i := len(around) - 1
	for ; i >= 0 && k >= 0; i-- {
		switch {
		case around[i].shared:
		case same(around[i].Name, f.want[k]):
			k--
		default:
			straight = false
		}
	}
	if k >= 0 {
		return
	}
	fits := loose
	if straight && i < 0 {
		fits = whole
	} else if straight {
		fits = suffix
	}
	if fits < f.fit {
		return
	}
	if fits > f.fit {
		f.fit, f.found = fits, nil
	}
	own := *v
	m := Match{Value: &own, number: number, part: f.part(), seen: f.where, Path: v.Name, main: true, guard: !inBody && f.evidence || v.node != nil && isEvidence(v.node.Class)}
	if m.part > 0 {
		m.from = f.before
	}
	for j := len(around) - 1; j >= 0; j-- {
		a := &around[j]
		if a.shared {
			continue
		}
		m.Path = a.Name + separator(m.Path) + m.Path
		if a.Kind == Node {
			m.main = m.main && a.Name == "body" && j == 0
			m.guard = m.guard || a.node != nil && isEvidence(a.node.Class)
		}
	}
	f.found = append(f.found, m)
}

func separator(name string) string {
	if strings.HasPrefix(name, "[") {
		return ""
	}
	return "."
}

// same reports whether an ASCII name equals want, without regard to case, or is the same
// chunk ID.
func same(name, want string) bool {
	const letterCase = 'a' - 'A'
	if len(want) != chunkDigits && want[0] < utf8.RuneSelf && name != "" && (name[0]^want[0])&^letterCase != 0 {
		return false // nearly all names differ in the first letter
	}
	if strings.EqualFold(name, want) {
		return true
	}
	if len(want) != chunkDigits || len(name) != chunkDigits {
		return false
	}
	a, err := strconv.ParseUint(name, 16, 32)
	b, bad := strconv.ParseUint(want, 16, 32)
	return err == nil && bad == nil && classid.ID(a).Latest() == classid.ID(b).Latest()
}

// chunkDigits is the number of digits of a chunk ID.
const chunkDigits = 8

func isChunkName(name string) bool {
	_, err := strconv.ParseUint(name, 16, 32)
	return err == nil && len(name) == chunkDigits
}

// Resolve returns the values of a path. If there are several, those in the header and the
// main node take precedence. They must be equal, like the name of a map in several
// places. Otherwise the path is ambiguous.
func (t *Tree) Resolve(path string) ([]Match, error) {
	found, err := t.lookUp(path, 0)
	if err != nil {
		return nil, err
	}
	return t.meant(path, found)
}

// meant selects the values that a path stands for from the values that match it.
func (t *Tree) meant(path string, found []Match) ([]Match, error) {
	if len(found) == 0 {
		return nil, t.missing(path)
	}
	if len(found) == 1 {
		return found, t.fill(&found[0], wholeDepth)
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
	return main, t.fill(&main[0], wholeDepth)
}

// mostCandidates is the largest number of values that an error lists.
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
