package tree

import (
	"reflect"
	"slices"

	"pakbox/archive"
	"pakbox/gbx"
)

// Set changes the values at a path; see [Tree.Resolve]. value is JSON, a text without
// quotes, or a time such as 0:36.217.
func Set(f *gbx.File, path, value string) ([]Match, error) {
	t := Lazy(f)
	found, err := t.Resolve(path)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		if err := m.settable(); err != nil {
			return nil, err
		}
	}
	// Begin with the last value, because setting a version may add values after it.
	for _, m := range slices.Backward(found) {
		s := &setter{parts: only(m.part), seen: m.seen, part: m.part, seq: m.Value.seq - m.from, value: value}
		if err := f.Walk(s); err != nil {
			return nil, &archive.ValueError{Path: m.Path, Message: err.Error()}
		}
		if s.err != nil {
			return nil, &archive.ValueError{Path: m.Path, Message: s.err.Error()}
		}
	}
	return found, t.checkSet(found, value)
}

func (m *Match) settable() error {
	message := ""
	switch {
	case m.guard:
		message = "belongs to a replay or ghost: a recorded run is evidence, and pakbox does not alter it"
	case m.Value.Kind != Leaf:
		message = "is a group of values; name one of them, or write all of a vector: (1, 2, 3)"
	case m.inexact:
		message = "is in a compressed block that pakbox cannot write without other changes"
	default:
		return nil
	}
	return &archive.ValueError{Path: m.Path, Message: message}
}

// checkSet checks that the file has the new value: a count, for example, is computed
// again and cannot be set.
func (t *Tree) checkSet(found []Match, value string) error {
	for _, m := range found {
		want := Value{p: reflect.New(reflect.TypeOf(m.Value.p).Elem()).Interface()}
		now, err := t.lookUp(m.Path, m.part)
		if err != nil {
			return err
		}
		if len(now) != 1 || assignText(want.p, value) != nil || now[0].Value.Text() != want.Text() {
			return &archive.ValueError{Path: m.Path, Message: "depends on other values and cannot be set alone"}
		}
	}
	return nil
}

// setter is a visitor that sets one value. The value is given by its number in the order
// of encoding.
type setter struct {
	parts
	seen  *choice // the groups that the search visited
	part  int     // the part of the value, 0 for none
	seq   int     // number of the value, counted in its part if there is one
	value string
	n     int // values so far
	err   error

	begun  []int // n at the beginning of each open group
	closed int   // n at the beginning of the group that ended last
}

func (s *setter) Value(_ string, p any) {
	if s.part > 0 && s.parts.part() != s.part {
		return
	}
	if s.n == s.seq {
		s.err = assignText(p, s.value)
	}
	s.n++
}

func (s *setter) Coded(string, any, int64, int64) {}

func (s *setter) Begin(_ string, p any, _ int64) {
	s.begin(p)
	s.begun = append(s.begun, s.n)
}

func (s *setter) End(int64) {
	s.end()
	last := len(s.begun) - 1
	s.closed, s.begun = s.begun[last], s.begun[:last]
}

// Wants skips the same groups as the search did.
func (s *setter) Wants(name string, p any) bool {
	return s.parts.Wants(name, p) && s.seen.wants(s.isMain(), name, p)
}

// Inside reports whether the value is in this compressed content, which must then be
// compressed again.
func (s *setter) Inside(_, _ []byte, err error) bool {
	return err == nil && s.closed <= s.seq && s.seq < s.n
}

var _ gbx.DeepVisitor = (*setter)(nil)
