//go:build linux

package soak

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox"
	"pakbox/archive"
)

// state describes the files of a folder, by name, as they are compared: an archive by
// its entries and an index by its rows, because both may note times; an .epk not at
// all, because its .eix knows which bytes of it are in use; other files by their
// bytes.
type state map[string]string

// differs names the differences of two states, or returns "".
func (s state) differs(from state) string {
	var names []string
	for name, content := range s {
		if was, ok := from[name]; !ok {
			names = append(names, "new "+name)
		} else if was != content {
			names = append(names, "other content of "+name)
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

// finish puts the files of a committed set into place, and returns their names.
func (st *stand) finish(note string) (names []string) {
	var set struct {
		Moves []struct{ From, To string }
	}
	text, err := os.ReadFile(note)
	st.ok(err)
	st.ok(json.Unmarshal(text, &set))
	for _, m := range set.Moves {
		err := os.Rename(filepath.Join(filepath.Dir(note), m.From), filepath.Join(filepath.Dir(note), m.To))
		if !errors.Is(err, fs.ErrNotExist) { // it is in its place already
			st.ok(err)
			names = append(names, m.To)
		}
	}
	return names
}

// read describes at, and the sizes of its files. After a kill it does what the next
// command would do: it ignores temporary files, and puts the parts of a committed set
// of files into place (see archive.Stage).
func (st *stand) read(killed bool) (s state, sizes []int) {
	dir := filepath.Join(st.dir, "read")
	st.ok(os.RemoveAll(dir))
	st.ok(os.CopyFS(dir, os.DirFS(st.at)))
	var names []string
	st.ok(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	}))
	for _, name := range names {
		if killed && strings.HasSuffix(name, ".pakbox-commit") {
			names = append(names, st.finish(filepath.Join(dir, name))...)
		}
	}
	slices.Sort(names)
	s = state{}
	for _, name := range slices.Compact(names) {
		if killed && strings.Contains(name, ".pakbox-") || strings.Contains(name, ".sqlite-") { // belongs to a database
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		st.ok(err)
		sizes = append(sizes, len(data))
		switch ext := filepath.Ext(name); {
		case ext == ".epk":
			s[name] = "the data of an .eix"
		case ext == ".sqlite" && len(data) == 0: // nothing was written to it yet
		case ext == ".sqlite":
			st.readIndex(s, dir, name)
		default:
			s[name] = fmt.Sprintf("%x", sha256.Sum256(data))
			// A GBX is more than its entries.
			if entries := content(filepath.Join(dir, name)); entries != "" && (ext != ".Gbx" || strings.HasSuffix(name, ".Pack.Gbx")) {
				s[name] = entries
			}
		}
	}
	return s, sizes
}

// readIndex adds the rows of an index.
func (st *stand) readIndex(s state, dir, name string) {
	out, err := os.Create(filepath.Join(dir, "rows"))
	st.ok(err)
	defer out.Close()
	o, err := task{args: []string{"pakbox", "sql", "--csv", filepath.Join(dir, name), "select path, size, format, status from files order by path"}, stdout: out}.run(st.Context())
	st.ok(err)
	if strings.Contains(o.stderr, "was stopped before it began") {
		return // as if it were not there
	}
	if o.code != 0 {
		s[name] = "unsound: " + o.stderr
		return
	}
	rows, err := os.ReadFile(out.Name())
	st.ok(err)
	for i, row := range strings.Split(strings.TrimSpace(string(rows)), "\n") {
		if key, _, _ := strings.Cut(row, ","); i > 0 { // below the names of the columns
			s[name+"/"+key] = row
		}
	}
}

// content describes the entries of an archive; it returns "" for other and damaged files.
func content(path string) string {
	ctx := context.Background()
	a, err := pakbox.Open(ctx, path, archive.Options{})
	if err != nil {
		return ""
	}
	defer a.Close()
	if report, err := a.Verify(ctx, archive.Options{}); err != nil || !report.OK() {
		return ""
	}
	var text strings.Builder
	for i, e := range a.Entries() {
		f, err := a.OpenEntry(i)
		if err != nil {
			return ""
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return ""
		}
		fmt.Fprintf(&text, "%s %x\n", e.Name, h.Sum(nil))
	}
	return text.String()
}
