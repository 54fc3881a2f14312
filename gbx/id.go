package gbx

import (
	"encoding/binary"
	"slices"
	"strconv"

	"pakbox/fault"
)

// ID is the engine's interned name. In a file it is a 32-bit word: a number,
// nothing, or a text of one of two kinds. A text is spelled out where it
// occurs first in a scope and then referred to by its place in the scope's
// list; the specification calls that a lookback string.
//
// An ID remembers the word it was read from. When it is written, the word is
// used as it is wherever it still says the right thing, so that unchanged
// values give unchanged bytes; otherwise the text is looked up or spelled out
// again. Editing one ID therefore never breaks another.
//
// The zero ID is the number 0; use [NoID] for none.
type ID struct {
	v *idValue // nil is the number 0
}

// idValue is what IDs share: maps hold hundreds of thousands of IDs and a few
// hundred different ones. It never changes.
type idValue struct {
	text  string
	named bool   // there is a text; not so for numbers, nothing, and references to nothing
	word  uint32 // as found
}

// NoID is the empty ID.
var NoID = ID{&idValue{word: noWord}}

const (
	noWord     = 0xFFFFFFFF
	localName  = 0x40000000
	globalName = 0x80000000
	indexMask  = 0x3FFFFFFF
	unplaced   = indexMask // an ID made in memory has no place in a list
)

// NewID returns an ID for a name, of the kind nearly all files use.
func NewID(name string) ID { return ID{&idValue{name, true, localName | unplaced}} }

// NewGlobalID returns an ID for a name of the second kind, which the engine
// calls UUId and some ManiaPlanet 3 maps use for the map UID and author.
func NewGlobalID(name string) ID { return ID{&idValue{name, true, globalName | unplaced}} }

// NumberID returns a numeric ID, as used for collections.
func NumberID(n uint32) ID { return ID{&idValue{word: n & indexMask}} }

// WordID returns the ID that a file stores as a word and, if it is a name,
// its text, which may be nil. It is for who kept [ID.Word] and wants the same
// bytes again.
func WordID(word uint32, text *string) ID {
	if text == nil {
		return ID{&idValue{word: word}}
	}
	return ID{&idValue{*text, true, word}}
}

// value returns what the ID stands for.
func (id ID) value() idValue {
	if id.v == nil {
		return idValue{}
	}
	return *id.v
}

// Word returns the word the ID was read from.
func (id ID) Word() uint32 { return id.value().word }

// IsEmpty reports whether there is no ID.
func (id ID) IsEmpty() bool { return id.Word() == noWord }

// Number returns the number of a numeric ID.
func (id ID) Number() (uint32, bool) {
	v := id.value()
	return v.word, !v.named && v.word>>30 == 0
}

// Name returns the text of a textual ID.
func (id ID) Name() (string, bool) {
	v := id.value()
	return v.text, v.named
}

// IsGlobal reports whether the ID is a name of the second kind.
func (id ID) IsGlobal() bool {
	v := id.value()
	return v.named && v.word&globalName != 0
}

// String gives the text, the number in decimal, or "".
func (id ID) String() string {
	v := id.value()
	if !v.named && v.word>>30 == 0 {
		return strconv.FormatUint(uint64(v.word), 10)
	}
	return v.text
}

// Equal reports whether two IDs mean the same, wherever they were read.
func (id ID) Equal(other ID) bool {
	a, b := id.value(), other.value()
	return a.named == b.named && a.text == b.text && (a.named || a.word == b.word)
}

// scope is one list of texts: a header chunk's, the body's, or an
// encapsulated block's.
type scope struct {
	version uint32         // 0 until the first ID
	texts   []*idValue     // with the word of a reference to each
	places  map[string]int // index of each text's first place, built when needed
	kind    uint32         // of the texts that were read last,
	from    int            // from this one on
	kept    bool           // Names are made of it

	// When writing: the scope that Names were read from, and how many texts
	// from the first on are the same in both.
	source *scope
	same   uint32
}

// cleared returns a scope without texts.
func (s *scope) cleared() *scope {
	if s.kept {
		return &scope{texts: make([]*idValue, 0, min(cap(s.texts), 128))}
	}
	*s = scope{texts: emptied(s.texts)}
	return s
}

// ID versions the engine has used.
const (
	idVersionSkipper = 2 // Virtual Skipper 2: text and version with every ID
	idVersion        = 3
)

// ID codes an ID.
func (x *Coder) ID(p *ID, name string) {
	// The usual case: a reference to a text already in the list.
	if i := x.pos; i+4 <= len(x.in) && x.scope.version == idVersion {
		w := binary.LittleEndian.Uint32(x.in[i:])
		if n := w&indexMask - 1; n < uint32(len(x.scope.texts)) {
			if v := x.scope.texts[n]; v.word == w {
				p.v = v
				x.pos = i + 4
				return
			}
		} else if Spelled(w) {
			x.pos = i + 4
			x.readText(p, w, name)
			return
		}
	}
	if x.direct && x.scope.version == idVersion {
		x.writeID(p, name)
		return
	}
	x.id(p, name)
}

func (x *Coder) id(p *ID, name string) {
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	if x.scope.version == 0 || x.scope.version == idVersionSkipper {
		x.idVersion(name)
	}
	if v, ok := x.watch.(IDVisitor); ok && x.writing {
		v.Usual(x.usual(*p))
	}
	switch {
	case x.scope.version == idVersionSkipper:
		x.skipperID(p, name)
	case x.writing:
		x.writeID(p, name)
	default:
		x.readID(p, name)
	}
	x.coded(name, p, at)
}

// IDVisitor is a [Visitor] that wants to know how IDs are stored.
type IDVisitor interface {
	Visitor
	// Usual tells of the ID announced last whether it is stored as a new ID of
	// the same text, or the same number, would be.
	Usual(usual bool)
}

// usual reports whether the word of an ID is the one that its meaning gives.
func (x *Coder) usual(id ID) bool {
	v := id.value()
	switch {
	case x.scope.version == idVersionSkipper:
		return false // the words are those of the game, and nothing tells them
	case !v.named:
		return v.word == noWord || v.word <= indexMask
	}
	n, _ := x.scope.place(v.text)
	return v.word == localName|uint32(n)
}

// idVersion codes the version word that stands before the first ID.
func (x *Coder) idVersion(name string) {
	want := x.scope.version
	if x.writing && want == 0 {
		want = idVersion
	}
	v := uint32(x.word32(uint64(want), name))
	if x.dead() {
		return
	}
	if v != idVersion && v != idVersionSkipper || x.scope.version == idVersionSkipper && v != idVersionSkipper {
		x.Fail(fault.UnsupportedVersion, name, "Id version %d", v)
		return
	}
	x.scope.version = v
}

// skipperID codes an ID of version 2: a word and always the text.
func (x *Coder) skipperID(p *ID, name string) {
	w := uint32(x.idWord(p.Word(), name))
	s := p.String()
	if x.watch != nil { // the text is part of this ID's value
		defer func(v Visitor) { x.watch = v }(x.watch)
		x.watch = nil
	}
	x.String(&s, name)
	if !x.writing {
		x.share(p, idValue{s, true, w}, name)
	}
}

// share makes an ID of a value that no other ID has.
func (x *Coder) share(p *ID, v idValue, name string) {
	if x.dead() || !x.charge(idCost, name) {
		return
	}
	p.v = &v
}

func (x *Coder) readID(p *ID, name string) {
	w := x.idWord(0, name)
	if x.dead() {
		return
	}
	switch n, kind := int(w&indexMask), w>>30; {
	case w == noWord:
		*p = NoID
	case kind == 0 || kind == 3: // a number
		if x.number.v == nil || x.number.v.word != w {
			x.share(&x.number, idValue{word: w}, name)
		}
		*p = x.number
	case n == 0:
		x.readText(p, w, name)
	case n > len(x.scope.texts): // a reference to nothing is kept as it is
		x.share(p, idValue{word: w}, name)
	default: // a reference of the other kind
		x.share(p, idValue{x.scope.texts[n-1].text, true, w}, name)
	}
}

// readText reads a text and adds it to the list. The references to it that
// follow have another word than this ID, and share another value.
func (x *Coder) readText(p *ID, w uint32, name string) {
	text := x.idText(name)
	if x.dead() || !x.charge(2*idCost, name) {
		return
	}
	s := x.scope
	if s.kind != w || s.from > len(s.texts) {
		s.kind, s.from = w, len(s.texts)
	}
	pair := &[2]idValue{{text, true, w}, {text, true, w | uint32(len(s.texts)+1)}}
	if len(s.texts) < cap(s.texts) {
		s.texts = append(s.texts, &pair[1])
	} else if t := Append(x, &s.texts, name); t != nil {
		*t = &pair[1]
	}
	p.v = &pair[0]
}

// idText reads the text of an ID. A visitor is shown the ID, not its text.
func (x *Coder) idText(name string) string {
	if i := x.pos; i+4 <= len(x.in) {
		x.pos = i + 4
		return x.takeString(int(int32(binary.LittleEndian.Uint32(x.in[i:]))), name)
	}
	if x.text {
		return x.textString("", name)
	}
	return x.takeString(int(int32(x.raw32(0, name))), name)
}

func (x *Coder) writeID(p *ID, name string) {
	v := p.v
	if v == nil || !v.named {
		x.idWord(p.Word(), name)
		return
	}
	s := x.scope
	if n := int(v.word & indexMask); n > 0 && n <= len(s.texts) && s.texts[n-1].text == v.text {
		x.idWord(v.word, name)
		return
	}
	kind := v.word &^ indexMask
	if v.word&indexMask != 0 { // not spelled out as found: look it up
		if n, ok := s.place(v.text); ok {
			x.idWord(kind|uint32(n), name)
			return
		}
	}
	x.idWord(kind, name)
	if x.text {
		x.textString(v.text, name)
	} else {
		x.put32(uint32(len(v.text)))
		x.out = append(x.out, v.text...)
	}
	s.add(v)
}

// idWord codes the word of an ID, which is hexadecimal in text files.
func (x *Coder) idWord(w uint32, name string) uint32 {
	if x.direct {
		x.put32(w)
		return w
	}
	return uint32(x.wordHex(uint64(w), name))
}

// place finds a text's first place in the list, counted from 1.
func (s *scope) place(text string) (int, bool) {
	if s.places == nil {
		s.places = make(map[string]int, len(s.texts))
		for i, t := range s.texts {
			if _, ok := s.places[t.text]; !ok {
				s.places[t.text] = i + 1
			}
		}
	}
	n, ok := s.places[text]
	return n, ok
}

// add appends a text to the list.
func (s *scope) add(v *idValue) {
	s.texts = append(s.texts, v)
	if s.places != nil {
		if _, ok := s.places[v.text]; !ok {
			s.places[v.text] = len(s.texts)
		}
	}
}

// Encapsulation is the frame of an encapsulated block: a list of IDs of its
// own, and node references without an index.
type Encapsulation struct {
	Version   uint32
	IDVersion uint32 // 0 if the block holds no ID
}

// EncapsulatedState is for the code of chunks: what [Coder.EndEncapsulated]
// returns to.
type EncapsulatedState struct {
	region
	scope  *scope
	encap  bool
	sizeAt int
	groups int
}

// Encapsulated opens an encapsulated block; generated code calls it.
func (x *Coder) Encapsulated(p *Encapsulation, name string) EncapsulatedState {
	st := EncapsulatedState{region{x.limit, x.halted}, x.scope, x.encap, 0, x.groups}
	x.begin(name, p)
	x.U32(&p.Version, "version")
	st.sizeAt = len(x.out)
	size := 0
	if x.source == nil && !(x.text && x.writing) {
		size = int(int32(x.word32(0, name)))
	}
	if !x.writing && !x.dead() && (size < 0 || size > x.limit-x.pos) {
		x.Fail(fault.Truncated, name, "an encapsulated block of %d bytes, %d remain", uint32(size), x.limit-x.pos)
	}
	x.scope = &scope{}
	if x.writing {
		x.scope.version = p.IDVersion
		if p.IDVersion == idVersion {
			x.scope.version = 0 // the first ID writes it
		}
	}
	x.encap = true
	if !x.dead() {
		st.region = x.enter(size)
	}
	return st
}

// EndEncapsulated closes the block opened last.
func (x *Coder) EndEncapsulated(p *Encapsulation, st EncapsulatedState) {
	if x.writing {
		if !st.halted && x.err == nil {
			x.writeSize(st.sizeAt)
		}
	} else if x.source == nil {
		p.IDVersion = x.scope.version
		if !x.dead() && x.pos != x.limit {
			x.Fail(fault.SizeMismatch, "", "%d bytes are left over in the encapsulated block", x.limit-x.pos)
		}
	}
	x.scope, x.encap = st.scope, st.encap
	if x.err == nil {
		x.leave(st.region)
		x.unwind(st.groups)
	} else {
		x.limit = st.limit // whoever deals with the error needs the whole chunk
	}
}

// writeSize puts the size of what was written since at there. In a text file
// room for it is made now, because it is as long as it has digits.
func (x *Coder) writeSize(at int) {
	if !x.text {
		binary.LittleEndian.PutUint32(x.out[at:], uint32(len(x.out)-at-4))
		return
	}
	content := slices.Clone(x.out[at:])
	x.out = x.out[:at]
	x.textDecimal(uint64(len(content)), 32, "size")
	x.out = append(x.out, content...)
}
