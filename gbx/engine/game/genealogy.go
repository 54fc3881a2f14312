package game

import (
	"encoding/binary"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/code"
)

// Genealogies is an immutable list of CGameCtnZoneGenealogy nodes, one for each square of
// the ground. It is packed like [Blocks].
type Genealogies struct {
	names gbx.Names
	list  []packedGenealogy
	zones []uint32  // zones of all nodes, one node after the other
	odd   []gbx.Ref // nodes with anything else than one chunk 0311D002, numbered from 1
}

// packedGenealogy is a node in packed form.
type packedGenealogy struct {
	zones, numZones uint32 // first index and number of its zones; if numZones is isOdd, zones is its number in odd, 0 for no node
	current         uint32
	direction       uint32
	currentZone     uint32
}

const isOdd = 1<<32 - 1

const (
	classGenealogy = 0x0311D000
	chunkGenealogy = 0x0311D002
	endOfNode      = 0xFACADE01
)

// PackGenealogies returns nodes as a packed list.
func PackGenealogies(nodes []gbx.Ref) Genealogies {
	l := Genealogies{list: make([]packedGenealogy, len(nodes))}
	for i := range nodes {
		l.list[i] = l.pack(nodes[i])
	}
	return l
}

func (l *Genealogies) pack(r gbx.Ref) packedGenealogy {
	c := onlyGenealogy(r)
	switch {
	case r.IsNil():
		return packedGenealogy{numZones: isOdd}
	case c == nil:
		l.odd = append(l.odd, r)
		return packedGenealogy{zones: uint32(len(l.odd)), numZones: isOdd}
	}
	p := packedGenealogy{
		zones: uint32(len(l.zones)), numZones: uint32(len(c.ZoneIDs)),
		current: c.CurrentIndex, direction: c.Direction, currentZone: l.names.Add(c.CurrentZoneID),
	}
	for _, id := range c.ZoneIDs {
		l.zones = append(l.zones, l.names.Add(id))
	}
	return p
}

// onlyGenealogy returns the chunk of a node that can be packed, otherwise nil.
func onlyGenealogy(r gbx.Ref) *Chunk0311D002 {
	n := r.Node
	if r.Index() >= 0 || n == nil || n.Class != classGenealogy || n.Tail != nil || len(n.Chunks) != 1 {
		return nil
	}
	if c := &n.Chunks[0]; c.ID == chunkGenealogy && !c.Skip {
		content, _ := c.Body.(*Chunk0311D002)
		return content
	}
	return nil
}

// Len returns the number of nodes.
func (l *Genealogies) Len() int { return len(l.list) }

// Unpacked shows the type of the list that [Genealogies.Unpack] returns.
func (l *Genealogies) Unpacked() any { return (*[]gbx.Ref)(nil) }

// Unpack returns the nodes.
func (l *Genealogies) Unpack() []gbx.Ref {
	nodes := make([]gbx.Ref, len(l.list))
	for i := range l.list {
		nodes[i] = l.unpack(&l.list[i])
	}
	return nodes
}

func (l *Genealogies) unpack(p *packedGenealogy) gbx.Ref {
	if p.numZones == isOdd {
		return numbered(l.odd, p.zones)
	}
	c := &Chunk0311D002{
		CurrentIndex: p.current, Direction: p.direction, CurrentZoneID: l.names.ID(p.currentZone),
		ZoneIDs: make([]gbx.ID, p.numZones),
	}
	for i := range c.ZoneIDs {
		c.ZoneIDs[i] = l.names.ID(l.zones[int(p.zones)+i])
	}
	return gbx.NewRef(&gbx.Node{Class: classGenealogy, Chunks: []gbx.Chunk{{ID: chunkGenealogy, Body: c}}})
}

// Code reads or writes the list.
func (l *Genealogies) Code(x *gbx.Coder, name string) {
	if back := x.PassList(name, l); back != nil {
		defer back()
	}
	if !x.Packed() {
		l.codeUnpacked(x, name)
		return
	}
	count := uint32(len(l.list))
	x.U32(&count, name)
	code.SizedList(x, &l.list, int(count), 4, name)
	if x.Reading() {
		l.names = x.Names(len(l.list))
		l.readAll(x, name)
		return
	}
	for i := 0; i < len(l.list); i++ {
		i += l.write(x, l.list[i:])
		if i < len(l.list) {
			r := l.unpack(&l.list[i])
			x.Ref(&r, name)
		}
	}
}

// readAll reads the nodes, nearly all of them directly from the bytes of the file.
func (l *Genealogies) readAll(x *gbx.Coder, name string) {
	// An estimate of the number of zones, to reserve memory: most nodes have one, some
	// have ten.
	zones := max(0, len(x.Ahead())-len(l.list)*minGenealogy) / 4
	code.SizedList(x, &l.zones, min(zones, 4*len(l.list)), 4, name)
	l.zones = l.zones[:0]
	for i := 0; i < len(l.list); i++ {
		i += l.read(x, l.list[i:])
		if i < len(l.list) {
			r := new(gbx.Ref)
			x.Ref(r, name)
			l.list[i] = l.pack(*r)
		}
	}
}

func (l *Genealogies) codeUnpacked(x *gbx.Coder, name string) {
	nodes := l.Unpack()
	code.List(x, &nodes, 4, name)
	for i := range nodes {
		x.Ref(&nodes[i], x.ElemName(i))
	}
	x.EndList()
	if x.Reading() || !slices.EqualFunc(nodes, l.Unpack(), sameGenealogy) {
		*l = PackGenealogies(nodes)
	}
}

func sameGenealogy(a, b gbx.Ref) bool {
	p, q := onlyGenealogy(a), onlyGenealogy(b)
	if p == nil || q == nil {
		return a == b
	}
	return p.CurrentIndex == q.CurrentIndex && p.Direction == q.Direction && p.CurrentZoneID == q.CurrentZoneID && slices.Equal(p.ZoneIDs, q.ZoneIDs)
}

// minGenealogy is the size of a node without zones: 12 bytes before them and 16 after.
const minGenealogy = 12 + 16

// read reads nodes up to the first one that has a new name or cannot be packed, and
// returns their number.
func (l *Genealogies) read(x *gbx.Coder, list []packedGenealogy) (n int) {
	in, known, all := x.Ahead(), l.names.Known(), l.zones
	at, size := 0, 0
next:
	for ; n < len(list); n++ {
		b := in[at:]
		if n > 0 && len(b) >= size && string(b[:size]) == string(in[at-size:at]) {
			list[n] = list[n-1]
			at += size
			continue
		}
		if len(b) < minGenealogy || binary.LittleEndian.Uint32(b) != classGenealogy || binary.LittleEndian.Uint32(b[4:]) != chunkGenealogy {
			break
		}
		numZones := binary.LittleEndian.Uint32(b[8:])
		if int64(numZones) > int64(len(b)-minGenealogy)/4 {
			break
		}
		zones, rest := b[12:12+4*numZones], b[12+4*numZones:][:16]
		currentZone, ok := known.Find(binary.LittleEndian.Uint32(rest[8:]))
		if !ok || binary.LittleEndian.Uint32(rest[12:]) != endOfNode {
			break
		}
		start := len(all)
		for ; len(zones) >= 4; zones = zones[4:] {
			zone, ok := known.Find(binary.LittleEndian.Uint32(zones))
			if !ok {
				all = all[:start]
				break next
			}
			all = append(all, zone)
		}
		list[n] = packedGenealogy{
			zones: uint32(start), numZones: numZones, currentZone: currentZone,
			current: binary.LittleEndian.Uint32(rest), direction: binary.LittleEndian.Uint32(rest[4:]),
		}
		size = minGenealogy + 4*int(numZones)
		at += size
	}
	l.zones = all
	x.Skip(at)
	return n
}

// anyGenealogy is shown to visitors in place of a packed node.
var anyGenealogy = &gbx.Node{Class: classGenealogy, Chunks: []gbx.Chunk{{ID: chunkGenealogy, Body: &Chunk0311D002{}}}}

// write writes nodes up to the first one that has a new name or is not packed, and
// returns their number.
func (l *Genealogies) write(x *gbx.Coder, list []packedGenealogy) (n int) {
	out, written := x.Room(), x.Written(&l.names)
	at := 0
next:
	for ; n < len(list); n++ {
		p := &list[n]
		if p.numZones == isOdd {
			break
		}
		zones := l.zones[p.zones : p.zones+p.numZones]
		currentZone, ok := written.Word(p.currentZone)
		size := minGenealogy + 4*len(zones)
		if !ok || at+size > len(out) {
			break
		}
		b := out[at : at+size]
		binary.LittleEndian.PutUint32(b, classGenealogy)
		binary.LittleEndian.PutUint32(b[4:], chunkGenealogy)
		binary.LittleEndian.PutUint32(b[8:], p.numZones)
		b = b[12:]
		for _, zone := range zones {
			word, ok := written.Word(zone)
			if !ok {
				break next
			}
			binary.LittleEndian.PutUint32(b, word)
			b = b[4:]
		}
		binary.LittleEndian.PutUint32(b, p.current)
		binary.LittleEndian.PutUint32(b[4:], p.direction)
		binary.LittleEndian.PutUint32(b[8:], currentZone)
		binary.LittleEndian.PutUint32(b[12:], endOfNode)
		x.Outlined(anyGenealogy, at, size)
		at += size
	}
	x.Wrote(at)
	return n
}
