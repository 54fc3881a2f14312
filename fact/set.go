package fact

import (
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// Set writes a fact, given by any of its names, to all places of the file that state it.
func (t *Table[S]) Set(s S, name, text string) error {
	if err := t.CheckSet(name); err != nil {
		return err
	}
	f, _ := t.settable(name)
	for i := range t.rows {
		if t.Facts[i] == f {
			return t.rows[i].Set(s, text)
		}
	}
	return nil
}

// CheckSet returns an error if no fact with this name can be set.
func (t *Table[S]) CheckSet(name string) error {
	if t.Sets(name) {
		return nil
	}
	return t.cannotSet(name)
}

// Sets reports whether a name belongs to a fact that can be set.
func (t *Table[S]) Sets(name string) bool {
	_, ok := t.settable(name)
	return ok
}

// settable finds a fact that can be set by its name, its column, or a further name that no
// other such fact has. Labels do not count: they are words of other files too.
func (t *Table[S]) settable(name string) (*Fact, bool) {
	if list := t.means(name); len(list) == 1 {
		return list[0], true
	}
	return nil, false
}

// means lists the facts that can be set and have this name.
func (t *Table[S]) means(name string) (list []*Fact) {
	for _, f := range t.Facts {
		switch {
		case !f.Settable:
		case f.Name == name || f.Column() == name:
			return []*Fact{f}
		default:
			for _, w := range f.Also {
				if w.Name == name {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// Settable lists the names of the facts that can be set.
func (s *Subject) Settable() (names []string) {
	for _, f := range s.Facts {
		if f.Settable {
			names = append(names, f.Name)
		}
	}
	return names
}

// cannotSet explains why a name cannot be set.
func (t *Table[S]) cannotSet(name string) error {
	if list := t.means(name); len(list) > 1 {
		return fault.Usagef("%s may mean %s", name, strings.Join(Names(list), " or ")).Hint("write one of them")
	}
	if f, ok := t.Named(name); ok && f.Name != "" {
		return fault.Usagef("%s cannot be set: it follows from other parts of the file", name).
			Hint("these facts can be set: %s", strings.Join(t.Settable(), ", "))
	}
	words := t.Settable()
	for _, f := range t.Facts {
		if f.Settable {
			for _, w := range f.Also {
				words = append(words, w.Name)
			}
		}
	}
	u := fault.Usagef("unknown fact %q of a %s", name, t.Name)
	if near := spell.Near(name, words, 3); len(near) > 0 {
		return u.Hint("did you mean %s?", strings.Join(near, ", "))
	}
	return u.Hint("these facts can be set: %s", strings.Join(t.Settable(), ", "))
}
