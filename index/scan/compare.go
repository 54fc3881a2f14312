package scan

import (
	"context"
	"iter"
	"slices"

	"pakbox/index"
	"pakbox/index/sqlite"
)

// job is a file to read.
type job struct {
	path string
	stat stat
}

// compare walks below a root beside what the index has seen there, both in the
// same order, and gives the files to read. Memory does not grow with either.
func (s *scanner) compare(ctx context.Context, root string, yield func(job) bool) error {
	next, stop := iter.Pull2(s.db.Below(ctx, root))
	defer stop()
	seen, err, more := next()
	step := func() { seen, err, more = next() }
	stopped := false
	w := walker{
		skip:   s.Skip,
		failed: func(path string, err error) { s.unlisted(root, path, err) },
		file: func(path string, st stat) bool {
			if !s.mine(path) {
				return true
			}
			s.result.Files++
			s.result.Bytes += st.size
			for ; more && err == nil && order(seen.Path, path) < 0; step() {
				s.missing(root, seen)
			}
			if err != nil {
				return false
			}
			known := more && seen.Path == path && s.same(seen, st)
			if more && seen.Path == path {
				step()
			}
			if known {
				s.unchanged.Add(1)
				s.advance(st.size)
				return true
			}
			if ctx.Err() != nil || !yield(job{path, st}) {
				stopped = true
			}
			return !stopped
		},
	}
	w.walk(root)
	if stopped || ctx.Err() != nil {
		return ctx.Err()
	}
	for ; more && err == nil; step() {
		s.missing(root, seen)
	}
	return err
}

// same reports whether a file is as it was when it was read.
func (s *scanner) same(seen sqlite.State, st stat) bool {
	settled := seen.ScanStartNS-seen.MtimeNS > int64(timeGrain)
	return !s.Rehash && settled && seen.Size == st.size && seen.MtimeNS == st.mtimeNS && seen.CtimeNS == st.ctimeNS &&
		seen.Version == index.Version && seen.Asked == s.asked && (seen.Siblings == "" || sameSiblings(seen))
}

// unlisted notes a folder that could not be listed, or a file that could not
// be looked at.
func (s *scanner) unlisted(root, path string, err error) {
	s.blocked = append(s.blocked, path)
	s.result.Problems = append(s.result.Problems, Problem{path, err, false})
}

// missing notes a file that the walk did not meet. It is gone, unless the walk
// could not have met it: because its folder could not be listed, or because it
// is on a disk that is not there.
func (s *scanner) missing(root string, seen sqlite.State) {
	if !s.mine(seen.Path) || !below(root, seen.Path) {
		return
	}
	if slices.ContainsFunc(s.blocked, func(dir string) bool { return below(dir, seen.Path) }) {
		s.result.Kept++
		return
	}
	if device, ok := deviceAbove(seen.Path); !ok || device != seen.Device {
		s.result.Kept++
		return
	}
	s.gone = append(s.gone, seen.Path)
}
