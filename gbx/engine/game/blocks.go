package game

import (
	"iter"

	"pakbox/gbx"
)

// Blocks is an immutable list of blocks, packed to 16 bytes each; see
// [gbx.Names].
type Blocks struct {
	names    gbx.Names
	list     []packedBlock
	standIns uint32 // number of stand-ins among the blocks; see [StandIn]

	// Values that few blocks have are in separate lists, numbered from 1; 0 means none. A
	// block has a number in parts; parts have numbers in refs and cards.
	parts []blockParts
	refs  []gbx.Ref
	cards [][]CGameCtnChallengeCardEventIDs
}

// packedBlock is a block in packed form.
type packedBlock struct {
	name  uint32
	place uint32 // direction, x, y and z, from the lowest byte up as in a file
	flags CGameCtnChallengeBlockFlags
	parts uint32 // its number in parts
}

func (p *packedBlock) coord() gbx.Byte3 {
	return gbx.Byte3{X: uint8(p.place >> 8), Y: uint8(p.place >> 16), Z: uint8(p.place >> 24)}
}

// blockParts has the optional groups of the sheet: custom (author, skin) and
// extra.
type blockParts struct {
	custom, extra bool // which of the two groups the block has

	author, skin                      uint32
	special, waypoint, cards, decalID uint32
	decalIntensity, decalVariant      int32
}

// PackBlocks returns blocks as a packed list.
func PackBlocks(blocks []CGameCtnChallengeBlock) Blocks {
	l := Blocks{list: make([]packedBlock, len(blocks))}
	for i := range blocks {
		l.list[i] = l.pack(&blocks[i])
	}
	return l
}

func (l *Blocks) pack(b *CGameCtnChallengeBlock) packedBlock {
	p := packedBlock{
		name:  l.names.Add(b.Name),
		place: uint32(b.Direction) | uint32(b.Coord.X)<<8 | uint32(b.Coord.Y)<<16 | uint32(b.Coord.Z)<<24,
		flags: b.Flags,
	}
	if b.Flags == StandIn {
		l.standIns++
	}
	var m blockParts
	if c := b.Custom; c != nil {
		m.custom = true
		m.author, m.skin = l.names.Add(c.Author), l.addRef(c.Skin)
	}
	if e := b.Extra; e != nil {
		m.extra = true
		m.special, m.waypoint = l.addRef(e.SpecialProperty), l.addRef(e.Waypoint)
		m.decalID, m.decalIntensity, m.decalVariant = l.names.Add(e.DecalID), e.DecalIntensity, e.DecalVariant
		if e.CardEventIDs != nil {
			l.cards = append(l.cards, e.CardEventIDs)
			m.cards = uint32(len(l.cards))
		}
	}
	if m.custom || m.extra {
		p.parts = l.addParts(&m)
	}
	return p
}

// addParts stores the parts of a block and returns their number. If they equal the parts
// of the block before, both blocks share them.
func (l *Blocks) addParts(m *blockParts) uint32 {
	if n := len(l.parts); n == 0 || l.parts[n-1] != *m {
		l.parts = append(l.parts, *m)
	}
	return uint32(len(l.parts))
}

func (l *Blocks) addRef(r gbx.Ref) uint32 {
	if r.IsNil() {
		return 0
	}
	if n := len(l.refs); n == 0 || l.refs[n-1] != r {
		l.refs = append(l.refs, r)
	}
	return uint32(len(l.refs))
}

// numbered returns the n-th element of a list that counts from 1; the zero value for 0.
func numbered[T any](list []T, n uint32) (v T) {
	if n > 0 {
		v = list[n-1]
	}
	return v
}

// Len returns the number of blocks.
func (l *Blocks) Len() int { return len(l.list) }

// Unpacked shows the type of the list that [Blocks.Unpack] returns.
func (l *Blocks) Unpacked() any { return (*[]CGameCtnChallengeBlock)(nil) }

// At returns a block. It shares its nodes and card events with the list.
func (l *Blocks) At(i int) CGameCtnChallengeBlock { return l.unpack(&l.list[i], nil) }

// unpackedParts is memory for the parts of a block while it is unpacked.
type unpackedParts struct {
	custom CGameCtnChallengeBlockCustom
	extra  CGameCtnChallengeBlockExtra
}

// unpack returns a block. If to is not nil, the parts of the block are stored there.
func (l *Blocks) unpack(p *packedBlock, to *unpackedParts) CGameCtnChallengeBlock {
	b := CGameCtnChallengeBlock{
		Name: l.names.ID(p.name), Direction: uint8(p.place), Flags: p.flags,
		Coord: p.coord(),
	}
	m := numbered(l.parts, p.parts)
	if to == nil && (m.custom || m.extra) {
		to = new(unpackedParts)
	}
	if m.custom {
		b.Custom = &to.custom
		*b.Custom = CGameCtnChallengeBlockCustom{Author: l.names.ID(m.author), Skin: numbered(l.refs, m.skin)}
	}
	if m.extra {
		b.Extra = &to.extra
		*b.Extra = CGameCtnChallengeBlockExtra{
			SpecialProperty: numbered(l.refs, m.special), Waypoint: numbered(l.refs, m.waypoint), CardEventIDs: numbered(l.cards, m.cards),
			DecalID: l.names.ID(m.decalID), DecalIntensity: m.decalIntensity, DecalVariant: m.decalVariant,
		}
	}
	return b
}

// All returns the blocks one after the other, with their indices.
func (l *Blocks) All() iter.Seq2[int, CGameCtnChallengeBlock] {
	return func(yield func(int, CGameCtnChallengeBlock) bool) {
		for i := range l.list {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// Each iterates over the blocks without making a list. A block is valid until the next
// one.
func (l *Blocks) Each() iter.Seq[*CGameCtnChallengeBlock] {
	return func(yield func(*CGameCtnChallengeBlock) bool) {
		var b CGameCtnChallengeBlock
		var parts unpackedParts
		for i := range l.list {
			b = l.unpack(&l.list[i], &parts)
			if !yield(&b) {
				return
			}
		}
	}
}

// Bare is Each without Custom and Extra, which only some blocks have.
func (l *Blocks) Bare() iter.Seq[*CGameCtnChallengeBlock] {
	return func(yield func(*CGameCtnChallengeBlock) bool) {
		var b CGameCtnChallengeBlock
		for i := range l.list {
			p := &l.list[i]
			b.Name, b.Direction, b.Flags, b.Coord = l.names.ID(p.name), uint8(p.place), p.flags, p.coord()
			if !yield(&b) {
				return
			}
		}
	}
}

// Customs iterates over the authors and skins of the blocks that have them.
func (l *Blocks) Customs() iter.Seq[CGameCtnChallengeBlockCustom] {
	return func(yield func(CGameCtnChallengeBlockCustom) bool) {
		if len(l.parts) == 0 {
			return
		}
		for i := range l.list {
			m := numbered(l.parts, l.list[i].parts)
			if m.custom && !yield(CGameCtnChallengeBlockCustom{Author: l.names.ID(m.author), Skin: numbered(l.refs, m.skin)}) {
				return
			}
		}
	}
}

// BlockModel is the kind of a block: the name and author of its model.
type BlockModel struct{ Name, Author gbx.ID }

// Models counts the blocks by model, in any order, without stand-ins.
func (l *Blocks) Models() iter.Seq2[BlockModel, int] {
	type model struct{ name, author uint32 }
	counts := map[model]*int{}
	var last model
	var n *int // the count of last: blocks with the same name often follow each other
	for i := range l.list {
		p := &l.list[i]
		if p.flags == StandIn {
			continue
		}
		if now := (model{p.name, numbered(l.parts, p.parts).author}); n == nil || now != last {
			if last, n = now, counts[now]; n == nil {
				n = new(int)
				counts[now] = n
			}
		}
		*n++
	}
	return func(yield func(BlockModel, int) bool) {
		for m, n := range counts {
			if !yield(BlockModel{l.names.ID(m.name), l.names.ID(m.author)}, *n) {
				return
			}
		}
	}
}

// Count counts the blocks without stand-ins, and those of them that are free.
func (l *Blocks) Count() (placed, free int) {
	for i := range l.list {
		if f := l.list[i].flags; f != StandIn {
			placed++
			if f.Free() {
				free++
			}
		}
	}
	return placed, free
}

// Unpack returns the blocks as a slice.
func (l *Blocks) Unpack() []CGameCtnChallengeBlock {
	list := make([]CGameCtnChallengeBlock, len(l.list))
	for i, b := range l.All() {
		list[i] = b
	}
	return list
}
