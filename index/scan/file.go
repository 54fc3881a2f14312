package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/index/store"
	"pakbox/internal/lib/wire"
)

// outcome is the result of reading a file.
type outcome struct {
	job      job // the job, with size and times of the file when it was read
	rows     *index.Rows
	siblings string       // state of the sibling files that the file needs
	err      error        // why the file could not be read
	gone     bool         // the file disappeared after its folder was listed
	state    sqlite.State // the state that the index stores for the file
}

// reader makes rows from files. known returns the rows of content that was read before,
// otherwise nil.
type reader struct {
	indexer *index.Indexer
	store   *store.Store
	known   func(j *job, hash index.Hash) (*index.Rows, error)
}

// file reads a file of a scan.
func (s *scanner) file(ctx context.Context, j job) (*outcome, error) {
	r := reader{&s.Indexer, s.Store, func(j *job, hash index.Hash) (*index.Rows, error) {
		rows, err := s.copied(ctx, j, hash)
		if rows != nil {
			s.reused.Add(1)
		}
		return rows, err
	}}
	o, err := r.file(ctx, j)
	if err != nil || o.gone {
		return o, err
	}
	o.state = s.stateOf(o.job)
	o.state.Siblings = o.siblings
	if o.err != nil || o.rows.Has(index.StatusLocked) || o.siblings != "" && store.Is(j.path) {
		o.state.Version = 0 // read it again next time: the file, a key or a sibling may be different then
	}
	return o, nil
}

// file reads a file. If it changes meanwhile, it is read once more. A file that cannot be
// read has a row with the error; a store that is lost is an error.
func (r *reader) file(ctx context.Context, j job) (*outcome, error) {
	for attempt := 0; ; attempt++ {
		o, err := r.attempt(ctx, &j)
		if err == nil || ctx.Err() != nil {
			return o, ctx.Err()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &outcome{gone: true}, nil
		case errors.Is(err, index.ChangedError()) && attempt == 0:
			continue
		case store.Lost(err): // all other objects would get such a row too
			return nil, err
		}
		status := index.StatusUnreadable
		if errors.Is(err, index.ChangedError()) {
			status = index.StatusChanged
		}
		return &outcome{job: j, rows: index.FailureRow(j.path, status, j.stat.size, &j.stat.mtimeNS, err), err: err}, nil
	}
}

func (s *scanner) stateOf(j job) sqlite.State {
	return sqlite.State{
		Path: j.path, Size: j.stat.size, MtimeNS: j.stat.mtimeNS, CtimeNS: j.stat.ctimeNS, Device: j.stat.device,
		ScanStartNS: s.start.UnixNano(), Version: index.Version, Requests: s.asked,
	}
}

// attempt reads a file once, and makes rows from its bytes.
func (r *reader) attempt(ctx context.Context, j *job) (*outcome, error) {
	if store.Is(j.path) {
		return r.object(ctx, j)
	}
	name := filepath.FromSlash(j.path)
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, err
	}
	j.stat = statOf(before)
	beside := &siblings{dir: filepath.Dir(name)}
	defer beside.close()
	in := archive.Input{ReaderAt: f, Size: j.stat.size, Name: path.Base(j.path), Sibling: beside.open}
	data := buffers.Get().(*[]byte)
	defer buffers.Put(data) // rows do not refer to data
	hash, err := load(f, &in, data)
	if err != nil {
		return nil, err
	}
	o, err := r.content(ctx, j, in, hash)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if statOf(after) != j.stat {
		return nil, index.ChangedError()
	}
	o.siblings = beside.note()
	return o, nil
}

// content makes the rows of some content, or uses rows that are known.
func (r *reader) content(ctx context.Context, j *job, in archive.Input, hash index.Hash) (*outcome, error) {
	rows, err := r.known(j, hash)
	if err == nil && rows == nil {
		rows, err = r.indexer.File(ctx, index.Source{Input: in, Path: j.path, MtimeNS: &j.stat.mtimeNS, BLAKE3: hash})
	}
	return &outcome{job: *j, rows: rows}, err
}

// buffers for the content of files, reused because a scan reads many.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// load hashes a file and reads it into memory, unless it is large. It may use the memory
// of buffer.
func load(f *os.File, in *archive.Input, buffer *[]byte) (index.Hash, error) {
	if in.Size > inMemory {
		return index.HashContent(*in)
	}
	if int64(cap(*buffer)) < in.Size {
		*buffer = make([]byte, in.Size)
	}
	data := (*buffer)[:in.Size]
	switch _, err := io.ReadFull(f, data); err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		return index.Hash{}, index.ChangedError() // the file became shorter
	default:
		return index.Hash{}, err
	}
	in.ReaderAt = wire.Content(data)
	return blake3.Sum256(data), nil
}

// doubtful reports whether a file may be half written: it is damaged, and it or a file
// that belongs to it changed lately, or a program still writes to that one.
func (s *scanner) doubtful(j job, o *outcome) bool {
	if s.Doubt == nil || store.Is(j.path) {
		return false
	}
	latest := o.job.stat.mtimeNS
	dir := filepath.Dir(filepath.FromSlash(j.path))
	for note := range strings.SplitSeq(o.siblings, "\n") {
		var size, mtime int64
		state, name, _ := strings.Cut(note, " ")
		if n, _ := fmt.Sscanf(state, "%d:%d:", &size, &mtime); n < 2 {
			continue
		}
		latest = max(latest, mtime)
		if s.Unfinished != nil && s.Unfinished(filepath.Join(dir, name), time.Unix(0, mtime)) {
			latest = max(latest, time.Now().UnixNano())
		}
	}
	sound := o.err == nil && !o.rows.Has(index.StatusDamaged) && !o.rows.Has(index.StatusPartial)
	return s.Doubt(filepath.FromSlash(j.path), time.Unix(0, o.job.stat.mtimeNS), time.Unix(0, latest), sound)
}

// quick is a file size: smaller files are parsed faster than their content can be looked
// up in the index.
const quick = 16 << 10

// copied returns the rows of a file whose content is known under another name; otherwise
// nil. The known file must have the same extension and need no siblings, because rows may
// depend on these.
func (s *scanner) copied(ctx context.Context, j *job, hash index.Hash) (*index.Rows, error) {
	if j.stat.size <= quick {
		return nil, nil
	}
	same, err := s.db.SameContent(ctx, hash)
	if err != nil {
		return nil, err
	}
	for _, other := range same {
		if other.Version != index.Version || other.Requests != s.asked || other.Siblings != "" || !strings.EqualFold(path.Ext(other.Path), path.Ext(j.path)) {
			continue
		}
		rows, err := s.db.Load(ctx, other.Path)
		if err != nil {
			return nil, err
		}
		if content, ok := rows.Content(); ok && content == hash {
			rows.Move(other.Path, j.path, &j.stat.mtimeNS)
			return rows, nil
		}
	}
	return nil, nil
}

// siblings opens files in the folder of the current file, and records their state.
type siblings struct {
	dir     string
	notes   []string
	closers []io.Closer
}

func (b *siblings) open(name string) (archive.Input, io.Closer, error) {
	b.notes = append(b.notes, noteOf(b.dir, name))
	in, closer, err := archive.OpenFile(filepath.Join(b.dir, name))
	if err != nil {
		return in, nil, err
	}
	b.closers = append(b.closers, closer)
	return in, io.NopCloser(nil), nil
}

func (b *siblings) close() {
	for _, c := range b.closers {
		c.Close()
	}
}

func (b *siblings) note() string {
	slices.Sort(b.notes)
	return strings.Join(slices.Compact(b.notes), "\n")
}

// noteOf returns the state of a sibling file as text.
func noteOf(dir, name string) string {
	info, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		return "- " + name
	}
	s := statOf(info)
	return fmt.Sprintf("%d:%d:%d %s", s.size, s.mtimeNS, s.ctimeNS, name)
}

// sameSiblings reports whether the sibling files have not changed.
func sameSiblings(seen sqlite.State) bool {
	dir := filepath.Dir(filepath.FromSlash(seen.Path))
	for note := range strings.SplitSeq(seen.Siblings, "\n") {
		_, name, _ := strings.Cut(note, " ")
		if noteOf(dir, name) != note {
			return false
		}
	}
	return true
}
