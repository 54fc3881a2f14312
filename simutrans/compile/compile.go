// Package compile turns .dat sources and PNG pictures into Simutrans object files, byte
// for byte as makeobj does it.
//
// makeobj was the only compiler for this language, so its behaviour is the specification:
// defaults, rounding, the order of images, even the empty lists that it adds. The
// behaviour was found by compiling sources with it, and the tests compare with it. Errors
// are handled differently: a wrong object is not written, all problems of all files are
// reported in one run with place and suggestion, and files appear complete or not at all.
//
// [Run] is the whole program; [Compiler] compiles single sources in memory.
package compile

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/regular"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// DefaultCell is the default size of a cell in pixels.
const DefaultCell = 64

// Compiler compiles sources for one target. It may be used by several
// goroutines at once.
type Compiler struct {
	target object.Target
	cell   int
	sheets *sheets
	strict bool // treat warnings as errors
	// perFile is the number of objects of one source that are compiled in parallel.
	perFile int
}

// NewCompiler returns a compiler. A cell of 0 means DefaultCell, an empty
// target means object.DefaultTarget.
func NewCompiler(target string, cell int) (*Compiler, error) {
	if target == "" {
		target = object.DefaultTarget
	}
	t, err := object.LookupTarget(target)
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

// Picture gives the compiler a picture that is not a file. Sources in dir can refer to it
// by name.
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

// DecodePicture reads a PNG like the compiler does.
func DecodePicture(data []byte) (*img.Bitmap, error) {
	var sh sheet
	if err := sh.decode(data); err != nil {
		return nil, err
	}
	return &sh.Bitmap, nil
}

// PicturePath is the file that an image reference names, "" if it names none. The
// reference is relative to dir.
func (c *Compiler) PicturePath(dir, value string) string {
	ref := parseReference(value)
	if ref.empty || ref.file == "" {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(ref.file))
}

// Cell returns the cell of a picture that an image reference names. If cell is 0, it is
// the compiler's own cell size.
func (c *Compiler) Cell(dir, value string, cell int) (*image.NRGBA, error) {
	if cell == 0 {
		cell = c.cell
	}
	ref := parseReference(value)
	if ref.empty || !cellSizeOK(cell) {
		return nil, errors.New("the image is missing")
	}
	ref.byRows = c.target.NumberByRows
	sh, at, err := c.sheets.cell(c.PicturePath(dir, value), ref, cell)
	if err != nil {
		return nil, errors.New(err.message)
	}
	m := image.NewNRGBA(image.Rect(0, 0, cell, cell))
	for y := range cell {
		for x, p := range sh.Pix[(at.Y+y)*sh.W+at.X:][:cell] {
			m.SetNRGBA(x, y, img.Color(p))
		}
	}
	return m, nil
}

// Target returns the target of the compiler.
func (c *Compiler) Target() object.Target { return c.target }

// Object is one compiled object.
type Object struct {
	Node *node.Node
	Obj  string // value of obj=
	Name string
	Line int // first line of its source

	head fileHead
}

// File returns the object as a file of its own.
func (o Object) File() *node.File { return o.head.file(o.Node) }

// FileName is the file name that makeobj gives to an object. Characters that would lead
// out of a folder are replaced.
func (o Object) FileName() string { return FileName(o.Obj, o.Name) }

// FileName is the file name of an object.
func FileName(obj, name string) string {
	file := []byte(obj + "." + name + ".pak")
	for i, c := range file { // byte by byte, because not all names are UTF-8
		if c == '/' || c == '\\' || c == 0 {
			file[i] = '_'
		}
	}
	return string(file)
}

// Numbers distinguishes objects with the same name. It has the last number given for each
// name.
type Numbers map[string]int

// Next returns the next number with which the name is free, first 1. It does not try
// earlier numbers again, because a file can have 65,535 objects with one name.
func (n Numbers) Next(name string, taken func(number int) bool) int {
	number := n[name] + 1
	for taken(number) {
		number++
	}
	n[name] = number
	return number
}

// NumberedName is the name with a number; number 1 is left out.
func NumberedName(name string, number int) string {
	if number == 1 {
		return name
	}
	return name + "(" + strconv.Itoa(number) + ")"
}

// Source is the result of compiling one source file.
type Source struct {
	Objects  []Object
	Problems []finding.Finding
	Pictures []string // picture files that were read
}

// Failed reports whether an object could not be compiled.
func (s *Source) Failed() bool { return finding.Worst(s.Problems) == finding.Error }

// File compiles a source file.
func (c *Compiler) File(path string) *Source {
	src, err := regular.Read(path, maxFile)
	if err != nil {
		return &Source{Problems: []finding.Finding{unreadable(path, err)}}
	}
	return c.Source(path, filepath.Dir(path), src)
}

// unreadable is the finding about a file that cannot be read.
func unreadable(path string, err error) finding.Finding {
	message := err.Error()
	if e, ok := err.(*os.PathError); ok {
		message = e.Op + ": " + e.Err.Error()
	}
	rule := "unreadable"
	if errors.Is(err, fs.ErrNotExist) {
		rule, message = noSource, "there is no such file"
	}
	return finding.New(finding.Error, rule, finding.Position{File: path, Offset: fault.NoOffset}, "%s", message)
}

// Rules of errors that makeobj ignores.
const (
	duplicate = "duplicate"
	noName    = "no_name"
	noObject  = "no_object"
	noSource  = "no_source"
)

// PassedOver reports whether makeobj continues after a problem: it leaves out the object
// and its exit code is 0.
func PassedOver(f finding.Finding) bool {
	return f.Severity != finding.Error || slices.Contains([]string{object.UnknownType, duplicate, noName, noObject, noSource}, f.Rule)
}

// Source compiles source text. References to pictures are relative to dir.
func (c *Compiler) Source(name, dir string, src []byte) *Source {
	objects, problems := dat.Parse(name, src)
	s := &Source{Problems: problems}
	pictures, reported := map[string]bool{}, map[string]bool{}
	make := func(_ context.Context, i int) (*build, error) { return c.build(objects[i], dir), nil }
	take := func(_ int, b *build) error {
		found := append(b.Problems(), b.Unused()...)
		for _, p := range found {
			if p.Rule != unusablePicture || !reported[p.Entry] {
				s.Problems = append(s.Problems, p)
			}
		}
		maps.Copy(reported, b.reported)
		maps.Copy(pictures, b.pictures)
		if b.result != nil && !(c.strict && finding.Worst(found) == finding.Warning) {
			s.Objects = append(s.Objects, Object{Node: b.result, Obj: b.Get("obj"), Name: b.Get("name"), Line: b.Line("obj"), head: b.head})
		}
		return nil
	}
	c.eachObject(len(objects), make, take)
	for i := range s.Problems {
		if p := &s.Problems[i]; c.strict && p.Severity == finding.Warning {
			p.Severity = finding.Error
		}
	}
	s.Pictures = slices.Sorted(maps.Keys(pictures))
	return s
}

// eachObject builds objects, in parallel if perFile allows.
func (c *Compiler) eachObject(n int, make func(context.Context, int) (*build, error), take func(int, *build) error) {
	ctx := context.Background()
	if c.perFile > 1 {
		// Neither make nor take fails, and nothing cancels the context.
		_ = parallel.Ordered(ctx, c.perFile, n, 0, func(int) int64 { return 0 }, make, take)
		return
	}
	for i := range n {
		b, _ := make(ctx, i)
		_ = take(i, b)
	}
}
