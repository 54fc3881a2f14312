package lsp

import (
	"strings"

	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// source is one source file, with the text in the editor or on disk.
type source struct {
	path    string
	lines   []string
	version int
	isOpen  bool // the file is open in the editor
	objects []*dat.Object
}

func newSource(path, text string) *source {
	s := &source{path: path}
	for line := range strings.SplitSeq(text, "\n") {
		s.lines = append(s.lines, strings.TrimRight(line, "\r"))
	}
	s.objects, _ = dat.Parse(path, []byte(text))
	return s
}

func (s *source) text() string { return strings.Join(s.lines, "\n") }

// line returns a line by its number from 0, "" after the last one.
func (s *source) line(number int) string {
	if number < 0 || number >= len(s.lines) {
		return ""
	}
	return s.lines[number]
}

// whole is the range of a line without its line end.
func (s *source) whole(number int) textRange {
	line := s.line(number)
	return span(number, line, 0, len(line))
}

// valueRange is the range of a line after its "=".
func (s *source) valueRange(number int) textRange {
	line := s.line(number)
	return span(number, line, strings.IndexByte(line, '=')+1, len(line))
}

// typeAt is the type of the object that a line belongs to, 0 if it is unknown.
func (s *source) typeAt(number int) node.Type {
	first := min(number, len(s.lines)-1)
	for first > 0 && !strings.HasPrefix(s.line(first-1), "-") {
		first--
	}
	for ; first < len(s.lines) && !strings.HasPrefix(s.line(first), "-"); first++ {
		key, value, _ := strings.Cut(s.line(first), "=")
		if dat.NormalKey(key) == "obj" {
			t, _ := node.ObjType(value)
			return t
		}
	}
	return 0
}

// place is a position in a source with its key.
type place struct {
	*source
	number int
	at     int    // byte offset in the line
	key    string // key as the compiler reads it
	value  string
	inKey  bool // the position is before "="
	typ    node.Type
	about  object.Key // description of the key
	known  bool
}

// find returns the key and the value at a position.
func (s *source) find(p position, target object.Target) place {
	line := s.line(p.Line)
	key, value, hasValue := strings.Cut(line, "=")
	at := offset(line, p.Character)
	f := place{source: s, number: p.Line, at: at, key: dat.NormalKey(key), value: value, inKey: !hasValue || at <= len(key), typ: s.typeAt(p.Line)}
	f.about, f.known = keysOf(f.typ, target)[dat.Stem(f.key)]
	return f
}

// keysOf are the keys of a type. For an unknown type they are the keys common to all
// objects.
func keysOf(t node.Type, target object.Target) map[string]object.Key {
	return object.ByStem(t, target)
}

// entries are the keys and values that a line expands to, and their object.
func (s *source) entries(number int) (list []dat.Entry, o *dat.Object) {
	for _, o := range s.objects {
		for _, e := range o.Entries() {
			if e.Line == number+1 {
				list = append(list, e)
			}
		}
		if len(list) > 0 {
			return list, o
		}
	}
	return nil, nil
}
