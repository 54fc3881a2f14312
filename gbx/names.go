package gbx

// Long lists of small records, such as blocks, are packed without pointers, which
// spares the garbage collector: a record has a number for each ID. This file
// codes packed records directly from and to the bytes of the file. Unusual
// records, and lists for which [Coder.Packed] is false, are coded value by value.

// Packed reports whether a list may be coded packed: in a binary file, without a
// visitor, not below the deepest node.
func (x *Coder) Packed() bool { return (x.in != nil || x.direct) && x.depth < maxDepth }

// Ahead returns the bytes to the end of the region, if packed lists can be read.
func (x *Coder) Ahead() []byte { return x.in[min(x.pos, len(x.in)):] }

// Skip moves n bytes forward in the bytes of Ahead.
func (x *Coder) Skip(n int) { x.pos += n }

// Room returns free memory for bytes to write, if packed lists can be written.
func (x *Coder) Room() []byte {
	if !x.direct {
		return nil
	}
	return x.out[len(x.out):cap(x.out)]
}

// Wrote marks the first n bytes of Room as written.
func (x *Coder) Wrote(n int) { x.out = x.out[:len(x.out)+n] }

// Outlined is for packed lists of nodes. It shows a node with one chunk, size
// bytes of Room from at on, to the visitor of [File.Outline].
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

// Names is for the code of chunks: the IDs of a packed list. Number 0 is the zero
// ID.
type Names struct {
	scope *scope // the number of a text is its index here, counted from 1
	own   []ID   // the IDs that are no references; their numbers begin at ownName
}

const ownName = 1 << 31

// Names returns an empty Names for a packed list of n records that is to be read.
func (x *Coder) Names(n int) Names {
	x.scope.kept = true
	return Names{scope: x.scope, own: Reserve[ID](x, n)}
}

// Reserve is for the code of chunks: an empty list with room for a few elements,
// n at most, for values of few records.
func Reserve[T any](x *Coder, n int) []T {
	const few = 16
	n = min(n, few)
	if !x.charge(heapSize(int64(n)*sizeOf[T]()), "list") {
		return nil
	}
	return make([]T, 0, n)
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

// KnownNames is for the code of chunks: the texts that words may refer to while a
// list is read. Most have consecutive words, so that one comparison finds them.
type KnownNames struct {
	names        *Names
	word, number uint32 // of the first text with a consecutive word
	texts        uint32 // the number of such texts
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

// Spelled is for the code of chunks: whether the text of an ID follows its word.
func Spelled(word uint32) bool { return word == localName || word == globalName }

// WrittenNames is for the code of chunks: the texts of a packed list that are
// already written with the words that they were read with.
type WrittenNames struct {
	names      *Names
	kind, from uint32 // all texts with a number above from are of this kind
	texts      uint32
}

// Written returns those texts of a packed list that the coder has written already.
func (x *Coder) Written(t *Names) WrittenNames {
	if t.scope == nil {
		return WrittenNames{}
	}
	return WrittenNames{t, t.scope.kind, uint32(t.scope.from), x.scope.follow(t)}
}

// Word returns the word of the ID with a number, if it refers to one of the
// texts.
func (w *WrittenNames) Word(number uint32) (word uint32, ok bool) {
	if number-1 >= w.texts {
		return 0, false
	}
	if number <= w.from {
		return w.names.scope.texts[number-1].word, true
	}
	return w.kind | number, true
}

// follow returns the number of first texts that equal those in the scope of the
// Names.
func (s *scope) follow(t *Names) uint32 {
	if s.source != t.scope {
		s.source, s.same = t.scope, 0
	}
	for int(s.same) < min(len(s.texts), len(t.scope.texts)) && s.texts[s.same].text == t.scope.texts[s.same].text {
		s.same++
	}
	return s.same
}
