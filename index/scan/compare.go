package scan

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/index/store"
)

// job is a file to read.
type job struct {
	path string
	stat stat
}

// compare walks through the files below a root and, in the same order, through the files
// that the index knows there. It yields the files to read. Its memory does not grow with
// the number of files.
func (s *scanner) compare(ctx context.Context, root string, yield func(job) bool) error {
	known := func(func([]sqlite.State, error) bool) {}
	if s.before {
		known = s.db.Below(ctx, root)
	}
	seen := newMemory(known)
	defer seen.stop()
	stopped := false
	w := walker{
		skip:   s.Skip,
		failed: s.unlisted,
		file: func(path string, st stat) bool {
			if s.Listed || s.Shards > 0 {
				s.result.Listing.Add(path, st.size)
			}
			if !s.mine(path) {
				return true
			}
			s.result.Files++
			s.result.Bytes += st.size
			known := seen.first()
			for ; known != nil && order(known.Path, path) < 0; known = seen.first() {
				s.missing(root, *known)
				seen.drop()
			}
			if seen.err != nil {
				return false
			}
			if known != nil && known.Path == path {
				unchanged := s.same(*known, st)
				seen.drop()
				if unchanged {
					s.unchanged.Add(1)
					s.advance(st.size)
					return true
				}
			}
			if s.Unfinished != nil && !store.Is(path) && s.Unfinished(filepath.FromSlash(path), time.Unix(0, st.mtimeNS)) {
				return true
			}
			if ctx.Err() != nil || !yield(job{path: path, stat: st}) {
				stopped = true
			}
			return !stopped
		},
	}
	if store.Is(root) {
		w.objects(ctx, s.Store, root)
	} else {
		w.walk(root)
	}
	if stopped || ctx.Err() != nil {
		return ctx.Err()
	}
	if slices.Contains(s.blocked, root) {
		s.result.Unseen = append(s.result.Unseen, root)
	}
	for known := seen.first(); known != nil; known = seen.first() {
		s.missing(root, *known)
		seen.drop()
	}
	return seen.err
}

// memory iterates over the files that the index knows.
type memory struct {
	next func() ([]sqlite.State, error, bool)
	stop func()
	list []sqlite.State
	err  error
}

func newMemory(lists iter.Seq2[[]sqlite.State, error]) *memory {
	m := &memory{}
	m.next, m.stop = iter.Pull2(lists)
	return m
}

// first returns the next known file; nil if none exists.
func (m *memory) first() *sqlite.State {
	for more := true; len(m.list) == 0 && m.err == nil && more; {
		m.list, m.err, more = m.next()
	}
	if len(m.list) == 0 || m.err != nil {
		return nil
	}
	return &m.list[0]
}

func (m *memory) drop() { m.list = m.list[1:] }

// same reports whether a file has not changed since it was read.
func (s *scanner) same(seen sqlite.State, st stat) bool {
	settled := seen.ScanStartNS-seen.MtimeNS > int64(timeGrain) || store.Is(seen.Path) // the tag of an object is enough
	return !s.Rehash && settled && seen.Size == st.size && seen.MtimeNS == st.mtimeNS && seen.CtimeNS == st.ctimeNS &&
		seen.Version == index.Version && seen.Requests == s.asked && (seen.Siblings == "" || sameSiblings(seen))
}

// unlisted records a folder that could not be listed, or a file that could not be
// examined.
func (s *scanner) unlisted(path string, err error) {
	s.blocked = append(s.blocked, path)
	s.result.Problems = append(s.result.Problems, Problem{path, err, false})
}

// missing records a known file that the walk did not find. The file is gone, unless the
// walk could not find it: because its folder could not be listed, or because its disk is
// not present.
func (s *scanner) missing(root string, seen sqlite.State) {
	if !s.mine(seen.Path) || !below(root, seen.Path) {
		return
	}
	if slices.ContainsFunc(s.blocked, func(dir string) bool { return below(dir, seen.Path) }) {
		s.result.Absent++
		return
	}
	if !store.Is(root) && deviceAbove(seen.Path) != seen.Device {
		s.result.Absent++
		return
	}
	s.gone = append(s.gone, seen.Path)
}
