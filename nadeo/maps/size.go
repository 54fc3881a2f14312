package maps

import (
	"slices"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// Part is a part of a map file, with its size.
type Part struct {
	// ID is the ID of a chunk, or of a node's class; 0 for other parts, such as an
	// embedded file.
	ID    classid.ID
	Name  string // name for people; "" if unknown
	Count int    // number of parts of this kind that are added together
	Bytes int64  // before compression
	// Stored is about the size of the part in the file, whose body is compressed as a
	// whole. Only the parts at the top level have it.
	Stored int64
	Parts  []*Part // largest first

	from int64
}

// Names for the chunks that take most of the bytes in maps.
var partNames = map[classid.ID]string{
	0x03043005: "XML", 0x03043007: "thumbnail and comments", 0x0304300F: "blocks", 0x03043011: "parameters and validation ghost",
	0x03043013: "blocks", 0x0304301F: "blocks", 0x03043020: "media tracker", 0x03043021: "media tracker", 0x03043036: "thumbnail camera and comments",
	0x0304303D: "lightmap", 0x0304303E: "car marks", 0x03043040: "items", 0x03043043: "ground before blocks", 0x03043044: "script metadata",
	0x03043048: "baked blocks", 0x03043049: "media tracker", 0x0304304E: "animations", 0x03043050: "off zones", 0x03043054: "embedded items",
	0x0304305B: "lightmap", 0x0304305D: "blocks by place", 0x0304305F: "places of free blocks", 0x03043062: "colours",
	0x03043063: "animation phases", 0x03043065: "foregrounds", 0x03043067: "launched checkpoints", 0x03043068: "lightmap qualities",
	0x03043069: "macroblocks", 0x0305B00D: "validation ghost", 0x0305B00F: "validation ghost",
}

// Parts returns the content of the file as a tree of sizes: header and body, their
// chunks, the nodes in those, and so on.
func (m *Map) Parts() (*Part, error) {
	file, err := m.File.Encode()
	if err != nil {
		return nil, err
	}
	coded, err := m.File.EncodeBody()
	if err != nil {
		return nil, err
	}
	head, err := m.File.EncodeHeader()
	if err != nil {
		return nil, err
	}
	v := &measure{main: m.File.Body, header: &Part{Name: "header", Count: 1}, body: &Part{Name: "body", Count: 1}}
	if err := m.File.Outline(v); err != nil {
		return nil, err
	}
	v.header.Bytes, v.header.Stored = int64(len(head)), int64(len(head))
	v.body.Bytes, v.body.Stored = int64(len(coded)), int64(len(file)-len(head))
	for _, p := range v.header.Parts {
		p.Stored = p.Bytes
	}
	share(v.body, coded)
	for _, p := range v.body.Parts {
		p.Parts = append(p.Parts, m.inside(p.ID)...)
	}
	all := &Part{Name: "file", Count: 1, Bytes: v.header.Bytes + v.body.Bytes, Stored: int64(len(file)), Parts: []*Part{v.header, v.body}}
	all.arrange()
	return all, nil
}

// arrange sorts all parts by size, and names them.
func (p *Part) arrange() {
	if p.Name == "" {
		p.Name = partNames[p.ID.Latest()]
	}
	for _, sub := range p.Parts {
		sub.arrange()
	}
	slices.SortStableFunc(p.Parts, func(a, b *Part) int { return int(max(b.Bytes, b.Stored) - max(a.Bytes, a.Stored)) })
}

// share estimates how much of the compressed body each chunk takes. It compresses each
// chunk alone, and scales the sum to the size of the whole.
func share(body *Part, coded []byte) {
	sum := int64(1)
	for _, p := range body.Parts {
		to := min(p.from+p.Bytes, int64(len(coded)))
		packed, err := lzo1x.AppendCompress(nil, coded[min(p.from, to):to], lzo1x.Fast)
		if err != nil { // a part that cannot be compressed counts with its full size
			packed = coded[min(p.from, to):to]
		}
		p.Stored = int64(len(packed))
		sum += p.Stored
	}
	for _, p := range body.Parts {
		p.Stored = int64(float64(p.Stored) * float64(body.Stored) / float64(sum))
	}
}

// measure is a visitor that adds up the sizes of chunks and nodes.
type measure struct {
	main         *gbx.Node
	header, body *Part
	groups       []*Part // all open groups; nil for a group that is not a part
	open         []*Part // the open groups that are parts
}

func (v *measure) Value(string, any) {}

func (v *measure) Coded(string, any, int64, int64) {}

func (v *measure) Begin(_ string, p any, offset int64) {
	var part *Part
	switch p := p.(type) {
	case *gbx.HeaderChunk:
		v.open = append(v.open[:0], v.header)
		part = &Part{ID: p.ID, Count: 1, from: offset}
	case *gbx.Chunk:
		part = &Part{ID: p.ID, Count: 1, from: offset}
	case *gbx.Node:
		class, _ := classid.Lookup(p.Class)
		part = &Part{ID: p.Class, Name: class.Name, Count: 1, from: offset}
		if p == v.main {
			part = v.body
		}
	}
	v.groups = append(v.groups, part)
	if part != nil {
		v.open = append(v.open, part)
	}
}

func (v *measure) End(offset int64) {
	part := v.groups[len(v.groups)-1]
	v.groups = v.groups[:len(v.groups)-1]
	if part == nil {
		return
	}
	v.open = v.open[:len(v.open)-1]
	part.Bytes = offset - part.from
	if len(v.open) > 0 && part != v.body {
		v.open[len(v.open)-1].take(part)
	}
}

// take adds a part to a larger one. Parts of the same kind are added up.
func (p *Part) take(part *Part) {
	for _, old := range p.Parts {
		if old.ID == part.ID {
			old.Count += part.Count
			old.Bytes += part.Bytes
			for _, sub := range part.Parts {
				old.take(sub)
			}
			return
		}
	}
	p.Parts = append(p.Parts, part)
}

// inside divides chunks that hold files of other formats, such as the embedded zip.
func (m *Map) inside(id classid.ID) []*Part {
	var out []*Part
	add := func(name string, bytes int64) { out = append(out, &Part{Name: name, Count: 1, Bytes: bytes}) }
	switch id.Latest() {
	case 0x03043054:
		e, err := m.EmbeddedFiles()
		if err != nil {
			return nil
		}
		for i := range e.Files {
			add(e.Files[i].Name, e.Files[i].StoredSize)
		}
	case 0x0304303D, 0x0304305B:
		for _, p := range m.Lightmap() {
			add(p.Name, int64(len(p.Data)))
		}
	}
	return out
}
