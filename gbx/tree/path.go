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

// Match is a value that a path leads to. A group has no children yet, unless
// it is what [Tree.Resolve] found.
type Match struct {
	Path    string
	Value   *Value
	number  int     // among all values and groups of the file
	part    int     // that it lies in, 0 for none
	from    int     // how many values were announced before that part
	seen    *choice // what was looked through, which numbers count
	main    bool    // in the header, or in a chunk of the main node itself
	guard   bool    // in a replay or ghost
	inexact bool    // in a compressed block that is coded otherwise than it was found
}

// Find returns the values of the file that a path leads to: the one whose whole
// path it is, else all whose path ends with it, else all whose path has its
// names in order. So mapName and 0304301F.blocks[3].name find what they should.
// Chunks may be called by any number that their class has had.
func (t *Tree) Find(path string) ([]Match, error) {
	want := split(path)
	if len(want) == 0 {
		return nil, nil
	}
	f, err := t.search(want, 0, nil)
	return f.found, err
}

// lookUp finds what [Tree.Resolve] needs of what Find finds, in one part of the
// file, or in all of it if that is 0.
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
	f := &finder{cursor: newCursor(), parts: only(part), where: where, want: want, evidence: isEvidence(t.File.Class)}
	if header := f.stack[0].Value; same(header.Name, want[len(want)-1]) {
		f.check(&header, 0)
	}
	return f, t.File.Walk(f)
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

// finder is the visitor behind Find.
type finder struct {
	cursor
	parts
	where    *choice
	from     int // how many values were announced before the part that is open
	want     []string
	evidence bool // the file is a replay or ghost
	fit      fit  // of what was found
	found    []Match
}

// fit is how well a path fits a value.
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
	if f.begin(p) {
		f.from = f.seq
	}
	g := f.cursor.open(name, p, offset)
	if g.shared {
		// Now it is known what the reference opened before leads to.
		ref := &f.stack[len(f.stack)-2]
		if last := len(f.found) - 1; last >= 0 && f.found[last].number == ref.number {
			f.found[last].Value.node = ref.node
			f.found[last].guard = f.found[last].guard || isEvidence(ref.node.Class)
		}
		return
	}
	if same(g.Name, f.want[len(f.want)-1]) {
		own := *g
		f.stack = f.stack[:len(f.stack)-1] // it is not its own parent
		f.check(&own.Value, own.number)
		f.stack = f.stack[:len(f.stack)+1]
	}
}

func (f *finder) End(offset int64) {
	f.end()
	f.close(offset)
}

// Wants passes over what is not looked through.
func (f *finder) Wants(name string, p any) bool {
	return f.parts.Wants(name, p) && f.where.wants(f.isMain(), name, p)
}

// Inside is told whether a compressed block, whose values were just shown, is
// coded as it was found.
func (f *finder) Inside(found, coded []byte, _ error) bool {
	if f.shown != 0 && !bytes.Equal(found, coded) {
		for i := range f.found {
			if f.found[i].Value.Space == f.shown {
				f.found[i].inexact = true
			}
		}
	}
	f.shown = 0
	return false
}

// check adds a value whose last name fits, if the others fit as well as those
// of what was found before, or better. The groups around it are those on the
// stack.
func (f *finder) check(v *Value, number int) {
	k := len(f.want) - 2
	straight := true
	around := f.stack
	inBody := len(around) > 1 && around[1].Space != InHeader || f.isBody(v)
	if inBody || number == 0 {
		around = around[1:] // the body is no part of the header, nor is that of itself
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
		m.from = f.from
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

// same reports whether a name, which is plain ASCII, is the one asked for.
func same(name, want string) bool {
	const letterCase = 'a' - 'A'
	if len(want) != chunkDigits && want[0] < utf8.RuneSelf && name != "" && (name[0]^want[0])&^letterCase != 0 {
		return false // as most are
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

// chunkDigits is how many digits the ID of a chunk has.
const chunkDigits = 8

// isChunkName reports whether a name may be that of a chunk.
func isChunkName(name string) bool {
	_, err := strconv.ParseUint(name, 16, 32)
	return err == nil && len(name) == chunkDigits
}

// Resolve finds the values that a path means: the only one, or those of the
// header and the main node if all of them are the same, as the name of a map
// is that stands in both.
func (t *Tree) Resolve(path string) ([]Match, error) {
	found, err := t.lookUp(path, 0)
	if err != nil {
		return nil, err
	}
	return t.meant(path, found)
}

// meant picks those of the values found that a path means.
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
