package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"pakbox/finding"
)

// state records what the files of an output were made from. With it the next run compiles
// only changed objects, and knows which files are left over from removed objects. It is
// a file in Options.Notes for each output, and may be deleted at any time. Without such a
// folder, or if it cannot be written, the next run compiles everything.
type state struct {
	path        string             // path of the state file; "" for none
	Fingerprint string             `json:"fingerprint"`
	Sources     map[string]*record `json:"sources"` // by absolute path; only read while sources are compiled
	news        map[string]*record // records of this run
}

// record is the state of one source.
type record struct {
	Stamp    string            `json:"stamp"`  // stamp of the source; "" if it must be compiled again
	Inputs   map[string]string `json:"inputs"` // pictures with their stamps
	Outputs  []Output          `json:"outputs"`
	Stamps   []string          `json:"stamps"` // stamps of the outputs
	Problems []finding.Finding `json:"problems,omitempty"`
	// Left has the stamps of files that an earlier run made from this source, but this
	// run did not.
	Left     map[string]string `json:"left,omitempty"`
	Pictures []string          `json:"-"`
}

// oldNotes is the file in which earlier versions stored the state, in the folder of
// compiled objects.
const oldNotes = ".pakbox-compile.json"

// fingerprint changes when the compiler would compile the same sources differently.
func (r *run) fingerprint() string {
	return fmt.Sprintf("5 %s %d %v", r.target.Name(), r.cell, r.strict)
}

// loadState reads the state of an output.
func (r *run) loadState() *state {
	s := &state{news: map[string]*record{}}
	if r.opts.Notes != "" {
		sum := sha256.Sum256([]byte(absolute(r.opts.Out)))
		s.path = filepath.Join(r.opts.Notes, hex.EncodeToString(sum[:12])+".json")
		if data, err := os.ReadFile(s.path); err == nil && json.Unmarshal(data, s) != nil {
			s.Fingerprint, s.Sources = "", nil
		}
	}
	if s.Sources == nil {
		s.Sources = map[string]*record{}
	}
	if s.Fingerprint != r.fingerprint() {
		s.Fingerprint = r.fingerprint()
		for _, rec := range s.Sources {
			rec.Stamp = ""
		}
	}
	return s
}

func (s *state) count() int { return len(s.Sources) }

// unchanged returns the record of a source if the source, its pictures and its outputs
// have not changed; otherwise nil.
func (s *state) unchanged(source string) *record {
	rec := s.Sources[absolute(source)]
	if rec == nil || rec.Stamp == "" || rec.Stamp != stamp(source) || len(rec.Stamps) != len(rec.Outputs) {
		return nil
	}
	for path, want := range rec.Inputs {
		if stamp(path) != want {
			return nil
		}
	}
	for i, o := range rec.Outputs {
		if i > 0 && o.Path == rec.Outputs[i-1].Path {
			continue
		}
		if stamp(o.Path) != rec.Stamps[i] {
			return nil
		}
	}
	return rec
}

// set records a source. A source with errors will be compiled again, and its earlier
// outputs are not stale yet.
func (s *state) set(source string, rec *record, failed bool) {
	if old := s.Sources[absolute(source)]; old != nil {
		rec.Left = maps.Clone(old.Left)
		if rec.Left == nil {
			rec.Left = map[string]string{}
		}
		for i, o := range old.Outputs {
			if i < len(old.Stamps) {
				rec.Left[o.Path] = old.Stamps[i]
			}
		}
	}
	if failed {
		rec.Stamp = ""
	}
	s.news[absolute(source)] = rec
}

// stale lists files of this output whose objects are in no source any more: they were
// removed from their source, or the source is gone. Files that somebody has changed since
// are left out.
func (s *state) stale() (paths []string) {
	made := map[string]bool{}
	for _, rec := range s.Sources {
		for _, o := range rec.Outputs {
			made[o.Path] = true
		}
	}
	for source, rec := range s.Sources {
		_, err := os.Stat(source)
		gone := errors.Is(err, fs.ErrNotExist)
		for i, o := range rec.Outputs {
			if gone && i < len(rec.Stamps) && stamp(o.Path) == rec.Stamps[i] {
				paths = append(paths, o.Path)
			}
		}
		for path, want := range rec.Left {
			if !made[path] && (gone || rec.Stamp != "") && stamp(path) == want {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// merge adds the records of this run.
func (s *state) merge() {
	maps.Copy(s.Sources, s.news)
	for _, rec := range s.Sources {
		for path, want := range rec.Left {
			if stamp(path) != want {
				delete(rec.Left, path)
			}
		}
	}
}

// save writes the state. Failing to write it is not an error.
func (s *state) save() {
	if s.path == "" {
		return
	}
	data, err := json.Marshal(s)
	if err == nil && os.MkdirAll(filepath.Dir(s.path), 0o777) == nil {
		_ = WriteBytes(s.path, true, data)
	}
}

// stamp records the present stamps of a source, its pictures and its outputs.
func (r *record) stamp(source string, pictures []string) {
	r.Stamp = stamp(source)
	r.Inputs = map[string]string{}
	for _, path := range pictures {
		r.Inputs[path] = stamp(path)
	}
	for _, o := range r.Outputs {
		r.Stamps = append(r.Stamps, stamp(o.Path))
	}
}

// stamp identifies the state of a file by its size and time.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
