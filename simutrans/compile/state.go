package compile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"pakbox/finding"
)

// stateName is the file in which a folder of compiled objects remembers what
// they were made from, so that the next run compiles only what has changed.
// It may be deleted at any time.
const stateName = ".pakbox-compile.json"

// libraryState is the same for a single file.
func libraryState(out string) string {
	return filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+stateName)
}

type state struct {
	path        string
	stale       bool               // the file on disk is not about this run's options
	Fingerprint string             `json:"fingerprint"`
	Sources     map[string]*record `json:"sources"` // by absolute path; read while sources are compiled
	news        map[string]*record // what this run adds; nil forgets
}

// record is what is known about one source.
type record struct {
	Stamp    string            `json:"stamp"`
	Inputs   map[string]string `json:"inputs"` // stamps of pictures
	Outputs  []Output          `json:"outputs"`
	Stamps   []string          `json:"stamps"` // of the outputs
	Problems []finding.Finding `json:"problems,omitempty"`
	Pictures []string          `json:"-"`
}

// fingerprint changes when the compiler would make something else of the same
// sources.
func (r *run) fingerprint() string {
	return fmt.Sprintf("3 %s %d", r.target.Name(), r.cell)
}

func loadState(path, fingerprint string) *state {
	s := &state{path: path, news: map[string]*record{}}
	if data, err := os.ReadFile(path); err == nil {
		if json.Unmarshal(data, s) != nil {
			*s = state{path: path, news: map[string]*record{}}
		}
	}
	if s.Fingerprint != fingerprint || s.Sources == nil {
		s.Fingerprint, s.Sources, s.stale = fingerprint, map[string]*record{}, true
	}
	return s
}

func (s *state) count() int { return len(s.Sources) }

// unchanged returns the record of a source if it, its pictures and its
// outputs are as they were.
func (s *state) unchanged(source string) *record {
	rec := s.Sources[absolute(source)]
	if rec == nil || rec.Stamp != stamp(source) || len(rec.Stamps) != len(rec.Outputs) {
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

// set remembers a source; one with errors is to be compiled again.
func (s *state) set(source string, rec *record, failed bool) {
	if failed {
		rec = nil
	}
	s.news[absolute(source)] = rec
}

func (s *state) save() error {
	if !s.stale && len(s.news) == 0 {
		return nil
	}
	for source, rec := range s.news {
		if rec == nil {
			delete(s.Sources, source)
		} else {
			s.Sources[source] = rec
		}
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return WriteBytes(s.path, true, data)
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
