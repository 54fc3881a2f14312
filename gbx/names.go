package gbx

import "unsafe"

// Long lists of small records, such as blocks, are packed without pointers: a record has
// a number in place of each ID. This saves work of the garbage collector. This file reads
// and writes packed records directly as bytes of the file. Unusual records, and lists for
// which [Coder.Packed] is false, are read and written value by value.

// Packed reports whether a list may be read or written in packed form: in a binary file,
// without a visitor, and not at the deepest level of nodes.
func (x *Coder) Packed() bool { return (x.in != nil || x.direct) && x.depth < maxDepth }

// Ahead returns the bytes up to the end of the region; none if packed lists cannot be
// read.
func (x *Coder) Ahead() []byte { return x.in[min(x.pos, len(x.in)):] }

// Skip moves n bytes forward in the bytes of Ahead.
func (x *Coder) Skip(n int) { x.pos += n }

// Room returns memory for bytes to write; nil if packed lists cannot be written.
func (x *Coder) Room() []byte {
	if !x.direct {
		return nil
	}
	return x.out[len(x.out):cap(x.out)]
}

// Wrote marks the first n bytes of Room as written.
func (x *Coder) Wrote(n int) { x.out = x.out[:len(x.out)+n] }

// Outlined is for packed lists of nodes. It shows a node with one chunk to the visitor of
// [File.Outline]. The node has size bytes of Room, beginning at at.
func (x *Coder) Outlined(n *Node, at, size int) {
	if x.outline == nil {
		return
	}
	const word = 4
	from := x.offset() + int64(at)
	to := from + int64(size)
	x.outline.Begin("node", n, from+word)
	x.outline.Begin("chunk", &n.Chunks[0], from+word)
	x.outline.End(to - word)
	x.outline.End(to)
}

// Names is for the code of chunks: it has the IDs of a packed list by number. Number 0 is
// the zero ID.
type Names struct {
	scope *scope // texts of this scope are numbered from 1
	own   []ID   // IDs that are not references; their numbers begin at ownName
}

const ownName = 1 << 31

// Names returns an empty Names for a packed list of n records that will be read.
func (x *Coder) Names(n int) Names {
	x.scope.kept = true
	t := Names{scope: x.scope}
	const few = 16 // few IDs are not references
	if n = min(n, few); x.charge(heapSize(int64(n)*int64(unsafe.Sizeof(ID{}))), "list") {
		t.own = make([]ID, 0, n)
	}
	return t
}

// ID returns the ID with a number.
func (t *Names) ID(number uint32) ID {
	switch {
	case number == 0:
		return ID{}
	case number < ownName:
		return ID{t.scope.texts[number-1]}
	}
	return t.own[number-ownName]
}

// Add returns the number of an ID. It adds the ID if it is new.
func (t *Names) Add(id ID) uint32 {
	if id.v == nil {
		return 0
	}
	if n, ok := t.find(id.v.word); ok && t.scope.texts[n-1] == id.v {
		return n
	}
	if last := len(t.own) - 1; last < 0 || t.own[last] != id {
		t.own = append(t.own, id)
	}
	return ownName + uint32(len(t.own)-1)
}

// find returns the number of the text that a word refers to.
func (t *Names) find(word uint32) (number uint32, ok bool) {
	number = word & indexMask
	return number, t.scope != nil && number-1 < uint32(len(t.scope.texts)) && t.scope.texts[number-1].word == word
}

// KnownNames is for the code of chunks: it finds the text of an ID by the 32-bit word in
// the file, while a list is read. Most texts have consecutive words, so that one
// comparison finds them.
type KnownNames struct {
	names        *Names
	word, number uint32 // word and number of the first text with consecutive words
	texts        uint32 // number of texts with consecutive words
}

// Known returns the texts that the scope has now.
func (t *Names) Known() KnownNames {
	s := t.scope
	if s == nil || s.from >= len(s.texts) {
		return KnownNames{names: t}
	}
	first := uint32(s.from) + 1
	return KnownNames{t, s.kind | first, first, uint32(len(s.texts) - s.from)}
}

// Find returns the number of the text of a word, if the scope has it already.
func (k *KnownNames) Find(word uint32) (number uint32, ok bool) {
	if i := word - k.word; i < k.texts {
		return k.number + i, true
	}
	return k.names.find(word)
}

// Spelled reports whether the text of an ID follows its word.
func (k *KnownNames) Spelled(word uint32) bool { return spelled(word) }

func spelled(word uint32) bool { return word == localName || word == globalName }

// WrittenNames is for the code of chunks: it has the texts of a packed list that are
// already written and still have the words with which they were read.
type WrittenNames struct {
	names      *Names
	kind, from uint32 // all texts with a number above from have this kind
	texts      uint32
}

// Written returns the texts of a packed list that the Coder has already written.
func (x *Coder) Written(t *Names) WrittenNames {
	if t.scope == nil {
		return WrittenNames{}
	}
	return WrittenNames{t, t.scope.kind, uint32(t.scope.from), x.scope.follow(t)}
}

// Word returns the word of the ID with a number, if it refers to one of these texts.
func (w *WrittenNames) Word(number uint32) (word uint32, ok bool) {
	if number-1 >= w.texts {
		return 0, false
	}
	if number <= w.from {
		return w.names.scope.texts[number-1].word, true
	}
	return w.kind | number, true
}

// follow returns how many texts at the beginning of the scope equal those in the scope of
// the Names.
func (s *scope) follow(t *Names) uint32 {
	if s.source != t.scope {
		s.source, s.same = t.scope, 0
	}
	for int(s.same) < min(len(s.texts), len(t.scope.texts)) && s.texts[s.same].text == t.scope.texts[s.same].text {
		s.same++
	}
	return s.same
}
