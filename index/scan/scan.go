// Package scan keeps an index up to date with its files: it walks through folders, reads
// new and changed files, and removes files that are gone.
//
// A file is not read again if its path, size and times are the same as when it was read,
// and if its rows are of the current version. It must also not have changed just before
// it was read, because coarse clocks give two changes the same time. A file that was
// moved or copied is read but not parsed: its content is known. Files are removed from
// the index only after a complete walk, and only where the walk could have found them:
// files on a disk that is not present today are kept.
package scan

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/index/store"
	"pakbox/internal/lib/parallel"
)

// Options say how to scan. The zero value works.
type Options struct {
	Indexer index.Indexer
	// Shard of Shards selects a part of the files, by a hash of their paths; all of them
	// if Shards is 0.
	Shard, Shards int
	// Store is used for paths that name objects. Nil means that no path does.
	Store *store.Store
	// Listed asks for the listing in the result. With Shards it is always there.
	Listed bool
	// Rehash reads every file, even if it seems unchanged.
	Rehash bool
	// Workers bounds parallel work. Zero means one per core.
	Workers int
	// Progress counts the bytes done. Nil means that nobody listens.
	Progress archive.Progress
	// Skip returns true for files and folders that are left out, such as the index
	// itself. Nil means that none are.
	Skip func(path string) bool
	// Unfinished returns true for a file that another program may still be writing, given
	// its path on disk and the time of its last change. Such files are left for the next
	// scan. Nil means that every file is complete.
	Unfinished func(file string, changed time.Time) bool
	// Doubt returns true for a file that was read and may be half written. Such files are
	// left for the next scan too. It is given the path on disk, the time of the file's last
	// change, the latest such time of it and the files beside it that belong to it, and
	// whether it is sound. Nil means that all files are whole.
	Doubt func(file string, changed, latest time.Time, sound bool) bool
}

// Result is what a scan did.
type Result struct {
	Files     int64 // files found
	Bytes     int64 // bytes of these files
	Unchanged int64 // files that were not read, because they have not changed
	Read      int64
	Reused    int64 // files read whose content was known under another name
	Removed   int64
	Absent    int64             // files not found that may be on a disk that is not present
	Listing   index.Fingerprint // listing of all parts, if it was asked for
	Problems  []Problem         // folders that could not be listed, files that could not be read
	Unseen    []string          // the roots that could not be listed
}

// Problem is a folder or file that could not be read. The index keeps the rows of such a
// folder. Such a file has a row with the error.
type Problem struct {
	Path    string
	Err     error
	Indexed bool // the index has a row with the error
}

// UnlistedFolders returns a sentence for each folder that could not be listed.
func (r *Result) UnlistedFolders() (sentences []string) {
	for _, p := range r.Problems {
		if !p.Indexed {
			sentences = append(sentences, fault.System(p.Err).Error())
		}
	}
	return sentences
}

// A transaction ends after this many rows or this much time: its work is lost in a crash.
var commitRows = 20000 // a variable, so that tests can make it small

const commitTime = time.Second

// Limits of memory. budget is how many bytes the files in progress may cost. Parsed
// content costs more than its bytes.
const (
	budget    = 512 << 20
	blowUp    = 8
	inMemory  = 64 << 20 // larger files are read from disk in pieces
	timeGrain = 2 * time.Second
)

type scanner struct {
	Options
	db      *sqlite.DB
	before  bool // the index already knows files
	start   time.Time
	asked   int64
	result  Result
	gone    []string
	blocked []string // folders that could not be listed

	unchanged, reused atomic.Int64
}

// Run brings the index up to date with the files and folders at roots.
func Run(ctx context.Context, db *sqlite.DB, roots []string, o Options) (Result, error) {
	s := &scanner{Options: o, db: db, start: time.Now()}
	s.Indexer.Maps = &index.MapCache{}
	for i, on := range []bool{o.Indexer.Check, o.Indexer.Lint, o.Indexer.Verify, o.Indexer.Contents, o.Indexer.Places} {
		if on {
			s.asked |= 1 << i
		}
	}
	roots, err := s.name(ctx, roots)
	if err == nil {
		err = s.run(ctx, outermost(roots))
	}
	if err != nil {
		db.Rollback(context.WithoutCancel(ctx))
	}
	if store.Lost(err) {
		err = fault.WithHint(err, "what was read until now is in the index: run the same again, which goes on from there")
	}
	return s.result, db.InFile(err)
}

func (s *scanner) run(ctx context.Context, roots []string) (err error) {
	if s.before, err = s.db.Seen(ctx); err != nil {
		return err
	}
	begun := map[string]string{scanNote: stopped, partNote: s.part()} // what remains if this scan is stopped
	if err := s.note(ctx, begun); err != nil {
		return err
	}
	if err := s.db.Commit(ctx); err != nil {
		return err
	}
	if s.Progress != nil {
		stop := s.announce(ctx, roots)
		defer stop()
	}
	if err := s.read(ctx, roots); err != nil {
		return err
	}
	for _, path := range s.gone {
		if err := s.db.Remove(ctx, path); err != nil {
			return err
		}
		s.result.Removed++
	}
	if err := s.note(ctx, s.about()); err != nil {
		return err
	}
	return s.db.Finish(ctx)
}

// Names of notes in an index about its last scan: whether it was finished, which part of
// how many it was, and its listing; and which rows were asked for: these two have the
// names of the tables.
const (
	scanNote     = "scan"
	partNote     = "part"
	listingNote  = "listing"
	checksNote   = "check_verdicts"
	findingsNote = "findings"
)

// about returns the notes of a finished scan.
func (s *scanner) about() map[string]string {
	notes := map[string]string{scanNote: finished, listingNote: ""}
	if s.Indexer.Check {
		notes[checksNote] = "asked for"
	}
	if s.Indexer.Lint || s.Indexer.Verify {
		notes[findingsNote] = "asked for"
	}
	if s.Shards > 0 {
		notes[listingNote] = s.result.Listing.Hash()
		if len(s.result.Unseen) > 0 {
			notes[scanNote] = stopped // a whole that is put together of such parts would lack files without a word
		}
	}
	return notes
}

// part returns the note of which part this scan makes; "" for all files.
func (o *Options) part() string {
	if o.Shards == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", o.Shard+1, o.Shards)
}

// SamePart returns an error if a scan would make a part in the index of another part, or of
// all files: it would keep the files of that one, and nothing would remove those that are
// gone. [Run] allows it, because all parts may be made in one index, one after the other.
func (o *Options) SamePart(ctx context.Context, db *sqlite.DB) error {
	if o.Shards == 0 {
		return nil
	}
	about, err := db.About(ctx)
	if err != nil {
		return err
	}
	is := about[partNote]
	switch {
	case is == o.part() || about[scanNote] == "": // the same, or a new one
		return nil
	case is == "":
		is = "one of all files"
	default:
		is = "part " + is
	}
	return fault.Usagef("--shard %s: the index is %s", o.part(), is).Hint("give each part a file of its own with -o, or delete that one")
}

func (s *scanner) note(ctx context.Context, notes map[string]string) error {
	for name, value := range notes {
		if err := s.db.Note(ctx, name, value); err != nil {
			return err
		}
	}
	return nil
}

// Finished reports whether the last scan or merge of an index was finished, and no part of
// it is missing.
func Finished(about map[string]string) bool {
	return about[scanNote] == finished || about[scanNote] == ""
}

// Part returns which part of an index this is, and the hash of the listing that all parts
// share; 0 of 0 for a whole index.
func Part(about map[string]string) (part, parts int, listing string) {
	fmt.Sscanf(about[partNote], "%d/%d", &part, &parts)
	return part, parts, about[listingNote]
}

// outermost removes roots that lie below others.
func outermost(roots []string) []string {
	var list []string
	for _, r := range roots {
		if !store.Is(r) {
			r = path.Clean(filepath.ToSlash(r))
		}
		list = append(list, r)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	whole := map[string]bool{}
	for _, r := range list {
		whole[r] = true
	}
	return slices.DeleteFunc(list, func(r string) bool {
		for at, dir := r, above(r); dir != at; at, dir = dir, above(dir) {
			if whole[dir] && below(dir, r) {
				return true
			}
		}
		return false
	})
}

// above returns the folder of a path.
func above(name string) string {
	if store.Is(name) {
		return name[:strings.LastIndexByte(name, '/')] // path.Dir joins the slashes behind s3:
	}
	return path.Dir(name)
}

// below reports whether a path is root or lies in it.
func below(root, path string) bool {
	switch {
	case store.Is(root) != store.Is(path):
		return false
	case root == ".":
		return !filepath.IsAbs(path) && !strings.HasPrefix(path, "/") && path != ".." && !strings.HasPrefix(path, "../")
	case root == "/":
		return strings.HasPrefix(path, "/")
	}
	return path == root || strings.HasPrefix(path, root+"/")
}

// read reads the new and changed files below the roots, and records the files that are
// gone.
func (s *scanner) read(ctx context.Context, roots []string) error {
	var failed error
	jobs := func(yield func(job) bool) {
		stopped := false
		each := func(j job) bool {
			stopped = !yield(j)
			return !stopped
		}
		for _, root := range roots {
			if failed = s.compare(ctx, root, each); failed != nil || stopped {
				return
			}
		}
	}
	last := time.Now()
	workers := s.Workers
	if workers == 0 && slices.ContainsFunc(roots, store.Is) {
		workers = storeWorkers
	}
	err := parallel.Stream(ctx, workers, budget, jobs,
		func(j job) int64 { return blowUp * min(j.stat.size, inMemory) },
		func(ctx context.Context, j job) (*outcome, error) { return s.file(ctx, j) },
		func(j job, o *outcome) error {
			if err := s.store(ctx, j, o); err != nil {
				return err
			}
			if s.db.Pending() < commitRows && time.Since(last) < commitTime {
				return nil
			}
			last = time.Now()
			return s.db.Commit(ctx)
		})
	if err == nil {
		err = failed
	}
	s.result.Unchanged, s.result.Reused = s.unchanged.Load(), s.reused.Load()
	return err
}

// store writes the result of reading a file.
func (s *scanner) store(ctx context.Context, j job, o *outcome) error {
	if o.gone {
		s.gone = append(s.gone, j.path)
		return nil
	}
	if s.doubtful(j, o) {
		s.advance(j.stat.size)
		return nil
	}
	if o.err != nil {
		s.result.Problems = append(s.result.Problems, Problem{j.path, o.err, true})
	}
	s.result.Read++
	s.advance(j.stat.size)
	return s.db.Put(ctx, o.state, o.rows)
}

func (s *scanner) advance(n int64) {
	if s.Progress != nil {
		s.Progress.Advance(n)
	}
}

// announce counts the files in the background, so that the progress shows how much is
// left.
func (s *scanner) announce(ctx context.Context, roots []string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var total int64
		for _, root := range roots {
			w := walker{skip: s.Skip, file: func(path string, st stat) bool {
				if s.mine(path) {
					total += st.size
				}
				return ctx.Err() == nil
			}, failed: func(string, error) {}}
			if store.Is(root) {
				return // listing objects twice costs too much
			}
			w.walk(root)
		}
		if ctx.Err() == nil {
			s.Progress.Begin(total)
		}
	}()
	return func() { cancel(); <-done }
}

// mine reports whether a path belongs to the part of this scan.
func (s *scanner) mine(path string) bool {
	return s.Shards == 0 || index.Shard(path, s.Shards) == s.Shard
}
