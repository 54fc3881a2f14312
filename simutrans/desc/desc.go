// Package desc understands the bodies of Simutrans nodes: what a vehicle
// costs, how high a bridge may be, which climates a tree likes.
//
// Every kind of node is one Go struct that holds the fields of all its
// versions, and one layout function that says which of them stand in the body
// of the version at hand, in which order and how wide. That one function
// reads ([Decode]), writes ([Encode]), lists ([Fields]) and changes ([Set]) a
// descriptor, so that the four cannot disagree.
//
// The first word of most bodies is their version: the high bit is set and the
// rest is the number; a clear high bit means version 0, whose first field
// that word already is. Simutrans-Extended sets the next bit too and adds its
// own number in the high byte.
//
// Bytes behind the last field that is understood are kept in Rest, and a body
// of an unknown type or version is an [Opaque].
package desc

import (
	"encoding/binary"

	"pakbox/fault"
	"pakbox/simutrans/node"
)

// Version is the version of a descriptor.
type Version struct {
	Standard int  // the number Standard's makeobj counts
	Extended int  // Simutrans-Extended's own number on top of it
	IsExt    bool // written by Simutrans-Extended
}

const (
	versionBit  = 0x8000
	extendedBit = 0x4000
)

// Word returns the version as it stands at the begin of a body.
func (v Version) Word() uint16 {
	if v.IsExt {
		return uint16(versionBit | extendedBit | (v.Extended+1)<<8 | v.Standard)
	}
	return uint16(versionBit | v.Standard)
}

// versionOf takes a version word apart.
func versionOf(word uint16) Version {
	if word&extendedBit != 0 {
		return Version{Standard: int(word & 0xFF), Extended: int(word>>8&0x3F) - 1, IsExt: true}
	}
	return Version{Standard: int(word &^ versionBit)}
}

// Descriptor is a decoded body: a pointer to one of this package's structs.
type Descriptor interface {
	// head gives access to what all descriptors share.
	head() *Head
	// layout visits the fields of the body in their order.
	layout(c *coder)
}

// Head is what all descriptors share.
type Head struct {
	Version Version
	Rest    []byte // bytes behind the fields that are understood

	word []byte // the version as it was read; some types accept other spellings
}

func (h *Head) head() *Head { return h }

// Opaque is a body whose type or version is not understood.
type Opaque struct {
	Head
	Body []byte
}

func (d *Opaque) layout(c *coder) {
	if c.mode == writing {
		c.out = append(c.out, d.Body...)
	}
}

// versioning says how a type tells its version.
type versioning int

const (
	marked   versioning = iota // by the high bit of the first word
	unmarked                   // not at all
	always                     // by the first word, whatever its high bit
)

type kind struct {
	make    func() Descriptor
	how     versioning
	newest  int  // the newest version of Standard that is understood
	emptyV0 bool // an empty body is the first version
}

var kinds = map[node.Type]kind{
	node.BRDG: {func() Descriptor { return new(Bridge) }, marked, 11, false},
	node.TUNL: {func() Descriptor { return new(Tunnel) }, marked, 6, true},
	node.WAY:  {func() Descriptor { return new(Way) }, always, 8, true},
	node.WYOB: {func() Descriptor { return new(WayObject) }, always, 2, false},
	node.CRSS: {func() Descriptor { return new(Crossing) }, marked, 2, false},
	node.SIGN: {func() Descriptor { return new(Sign) }, marked, 6, false},
	node.PIER: {func() Descriptor { return new(Pier) }, marked, 9, false},
	node.GOOD: {func() Descriptor { return new(Good) }, marked, 4, false},
	node.BUIL: {func() Descriptor { return new(Building) }, marked, 12, false},
	node.TILE: {func() Descriptor { return new(Tile) }, marked, 2, false},
	node.FACT: {func() Descriptor { return new(Factory) }, marked, 6, false},
	node.FSUP: {func() Descriptor { return new(Supplier) }, unmarked, 0, false},
	node.FPRO: {func() Descriptor { return new(Product) }, marked, 1, false},
	node.FSMO: {func() Descriptor { return new(Smoke) }, unmarked, 0, false},
	node.FFIE: {func() Descriptor { return new(FieldGroup) }, marked, 3, false},
	node.FFCL: {func() Descriptor { return new(FieldClass) }, marked, 1, false},
	node.VHCL: {func() Descriptor { return new(Vehicle) }, marked, 13, false},
	node.CCAR: {func() Descriptor { return new(CityCar) }, marked, 2, false},
	node.PASS: {func() Descriptor { return new(Pedestrian) }, marked, 2, false},
	node.TREE: {func() Descriptor { return new(Tree) }, marked, 2, false},
	node.GOBJ: {func() Descriptor { return new(GroundObject) }, marked, 2, false},
	node.SOUN: {func() Descriptor { return new(Sound) }, marked, 2, false},
	node.IMG1: {func() Descriptor { return new(List) }, unmarked, 0, false},
	node.IMG2: {func() Descriptor { return new(List) }, unmarked, 0, false},
	node.IMG3: {func() Descriptor { return new(List) }, unmarked, 0, false},
	node.TEXT: {func() Descriptor { return new(Text) }, unmarked, 0, false},
	node.XREF: {func() Descriptor { return new(Reference) }, unmarked, 0, false},
}

// Newest returns the newest Standard version of a type that can be written.
func Newest(t node.Type) (version int, ok bool) {
	k, ok := kinds[t]
	return k.newest, ok && k.how != unmarked
}

// Decode reads a node's body. A type or version that is not known gives an
// Opaque and no error; a body too short for its version is an error.
func Decode(n *node.Node) (Descriptor, error) {
	k, ok := kinds[n.Type]
	if !ok {
		return &Opaque{Body: n.Body}, nil
	}
	version, start, ok := k.version(n.Body)
	if !ok {
		return &Opaque{Head: Head{Version: version}, Body: n.Body}, nil
	}
	d := k.make()
	d.head().Version = version
	if start > 0 {
		d.head().word = n.Body[:start:start]
	}
	base := n.Offset + headerSize(n) + int64(start)
	c := newReader(n.Body[start:], base, version)
	d.layout(c)
	if err := c.r.Err(); err != nil {
		return nil, fault.InEntry(err, n.Type.Name()+" "+n.Name())
	}
	if !c.unknown {
		d.head().Rest = c.rest()
		return d, nil
	}
	return &Opaque{Head: Head{Version: version}, Body: n.Body}, nil
}

// headerSize is where a node's body begins, seen from its header.
func headerSize(n *node.Node) int64 {
	if len(n.Body) >= 0xFFFF {
		return 12
	}
	return 8
}

// version finds the version of a body and where its first field begins.
func (k kind) version(body []byte) (v Version, start int, ok bool) {
	switch {
	case k.how == unmarked:
		return Version{}, 0, true
	case len(body) == 0:
		return Version{}, 0, k.emptyV0
	case len(body) < 2:
		return Version{}, 0, false
	}
	word := binary.LittleEndian.Uint16(body)
	if word&versionBit == 0 && k.how == marked {
		return Version{}, 0, true
	}
	v = versionOf(word)
	return v, 2, v.Standard <= k.newest
}

// Encode returns the body that d stands for. It fails where a value does not
// fit the field its version has for it.
func Encode(d Descriptor) ([]byte, error) {
	h := d.head()
	if o, ok := d.(*Opaque); ok {
		return append([]byte(nil), o.Body...), nil
	}
	c := &coder{mode: writing, version: h.Version}
	if hasWord(d) {
		word := h.Version.Word()
		if h.word != nil && versionOf(binary.LittleEndian.Uint16(h.word)) == h.Version {
			word = binary.LittleEndian.Uint16(h.word)
		}
		c.out = binary.LittleEndian.AppendUint16(c.out, word)
	}
	d.layout(c)
	if c.err != nil {
		return nil, c.err
	}
	if c.unknown {
		return nil, fault.New(fault.UnsupportedVersion, "version %d cannot be written", h.Version.Standard)
	}
	return append(c.out, h.Rest...), nil
}

// hasWord reports whether d's body begins with a version word.
func hasWord(d Descriptor) bool {
	switch d.(type) {
	case *Supplier, *Smoke, *List, *Text, *Reference, *Opaque:
		return false
	}
	return d.head().Version != Version{} || d.head().word != nil
}

// VersionOf returns the version of a descriptor.
func VersionOf(d Descriptor) Version { return d.head().Version }

// RestOf returns the bytes behind the fields that are understood.
func RestOf(d Descriptor) []byte { return d.head().Rest }
