package tree

import (
	"reflect"
	"slices"

	"pakbox/archive"
	"pakbox/gbx"
)

// Set changes the values that a path means; see [Tree.Resolve]. A value is
// given as JSON, a text or name without quotes, a time as 0:36.217.
func Set(f *gbx.File, reg *gbx.Registry, path, value string) ([]Match, error) {
	t := For(f, reg)
	found, err := t.Resolve(path)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		if err := m.settable(); err != nil {
			return nil, err
		}
	}
	// The last one first: a version may bring values with it that were not
	// there, and those before it keep their places.
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
		message = "is a group of values; name one of them"
	case m.inexact:
		message = "lies in a compressed block that would change elsewhere too"
	default:
		return nil
	}
	return &archive.ValueError{Path: m.Path, Message: message}
}

// checkSet makes sure that the values stayed: some follow from others, such
// as a count from its list, and are worked out again when the file is saved.
func (t *Tree) checkSet(found []Match, value string) error {
	for _, m := range found {
		want := Value{p: reflect.New(reflect.TypeOf(m.Value.p).Elem()).Interface()}
		now, err := t.lookUp(m.Path, m.part)
		if err != nil {
			return err
		}
		if len(now) != 1 || assignText(want.p, value) != nil || now[0].Value.Text() != want.Text() {
			return &archive.ValueError{Path: m.Path, Message: "follows from other values and cannot be set by itself"}
		}
	}
	return nil
}

// setter is a visitor that sets one value, by its place in the order of
// coding.
type setter struct {
	parts
	seen  *choice
	part  int // that the value lies in, 0 for none
	seq   int // of the value, in the part if there is one
	value string
	n     int
	err   error

	begun  []int // how many values there were when each open group began
	closed int   // the same of the group closed last
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

// Wants passes over what was not looked through when the value was found.
func (s *setter) Wants(name string, p any) bool {
	return s.parts.Wants(name, p) && s.seen.wants(s.isMain(), name, p)
}

// Inside comes right after the end of the content of a compressed block. The
// block is compressed again if the value is in there; all others stay as
// stored.
func (s *setter) Inside(_, _ []byte, err error) bool {
	return err == nil && s.closed <= s.seq && s.seq < s.n
}

var _ gbx.DeepVisitor = (*setter)(nil)
