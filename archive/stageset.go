package archive

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A complete set of files that is being put in place has these suffixes: commitSuffix for
// the destination, partSuffix for the files beside it. A destination with commitSuffix
// means that the set is committed. See Stage.commitSet.
const (
	commitSuffix = ".pakbox-commit"
	partSuffix   = ".pakbox-part"
)

// commitSet puts several files in place. Their renames are several steps, so every file
// first gets a name with a suffix. The last of these renames, that of the destination,
// commits the set. From then on [OpenFile] finishes the renames if this process does not.
func (s *Stage) commitSet() error {
	for _, f := range s.siblings {
		if err := rename(f.file.Name(), f.path+partSuffix); err != nil {
			return err
		}
	}
	if err := rename(s.main.Name(), s.path+commitSuffix); err != nil {
		return err
	}
	err := finishCommit(s.target)
	if err != nil {
		s.withdraw()
	}
	return err
}

// withdraw takes the commitment back while no file of the set is in its place. Otherwise
// the whole set stays, and the next program that opens the file finishes the renames:
// without the rest neither the old files nor the new ones are complete.
func (s *Stage) withdraw() {
	for _, f := range s.siblings {
		if _, err := os.Lstat(f.path + partSuffix); err != nil {
			s.siblings = nil
			return
		}
	}
	os.Remove(s.path + commitSuffix)
}

// finishCommit moves a committed set to its place. The main file is last, because its
// suffix marks the set as committed.
func finishCommit(main target) error {
	if _, err := os.Lstat(main.path + commitSuffix); err != nil {
		return nil
	}
	for _, path := range slices.Compact([]string{main.named, main.path}) {
		if err := finishSiblings(path); err != nil {
			return err
		}
	}
	return rename(main.path+commitSuffix, main.path)
}

// finishSiblings moves the parts that belong beside path to their places.
func finishSiblings(path string) error {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, n := range names {
		full := filepath.Join(filepath.Dir(path), n.Name())
		place, isPart := strings.CutSuffix(full, partSuffix)
		if !strings.EqualFold(strings.TrimSuffix(place, filepath.Ext(place)), filepath.Clean(stem)) {
			continue
		}
		if n.Type()&fs.ModeSymlink != 0 {
			// If place is a link, its part waits beside the link's target.
			t, err := findTarget(place)
			if err != nil {
				return err
			}
			place = t.path
			_, err = os.Lstat(place + partSuffix)
			isPart = err == nil
		}
		if isPart {
			if err := rename(place+partSuffix, place); err != nil {
				return err
			}
		}
	}
	return nil
}
