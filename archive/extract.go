package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/busy"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/lib/stray"
)

// ExtractOptions say how to extract. The zero value works.
type ExtractOptions struct {
	Options
	// Select chooses entries by their stored name; nil means all.
	Select func(name string) bool
	// Strip is a folder inside the archive that becomes the target folder
	// itself; entries outside it are left out.
	Strip string
	// RootFolder is the folder that stands for the archive's root, "." for the target
	// folder itself; "" means the folder that the format chooses. See [Root].
	RootFolder string
	// Overwrite replaces files that exist.
	Overwrite bool
	// Convert, if set, is called with the name of each file. If it returns a function,
	// this function writes the content in another form, and the file gets the returned
	// name.
	Convert func(name string) (as string, convert func(dst io.Writer, src io.Reader) error)
	// KeepDamaged keeps a file whose content does not match its checksum. The error is
	// returned all the same.
	KeepDamaged bool
	// Exact means that names are already paths of files, so that no name is made safe.
	Exact bool
	// Note, if set, is called with a sentence about each change of names.
	Note func(sentence string)
	// Extracted, if set, is called for every file written, one call at a time and in
	// stored order.
	Extracted func(entry Entry, name string)
}

// Extract writes the archive's entries below dir, and makes dir if it is missing. Nothing
// is written outside dir, whatever the entries are called and whatever links dir holds.
// An entry that fails does not stop the others: all failures are returned, joined, in
// stored order. An incomplete file is removed. If its format knows that the beginning is
// right (fault.UnknownClass), the beginning is kept under the name with partialSuffix.
func Extract(ctx context.Context, a Archive, dir string, opts ExtractOptions) error {
	jobs, total, notes := extractJobs(a, opts)
	annotations, err := annotationsJob(a, jobs, opts)
	if err != nil {
		return err
	}
	jobs = append(jobs, annotations...)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()

	opts.Begin(total)
	x := &extractor{archive: a, root: root, opts: opts}
	failures := make([]error, len(jobs))
	err = parallel.Ordered(ctx, opts.Workers, len(jobs), extractBudget,
		func(i int) int64 { return max(0, jobs[i].entry.Size) },
		func(ctx context.Context, i int) (error, error) {
			err := x.extract(ctx, jobs[i])
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return err, nil
		},
		func(i int, err error) error {
			failures[i] = err
			if err == nil && opts.Extracted != nil {
				opts.Extracted(jobs[i].entry, jobs[i].Path)
			}
			return nil
		})
	if err != nil {
		return err
	}
	if opts.Note != nil {
		for _, sentence := range notes.sentences() {
			opts.Note(sentence)
		}
	}
	return errors.Join(failures...)
}

// extractBudget bounds the bytes of content that are unpacked at the same time.
const extractBudget = 64 << 20

type extractJob struct {
	pathname.Laid
	entry   Entry
	convert func(dst io.Writer, src io.Reader) error // nil: the content is written unchanged
	content []byte                                   // content that is not an entry of the archive
}

// system has the rules for file names on the running system.
var system = pathname.Here()

func extractJobs(a Archive, opts ExtractOptions) (jobs []extractJob, total int64, notes nameNotes) {
	entries := a.Entries()
	root := a.Root()
	root.Folder = path.Clean(cmp.Or(opts.RootFolder, root.Folder))
	notes.out = true
	sys := system
	if opts.Exact {
		sys = nil
	}
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Name
	}
	for _, l := range pathname.LayOut(names, sys, func(i int) (string, bool) {
		if opts.Select != nil && !opts.Select(names[i]) {
			return "", false
		}
		name, ok := below(opts.Strip, names[i])
		return root.Path(name), ok
	}) {
		job := extractJob{Laid: l, entry: entries[l.Index]}
		if name, _ := below(opts.Strip, names[l.Index]); l.Err == nil {
			notes.add(root, name, l.Path)
		}
		if opts.Convert != nil && l.Err == nil {
			if as, convert := opts.Convert(l.Path); convert != nil {
				job.Path, job.convert = as, convert
			}
		}
		jobs = append(jobs, job)
		total += max(0, entries[l.Index].Size)
	}
	return jobs, total, notes
}

// below cuts the folder dir off name.
func below(dir, name string) (string, bool) {
	if dir == "" || dir == "." {
		return name, true
	}
	if name == dir {
		return path.Base(name), true
	}
	if len(name) > len(dir) && name[len(dir)] == '/' && strings.EqualFold(name[:len(dir)], dir) {
		return name[len(dir)+1:], true
	}
	return "", false
}

type extractor struct {
	archive Archive
	root    *os.Root
	opts    ExtractOptions
	folders sync.Map // folders that exist already
}

// extract writes one entry.
func (x *extractor) extract(ctx context.Context, job extractJob) error {
	if job.Err != nil {
		return fault.InEntry(job.Err, job.entry.Name)
	}
	if job.entry.Problem != nil {
		return fault.InEntry(job.entry.Problem, job.entry.Name)
	}
	src, err := job.open(x.archive)
	if err != nil {
		return fault.InEntry(err, job.entry.Name)
	}
	defer src.Close()
	if dir := path.Dir(job.Path); dir != "." {
		if _, ok := x.folders.Load(dir); !ok {
			if err := x.root.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			x.folders.Store(dir, true)
		}
	}
	if err := x.write(ctx, job, src); err != nil {
		return fault.InEntry(err, job.entry.Name)
	}
	return nil
}

func (job *extractJob) open(a Archive) (io.ReadCloser, error) {
	if job.content != nil {
		return io.NopCloser(bytes.NewReader(job.content)), nil
	}
	return a.OpenEntry(job.Index)
}

// annotationsJob writes what the content of the entries does not hold, if the whole archive
// is extracted.
func annotationsJob(a Archive, jobs []extractJob, opts ExtractOptions) ([]extractJob, error) {
	annotated, ok := a.(Annotated)
	if !ok || opts.Select != nil || opts.Strip != "" {
		return nil, nil
	}
	name, data, err := annotated.Annotations()
	if err != nil || name == "" {
		return nil, err
	}
	job := extractJob{Laid: pathname.Laid{Path: name}, entry: Entry{Name: name, Size: int64(len(data))}, content: data}
	for _, other := range jobs {
		if strings.EqualFold(other.Path, name) {
			job.Err = fault.New(fault.Exists, "an entry has the same name")
		}
	}
	if opts.Note != nil && job.Err == nil {
		opts.Note(name + " has facts about entries that their content does not hold; 'create' reads it")
	}
	return []extractJob{job}, nil
}

// write copies src to a new file. A file that is to be replaced stays as it
// is until the new one is complete.
func (x *extractor) write(ctx context.Context, job extractJob, src io.Reader) (err error) {
	target := job.Path
	dst, err := x.root.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) && x.opts.Overwrite {
		var release func()
		if dst, release, err = stray.CreateIn(x.root, tempBase(job.Path), 0o666); err == nil {
			defer release()
			target = filepath.Join(filepath.Dir(job.Path), filepath.Base(dst.Name()))
		}
	}
	if err != nil {
		return err
	}
	var n int64
	if from := (&meteredReader{src, x.opts.Options}); job.convert != nil {
		err = job.convert(dst, from)
	} else {
		n, err = bulk.Copy(ctx, dst, from)
	}
	if err == nil && target != job.Path { // the old file goes when this one takes its place
		err = dst.Sync()
	}
	if closeErr := dst.Close(); err == nil {
		err = closeErr
	}
	var damage error
	if x.opts.KeepDamaged && fault.KindOf(err) == fault.HashMismatch {
		damage, err = err, nil
	}
	if err == nil && !job.entry.ModTime.IsZero() {
		err = x.root.Chtimes(target, job.entry.ModTime, job.entry.ModTime)
	}
	if err == nil && target != job.Path {
		err = busy.Retry(func() error { return x.root.Rename(target, job.Path) })
	}
	if err != nil {
		if n > 0 && fault.KindOf(err) == fault.UnknownClass {
			x.root.Link(target, job.Path+partialSuffix) // Link fails rather than replace a file
		}
		x.root.Remove(target)
		return err
	}
	return damage
}

// partialSuffix ends the name of a file that holds only the beginning of an entry.
const partialSuffix = ".part"

// meteredReader reports progress.
type meteredReader struct {
	src  io.Reader
	opts Options
}

func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.src.Read(p)
	m.opts.Advance(int64(n))
	return n, err
}
