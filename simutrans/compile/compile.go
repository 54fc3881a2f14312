// Package compile turns .dat sources and PNG pictures into Simutrans object
// files, byte for byte as makeobj does it.
//
// makeobj has been the only compiler for this language, so its ways are the
// specification: defaults, rounding, the order of images, even the empty
// lists it adds. They were found by giving it sources and looking at what
// came out, and the tests compare with it. What is not copied is how it
// fails: here an object that is wrong is not written at all, everything that
// is wrong in all files is reported in one run with its place and a
// suggestion, and files appear complete or not at all.
//
// [Run] is the whole program; [Compiler] compiles single sources in memory.
package compile

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"pakbox/internal/lib/parallel"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// DefaultCell is the size of a cell in pixels where none is chosen.
const DefaultCell = 64

// Compiler compiles sources for one target. It may be used by several
// goroutines at once.
type Compiler struct {
	target Target
	cell   int
	sheets *sheets
	// perFile is how many objects of one source are compiled at a time.
	perFile int
}

// NewCompiler returns a compiler. A cell of 0 means DefaultCell, an empty
// target means Default.
func NewCompiler(target string, cell int) (*Compiler, error) {
	if target == "" {
		target = Default
	}
	t, err := LookupTarget(target)
	if err != nil {
		return nil, err
	}
	if cell == 0 {
		cell = DefaultCell
	}
	if !cellSizeOK(cell) {
		return nil, fmt.Errorf("a cell of %d pixels is not between %d and %d", cell, minCell, maxCell)
	}
	return &Compiler{target: t, cell: cell, sheets: newSheets(), perFile: 1}, nil
}

// Picture gives the compiler a picture that sources in dir can refer to by
// name, without it being a file.
func (c *Compiler) Picture(dir, name string, b *img.Bitmap) {
	c.sheets.put(filepath.Join(dir, name+".png"), b)
}

// PictureFile is Picture for the bytes of a PNG.
func (c *Compiler) PictureFile(dir, name string, data []byte) error {
	b, err := DecodePicture(data)
	if err == nil {
		c.Picture(dir, name, b)
	}
	return err
}

// DecodePicture reads a PNG as the compiler does.
func DecodePicture(data []byte) (*img.Bitmap, error) {
	var sh sheet
	if err := sh.decode(data); err != nil {
		return nil, err
	}
	return &sh.Bitmap, nil
}

// Target returns what the compiler compiles for.
func (c *Compiler) Target() Target { return c.target }

// Object is one compiled object.
type Object struct {
	Node *node.Node
	Obj  string // as in obj=
	Name string
	Line int // where its source begins

	head fileHead
}

// File returns the object as a file of its own.
func (o Object) File() *node.File { return o.head.file(o.Node) }

// FileName is the name makeobj gives the file of an object. Characters that
// would lead out of a folder are replaced.
func (o Object) FileName() string { return FileName(o.Obj, o.Name) }

// FileName is the name of the file of an object.
func FileName(obj, name string) string {
	file := []byte(obj + "." + name + ".pak")
	for i, c := range file { // byte by byte, because not all names are UTF-8
		if c == '/' || c == '\\' || c == 0 {
			file[i] = '_'
		}
	}
	return string(file)
}

// Source is what became of one source file.
type Source struct {
	Objects  []Object
	Problems []dat.Problem
	Pictures []string // the files that were read for it
}

// Failed reports whether any object could not be compiled.
func (s *Source) Failed() bool {
	for _, p := range s.Problems {
		if p.Severity == dat.Error {
			return true
		}
	}
	return false
}

// File compiles a source file.
func (c *Compiler) File(path string) *Source {
	src, err := os.ReadFile(path)
	if err != nil {
		return &Source{Problems: []dat.Problem{{File: path, Severity: dat.Error, Message: cause(err)}}}
	}
	return c.Source(path, filepath.Dir(path), src)
}

// cause is an error of a file operation without the path.
func cause(err error) string {
	if e, ok := err.(*os.PathError); ok {
		return e.Op + ": " + e.Err.Error()
	}
	return err.Error()
}

// Source compiles source text. Pictures are looked for from dir.
func (c *Compiler) Source(name, dir string, src []byte) *Source {
	objects, problems := dat.Parse(name, src)
	s := &Source{Problems: problems}
	pictures := map[string]bool{}
	build := func(_ context.Context, i int) (*builder, error) {
		b := &builder{Object: objects[i], target: c.target, sheets: c.sheets, dir: dir, cell: c.cell, pictures: map[string]bool{}}
		b.result = b.build()
		return b, nil
	}
	take := func(_ int, b *builder) error {
		s.Problems = append(s.Problems, b.Problems()...)
		maps.Copy(pictures, b.pictures)
		if b.result != nil {
			s.Problems = append(s.Problems, b.Unused()...)
			s.Objects = append(s.Objects, Object{Node: b.result, Obj: b.Get("obj"), Name: b.Get("name"), Line: b.Line("obj"), head: b.head})
		}
		return nil
	}
	c.eachObject(len(objects), build, take)
	s.Pictures = slices.Sorted(maps.Keys(pictures))
	return s
}

// eachObject builds objects, several at a time if there is somebody to do it.
func (c *Compiler) eachObject(n int, build func(context.Context, int) (*builder, error), take func(int, *builder) error) {
	ctx := context.Background()
	if c.perFile > 1 {
		// Neither build nor take fails, and nothing cancels the context.
		_ = parallel.Ordered(ctx, c.perFile, n, 0, func(int) int64 { return 0 }, build, take)
		return
	}
	for i := range n {
		b, _ := build(ctx, i)
		_ = take(i, b)
	}
}
