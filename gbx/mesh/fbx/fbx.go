// Package fbx reads binary FBX files, versions 7.1 to 7.7, as Blender and 3ds Max write
// them: the tree of nodes with polygons, materials, lights and empties. Animations, bones
// and cameras are ignored.
//
// The format is Autodesk's and has no public specification. The reader is written from
// what is commonly known about it, without a document at hand. It is tested with files of
// Blender, of assimp and one of Nadeo's importer. Other versions, the ways to inherit a
// scale, and smoothing are tested only with files that the tests make.
package fbx

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"pakbox/fault"
	"pakbox/gbx/mesh/model"
	"pakbox/internal/lib/wire"
)

const (
	magic      = "Kaydara FBX Binary  \x00\x1a\x00"
	headerSize = len(magic) + 4

	firstVersion = 7100
	firstWide    = 7500 // the first version whose records have 64-bit numbers
	afterLast    = 8000

	maxDepth = 256
)

// file is a file that is being read.
type file struct {
	size int64
	wide bool
	used int64 // bytes allocated for the content of the file

	settings settings
	template properties // defaults for properties that a node does not state
	objects  map[int64]*object
	children map[int64][]int64 // children by the ID of the parent, in the order of the file
	scene    *model.Scene
	material map[string]int32 // from a name to the index in the scene's materials
}

// object is an object of the file. Connections link objects.
type object struct {
	record *record
	kind   string // Model, Geometry, Material, NodeAttribute
	class  string // such as Mesh or Light
	name   string
	placed bool  // the node is already in the scene
	shape  shape // the mesh of a geometry that was read before
}

// charge counts allocated memory. It may grow with the size of the file (SECURITY.md),
// but not with sizes that a few bytes claim.
func (f *file) charge(n, offset int64) error {
	if f.used += n; f.used > 12*f.size+48<<20 {
		return fault.At(fault.Limit, offset, "list", "the file of %d bytes unpacks to more than %d bytes", f.size, 12*f.size+48<<20)
	}
	return nil
}

// Is reports whether a file begins like an FBX file, binary or text.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(magic[:18])) || isText(head) }

func isText(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("; FBX")) || bytes.Contains(head, []byte("FBXHeaderExtension:"))
}

// Read reads the scene of a file of the given size.
func Read(ra io.ReaderAt, size int64) (*model.Scene, error) {
	head := make([]byte, min(size, 256))
	if err := wire.Fill(head, ra, 0, "header"); err != nil {
		return nil, err
	}
	switch {
	case len(head) >= headerSize && string(head[:len(magic)]) == magic:
	case isText(head):
		return nil, fault.New(fault.Unsupported, "FBX as text (ASCII) is not supported; export binary FBX, version 7.4 for example")
	case strings.HasPrefix(string(head), magic[:20]):
		return nil, fault.At(fault.Unsupported, 20, "header", "the FBX file has the numbers of another kind of processor, or a damaged header")
	default:
		return nil, fault.New(fault.NotFormat, "the file is not an FBX file")
	}
	version := binary.LittleEndian.Uint32(head[len(magic):])
	if version < firstVersion || version >= afterLast {
		return nil, fault.At(fault.Unsupported, int64(len(magic)), "version", "FBX of version %d.%d; versions 7.1 to 7.7 are read", version/1000, version/100%10)
	}
	data := wire.Whole(ra, size)
	if data == nil {
		var err error
		if data, err = wire.ReadAt(ra, size, 0, size, "file"); err != nil {
			return nil, err
		}
	}
	f := &file{
		size: size, wide: version >= firstWide, settings: defaultSettings, template: defaultProperties,
		objects: map[int64]*object{}, children: map[int64][]int64{}, material: map[string]int32{}, scene: &model.Scene{},
	}
	if err := f.sections(data[headerSize:]); err != nil {
		return nil, err
	}
	return f.build()
}

// sections reads the outermost records.
func (f *file) sections(data []byte) error {
	whole := &record{body: data, start: int64(headerSize), file: f}
	objects := false
	err := whole.each(func(r *record) error {
		switch r.name {
		case "GlobalSettings":
			return r.table(f.settings.set)
		case "Definitions":
			return f.definitions(r)
		case "Objects":
			objects = true
			return r.each(f.object)
		case "Connections":
			return r.each(f.connection)
		}
		return nil
	})
	if err == nil && !objects {
		err = fault.New(fault.Corrupt, "the FBX file has no Objects")
	}
	return err
}

// definitions reads the default properties of nodes.
func (f *file) definitions(r *record) error {
	return r.each(func(kind *record) error {
		if kind.name != "ObjectType" || kind.text() != "Model" {
			return nil
		}
		return kind.each(func(template *record) error {
			if template.name != "PropertyTemplate" {
				return nil
			}
			return template.table(f.template.set)
		})
	})
}

// text is the first property, if it is a text.
func (r *record) text() string {
	out := ""
	_ = r.properties(func(i int, p property) error {
		if i == 0 {
			out = string(p.data)
		}
		return nil
	})
	return out
}

// object adds an object: its ID, its name with a separator and its class, and its kind of
// node, geometry or attribute.
func (f *file) object(r *record) error {
	switch r.name {
	case "Model", "Geometry", "Material", "NodeAttribute":
	default:
		return nil
	}
	o := &object{record: r, kind: r.name}
	var id int64
	err := r.properties(func(i int, p property) error {
		switch i {
		case 0:
			if p.letter != 'L' && p.letter != 'I' {
				return fault.At(fault.Corrupt, p.offset, r.name, "the object has no number as its id")
			}
			id = p.id
		case 1:
			name, _, _ := bytes.Cut(p.data, []byte("\x00\x01"))
			o.name = string(name)
		case 2:
			o.class = string(p.data)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if f.objects[id] != nil || id == 0 {
		return fault.At(fault.Corrupt, r.offset, r.name, "a second object has the id %d", id)
	}
	f.objects[id] = o
	if o.kind == "Material" {
		f.materialIndex(o.name)
	}
	return nil
}

func (f *file) materialIndex(name string) int32 {
	i, ok := f.material[name]
	if !ok {
		i = int32(len(f.scene.Materials))
		f.material[name] = i
		f.scene.Materials = append(f.scene.Materials, name)
	}
	return i
}

// connection adds a link between two objects.
func (f *file) connection(r *record) error {
	var kind string
	var ids [2]int64
	err := r.properties(func(i int, p property) error {
		switch {
		case i == 0:
			kind = string(p.data)
		case i <= len(ids):
			ids[i-1] = p.id
		}
		return nil
	})
	if err == nil && kind == "OO" { // a link between objects; other links concern properties
		f.children[ids[1]] = append(f.children[ids[1]], ids[0])
	}
	return err
}

// table calls set for each property in the object's table, with its name, its numbers and
// their count.
func (r *record) table(set func(name string, v [3]float64, n int)) error {
	return r.each(func(table *record) error {
		if table.name != "Properties70" {
			return nil
		}
		return table.each(func(row *record) error {
			name, n := "", 0
			var v [3]float64
			err := row.properties(func(i int, p property) error {
				const firstValue = 4 // after name, type, label and flags
				switch {
				case i == 0:
					name = string(p.data)
				case i >= firstValue && n < len(v) && p.data == nil:
					v[n] = p.number
					n++
				}
				return nil
			})
			if n > 0 {
				set(name, v, n)
			}
			return err
		})
	})
}
