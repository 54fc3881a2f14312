//go:build linux

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox"
	"pakbox/archive"
)

// state is what a folder holds: contents by name. Folders do not count.
type state map[string]string

func readState(dir string) (state, error) {
	all, err := files(dir)
	s := state{}
	for name, info := range all {
		if info.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		s[name] = string(data)
	}
	return s, err
}

// write makes a folder hold the state.
func (s state) write(dir string) error {
	for name, data := range s {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// dropTemporary takes out the hidden files that a killed pakbox leaves.
func (s state) dropTemporary() {
	for name := range s {
		for _, part := range strings.Split(name, "/") {
			if strings.HasPrefix(part, ".") && strings.Contains(part, ".pakbox-") {
				delete(s, name)
			}
		}
	}
}

// finish does what pakbox does when it next opens an archive of several files
// whose replacement was committed but not finished: see archive.Stage. Parts
// of a set that was not committed count for nothing.
func (s state) finish() {
	const commit, part = ".pakbox-commit", ".pakbox-part"
	committed := false
	for name := range s {
		committed = committed || strings.HasSuffix(name, commit)
	}
	for name, data := range s {
		target, isPart := strings.CutSuffix(name, part)
		target, isMain := strings.CutSuffix(target, commit)
		if !isPart && !isMain {
			continue
		}
		delete(s, name)
		if committed {
			s[target] = data
		}
	}
}

// view is a state as it is compared: of an index the rows of its files, because
// the database notes times, and a scan that was stopped leaves a sound one with
// some of them. One that is not sound is an entry that says so.
func (st *stand) view(ctx context.Context, s state) (state, error) {
	seen := state{}
	for name, data := range s {
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "-wal"), "-shm"), "-journal")
		if filepath.Ext(base) != ".sqlite" {
			seen[name] = data
			continue
		}
		if base != name || data == "" { // belongs to the database, or is one that nothing was written to
			continue
		}
		rows, err := st.rows(ctx, s, name)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			path, _, _ := strings.Cut(row, ",")
			seen[name+"/"+path] = row
		}
	}
	return seen, nil
}

// rows asks an index which files it knows.
func (st *stand) rows(ctx context.Context, s state, name string) ([]string, error) {
	dir, err := os.MkdirTemp(st.soak.work, "index-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := s.write(dir); err != nil {
		return nil, err
	}
	out, err := os.Create(filepath.Join(dir, "rows"))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	o, err := task{args: []string{"sql", "--csv", filepath.Join(dir, name), "select path, size, format, status from files order by path"}, stdout: out}.run(ctx, st.pakbox)
	if err != nil {
		return nil, err
	}
	if strings.Contains(o.stderr, "was stopped before it began") {
		return nil, nil // as if it were not there
	}
	if o.code != 0 {
		return []string{"unsound: " + o.stderr}, nil
	}
	text, err := os.ReadFile(out.Name())
	_, rows, _ := strings.Cut(string(text), "\n") // below the names of the columns
	return strings.FieldsFunc(rows, func(r rune) bool { return r == '\n' }), err
}

// differs names what distinguishes two states.
func (s state) differs(from state) string {
	var names []string
	for name, data := range s {
		if was, ok := from[name]; !ok {
			names = append(names, "new "+name)
		} else if was != data {
			names = append(names, fmt.Sprintf("%s has %d bytes instead of %d, or other content", name, len(data), len(was)))
		}
	}
	for name := range from {
		if _, ok := s[name]; !ok {
			names = append(names, "no "+name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, "; ")
}

// same compares two states: by their bytes, or else by what the archives in
// them hold. Bytes differ in archives that note the time, and where unused
// bytes were appended to a data file whose index does not know them.
func (st *stand) same(a, b state) bool {
	if len(a) != len(b) {
		return false
	}
	for name, data := range a {
		other, ok := b[name]
		if !ok {
			return false
		}
		// A GBX is not its entries: what differs in it may be no file.
		gbx := strings.HasSuffix(name, ".Gbx") && !strings.HasSuffix(name, ".Pack.Gbx")
		if data != other && gbx {
			return false
		}
		if data != other && filepath.Ext(name) != ".epk" {
			x, y := st.content(a, name), st.content(b, name)
			if x == "" || x != y {
				return false
			}
		}
	}
	return true
}

// content describes what an archive of a state holds, empty if it is none or
// not sound.
func (st *stand) content(s state, name string) string {
	dir, err := os.MkdirTemp(st.soak.work, "state-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(dir)
	if err := s.write(dir); err != nil {
		return ""
	}
	ctx := context.Background()
	p, err := pakbox.Open(ctx, filepath.Join(dir, name), archive.Options{})
	if err != nil {
		return ""
	}
	defer p.Close()
	if report, err := p.Verify(ctx, archive.Options{}); err != nil || !report.OK() {
		return ""
	}
	var b strings.Builder
	for i, e := range p.Entries() {
		f, err := p.OpenEntry(i)
		if err != nil {
			return ""
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return ""
		}
		fmt.Fprintf(&b, "%s %x\n", e.Name, h.Sum(nil))
	}
	return b.String()
}
