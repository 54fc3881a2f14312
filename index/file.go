package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/zeebo/blake3"

	"pakbox"
	"pakbox/archive"
	"pakbox/archive/imagefile"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/nadeo/gbxarchive"
	"pakbox/simutrans"
)

// Indexer makes rows from files. The zero value works.
type Indexer struct {
	// Formats are the formats to open, pakbox.Formats if the list is empty.
	Formats archive.Registry
	// Options say how files are opened: with which keys, within which limits.
	Options archive.Options
	// Check, Lint and Verify ask for rows that take more time: the verdicts on runs, the
	// findings on maps, and the findings of verification.
	Check, Lint, Verify bool
	// Contents asks to unpack every entry of archives, for its size and its hash.
	Contents bool
	// Places asks for the place of every block and item of maps.
	Places bool
	// Maps remembers maps that need not be read again. Nil means that nothing is
	// remembered.
	Maps *MapCache
}

// Source is a file to be indexed.
type Source struct {
	archive.Input
	Path    string
	MtimeNS *int64
	BLAKE3  Hash
}

// Limits for the files inside one file: archives can contain copies of themselves, or
// unpack to more than any disk holds.
const (
	maxDepth    = 16
	maxNested   = 1 << 20 // number of files
	maxUnpacked = 8 << 30 // unpacked bytes
)

// File returns the rows of a file and of the files in it. A damaged file has a row with
// its error; the returned error is for cancelled work.
func (x *Indexer) File(ctx context.Context, s Source) (*Rows, error) {
	w := &walker{Indexer: x, ctx: ctx, formats: x.Formats, rows: &Rows{}, bytes: maxUnpacked, files: maxNested}
	if w.formats == nil {
		w.formats = pakbox.Formats()
	}
	w.file(s, nil, 0)
	w.rows.AddTexts()
	return w.rows, ctx.Err()
}

// FailureRow returns the row of a file that could not be read.
func FailureRow(path, status string, size int64, mtimeNS *int64, err error) *Rows {
	f := newFile(path, status, size, mtimeNS)
	f.fail(err)
	rows := &Rows{}
	rows.AddRow(filesTable, f.row)
	return rows
}

// file is a file that is being read, with its unfinished row.
type file struct {
	key  any // an int64, converted to any only once
	path string
	row  []any
}

func newFile(name, status string, size int64, mtimeNS *int64) *file {
	f := &file{Key(name), name, filesTable.empty()}
	filesTable.set(f.row, "file", f.key)
	f.set("path", name)
	f.set("name", path.Base(name))
	f.set("size", size)
	f.set("mtime_ns", mtimeNS)
	f.set("status", status)
	f.set("schema_version", Version)
	return f
}

func (f *file) set(column string, v any) { filesTable.set(f.row, column, v) }

func (f *file) get(column string) any { return f.row[filesTable.at()[column]] }

// HashContent computes the hash of a file.
func HashContent(in archive.Input) (Hash, error) {
	if data := wire.Whole(in.ReaderAt, in.Size); data != nil {
		return blake3.Sum256(data), nil
	}
	h := blake3.New()
	_, err := io.Copy(h, io.NewSectionReader(in, 0, in.Size))
	return Hash(h.Sum(nil)), err
}

// walker makes the rows of one file and of all files in it.
type walker struct {
	*Indexer
	ctx     context.Context
	formats archive.Registry
	rows    *Rows
	bytes   int64 // bytes that may still be unpacked
	files   int   // files that may still be entered
}

// file adds the rows of a file, which may be inside another file, and returns the key of
// the file.
func (w *walker) file(s Source, parent *file, depth int) any {
	f := newFile(s.Path, StatusOK, s.Size, s.MtimeNS)
	f.set("blake3", s.BLAKE3)
	if parent != nil {
		f.set("parent", parent.key)
	}
	at := w.rows.Len(filesTable)
	w.rows.AddRow(filesTable, f.row) // added before the rows of the files in it
	w.content(f, s, depth)
	copy(w.rows.Row(filesTable, at), f.row)
	return f.key
}

// content adds the rows of a file's content. A crash of a parser is reported like damage
// of the file, so that all other files are still indexed.
func (w *walker) content(f *file, s Source, depth int) {
	defer func() {
		if p := recover(); p != nil {
			f.set("status", StatusDamaged)
			f.set("error_kind", "defect")
			f.set("error_message", fmt.Sprint("pakbox failed: ", p))
		}
	}()
	format, err := w.formats.Detect(s.Input)
	if err != nil {
		if !w.picture(f, nil, s.Name, s.Prefix) {
			f.set("status", StatusUnknown)
			f.fail(err)
			return
		}
		f.set("kind", imagefile.Format)
		f.set("format", imagefile.Format)
		return
	}
	f.set("format", format.Name())
	if _, ok := format.(simutrans.Format); ok {
		f.set("kind", "object")
	}
	opts := w.Options
	opts.Workers = 1
	a, err := format.Open(w.ctx, s.Input, opts)
	if err != nil {
		f.refuse(err)
		w.locked(f, format, s.Input)
		return
	}
	switch a := a.(type) {
	case *gbxarchive.Archive:
		w.gbx(f, a, s, depth)
	case *simutrans.Archive:
		w.simutrans(f, a)
	default:
		w.pack(f, a, s, depth)
	}
	if w.Verify {
		w.verify(f, a)
	}
}

// refuse sets the status and the error of a file that could not be opened although its
// format is known.
func (f *file) refuse(err error) {
	switch {
	case errors.Is(err, fault.Key):
		f.set("status", StatusLocked)
	case isDamage(err):
		f.set("status", StatusDamaged)
	default:
		f.set("status", StatusUnsupported)
	}
	f.fail(err)
}

// miss records that something in the file could not be read. Only the first such error is
// kept.
func (f *file) miss(err error) {
	if f.get("error_kind") == nil {
		f.set("status", StatusPartial)
		f.fail(err)
	}
}

// fail sets the error columns. The path is left out of the error: the row has it, and
// copies of the file get the same error.
func (f *file) fail(err error) {
	f.set("error_kind", string(fault.KindOfAny(err)))
	f.set("error_message", fault.DetailOf(err))
	var e *fault.Error
	if errors.As(err, &e) {
		f.set("error_entry", e.Entry)
		f.set("error_offset", notNegative(e.Offset))
	}
}

var errChanged = fault.New(fault.Changed, "the file changed while it was read")

// ChangedError is the error of a file that changed while it was read.
func ChangedError() error { return errChanged }

// nested adds the rows of a file inside another one, if its format is known, and returns
// its key; otherwise nil.
func (w *walker) nested(a archive.Archive, i int, f *file, depth int) (any, error) {
	e := a.Entries()[i]
	if e.Form {
		return nil, nil
	}
	if depth >= maxDepth || w.files == 0 {
		return nil, fault.New(fault.Limit, "more files inside files than are entered")
	}
	file, err := a.OpenEntry(i)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := w.input(file, e, siblings(a, e.Name), func(head func(int) []byte) { w.picture(f, i, e.Name, head) })
	if err != nil || in.ReaderAt == nil {
		return nil, err
	}
	w.files--
	hash, err := HashContent(in)
	if err != nil {
		return nil, err
	}
	s := Source{Input: in, Path: f.path + "/" + e.Name, BLAKE3: hash}
	if !e.ModTime.IsZero() {
		ns := e.ModTime.UnixNano()
		s.MtimeNS = &ns
	}
	if _, ok := a.(*gbxarchive.Archive); ok {
		return w.replayed(s, f, depth), nil
	}
	return w.file(s, f, depth+1), nil
}

// matchPrefix is the number of bytes that are needed to recognise a format.
const matchPrefix = 256

// input returns the content of an entry, if its format is known. Otherwise it unpacks
// only the beginning, passes it to other, and returns an empty Input.
func (w *walker) input(file fs.File, e archive.Entry, sibling func(string) (archive.Input, io.Closer, error), other func(head func(int) []byte)) (archive.Input, error) {
	in := archive.Input{Name: path.Base(e.Name), Sibling: sibling}
	if ra, ok := file.(io.ReaderAt); ok && e.Size >= 0 {
		in.ReaderAt, in.Size = ra, e.Size
		if _, err := w.formats.Detect(in); err != nil {
			other(in.Prefix)
			return archive.Input{}, nil
		}
		return in, nil
	}
	head, err := io.ReadAll(io.LimitReader(file, matchPrefix))
	if err != nil {
		return archive.Input{}, err
	}
	in.ReaderAt, in.Size = bytes.NewReader(head), int64(len(head))
	if _, err := w.formats.Detect(in); err != nil {
		other(func(n int) []byte {
			if n > len(head) { // an error while unpacking is reported elsewhere
				more, _ := io.ReadAll(io.LimitReader(file, int64(n-len(head))))
				head = append(head, more...)
			}
			return head[:min(n, len(head))]
		})
		return archive.Input{}, nil
	}
	limit := min(w.Options.EntryLimit(), w.bytes) - int64(len(head))
	rest, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return archive.Input{}, err
	}
	if int64(len(rest)) > limit {
		return archive.Input{}, fault.InEntry(fault.New(fault.Limit, "unpacks to more than is entered"), e.Name)
	}
	w.bytes -= int64(len(head) + len(rest))
	data := append(head, rest...)
	in.ReaderAt, in.Size = wire.Content(data), int64(len(data))
	return in, nil
}

// siblings opens the other files of an entry's folder.
func siblings(a archive.Archive, entry string) func(string) (archive.Input, io.Closer, error) {
	return func(name string) (archive.Input, io.Closer, error) {
		data, err := fs.ReadFile(a, path.Join(path.Dir(entry), name))
		if err != nil {
			return archive.Input{}, nil, err
		}
		return archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: name}, io.NopCloser(nil), nil
	}
}
