// Package makeobj implements the command line of Simutrans' compiler, so that build
// scripts need only change the program's name:
//
//	[QUIET|VERBOSE|DEBUG] PAK128 out/ *.dat
//
// Its files, its printed results and the exit code of compiling are those of makeobj
// 60.6. Errors are handled differently: a problem names its place, a wrong object leaves
// no incomplete file behind, and a file that cannot be read gives a non-zero exit code.
package makeobj

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"pakbox/finding"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/regular"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// The exit codes, which are makeobj's own.
const (
	exitOK      = 0
	exitProblem = 1
	exitUsage   = 3
)

// Front runs commands.
type Front struct {
	Stdout, Stderr io.Writer
	Target         string // "" means object.DefaultTarget
	Workers        int    // 0 means one per core
	Dir            string // where EXTRACT writes; "" is the current folder
	quiet          bool
	failed         bool
	failure        error
}

// Failure is the first error of reading or writing, for callers that distinguish it from
// problems of the sources. It has been printed.
func (f *Front) Failure() error { return f.failure }

// Run runs one command line and returns the exit code.
func (f *Front) Run(ctx context.Context, args []string) int {
	for len(args) > 0 {
		switch strings.ToUpper(args[0]) {
		case "QUIET":
			f.quiet = true
		case "VERBOSE", "DEBUG":
		default:
			return f.command(ctx, strings.ToUpper(args[0]), args[1:])
		}
		args = args[1:]
	}
	return f.usage()
}

func (f *Front) command(ctx context.Context, name string, args []string) int {
	var err error
	switch {
	case name == "CAPABILITIES":
		f.capabilities()
	case strings.HasPrefix(name, "PAK"):
		return f.pak(ctx, name[len("PAK"):], args)
	case len(args) == 0:
		return f.usage()
	case name == "LIST":
		err = f.each(ctx, args, list)
	case name == "DUMP":
		err = f.each(ctx, args, dump)
	case name == "MERGE" && len(args) > 1:
		err = f.merge(ctx, args[0], args[1:])
	case name == "EXTRACT":
		f.Workers = 1 // of objects with the same name the last one must win
		err = f.each(ctx, args, f.extract)
	case name == "EXPAND" && len(args) > 1:
		err = f.expand(args[0], args[1:])
	default:
		return f.usage()
	}
	if err != nil {
		f.problem(err)
	}
	if f.failed {
		return exitProblem
	}
	return exitOK
}

func (f *Front) problem(err error) {
	f.failed = true
	if f.failure == nil {
		f.failure = err
	}
	fmt.Fprintf(f.Stderr, "ERROR: %v\n", err)
}

func (f *Front) usage() int {
	fmt.Fprint(f.Stderr, `Usage: makeobj [QUIET|VERBOSE|DEBUG] COMMAND …
   CAPABILITIES                 lists the objects that can be compiled
   PAK[size] [OUT [DAT…]]       compiles; OUT/ writes a file per object
   LIST PAK…                    lists objects
   DUMP PAK…                    lists nodes
   MERGE OUT PAK…               puts objects into one file
   EXTRACT PAK…                 puts objects into files of their own
   EXPAND OUT DAT…              writes sources without abbreviations
`)
	return exitUsage
}

func (f *Front) capabilities() {
	fmt.Fprintf(f.Stdout, "This program can pack the following object types (pak version %d) :\n", node.Code1003)
	for _, obj := range object.Capabilities() {
		fmt.Fprintf(f.Stdout, "   %s\n", obj)
	}
}

// pak compiles. size is the rest of the command's name, such as 128.
func (f *Front) pak(ctx context.Context, size string, args []string) int {
	opts := compile.Options{Out: "./", Target: f.Target, Workers: f.Workers, Lenient: true}
	if size != "" {
		n, err := strconv.Atoi(size)
		if err != nil {
			return f.usage()
		}
		opts.Cell = n
	}
	sources := []string{"./"}
	if len(args) > 0 {
		opts.Out = args[0]
	}
	if len(args) > 1 {
		sources = args[1:]
	}
	var err error
	if opts.Sources, err = inFolders(sources, ".dat"); err != nil {
		f.problem(err)
		return exitProblem
	}
	result, err := compile.Run(ctx, opts)
	if errors.Is(err, compile.ErrNoSource) {
		fmt.Fprintf(f.Stderr, "ERROR: %v\n", err)
		return exitOK
	}
	if err != nil {
		f.problem(err)
		return exitProblem
	}
	for _, p := range result.Problems {
		if p.Severity == finding.Error || !f.quiet {
			fmt.Fprintln(f.Stderr, p.String())
		}
	}
	if !f.quiet {
		for _, o := range result.Outputs {
			fmt.Fprintf(f.Stderr, "   packing %s.%s\n", o.Obj, o.Name)
		}
	}
	if !result.PassedOver() {
		return exitProblem
	}
	return exitOK
}

// inFolders replaces each folder by the files in it with an ending.
func inFolders(args []string, ending string) (paths []string, err error) {
	for _, arg := range args {
		if strings.HasSuffix(arg, ending) { // asking the disk would take as long as reading the file
			paths = append(paths, arg)
			continue
		}
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			paths = append(paths, arg)
			continue
		}
		inside, err := filepath.Glob(filepath.Join(arg, "*"+ending))
		if err != nil {
			return nil, err
		}
		paths = append(paths, inside...)
	}
	return paths, nil
}

// each runs a command on files, and on the .pak files in folders, and prints the results
// in the order of the files. A damaged file does not stop the others.
func (f *Front) each(ctx context.Context, args []string, do func(out []byte, path string, file *node.File) ([]byte, error)) error {
	paths, err := inFolders(args, ".pak")
	if err != nil {
		return err
	}
	type printed struct {
		text *[]byte
		errs []error
	}
	w := bufio.NewWriterSize(f.Stdout, 64<<10)
	work := func(_ context.Context, i int) (printed, error) {
		p := printed{text: buffers.Get().(*[]byte)}
		data := buffers.Get().(*[]byte)
		defer buffers.Put(data)
		text := (*p.text)[:0]
		for _, path := range handful(paths, i) {
			file, err := read(path, data)
			more := text
			if err == nil {
				more, err = do(text, path, file)
			}
			if err != nil {
				p.errs = append(p.errs, err)
				continue
			}
			text = more
		}
		*p.text = text
		return p, nil
	}
	sink := func(_ int, p printed) error {
		for _, err := range p.errs {
			f.problem(err)
		}
		_, err := w.Write(*p.text)
		buffers.Put(p.text)
		return err
	}
	if err := parallel.Ordered(ctx, f.Workers, handfuls(paths), 0, func(int) int64 { return 0 }, work, sink); err != nil {
		return err
	}
	return w.Flush()
}

// handfulSize is the number of files that a worker gets at a time, because one file takes
// only microseconds.
const handfulSize = 16

func handfuls(paths []string) int { return (len(paths) + handfulSize - 1) / handfulSize }

// handful returns the i-th group of handfulSize files.
func handful(paths []string, i int) []string {
	return paths[i*handfulSize : min(len(paths), (i+1)*handfulSize)]
}

// buffers are reused from file to file, because a pakset has thousands of files.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

// read reads a file into a buffer. The result is valid until the buffer is reused.
func read(path string, buffer *[]byte) (file *node.File, err error) {
	if *buffer, err = appendFile((*buffer)[:0], path); err != nil {
		return nil, err
	}
	return parse(path, *buffer)
}

func parse(path string, data []byte) (*node.File, error) {
	file, err := node.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// appendFile appends the content of a file.
func appendFile(b []byte, path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return b, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > node.MaxFile {
		return b, errors.Join(err, &fs.PathError{Op: "read", Path: path, Err: regular.ErrTooLarge})
	}
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// expand writes sources with all abbreviations expanded.
func (f *Front) expand(out string, sources []string) error {
	var all []*dat.Object
	for _, source := range sources {
		src, err := regular.Read(source, node.MaxFile)
		if err != nil {
			return err
		}
		objects, problems := dat.Parse(source, src)
		for _, o := range objects {
			problems = append(problems, o.Problems()...)
		}
		for _, p := range problems {
			if p.Severity == finding.Error {
				f.problem(errors.New(p.String()))
			}
		}
		all = append(all, objects...)
	}
	if f.failed {
		return nil
	}
	return compile.WriteFile(out, true, func(w *os.File) error { return dat.Write(w, all) })
}

// merge writes the objects of several files into one file. The new file takes its place
// when all files have been read without an error, so it may replace one of them.
func (f *Front) merge(ctx context.Context, out string, paths []string) error {
	type objects struct {
		bytes *[]byte
		n     int
	}
	work := func(_ context.Context, i int) (o objects, err error) {
		o.bytes = mergeBuffers.Get().(*[]byte)
		b := (*o.bytes)[:0]
		for _, path := range handful(paths, i) {
			var n int
			if b, n, err = appendObjects(b, path); err != nil {
				return o, err
			}
			o.n += n
		}
		*o.bytes = b
		return o, nil
	}
	return compile.WriteFile(out, true, func(w *os.File) error {
		head, err := node.Head(0)
		if err != nil {
			return err
		}
		if _, err := w.Write(head); err != nil {
			return err
		}
		n := 0
		sink := func(_ int, o objects) error {
			n += o.n
			_, err := w.Write(*o.bytes)
			mergeBuffers.Put(o.bytes)
			return err
		}
		if err := parallel.Ordered(ctx, f.Workers, handfuls(paths), 0, func(int) int64 { return 0 }, work, sink); err != nil {
			return err
		}
		if head, err = node.Head(n); err != nil {
			return err
		}
		_, err = w.WriteAt(head, 0)
		return err
	})
}

// mergeBuffers are large enough for most groups of handfulSize files.
var mergeBuffers = sync.Pool{New: func() any { b := make([]byte, 0, handfulSize*32<<10); return &b }}

// appendObjects appends the objects of a file in the newest version code, and returns
// their number.
func appendObjects(b []byte, path string) ([]byte, int, error) {
	start := len(b)
	b, err := appendFile(b, path)
	if err != nil {
		return b, 0, err
	}
	file, err := parse(path, b[start:])
	if err != nil {
		return b, 0, err
	}
	objects := file.Root.Children
	switch {
	case len(objects) == 0:
		return b[:start], 0, nil
	case file.Code != node.Code1001:
		// The bytes of the objects are already in the right form: move them to the front.
		n := copy(b[start:], b[start+int(objects[0].Offset):])
		return b[:start+n], len(objects), nil
	}
	var again []byte
	for _, o := range objects {
		if again, err = o.Append(again, node.Code1003); err != nil {
			return b, 0, err
		}
	}
	return append(b[:start], again...), len(objects), nil
}

// extract writes every object to its own file. Objects with the same name get a number.
func (f *Front) extract(out []byte, _ string, file *node.File) ([]byte, error) {
	taken, numbers := map[string]bool{}, compile.Numbers{}
	for _, o := range file.Root.Children {
		obj := o.Type.Obj()
		if obj == "" {
			obj = o.Type.String()
		}
		numbered := func(i int) string { return compile.FileName(obj, compile.NumberedName(o.Name(), i)) }
		name := numbered(numbers.Next(numbered(1), func(i int) bool { return taken[numbered(i)] }))
		taken[name] = true
		single := node.New(o) // as makeobj does for every version code
		err := compile.WriteFile(filepath.Join(f.Dir, name), true, func(w *os.File) error {
			_, err := single.WriteTo(w)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
