package compile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/regular"
	"pakbox/simutrans/node"
)

// Options say what Run is to do.
type Options struct {
	Sources []string // .dat files, or folders with .dat files in them or below
	Out     string   // if it is a folder or ends in a slash, a file for each object; otherwise one file
	Cell    int      // pixels; 0 means DefaultCell
	Target  string   // "" means object.DefaultTarget
	Workers int      // 0 means one per core
	Force   bool     // also compile sources that have not changed
	Notes   string   // folder for the notes of earlier runs; "" for none
	Prune   bool     // remove stale files: see Result
	Strict  bool     // treat warnings as errors
	Lenient bool     // write the file of all objects even if objects that makeobj ignores are missing
}

// Output is one object that was compiled, or was up to date.
type Output struct {
	Path      string `json:"path" doc:"path of the object file"`
	Obj       string `json:"obj" doc:"type of the object"`
	Name      string `json:"name" doc:"name of the object"`
	Source    string `json:"source" doc:"path of the source"`
	Line      int    `json:"line" doc:"first line in the source"`
	Bytes     int64  `json:"bytes" doc:"size of the object file"`
	Unchanged bool   `json:"unchanged,omitempty" doc:"whether the file has this content already"`
}

// Result is what Run did.
type Result struct {
	Outputs  []Output
	Problems []finding.Finding // in the order of sources
	// Stale are files that earlier runs made from objects that are in no source any more.
	// Options.Prune removes them.
	Stale []string
}

// Failed reports whether something could not be compiled.
func (r *Result) Failed() bool {
	return finding.Worst(r.Problems) == finding.Error
}

// PassedOver reports whether makeobj would also have ended without an error.
func (r *Result) PassedOver() bool {
	return !slices.ContainsFunc(r.Problems, func(f finding.Finding) bool { return !PassedOver(f) })
}

// Run compiles sources to files. Problems in sources are in the Result. The error is
// about the run itself: bad options, no source, a full disk, a cancelled context.
func Run(ctx context.Context, opts Options) (*Result, error) {
	c, err := NewCompiler(opts.Target, opts.Cell)
	if err != nil {
		return nil, err
	}
	c.strict = opts.Strict
	r := &run{Compiler: c, opts: opts, owners: map[string]Output{}, pictures: map[string]bool{}}
	paths, err := r.sources()
	if err != nil {
		return nil, err
	}
	// With few sources, objects are compiled in parallel so that no core is idle.
	c.perFile = max(1, parallel.Workers(opts.Workers)/max(1, len(paths)))
	if isFolder(opts.Out) {
		err = r.toFolder(ctx, paths)
	} else {
		err = r.toLibrary(ctx, paths)
	}
	if err != nil {
		return nil, err
	}
	return &r.result, nil
}

type run struct {
	*Compiler
	opts   Options
	result Result

	owners   map[string]Output // by file name, to find two objects with the same file
	pictures map[string]bool   // pictures that were reported as unusable
}

func isFolder(path string) bool {
	if path == "" || strings.HasSuffix(path, "/") || os.IsPathSeparator(path[len(path)-1]) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// ErrNoSource reports that there is nothing to compile.
var ErrNoSource = errors.New("no source (.dat) found")

// sources resolves folders to the .dat files in them and below.
func (r *run) sources() (paths []string, err error) {
	for _, source := range r.opts.Sources {
		files, err := node.Files([]string{source}, ".dat")
		if err != nil {
			r.result.Problems = append(r.result.Problems, unreadable(source, err))
		}
		paths = append(paths, files...)
	}
	if len(paths) == 0 && !r.Failed() {
		return nil, ErrNoSource
	}
	return paths, nil
}

// toFolder writes one file for each object of the changed sources, source by source.
func (r *run) toFolder(ctx context.Context, paths []string) error {
	out := r.opts.Out
	if out == "" {
		out = "."
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	state := r.loadState()
	done := make([]*record, len(paths))
	work := func(_ context.Context, i int) (*Source, error) {
		if !r.opts.Force {
			if done[i] = state.unchanged(paths[i]); done[i] != nil {
				return nil, nil
			}
		}
		return r.File(paths[i]), nil
	}
	sink := func(i int, s *Source) error {
		rec := done[i]
		if s != nil {
			var err error
			if rec, err = r.write(out, paths[i], s); err != nil {
				return err
			}
			state.set(paths[i], rec, s.Failed())
		}
		r.take(rec, s == nil)
		return nil
	}
	err := parallel.Ordered(ctx, r.opts.Workers, len(paths), 0, func(int) int64 { return 0 }, work, sink)
	state.merge()
	if err == nil {
		err = r.prune(state, out)
	}
	state.save()
	return err
}

// prune finds stale files, and removes them if that is wanted.
func (r *run) prune(state *state, out string) error {
	// Earlier versions stored their notes in the output folder.
	if err := os.Remove(filepath.Join(out, oldNotes)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r.result.Stale = state.stale()
	if !r.opts.Prune {
		return nil
	}
	for _, path := range r.result.Stale {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// write writes the objects of a source.
func (r *run) write(out, source string, s *Source) (*record, error) {
	rec := &record{Problems: s.Problems}
	for _, o := range s.Objects {
		path := filepath.Join(out, o.FileName())
		data, err := o.File().Append(make([]byte, 0, 128+o.Node.BodyBytes()+16*64))
		if err != nil {
			return nil, err
		}
		if err := writeObjects(path, data); err != nil {
			return nil, err
		}
		rec.Outputs = append(rec.Outputs, Output{Path: path, Obj: o.Obj, Name: o.Name, Source: source, Line: o.Line, Bytes: int64(len(data))})
	}
	rec.stamp(source, s.Pictures)
	return rec, nil
}

// take adds the result of a source to the whole result.
func (r *run) take(rec *record, unchanged bool) {
	for _, p := range rec.Problems {
		// An unusable picture is one problem, however many sources use it.
		if p.Rule == unusablePicture {
			if r.pictures[p.Entry] {
				continue
			}
			r.pictures[p.Entry] = true
		}
		r.result.Problems = append(r.result.Problems, p)
	}
	for _, o := range rec.Outputs {
		name := FileName(o.Obj, o.Name)
		if first, ok := r.owners[name]; ok {
			at := finding.Position{File: o.Source, Line: o.Line, Field: "name", Offset: fault.NoOffset}
			f := finding.New(finding.Error, duplicate, at, "%s %q stands at %s:%d too; this one counts", o.Obj, o.Name, first.Source, first.Line)
			f.Suggestion = "give one of them another name"
			r.result.Problems = append(r.result.Problems, f)
		}
		r.owners[name] = o
		o.Unchanged = unchanged
		r.result.Outputs = append(r.result.Outputs, o)
	}
}

// toLibrary writes all objects to one file, or none if an object is wrong. An existing
// file is not replaced by one without objects.
func (r *run) toLibrary(ctx context.Context, paths []string) error {
	state := r.loadState()
	if !r.opts.Force && r.libraryUnchanged(state, paths) {
		return nil
	}
	var objects []*node.Node
	var records []*record
	heads := map[fileHead]bool{}
	work := func(_ context.Context, i int) (*Source, error) { return r.File(paths[i]), nil }
	sink := func(i int, s *Source) error {
		rec := &record{Problems: s.Problems}
		for _, o := range s.Objects {
			objects = append(objects, o.Node)
			heads[o.head] = true
			rec.Outputs = append(rec.Outputs, Output{Path: r.opts.Out, Obj: o.Obj, Name: o.Name, Source: paths[i], Line: o.Line, Bytes: o.Node.BodyBytes()})
		}
		records = append(records, rec)
		rec.Pictures = s.Pictures
		r.take(rec, false)
		return nil
	}
	if err := parallel.Ordered(ctx, r.opts.Workers, len(paths), 0, func(int) int64 { return 0 }, work, sink); err != nil {
		return err
	}
	if len(objects) == 0 && !r.Failed() {
		at := finding.Position{File: r.opts.Out, Offset: fault.NoOffset}
		r.result.Problems = append(r.result.Problems, finding.New(finding.Error, noObject, at, "the sources have no object; nothing is written"))
	}
	if r.stops() || len(objects) == 0 {
		return nil
	}
	data, err := commonHead(heads).file(objects...).Append(nil)
	if err != nil {
		return err
	}
	if err := writeObjects(r.opts.Out, data); err != nil {
		return err
	}
	for i, rec := range records {
		rec.stamp(paths[i], rec.Pictures)
		state.set(paths[i], rec, false)
	}
	state.merge()
	state.save()
	return nil
}

// commonHead is the head that all objects have, or today's head if they differ.
func commonHead(heads map[fileHead]bool) (head fileHead) {
	if len(heads) == 1 {
		for head = range heads {
		}
	}
	return head
}

// Failed reports whether there are errors so far.
func (r *run) Failed() bool { return r.result.Failed() }

// stops reports whether the problems prevent writing the file of all objects.
func (r *run) stops() bool {
	if r.opts.Lenient {
		return !r.result.PassedOver()
	}
	return r.Failed()
}

// libraryUnchanged reuses the result of the last run if nothing has changed.
func (r *run) libraryUnchanged(state *state, paths []string) bool {
	records := make([]*record, len(paths))
	for i, path := range paths {
		if records[i] = state.unchanged(path); records[i] == nil {
			return false
		}
	}
	if len(records) == 0 || len(records) != state.count() {
		return false
	}
	for _, rec := range records {
		r.take(rec, true)
	}
	return true
}

// writeObjects writes compiled objects. It replaces what an earlier run has written, but not
// a file of another kind, which only has the name.
func writeObjects(path string, data []byte) error {
	if f, err := regular.Open(path); err == nil {
		const banner = "Simutrans object file" // every file of objects begins so
		old := make([]byte, len(banner))
		n, _ := io.ReadFull(f, old)
		f.Close()
		if n > 0 && string(old) != banner {
			return fault.InFile(fault.New(fault.Access, "exists already, and is not a file of Simutrans objects; nothing was changed"), path)
		}
	}
	return WriteBytes(path, true, data)
}

// WriteFile replaces path by a complete file. It does not wait for the disk: after a
// power cut a build is repeated, which costs less than waiting for every object.
func WriteFile(path string, overwrite bool, write func(*os.File) error) error {
	stage, err := archive.NewStage(path, overwrite)
	if err != nil {
		return err
	}
	defer stage.Abort()
	stage.NoSync = true
	f, err := stage.File()
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	return stage.Commit()
}

// WriteBytes is WriteFile for content in memory.
func WriteBytes(path string, overwrite bool, data []byte) error {
	return WriteFile(path, overwrite, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}
