// Package simutrans makes Simutrans object files archives: a file is a folder of objects,
// and an object is a folder with its source, pictures and parts.
//
//	vehicle.TB24/object.dat                 its source
//	vehicle.TB24/vehicle_TB24.png           the picture the source refers to
//	vehicle.TB24/object.pak                 the object alone, as a file
//	vehicle.TB24/images/emptyimage[s].png   each image in its cell
//	vehicle.TB24/nodes/000.TEXT.body        the bodies of its nodes
//
// Everything except the nodes is made on demand. The packages below do the work: node
// reads the container, object the types of objects, img the images, dat the source
// language; compile and decompile are the two directions; convert changes versions; check
// checks whole paksets; picture draws contact sheets; makeobj is the command line of the
// original compiler.
package simutrans

import (
	"context"
	"io"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

// Format is the archive format. Its zero value is ready.
type Format struct{}

var (
	_ archive.Creator = Format{}
	_ archive.Editor  = (*Archive)(nil)
)

// Name implements archive.Format.
func (Format) Name() string { return "simutrans" }

// Description implements archive.Format.
func (Format) Description() string { return "Simutrans object files" }

// Extensions implements archive.Format.
func (Format) Extensions() []string { return []string{".pak"} }

// Match implements archive.Format.
func (Format) Match(in archive.Input) bool { return node.Detect(in.Prefix(256)) }

// Open is [Open] for a registry.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(Open(ctx, in, opts))
}

// Open reads an object file. It needs no options.
func Open(_ context.Context, in archive.Input, _ archive.Options) (*Archive, error) {
	file, err := node.Read(in.ReaderAt, in.Size)
	if err != nil {
		return nil, fault.InFile(err, in.Name)
	}
	return New(file), nil
}

// Archive is an open object file.
type Archive struct {
	*archive.Tree
	File    *node.File
	objects []Object
}

// Object is one object of a file, with its folder name.
type Object struct {
	Folder string
	Node   *node.Node
}

// New shows a file as an archive. The file must not be changed afterwards.
func New(file *node.File) *Archive {
	a := &Archive{File: file, objects: folders(file)}
	var entries []archive.Entry
	var contents []content
	for _, o := range a.objects {
		for _, c := range o.contents() {
			entries = append(entries, archive.Entry{
				Name: o.Folder + "/" + c.name, Size: c.size, StoredSize: c.stored, Offset: c.offset, Method: o.Node.Type.Name(),
			})
			contents = append(contents, c)
		}
	}
	a.Tree = archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) { return contents[i].open() })
	return a
}

// Format implements archive.Archive.
func (a *Archive) Format() string { return Format{}.Name() }

// folders gives every object a folder name: type.name, with a number if two are the same.
func folders(file *node.File) []Object {
	taken, numbers := map[string]bool{}, compile.Numbers{}
	var list []Object
	for _, n := range file.Root.Children {
		name := FolderName(n)
		folder := compile.NumberedName(name, numbers.Next(name, func(i int) bool { return taken[compile.NumberedName(name, i)] }))
		taken[folder] = true
		list = append(list, Object{folder, n})
	}
	return list
}

// FolderName is the folder name of an object, if no other object has the same type and
// name.
func FolderName(n *node.Node) string {
	name := compile.FileName(n.Type.Name(), node.Display(n.Name()))
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return '_'
		}
		return r
	}, strings.TrimSuffix(name, ".pak"))
}

// Objects returns the objects with their folders, in file order.
func (a *Archive) Objects() []Object { return slices.Clone(a.objects) }

// Find returns the object a path inside the archive belongs to.
func (a *Archive) Find(path string) (*node.Node, bool) {
	folder, _, _ := strings.Cut(path, "/")
	for _, o := range a.objects {
		if o.Folder == folder {
			return o.Node, true
		}
	}
	return nil, false
}
