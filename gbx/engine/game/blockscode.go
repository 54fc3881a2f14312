package game

import (
	"encoding/binary"

	"pakbox/gbx"
	"pakbox/gbx/code"
)

// Code reads or writes the number of blocks and the blocks.
func (l *Blocks) Code(x *gbx.Coder, version int, name string) {
	if back := x.PassList(name, l); back != nil {
		defer back()
	}
	if x.Packed() {
		count := uint32(len(l.list))
		x.U32(&count, name)
		code.SizedList(x, &l.list, int(count), minBlock, name)
		l.codePacked(x, version)
		return
	}
	l.codeUnpacked(x, func(list *[]CGameCtnChallengeBlock) {
		code.List(x, list, minBlock, name)
		codeBlocks(x, version, *list)
		x.EndList()
	})
}

// codeUnpacked unpacks the list, has code read or write it block by block, and packs it
// again if it has changed.
func (l *Blocks) codeUnpacked(x *gbx.Coder, code func(list *[]CGameCtnChallengeBlock)) {
	list := l.Unpack()
	code(&list)
	if x.Reading() || !l.hold(list) {
		*l = PackBlocks(list)
	}
}

// hold reports whether the blocks are those of the list.
func (l *Blocks) hold(list []CGameCtnChallengeBlock) bool {
	if len(list) != l.Len() {
		return false
	}
	i := 0
	for b := range l.Each() {
		if !sameBlock(&list[i], b) {
			return false
		}
		i++
	}
	return true
}

func codeBlocks(x *gbx.Coder, version int, list []CGameCtnChallengeBlock) {
	for i := range list {
		x.Elem(i, &list[i])
		list[i].Code(x, version)
		x.EndElem()
	}
}

func sameBlock(a, b *CGameCtnChallengeBlock) bool {
	return a.Name == b.Name && a.Direction == b.Direction && a.Coord == b.Coord && a.Flags == b.Flags &&
		(a.Custom == nil) == (b.Custom == nil) && (a.Custom == nil || *a.Custom == *b.Custom) &&
		(a.Extra == nil) == (b.Extra == nil) && (a.Extra == nil || sameExtra(a.Extra, b.Extra))
}

// sameExtra compares all but card events, which unpacking does not copy.
func sameExtra(a, b *CGameCtnChallengeBlockExtra) bool {
	return a.SpecialProperty == b.SpecialProperty && a.Waypoint == b.Waypoint &&
		a.DecalID == b.DecalID && a.DecalIntensity == b.DecalIntensity && a.DecalVariant == b.DecalVariant
}

func (l *Blocks) codePacked(x *gbx.Coder, version int) {
	if x.Reading() {
		l.names = x.Names(len(l.list))
		l.read(x, version)
	} else {
		l.write(x, version)
	}
}

// otherBlock reads or writes one block value by value, with the code from the sheet.
type otherBlock struct {
	version int
	block   CGameCtnChallengeBlock
	parts   unpackedParts
}

func (o *otherBlock) code(x *gbx.Coder, l *Blocks, p *packedBlock) {
	if x.Reading() {
		o.block = CGameCtnChallengeBlock{}
		o.block.Code(x, o.version)
		*p = l.pack(&o.block)
		return
	}
	o.block = l.unpack(p, &o.parts)
	o.block.Code(x, o.version)
}

// maxUsual is the most bytes of a usual block: 12, with 8 more for a custom block and 12
// more for a decal. Only a new name or a node takes more.
const maxUsual = 12 + 8 + 12

// noNode is an empty reference.
const noNode = 0xFFFFFFFF

// extraFlags are the flags of blocks with the group extra.
func extraFlags(version int) CGameCtnChallengeBlockFlags {
	if version < 2 {
		return 0
	}
	return CGameCtnChallengeBlockFlagsHasDecal | CGameCtnChallengeBlockFlagsHasCardEvents |
		CGameCtnChallengeBlockFlagsHasSpecialProperty | CGameCtnChallengeBlockFlagsIsWaypoint
}

// read reads the blocks, nearly all of them directly from the bytes of the file.
func (l *Blocks) read(x *gbx.Coder, version int) {
	r := &blockReader{x: x, l: l, extras: extraFlags(version)}
	r.version = version
	l.parts, l.refs = code.Reserve[blockParts](x, len(l.list)), code.Reserve[gbx.Ref](x, len(l.list))
	for i := 0; i < len(l.list); i++ {
		if version > 0 { // in version 0 the flags take two bytes
			i += r.readMany(l.list[i:])
		}
		if i < len(l.list) {
			r.code(x, l, &l.list[i])
		}
	}
}

// blockReader reads blocks from the bytes of the file.
type blockReader struct {
	otherBlock
	x      *gbx.Coder
	l      *Blocks
	extras CGameCtnChallengeBlockFlags
	in     []byte         // the bytes to read
	at     int            // position of the next value in in
	known  gbx.KnownNames // names that the next name may refer to

	last lastParts
}

// lastParts are the parts that were read last: many blocks in a row have the same parts.
type lastParts struct {
	author     uint64   // bytes of the last author without a skin
	custom     uint32   // number of the parts with only this author
	decalBytes [12]byte // bytes of the last decal
	decal      uint32   // number of the parts with only this decal
}

// readMany reads blocks up to the first one with an unusual name or parts, and returns
// their number.
func (r *blockReader) readMany(list []packedBlock) (n int) {
	r.look()
	for {
		n += r.usual(list[n:])
		if n == len(list) || !r.one(&list[n]) {
			break
		}
		n++
	}
	r.leave()
	return n
}

// usual reads blocks with a known name and no parts, or with the same author or decal as
// the last one.
func (r *blockReader) usual(list []packedBlock) (n int) {
	in, at, known, last := r.in, r.at, r.known, r.last
	parts := r.extras | CGameCtnChallengeBlockFlagsIsCustom
	for ; n < len(list) && at+maxUsual <= len(in); n++ {
		b := (*[maxUsual]byte)(in[at:])
		name, ok := known.Find(binary.LittleEndian.Uint32(b[:]))
		p := packedBlock{
			name: name, place: binary.LittleEndian.Uint32(b[4:]),
			flags: CGameCtnChallengeBlockFlags(binary.LittleEndian.Uint32(b[8:])),
		}
		size := 12
		switch p.flags & parts {
		case 0:
		case CGameCtnChallengeBlockFlagsIsCustom:
			p.parts, size = last.custom, 12+8
			ok = ok && p.parts != 0 && binary.LittleEndian.Uint64(b[12:]) == last.author
		case CGameCtnChallengeBlockFlagsHasDecal:
			p.parts, size = last.decal, 12+12
			ok = ok && p.parts != 0 && [12]byte(b[12:]) == last.decalBytes
		default:
			ok = false
		}
		if !ok {
			break
		}
		list[n] = p
		at += size
	}
	r.at = at
	return n
}

// one reads a block with a new name, a skin or a decal. It returns false for any other
// block.
func (r *blockReader) one(p *packedBlock) bool {
	b := r.in[r.at:]
	if len(b) < maxUsual {
		return false
	}
	name, known := r.known.Find(binary.LittleEndian.Uint32(b))
	if known {
		b = b[4:maxUsual]
	} else if b = r.afterName(b); b == nil {
		return false
	}
	p.place = binary.LittleEndian.Uint32(b)
	p.flags = CGameCtnChallengeBlockFlags(binary.LittleEndian.Uint32(b[4:]))
	if p.flags&r.extras&^CGameCtnChallengeBlockFlagsHasDecal != 0 {
		return false
	}
	if known {
		r.at += 4
	} else if name = r.id(&r.block.Name, "name"); r.x.Err() != nil {
		return false
	}
	p.name, p.parts = name, 0
	r.at += 8
	if p.flags&(r.extras|CGameCtnChallengeBlockFlagsIsCustom) != 0 {
		p.parts = r.readParts(p.flags)
	}
	return true
}

// afterName returns the bytes after a name that is written out, or nil if the rest of the
// block is missing.
func (r *blockReader) afterName(b []byte) []byte {
	if !r.known.Spelled(binary.LittleEndian.Uint32(b)) {
		return nil
	}
	size := int64(binary.LittleEndian.Uint32(b[4:]))
	if b = b[8:]; size > int64(len(b)-(maxUsual-4)) {
		return nil
	}
	return b[size:]
}

func (r *blockReader) look() { r.in, r.at, r.known = r.x.Ahead(), 0, r.l.names.Known() }

// leave moves the Coder to the next value.
func (r *blockReader) leave() { r.x.Skip(r.at) }

func (r *blockReader) id(p *gbx.ID, name string) uint32 {
	r.leave()
	r.x.ID(p, name)
	number := r.l.names.Add(*p)
	r.look()
	return number
}

func (r *blockReader) ref(p *gbx.Ref, name string) uint32 {
	r.leave()
	*p = gbx.Ref{}
	r.x.Ref(p, name)
	number := r.l.addRef(*p)
	r.look()
	return number
}

// readParts reads the parts of a block and returns their number.
func (r *blockReader) readParts(flags CGameCtnChallengeBlockFlags) uint32 {
	b := r.in[r.at:]
	var m blockParts
	known := true // all names are known and the skin is absent
	if flags&CGameCtnChallengeBlockFlagsIsCustom != 0 {
		m.custom = true
		known = r.readCustom(&m)
	}
	if flags&r.extras != 0 {
		m.extra = true
		known = r.readDecal(&m) && known
	}
	number := r.l.addParts(&m)
	if known && !m.extra {
		r.last.author, r.last.custom = binary.LittleEndian.Uint64(b), number
	} else if known && !m.custom {
		r.last.decalBytes, r.last.decal = [12]byte(b), number
	}
	return number
}

// readCustom reads author and skin. It returns true for a known author without a skin.
func (r *blockReader) readCustom(m *blockParts) bool {
	b := r.in[r.at : r.at+8]
	author, known := r.known.Find(binary.LittleEndian.Uint32(b))
	if known {
		m.author = author
		r.at += 4
	} else {
		m.author = r.id(&r.parts.custom.Author, "author")
	}
	if known && binary.LittleEndian.Uint32(b[4:]) == noNode {
		r.at += 4
		return true
	}
	m.skin = r.ref(&r.parts.custom.Skin, "skin")
	return false
}

// readDecal reads a decal, and reports whether its name is known.
func (r *blockReader) readDecal(m *blockParts) bool {
	if r.at+12 <= len(r.in) {
		b := r.in[r.at : r.at+12]
		if decal, ok := r.known.Find(binary.LittleEndian.Uint32(b)); ok {
			m.decalID = decal
			m.decalIntensity, m.decalVariant = int32(binary.LittleEndian.Uint32(b[4:])), int32(binary.LittleEndian.Uint32(b[8:]))
			r.at += 12
			return true
		}
	}
	e := &r.parts.extra
	m.decalID = r.id(&e.DecalID, "decalId")
	r.x.I32(&e.DecalIntensity, "decalIntensity")
	r.x.I32(&e.DecalVariant, "decalVariant")
	m.decalIntensity, m.decalVariant = e.DecalIntensity, e.DecalVariant
	r.look()
	return false
}

// write writes the blocks. Nearly all are usual blocks and are written directly as bytes;
// each other block is written value by value.
func (l *Blocks) write(x *gbx.Coder, version int) {
	other := &otherBlock{version: version}
	for i := 0; i < len(l.list); i++ {
		i += l.writeUsual(x, version, l.list[i:])
		if i < len(l.list) {
			other.code(x, l, &l.list[i])
		}
	}
}

// writeUsual writes blocks up to the first unusual one and returns their number.
func (l *Blocks) writeUsual(x *gbx.Coder, version int, list []packedBlock) (n int) {
	if version == 0 {
		return 0
	}
	written, extras := x.Written(&l.names), extraFlags(version)
	out, at := x.Room(), 0
	for ; n < len(list) && at+maxUsual <= len(out); n++ {
		b, p := out[at:at+maxUsual], &list[n]
		name, ok := written.Word(p.name)
		binary.LittleEndian.PutUint32(b, name)
		binary.LittleEndian.PutUint32(b[4:], p.place)
		binary.LittleEndian.PutUint32(b[8:], uint32(p.flags))
		size := 12
		m := &noParts
		if p.parts > 0 {
			m = &l.parts[p.parts-1]
		}
		if p.flags&CGameCtnChallengeBlockFlagsIsCustom != 0 {
			author, known := written.Word(m.author)
			ok = ok && known && m.custom && m.skin == 0
			binary.LittleEndian.PutUint32(b[size:], author)
			binary.LittleEndian.PutUint32(b[size+4:], noNode)
			size += 8
		}
		if p.flags&extras != 0 {
			decal, known := written.Word(m.decalID)
			ok = ok && known && m.extra && p.flags&extras == CGameCtnChallengeBlockFlagsHasDecal
			binary.LittleEndian.PutUint32(b[size:], decal)
			binary.LittleEndian.PutUint32(b[size+4:], uint32(m.decalIntensity))
			binary.LittleEndian.PutUint32(b[size+8:], uint32(m.decalVariant))
			size += 12
		}
		if !ok {
			break
		}
		at += size
	}
	x.Wrote(at)
	return n
}

// noParts are the parts of most blocks: none.
var noParts blockParts
