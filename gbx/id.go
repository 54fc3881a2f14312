package gbx

import (
	"encoding/binary"
	"slices"
	"strconv"
	"unsafe"

	"pakbox/fault"
)

// ID is the engine's interned name. In a file it is a 32-bit word that stands for a
// number, for nothing, or for a text of one of two kinds. At the first occurrence of a
// text in a scope, the text follows the word. Later words refer to the text by its index
// in the scope's list of texts. The specification calls this a lookback string.
//
// An ID remembers the word that it was read from. It is written with the same word if
// that still refers to the same text, so that unchanged values give unchanged bytes.
// Otherwise it gets the index of its text, or the text is written again. So a change of
// one ID never changes the meaning of another.
//
// The zero ID is the number 0. [NoID] is the empty ID.
type ID struct {
	v *idValue // nil is the number 0
}

// idValue is the immutable value of an ID. A map has hundreds of thousands of IDs
// and a few hundred values.
type idValue struct {
	text  string
	named bool   // the ID has a text; false for numbers, NoID, and references to no text
	word  uint32 // the word in the file
}

// NoID is the empty ID.
var NoID = ID{&idValue{word: noWord}}

const (
	noWord     = 0xFFFFFFFF
	localName  = 0x40000000
	globalName = 0x80000000
	indexMask  = 0x3FFFFFFF
	unplaced   = indexMask // index of an ID that was made in memory
)

// NewID returns an ID for a name, of the first kind, which nearly all files use.
func NewID(name string) ID { return ID{&idValue{name, true, localName | unplaced}} }

// NewGlobalID returns an ID of the second kind, the engine's UUId. Some maps of
// ManiaPlanet 3 use it for the UID and the author.
func NewGlobalID(name string) ID { return ID{&idValue{name, true, globalName | unplaced}} }

// NumberID returns a numeric ID, as used for collections.
func NumberID(n uint32) ID { return ID{&idValue{word: n & indexMask}} }

// WordID returns the ID with a given [ID.Word] and text. text is nil for an ID without one.
func WordID(word uint32, text *string) ID {
	if text == nil {
		return ID{&idValue{word: word}}
	}
	return ID{&idValue{*text, true, word}}
}

func (id ID) value() idValue {
	if id.v == nil {
		return idValue{}
	}
	return *id.v
}

// Word returns the word that the ID was read from.
func (id ID) Word() uint32 { return id.value().word }

// IsEmpty reports whether the ID is [NoID].
func (id ID) IsEmpty() bool { return id.Word() == noWord }

// Number returns the number of a numeric ID.
func (id ID) Number() (uint32, bool) {
	v := id.value()
	return v.word, !v.named && v.word>>30 == 0
}

// Name returns the text of an ID that is a name.
func (id ID) Name() (string, bool) {
	v := id.value()
	return v.text, v.named
}

// IsGlobal reports whether the ID is a name of the second kind.
func (id ID) IsGlobal() bool {
	v := id.value()
	return v.named && v.word&globalName != 0
}

// String returns the text, or the number in decimal, or "".
func (id ID) String() string {
	v := id.value()
	if !v.named && v.word>>30 == 0 {
		return strconv.FormatUint(uint64(v.word), 10)
	}
	return v.text
}

// Equal reports whether two IDs have the same text or number.
func (id ID) Equal(other ID) bool {
	a, b := id.value(), other.value()
	return a.named == b.named && a.text == b.text && (a.named || a.word == b.word)
}

// scope is one list of texts for IDs. The body, each header chunk and each encapsulated
// block have their own scope.
type scope struct {
	version uint32         // version of the IDs; 0 before the first ID
	texts   []*idValue     // each text with the word of a reference to it
	places  map[string]int // first index of each text, counted from 1; made on demand
	kind    uint32         // kind of all texts from index from on
	from    int
	kept    bool // a Names still uses this scope

	// The scope that a Names was read from, and the number of texts that both scopes
	// share.
	source *scope
	same   uint32
}

// cleared returns a scope without texts. It reuses s, unless a Names still uses s.
func (s *scope) cleared() *scope {
	if s.kept {
		return &scope{texts: make([]*idValue, 0, min(cap(s.texts), 128))}
	}
	*s = scope{texts: emptied(s.texts)}
	return s
}

// The versions of IDs.
const (
	idVersionSkipper = 2 // Virtual Skipper 2: every ID has a version and a text
	idVersion        = 3
)

// ID reads or writes an ID.
func (x *Coder) ID(p *ID, name string) {
	// The usual case: a reference to a text of the scope.
	if i := x.pos; i+4 <= len(x.in) && x.scope.version == idVersion {
		w := binary.LittleEndian.Uint32(x.in[i:])
		if n := w&indexMask - 1; n < uint32(len(x.scope.texts)) {
			if v := x.scope.texts[n]; v.word == w {
				p.v = v
				x.pos = i + 4
				return
			}
		} else if spelled(w) {
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

// IDVisitor is a [Visitor] that learns how IDs are stored.
type IDVisitor interface {
	Visitor
	// Usual is called between Value and Coded. It reports whether the ID has the same word
	// that a new ID would get.
	Usual(usual bool)
}

// usual reports whether an ID has the word that a new ID with the same text or number
// would get.
func (x *Coder) usual(id ID) bool {
	v := id.value()
	switch {
	case x.scope.version == idVersionSkipper:
		return false // only the game can assign these words
	case !v.named:
		return v.word == noWord || v.word <= indexMask
	}
	n, _ := x.scope.place(v.text)
	return v.word == localName|uint32(n)
}

// idVersion reads or writes the version word before the first ID of a scope.
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
		x.Fail(fault.UnsupportedVersion, name, "IDs of version %d", v)
		return
	}
	x.scope.version = v
}

// skipperID reads or writes an ID of version 2: a word, always followed by the text.
func (x *Coder) skipperID(p *ID, name string) {
	w := uint32(x.idWord(p.Word(), name))
	s := p.String()
	if x.watch != nil { // show the ID to the visitor, not its text
		defer func(v Visitor) { x.watch = v }(x.watch)
		x.watch = nil
	}
	x.String(&s, name)
	if !x.writing {
		x.own(p, idValue{s, true, w}, name)
	}
}

func (x *Coder) own(p *ID, v idValue, name string) {
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
			x.own(&x.number, idValue{word: w}, name)
		}
		*p = x.number
	case n == 0:
		x.readText(p, w, name)
	case n > len(x.scope.texts): // a reference to no text is kept as it is
		x.own(p, idValue{word: w}, name)
	default: // a reference of the other kind
		x.own(p, idValue{x.scope.texts[n-1].text, true, w}, name)
	}
}

// readText reads a text and adds it to the scope. It makes one value for this ID and one
// for later references.
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
	} else if room, ok := x.Grow(len(s.texts), cap(s.texts), int64(unsafe.Sizeof(&pair[1])), name); ok {
		s.texts = append(append(make([]*idValue, 0, room), s.texts...), &pair[1])
	}
	p.v = &pair[0]
}

// idText reads the text of an ID. The visitor sees the ID, not its text.
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
	if v.word&indexMask != 0 { // the ID was a reference: refer to the text again
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

// idWord reads or writes the word of an ID. Text files have it in hexadecimal.
func (x *Coder) idWord(w uint32, name string) uint32 {
	if x.direct {
		x.put32(w)
		return w
	}
	return uint32(x.wordHex(uint64(w), name))
}

// place returns the first index of a text in the scope, counted from 1.
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

func (s *scope) add(v *idValue) {
	s.texts = append(s.texts, v)
	if s.places != nil {
		if _, ok := s.places[v.text]; !ok {
			s.places[v.text] = len(s.texts)
		}
	}
}

// Encapsulation is the head of an encapsulated block. Such a block has its own list of
// IDs, and its node references have no index.
type Encapsulation struct {
	Version   uint32
	IDVersion uint32 // 0 for a block without IDs
}

// EncapsulatedState is for the code of chunks: [Coder.Encapsulated] saves it for
// [Coder.EndEncapsulated].
type EncapsulatedState struct {
	region
	scope  *scope
	encap  bool
	sizeAt int
	groups int
}

// Encapsulated is for the code of chunks: it opens an encapsulated block.
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
		x.Fail(fault.Truncated, name, "an encapsulated block takes %d bytes, %d remain", uint32(size), x.limit-x.pos)
	}
	x.scope = &scope{}
	if x.writing {
		x.scope.version = p.IDVersion
		if p.IDVersion == idVersion {
			x.scope.version = 0 // the first ID of the block writes the version
		}
	}
	x.encap = true
	if !x.dead() {
		st.region = x.enter(size)
	}
	return st
}

// EndEncapsulated closes the block that was opened last.
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
		x.limit = st.limit // the whole chunk around the block becomes opaque
	}
}

// writeSize writes the number of bytes after at. A binary file has reserved four bytes at
// that place. In a text file the size is inserted.
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
