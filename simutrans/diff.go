package simutrans

import (
	"bytes"
	"fmt"

	"pakbox/archive"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Difference is an object that differs between two files.
type Difference struct {
	Kind   archive.ChangeKind `json:"kind"`
	Object string             `json:"object"` // type.name
	Fields []FieldDifference  `json:"fields,omitempty"`
	Images []ImageDifference  `json:"images,omitempty"`
}

// FieldDifference is a field of a node that differs.
type FieldDifference struct {
	Node  string `json:"node"` // path of the node below the object
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

// ImageDifference is an image that differs.
type ImageDifference struct {
	Key    string `json:"key"`
	Pixels int    `json:"pixels"` // number of pixels that differ at the same position
	Note   string `json:"note,omitempty"`
}

// Diff compares objects by type and name: first those only in new, then those
// only in old, then those that differ, each in file order.
func Diff(old, new []*node.Node) []Difference {
	olds, news := map[string]*node.Node{}, map[string]*node.Node{}
	for _, n := range old {
		olds[FolderName(n)] = n
	}
	for _, n := range new {
		news[FolderName(n)] = n
	}
	var added, removed, changed []Difference
	for _, n := range new {
		if olds[FolderName(n)] == nil {
			added = append(added, Difference{Kind: archive.Added, Object: FolderName(n)})
		}
	}
	for _, n := range old {
		m := news[FolderName(n)]
		if m == nil {
			removed = append(removed, Difference{Kind: archive.Removed, Object: FolderName(n)})
		} else if !n.Equal(m) {
			d := Difference{Kind: archive.Changed, Object: FolderName(n)}
			d.Fields = diffNodes(n, m, node.Step(0, n.Type))
			d.Images = diffImages(n, m)
			changed = append(changed, d)
		}
	}
	return append(append(added, removed...), changed...)
}

// diffNodes compares the fields of all nodes but images.
func diffNodes(a, b *node.Node, path string) (list []FieldDifference) {
	if a.Type != b.Type {
		return []FieldDifference{{path, "type", a.Type.String(), b.Type.String()}}
	}
	if a.Type != node.IMG && !bytes.Equal(a.Body, b.Body) {
		list = diffFields(a, b, path)
	}
	if len(a.Children) != len(b.Children) {
		return append(list, FieldDifference{path, "children", fmt.Sprint(len(a.Children)), fmt.Sprint(len(b.Children))})
	}
	for i := range a.Children {
		list = append(list, diffNodes(a.Children[i], b.Children[i], path+"/"+node.Step(i, a.Children[i].Type))...)
	}
	return list
}

func diffFields(a, b *node.Node, path string) (list []FieldDifference) {
	da, errA := object.Decode(a)
	db, errB := object.Decode(b)
	if errA != nil || errB != nil {
		return []FieldDifference{{path, "body", fmt.Sprintf("%d bytes", len(a.Body)), fmt.Sprintf("%d bytes", len(b.Body))}}
	}
	if va, vb := da.Version, db.Version; va != vb {
		list = append(list, FieldDifference{path, "version", fmt.Sprint(va.Standard), fmt.Sprint(vb.Standard)})
	}
	for _, f := range da.Fields() {
		if g, ok := db.Field(f.Name); !ok || f.Text != g.Text {
			list = append(list, FieldDifference{path, f.Name, f.Text, g.Text})
		}
	}
	for _, f := range db.Fields() {
		if _, ok := da.Field(f.Name); !ok {
			list = append(list, FieldDifference{path, f.Name, "", f.Text})
		}
	}
	return list
}

// diffImages compares the images of two objects by their keys.
func diffImages(a, b *node.Node) (list []ImageDifference) {
	news := map[string]*node.Node{}
	for _, m := range decompile.Images(b) {
		news[m.Key] = m.Node
	}
	for _, m := range decompile.Images(a) {
		other := news[m.Key]
		delete(news, m.Key)
		switch {
		case other == nil:
			list = append(list, ImageDifference{Key: m.Key, Note: "removed"})
		case !bytes.Equal(m.Node.Body, other.Body):
			list = append(list, diffImage(m.Key, m.Node, other))
		}
	}
	for _, m := range decompile.Images(b) {
		if news[m.Key] != nil {
			list = append(list, ImageDifference{Key: m.Key, Note: "added"})
		}
	}
	return list
}

// maxCompared limits the pixels of the box around two images. In a damaged file they may
// be far apart.
const maxCompared = 1 << 26

func diffImage(key string, a, b *node.Node) ImageDifference {
	ia, ba, errA := decodeImage(a)
	ib, bb, errB := decodeImage(b)
	if errA != nil || errB != nil {
		return ImageDifference{Key: key, Note: "it cannot be decoded"}
	}
	d := ImageDifference{Key: key}
	x0, y0 := min(ia.X, ib.X), min(ia.Y, ib.Y)
	x1, y1 := max(ia.X+ia.W, ib.X+ib.W), max(ia.Y+ia.H, ib.Y+ib.H)
	if (x1-x0)*(y1-y0) > maxCompared {
		d.Note = "it is somewhere else"
		return d
	}
	for y := range y1 - y0 {
		for x := range x1 - x0 {
			if ba.At(x0+x-ia.X, y0+y-ia.Y) != bb.At(x0+x-ib.X, y0+y-ib.Y) {
				d.Pixels++
			}
		}
	}
	if ia.Zoomable != ib.Zoomable {
		d.Note = "whether it may be zoomed"
	}
	return d
}

func decodeImage(n *node.Node) (*img.Image, *img.Bitmap, error) {
	m, err := img.Parse(n.Body, n.BodyOffset())
	if err != nil {
		return nil, nil, err
	}
	b, err := m.Bitmap()
	return m, b, err
}
