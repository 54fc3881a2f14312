// Package makeobj speaks the command line of Simutrans' compiler, so that
// build scripts need only change the program's name:
//
//	[QUIET|VERBOSE|DEBUG] PAK128 out/ *.dat
//
// What it writes to files and prints as results is what makeobj 60.6 writes
// and prints. What differs is what makeobj does when something is wrong: here
// a problem always gives a non-zero exit code, names its place, and leaves no
// half-written file behind.
package makeobj

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"pakbox/internal/parallel"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
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
	Target         string // "" means compile.Default
	Workers        int    // 0 means one per core
	Dir            string // where EXTRACT writes; "" is the current folder
	quiet          bool
	failed         bool
	failure        error
}

// Failure is the first thing that could not be read or written, for callers
// that tell such from problems of the sources. It has been printed.
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
		err = f.capabilities()
	case strings.HasPrefix(name, "PAK"):
		return f.pak(ctx, name[len("PAK"):], args)
	case len(args) == 0:
		return f.usage()
	case name == "LIST":
		err = f.each(ctx, args, list)
	case name == "DUMP":
		err = f.each(ctx, args, dump)
	case name == "MERGE" && len(args) > 1:
		err = f.merge(args[0], args[1:])
	case name == "EXTRACT":
		f.Workers = 1 // of objects with one name the last is to be kept
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

func (f *Front) capabilities() error {
	fmt.Fprintf(f.Stdout, "This program can pack the following object types (pak version %d) :\n", node.Code1003)
	for _, obj := range compile.Capabilities() {
		fmt.Fprintf(f.Stdout, "   %s\n", obj)
	}
	return nil
}

// pak compiles. size is what follows the command's name.
func (f *Front) pak(ctx context.Context, size string, args []string) int {
	opts := compile.Options{Out: "./", Sources: []string{"./"}, Target: f.Target, Workers: f.Workers}
	if size != "" {
		n, err := strconv.Atoi(size)
		if err != nil {
			return f.usage()
		}
		opts.Cell = n
	}
	if len(args) > 0 {
		opts.Out = args[0]
	}
	if len(args) > 1 {
		opts.Sources = args[1:]
	}
	result, err := compile.Run(ctx, opts)
	if err != nil {
		f.problem(err)
		return exitProblem
	}
	for _, p := range result.Problems {
		if p.Severity == dat.Error || !f.quiet {
			fmt.Fprintln(f.Stderr, p.Error())
		}
	}
	if !f.quiet {
		for _, o := range result.Outputs {
			fmt.Fprintf(f.Stderr, "   packing %s.%s\n", o.Obj, o.Name)
		}
	}
	if result.Failed() {
		return exitProblem
	}
	return exitOK
}

// each runs a command on files, and on the .pak files of folders, and prints
// what it gives in the order of the files. A file that is wrong does not keep
// the others from their turn.
func (f *Front) each(ctx context.Context, args []string, do func(out []byte, path string, file *node.File) ([]byte, error)) error {
	var paths []string
	for _, arg := range args {
		if strings.HasSuffix(arg, ".pak") { // as nearly all are; asking takes as long as reading
			paths = append(paths, arg)
			continue
		}
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			inside, err := filepath.Glob(filepath.Join(arg, "*.pak"))
			if err != nil {
				return err
			}
			paths = append(paths, inside...)
			continue
		}
		paths = append(paths, arg)
	}
	// A file takes some microseconds, so that a handful of them is handed to
	// a worker at a time.
	const handful = 16
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
		for _, path := range paths[i*handful : min(len(paths), (i+1)*handful)] {
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
	batches := (len(paths) + handful - 1) / handful
	if err := parallel.Ordered(ctx, f.Workers, batches, 0, func(int) int64 { return 0 }, work, sink); err != nil {
		return err
	}
	return w.Flush()
}

// buffers are used again from file to file; a pakset has thousands.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

// read reads a file into a buffer. The result is good until the buffer is
// used again.
func read(path string, buffer *[]byte) (*node.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := (*buffer)[:0]
	if cap(b) == 0 {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			b = make([]byte, 0, info.Size()+1) // one more, to see the end
		}
	}
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	*buffer = b
	file, err := node.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// expand writes sources without abbreviations.
func (f *Front) expand(out string, sources []string) error {
	var all []*dat.Object
	for _, source := range sources {
		src, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		objects, problems := dat.Parse(source, src)
		for _, p := range problems {
			if p.Severity == dat.Error {
				f.problem(p)
			}
		}
		all = append(all, objects...)
	}
	if f.failed {
		return nil
	}
	return compile.WriteFile(out, func(w io.Writer) error { return dat.Write(w, all) })
}

// merge puts the objects of files into one. All are read before anything is
// written, so that the result may be one of them.
func (f *Front) merge(out string, paths []string) error {
	merged := node.New()
	for _, path := range paths {
		file, err := read(path, new([]byte))
		if err != nil {
			return err
		}
		merged.Root.Children = append(merged.Root.Children, file.Root.Children...)
	}
	return compile.WriteFile(out, func(w io.Writer) error {
		_, err := merged.WriteTo(w)
		return err
	})
}

// extract writes every object to a file of its own. Objects of the same name
// get a number.
func (f *Front) extract(out []byte, _ string, file *node.File) ([]byte, error) {
	taken := map[string]bool{}
	for _, o := range file.Root.Children {
		obj := o.Type.Obj()
		if obj == "" {
			obj = o.Type.String()
		}
		name := compile.FileName(obj, o.Name())
		for i := 2; taken[name]; i++ {
			name = compile.FileName(obj, fmt.Sprintf("%s(%d)", o.Name(), i))
		}
		taken[name] = true
		single := &node.File{Banner: file.Banner, Code: file.Code, Root: &node.Node{Type: node.ROOT, Children: []*node.Node{o}}}
		err := compile.WriteFile(filepath.Join(f.Dir, name), func(w io.Writer) error {
			_, err := single.WriteTo(w)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
