package simutrans

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"slices"

	"pakbox/fault"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// Names of the files in an object's folder.
const (
	sourceFile = "object.dat"
	objectFile = "object.pak"
	imageDir   = "images/"
	nodeDir    = "nodes/"
)

// content is one file of an object's folder.
type content struct {
	name   string
	size   int64 // -1 until the content is made
	stored int64
	offset int64
	make   func() ([]byte, error)
}

// open makes the content.
func (c content) open() (io.ReadCloser, error) {
	data, err := c.make()
	if err != nil {
		return nil, err
	}
	return file{bytes.NewReader(data)}, nil
}

// file is content in memory, with random access.
type file struct{ *bytes.Reader }

func (file) Close() error { return nil }

// made returns a content that is made on demand.
func made(name string, make func() ([]byte, error)) content {
	return content{name: name, size: -1, offset: -1, make: make}
}

// contents lists the files of an object's folder.
func (o Object) contents() []content {
	list := []content{{
		name: objectFile, size: node.New(o.Node).Size(), stored: o.Node.BodyBytes(), offset: o.Node.Offset,
		make: func() ([]byte, error) { return node.New(o.Node).Append(nil) },
	}}
	if o.hasSource() {
		list = append(list, made(sourceFile, func() ([]byte, error) {
			r, err := decompile.Object(o.Node, decompile.Options{})
			if err != nil {
				return nil, err
			}
			return r.Dat, nil
		}))
	}
	images := decompile.Images(o.Node)
	if o.hasSource() && slices.ContainsFunc(images, drawn) {
		list = append(list, made(decompile.SheetName(o.Node)+".png", o.sheet))
	}
	taken := map[string]bool{}
	for _, m := range images {
		if len(m.Node.Body) <= emptyImage || taken[m.Key] {
			continue
		}
		taken[m.Key] = true
		list = append(list, made(imageDir+m.Key+".png", func() ([]byte, error) { return imagePNG(m.Node) }))
	}
	return append(list, bodies(o.Node, nodeDir, 0)...)
}

// emptyImage is the size of the body of an image without pixels.
const emptyImage = 10

// hasSource reports whether the object can be decompiled. A node of an unknown type
// cannot.
func (o Object) hasSource() bool { return o.Node.Type.Obj() != "" }

// drawn reports whether an image is in the picture that the source refers to. This
// includes an image without pixels that has a position in its cell.
func drawn(m decompile.NamedImage) bool {
	i, err := img.Parse(m.Node.Body, m.Node.BodyOffset())
	return err == nil && (len(i.Words) > 0 || i.X != 0 || i.Y != 0)
}

func (o Object) sheet() ([]byte, error) {
	r, err := decompile.Object(o.Node, decompile.Options{})
	if err != nil {
		return nil, err
	}
	if r.Image == nil {
		return nil, fault.New(fault.Unsupported, "%s has no picture", o.Folder)
	}
	return r.PNG()
}

// imagePNG returns a single image as PNG, cut to its bounding box.
func imagePNG(n *node.Node) ([]byte, error) {
	m, err := img.Parse(n.Body, n.BodyOffset())
	if err != nil {
		return nil, err
	}
	b, err := m.Bitmap()
	if err != nil {
		return nil, err
	}
	return encodePNG(b.NRGBA())
}

func encodePNG(m *image.NRGBA) ([]byte, error) {
	if m.Rect.Empty() {
		return nil, fault.New(fault.Unsupported, "an image of %d × %d pixels has no picture", m.Rect.Dx(), m.Rect.Dy())
	}
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}

// bodies lists the bodies of a node and of all nodes below it.
func bodies(n *node.Node, dir string, index int) []content {
	name := dir + node.Step(index, n.Type)
	list := []content{{
		name: name + ".body", size: int64(len(n.Body)), stored: int64(len(n.Body)), offset: n.Offset,
		make: func() ([]byte, error) { return n.Body, nil },
	}}
	for i, c := range n.Children {
		list = append(list, bodies(c, name+"/", i)...)
	}
	return list
}
