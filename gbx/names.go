package gbx

// A map holds tens of thousands of blocks. A struct with pointers for each
// would be work for the collector, so long lists of small records are kept
// packed: without pointers, with numbers for their IDs. Most of their records
// are coded straight from and to the bytes of the file, with what is here; all
// others, and whole lists where [Coder.Packed] says so, are coded value by
// value in their unpacked form.

// Packed reports whether a list may be coded in its packed form: the file is
// binary, nobody watches, and its elements may be nodes.
func (x *Coder) Packed() bool { return (x.in != nil || x.direct) && x.depth < maxDepth }

// Ahead returns what follows in the region being read; nothing if a packed
// list cannot be read.
func (x *Coder) Ahead() []byte { return x.in[min(x.pos, len(x.in)):] }

// Skip goes past n bytes of what Ahead returned.
func (x *Coder) Skip(n int) { x.pos += n }

// Room returns space behind what was written so far; none if a packed list
// cannot be written, and seldom all that is needed.
func (x *Coder) Room() []byte {
	if !x.direct {
		return nil
	}
	return x.out[len(x.out):cap(x.out)]
}

// Wrote adds n bytes of what Room returned to what was written.
func (x *Coder) Wrote(n int) { x.out = x.out[:len(x.out)+n] }

// Outlined is for packed lists of nodes. It tells who wants the outline of a
// file of a node with one chunk that takes up size bytes of Room from at on,
// with a class ID before it and an end mark behind it.
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

// Names is for the code of chunks: the IDs of a packed list. Its records hold
// their numbers; 0 is the number of the zero ID. The zero Names has no others.
type Names struct {
	scope *scope // whose texts have their places as numbers, counted from 1
	own   []ID   // those stored in another way than by reference
}

const ownName = 1 << 31 // plus an index of own

// Names returns the IDs of a packed list of n records that is read from here
// on.
func (x *Coder) Names(n int) Names {
	x.scope.kept = true
	return Names{scope: x.scope, own: Reserve[ID](x, n)}
}

// Reserve is for the code of chunks: it returns an empty list with room for a
// few elements, at most n, for what few records of a packed list have.
func Reserve[T any](x *Coder, n int) []T {
	const few = 16
	n = min(n, few)
	if !x.charge(heapSize(int64(n)*sizeOf[T]()), "list") {
		return nil
	}
	return make([]T, 0, n)
}

// ID returns the ID of a number.
func (t *Names) ID(number uint32) ID {
	switch {
	case number == 0:
		return ID{}
	case number < ownName:
		return ID{t.scope.texts[number-1]}
	}
	return t.own[number-ownName]
}

// Add returns the number of an ID.
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

// find returns the number of the ID that a word refers to, whatever kinds the
// texts are of.
func (t *Names) find(word uint32) (number uint32, ok bool) {
	number = word & indexMask
	return number, t.scope != nil && number-1 < uint32(len(t.scope.texts)) && t.scope.texts[number-1].word == word
}

// KnownNames is for the code of chunks: the texts that words of a list being
// read may refer to. Nearly all of them are IDs of one of the two kinds, and
// their words are consecutive numbers, so that one comparison finds them.
type KnownNames struct {
	names        *Names
	word, number uint32 // of the first of one kind
	texts        uint32 // how many follow
}

// Known returns the texts that the scope holds now.
func (t *Names) Known() KnownNames {
	s := t.scope
	if s == nil || s.from >= len(s.texts) {
		return KnownNames{names: t}
	}
	first := uint32(s.from) + 1
	return KnownNames{t, s.kind | first, first, uint32(len(s.texts) - s.from)}
}

// Find returns the number of the ID that a word refers to, if that is a text
// the scope holds already.
func (k *KnownNames) Find(word uint32) (number uint32, ok bool) {
	if i := word - k.word; i < k.texts {
		return k.number + i, true
	}
	return k.names.find(word)
}

// Spelled is for the code of chunks: it reports whether the text of an ID is
// spelled out behind its word.
func Spelled(word uint32) bool { return word == localName || word == globalName }

// WrittenNames is for the code of chunks: the texts that words of a list being
// written may refer to, because they have been written with the words that they
// were read with.
type WrittenNames struct {
	names      *Names
	kind, from uint32 // all texts with higher numbers than from are IDs of this kind
	texts      uint32
}

// Written returns the texts of a list that the scope holds now.
func (x *Coder) Written(t *Names) WrittenNames {
	if t.scope == nil {
		return WrittenNames{}
	}
	return WrittenNames{t, t.scope.kind, uint32(t.scope.from), x.scope.follow(t)}
}

// Word returns the word of an ID, if that is a reference to one of the texts.
func (w *WrittenNames) Word(number uint32) (word uint32, ok bool) {
	if number-1 >= w.texts {
		return 0, false
	}
	if number <= w.from {
		return w.names.scope.texts[number-1].word, true
	}
	return w.kind | number, true
}

// follow returns how many texts from the first on are those that the Names
// were read with.
func (s *scope) follow(t *Names) uint32 {
	if s.source != t.scope {
		s.source, s.same = t.scope, 0
	}
	for int(s.same) < min(len(s.texts), len(t.scope.texts)) && s.texts[s.same].text == t.scope.texts[s.same].text {
		s.same++
	}
	return s.same
}
