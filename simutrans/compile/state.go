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

// state remembers what the files of an output were made from, so that the
// next run compiles only what has changed and knows which files are left over
// from objects that are gone. It is kept in Options.Notes, one file for each
// output, and may be deleted at any time. Without a folder to keep it in, or
// if that cannot be written, the next run compiles everything.
type state struct {
	path        string             // "" if nothing is kept
	Fingerprint string             `json:"fingerprint"`
	Sources     map[string]*record `json:"sources"` // by absolute path; read while sources are compiled
	news        map[string]*record // what this run adds
}

// record is what is known about one source.
type record struct {
	Stamp    string            `json:"stamp"`  // "" if it is to be compiled again
	Inputs   map[string]string `json:"inputs"` // stamps of pictures
	Outputs  []Output          `json:"outputs"`
	Stamps   []string          `json:"stamps"` // of the outputs
	Problems []finding.Finding `json:"problems,omitempty"`
	// Left are the stamps of files that an earlier run made from this source, and
	// this run did not.
	Left     map[string]string `json:"left,omitempty"`
	Pictures []string          `json:"-"`
}

// oldNotes is the file that folders of compiled objects once had in them.
const oldNotes = ".pakbox-compile.json"

// fingerprint changes when the compiler would make something else of the same
// sources.
func (r *run) fingerprint() string {
	return fmt.Sprintf("5 %s %d %v", r.target.Name(), r.cell, r.strict)
}

// loadState reads what is known of an output.
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

// unchanged returns the record of a source if it, its pictures and its
// outputs are as they were.
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

// set remembers a source. One with errors is to be compiled again, and what
// was made from it before is not gone for good.
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

// stale lists the files that this output has from objects that no source
// makes any more, because they were taken out of it or it is gone. Files that
// somebody has changed since are not ours to judge.
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

// merge takes over what this run adds.
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

// save writes the state. That it cannot is no error of the run.
func (s *state) save() {
	if s.path == "" {
		return
	}
	data, err := json.Marshal(s)
	if err == nil && os.MkdirAll(filepath.Dir(s.path), 0o777) == nil {
		_ = WriteBytes(s.path, true, data)
	}
}

// stamp notes the present state of a source, its pictures and its outputs.
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

// stamp tells whether a file is still the same: by its size and time.
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
