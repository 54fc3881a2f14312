package member

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/gbx/classid"
	"pakbox/internal/lib/spell"
)

// Path leads from an object through members of members to one of them.
type Path struct {
	Start classid.ID // class of the object at the beginning
	Steps []Step     // at least one
}

// Step is one name of a path.
type Step struct {
	Member
	Elem int // number of an element of a list; -1 for none
}

// Last is the member at the end of the path.
func (p Path) Last() Member { return p.Steps[len(p.Steps)-1].Member }

// String is the path, beginning with the class.
func (p Path) String() string {
	class, _ := classid.Lookup(p.Start)
	text := class.Name
	for _, s := range p.Steps {
		text += "." + s.Name
		if s.Elem >= 0 {
			text += fmt.Sprintf("[%d]", s.Elem)
		}
	}
	return text
}

// PathError states why a path leads nowhere.
type PathError struct {
	Path string
	Why  string
	Near []string // similar names that exist
}

func (e *PathError) Error() string { return e.Path + ": " + e.Why }

// mostNear is the largest number of names that an error suggests.
const mostNear = 5

// Resolve follows a path such as CGameCtnReplayRecord.Challenge.MapInfo.Name: a class,
// then members, without regard to case. An element of a list is written Blocks[0]. If the
// class is missing, all members with the first name must lead to the same member; the
// path then begins at the first class with such a member.
func Resolve(path string) (Path, error) {
	names, err := parse(path)
	if err != nil {
		return Path{}, err
	}
	if class, ok := classid.ByName(names[0].name); ok && names[0].elem < 0 {
		if len(names) == 1 {
			return Path{}, &PathError{Path: path, Why: "a class alone is not a path; name one of its members"}
		}
		return follow(path, class.ID.Latest(), names[1:])
	}
	return search(path, names)
}

// part is one name of a path as written, with an element number if there is one.
type part struct {
	name string
	elem int
}

func parse(path string) ([]part, error) {
	var parts []part
	for word := range strings.SplitSeq(path, ".") {
		p := part{word, -1}
		if name, number, ok := strings.Cut(word, "["); ok {
			number, closed := strings.CutSuffix(number, "]")
			n, err := strconv.ParseUint(number, 10, 31)
			if err != nil || !closed {
				return nil, &PathError{Path: path, Why: fmt.Sprintf("%q is not written as an element is, Name[0]", word)}
			}
			p = part{name, int(n)}
		}
		if p.name == "" {
			return nil, &PathError{Path: path, Why: "a name is missing; names are separated by single dots"}
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func follow(path string, start classid.ID, parts []part) (Path, error) {
	p := Path{Start: start}
	class := start
	for i, part := range parts {
		m, ok := find(class, part.name)
		if !ok {
			return p, noMember(path, class, part.name)
		}
		if part.elem >= 0 && !m.IsList() {
			return p, &PathError{Path: path, Why: fmt.Sprintf("%s is %s, which has no elements", m.Name, m.Type)}
		}
		p.Steps = append(p.Steps, Step{m, part.elem})
		if i == len(parts)-1 {
			break
		}
		next, ok := classid.ByName(m.Elem())
		switch {
		case m.IsMethod():
			return p, &PathError{Path: path, Why: fmt.Sprintf("%s is a method, %s; a path ends there", m.Name, m.Type)}
		case m.IsList() && part.elem < 0:
			return p, &PathError{Path: path, Why: fmt.Sprintf("%s is a list, %s; choose an element, %s[0]", m.Name, m.Type, m.Name)}
		case !ok:
			return p, &PathError{Path: path, Why: fmt.Sprintf("%s is %s, which has no members", m.Name, m.Type)}
		}
		class = next.ID.Latest()
	}
	return p, nil
}

// find finds a member of a class or its ancestors: first by the exact name, then without
// regard to case.
func find(class classid.ID, name string) (Member, bool) {
	all := All(class)
	for _, same := range []func(string) bool{
		func(s string) bool { return s == name },
		func(s string) bool { return strings.EqualFold(s, name) },
	} {
		if i := slices.IndexFunc(all, func(m Member) bool { return same(m.Name) }); i >= 0 {
			return all[i], true
		}
	}
	return Member{}, false
}

func noMember(path string, id classid.ID, name string) error {
	class, _ := classid.Lookup(id)
	all := All(id)
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	e := &PathError{Path: path, Why: fmt.Sprintf("%s has no member %s", class.Name, name), Near: spell.Near(name, names, mostNear)}
	if len(all) == 0 {
		e.Why = fmt.Sprintf("no members of %s are known", class.Name)
	}
	return e
}

func search(path string, parts []part) (Path, error) {
	var found []Path
	var failed error // error of the path with the most steps, which is probably the intended one
	furthest := -1
	first := declared()
	for _, class := range first.classes[strings.ToLower(parts[0].name)] {
		p, err := follow(path, class, parts)
		if err != nil {
			if len(p.Steps) > furthest {
				failed, furthest = err, len(p.Steps)
			}
			continue
		}
		found = append(found, p)
	}
	switch {
	case len(found) == 0 && failed != nil:
		return Path{}, failed
	case len(found) == 0:
		near := spell.Near(parts[0].name, first.names, mostNear)
		near = append(classid.Similar(parts[0].name, mostNear), near...)
		return Path{}, &PathError{Path: path, Why: fmt.Sprintf("no class and no member is called %s", parts[0].name), Near: near[:min(len(near), mostNear)]}
	}
	for _, p := range found[1:] {
		if p.Last() != found[0].Last() {
			return Path{}, ambiguous(path, found)
		}
	}
	return found[0], nil
}

// declarations has all members by name.
type declarations struct {
	names   []string                // each name once, in order
	classes map[string][]classid.ID // from a name in lower case to the classes that declare it
}

// declared collects all members by name, for paths without a class.
var declared = sync.OnceValue(func() *declarations {
	d := &declarations{classes: map[string][]classid.ID{}}
	for _, c := range classid.All() {
		if c.ID.Latest() != c.ID {
			continue
		}
		for _, m := range Of(c.ID) {
			d.names = append(d.names, m.Name)
			lower := strings.ToLower(m.Name)
			if list := d.classes[lower]; len(list) == 0 || list[len(list)-1] != c.ID {
				d.classes[lower] = append(list, c.ID)
			}
		}
	}
	slices.Sort(d.names)
	d.names = slices.Compact(d.names)
	return d
})

func ambiguous(path string, found []Path) error {
	e := &PathError{Path: path, Why: fmt.Sprintf("%d classes have such a member, and they do not lead to the same; begin with the class", len(found))}
	for _, p := range found[:min(len(found), mostNear)] {
		e.Near = append(e.Near, p.String())
	}
	return e
}
