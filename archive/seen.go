package archive

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"pakbox/fault"
	"pakbox/internal/lib/stray"
)

// seen is a file as it was when somebody read it. A change is computed from what was read,
// so it must not replace a file that another program has changed since.
type seen struct {
	path string
	info fs.FileInfo // nil if the file was missing
	// itself: a link is compared itself, not the file that it leads to.
	itself bool
}

// changed returns an error if the file is not the one that was seen.
func (s seen) changed() error {
	look := stat
	if s.itself {
		look = os.Lstat
	}
	s.info = afterCut(s.info)
	now, err := look(s.path)
	same := s.info == nil && err != nil || s.info != nil && err == nil && os.SameFile(s.info, now) &&
		s.info.Size() == now.Size() && s.info.ModTime().Equal(now.ModTime())
	switch {
	case s.path == "" || same:
		return nil
	case s.info != nil && err != nil:
		return fault.System(err)
	}
	return fault.InFile(fault.New(fault.Access, "another program changed it meanwhile; nothing was changed"), s.path)
}

// cuts has the files from which this process has cut the bytes that a killed one had appended.
// They count as unchanged.
var cuts struct {
	sync.Mutex
	list []cut
}

type cut struct{ before, after fs.FileInfo }

// cutting calls work, which cuts the file f at path, and records the cut.
func cutting(f *os.File, path string, work func() error) error {
	before, err := f.Stat()
	if err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	after, err := os.Lstat(path)
	if err == nil && os.SameFile(before, after) {
		cuts.Lock()
		defer cuts.Unlock()
		cuts.list = append(cuts.list, cut{before, after})
	}
	return nil
}

// afterCut returns what info became when this process cut the file.
func afterCut(info fs.FileInfo) fs.FileInfo {
	cuts.Lock()
	defer cuts.Unlock()
	for _, c := range cuts.list {
		if info != nil && os.SameFile(info, c.before) && info.Size() == c.before.Size() && info.ModTime().Equal(c.before.ModTime()) {
			return c.after
		}
	}
	return info
}

// lockWait bounds how long a commit waits for another program that changes the same files.
const lockWait = 10 * time.Second

// Expect makes Commit fail if a file on disk that p was read from was changed since. It is
// for stages that replace what was read.
func (s *Stage) Expect(p *Location) { s.seen = append(s.seen, p.outermost().seen...) }

// ExpectFile is Expect for one file. info describes it as it was read; nil for a file that
// did not exist.
func (s *Stage) ExpectFile(path string, info fs.FileInfo) {
	s.seen = append(s.seen, seen{path: path, info: info})
}

// Changed returns an error if a file on disk that the place was read from was changed since.
func (p *Location) Changed() error {
	for _, f := range p.outermost().seen {
		if err := f.changed(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Location) outermost() *Location {
	for p.Outer != nil {
		p = p.Outer
	}
	return p
}

// changed returns an error if one of the expected files was changed.
func (s *Stage) changed() error {
	for _, f := range s.seen {
		if err := f.changed(); err != nil {
			return err
		}
	}
	return nil
}

// lock locks a file until the stage ends. Programs lock files that they replace or extend,
// from the look at what they expect to the last rename.
func (s *Stage) lock(path string, wait time.Duration) error {
	if _, ok := s.locks[path]; ok {
		return nil
	}
	release, err := stray.Lock(path, wait)
	if err != nil {
		return fault.System(err)
	}
	if s.locks == nil {
		s.locks = map[string]func(){}
	}
	s.locks[path] = release
	return nil
}

func (s *Stage) unlock() {
	for _, release := range s.locks {
		release()
	}
	s.locks = nil
}

// Check locks the files that Commit replaces, and returns an error if one of them is not
// what was expected. Commit calls it. Callers that close what they have read call it
// before, because the identity of a closed file may be given to another one.
func (s *Stage) Check() error {
	if s.checked {
		return nil
	}
	var paths []string
	if s.through == nil {
		paths = append(paths, s.path)
	}
	for _, f := range s.siblings {
		paths = append(paths, f.path)
	}
	slices.SortFunc(paths, strings.Compare) // the same order for all, so that no two wait for each other
	end := time.Now().Add(lockWait)
	for _, path := range paths {
		if err := s.lock(path, time.Until(end)); err != nil {
			return err
		}
	}
	if s.extension == nil { // which was checked when it began, and has changed the file itself
		if err := s.changedBut(s.appended); err != nil {
			return err
		}
	}
	s.checked = true
	return nil
}

// changedBut is changed without the files to which this stage has appended.
func (s *Stage) changedBut(own []appended) error {
	for _, f := range s.seen {
		mine := slices.ContainsFunc(own, func(a appended) bool {
			info, err := a.file.Stat()
			return err == nil && f.info != nil && os.SameFile(info, f.info)
		})
		if mine {
			continue
		}
		if err := f.changed(); err != nil {
			return err
		}
	}
	return nil
}
