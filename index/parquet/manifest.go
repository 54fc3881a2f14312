package parquet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/internal/lib/regular"
)

// Success is the name of the manifest in a folder of tables. It is written last: a folder
// without it is incomplete.
const Success = "_SUCCESS"

// Manifest describes the content of a folder of tables, or of one of its parts.
type Manifest struct {
	Pakbox        string           `json:"pakbox"` // version of the program
	SchemaVersion int              `json:"schema_version"`
	Part          int              `json:"part"`               // number of the part, from 0; 0 for a whole folder
	Parts         int              `json:"parts"`              // number of parts; each table has a file for each part
	Files         int64            `json:"files"`              // files in the whole listing
	Listing       string           `json:"listing"`            // hash of paths and sizes
	Rows          map[string]int64 `json:"rows"`               // rows in each table
	Kept          int64            `json:"kept,omitempty"`     // files whose rows are copied from the previous run
	Problems      []string         `json:"problems,omitempty"` // folders that could not be listed
}

// NewManifest starts the manifest of a part.
func NewManifest(l index.Fingerprint, part, parts int) Manifest {
	return Manifest{Pakbox: version(), SchemaVersion: index.Version, Part: part, Parts: max(parts, 1), Files: l.Files, Listing: l.Hash(), Rows: map[string]int64{}}
}

// Folder is a folder for tables, on disk or in an object store. A new file appears
// complete or not at all.
type Folder interface {
	Put(ctx context.Context, name string, write func(io.Writer) error) error
	Get(ctx context.Context, name string) ([]byte, error) // returns fs.ErrNotExist if there is no such file
	Names(ctx context.Context) ([]string, error)
	Remove(ctx context.Context, name string) error
}

// Disk is a folder on disk. It is created by the first Put.
type Disk string

// Put replaces a file when the new one is complete.
func (d Disk) Put(_ context.Context, name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(string(d), 0o777); err != nil {
		return err
	}
	stage, err := archive.NewStage(filepath.Join(string(d), name), true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	f, err := stage.File()
	if err == nil {
		err = write(f)
	}
	if err != nil {
		return err
	}
	return stage.Commit()
}

// Get reads a file.
func (d Disk) Get(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(d), name))
}

// Names lists the files.
func (d Disk) Names(context.Context) (names []string, err error) {
	entries, err := os.ReadDir(string(d))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// Remove removes a file, if it exists.
func (d Disk) Remove(_ context.Context, name string) error {
	if err := os.Remove(filepath.Join(string(d), name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// partName is the name of a part's manifest.
func partName(part, parts int) string { return fmt.Sprintf(partPrefix+"%05d-of-%05d", part, parts) }

const partPrefix = "_PART-"

// numbered matches the name of a file that belongs to one of several parts.
var numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-(\d{5})-of-(\d{5})(\.parquet)?$`) })

// Claim returns an error if the folder has tables with another number of parts, because
// readers would read both together. It does so too if a file that [Write] replaces is not from
// pakbox.
func Claim(ctx context.Context, in Folder, parts int) error {
	names, err := in.Names(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		n := 0
		if m := numbered().FindStringSubmatch(name); m != nil {
			n, _ = strconv.Atoi(m[2])
		} else if table, ok := index.TableNamed(trimEnding(name)); ok && name == FileName(table.Name, 0, 1) {
			n = 1
		}
		if n != 0 && n != max(parts, 1) {
			return fault.Usagef("the folder of the tables has %s, of %d parts, and these are %d", name, n, max(parts, 1)).Hint("take another folder, or remove its files")
		}
		if own, err := isOwn(ctx, in, name, n != 0); err != nil {
			return err
		} else if !own {
			return fault.Usagef("the folder of the tables has %s, which is not from pakbox and would be replaced", name).Hint("take another folder, or remove its files")
		}
	}
	return nil
}

// isOwn reports whether pakbox wrote a file of the folder, or would not replace it. numbered
// means that it has the name of a table or of a part's manifest.
func isOwn(ctx context.Context, in Folder, name string, numbered bool) (bool, error) {
	table := filepath.Ext(name) == ".parquet"
	if manifest := name == Success || strings.HasPrefix(name, partPrefix); !manifest && (!table || !numbered) {
		return true, nil
	}
	if !table {
		data, err := in.Get(ctx, name)
		var m Manifest
		return json.Unmarshal(data, &m) == nil && m.Pakbox != "" && m.SchemaVersion > 0, err
	}
	disk, ok := in.(Disk)
	if !ok {
		return true, nil // the tables of an object store are not read again
	}
	f, err := regular.Open(filepath.Join(string(disk), name))
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	end := make([]byte, min(info.Size(), creatorWithin))
	_, err = f.ReadAt(end, info.Size()-int64(len(end)))
	return bytes.Contains(end, []byte(creator+" version ")), err
}

// creatorWithin is how far before the end of a table its creator stands.
const creatorWithin = 4 << 10

func trimEnding(name string) string { return name[:len(name)-len(filepath.Ext(name))] }

// Write writes the tables of a part, and then the manifest of the part. With the first
// table the manifest of the folder becomes invalid; see [Complete].
func Write(ctx context.Context, in Folder, m Manifest, rows func(*index.Table) iter.Seq2[[]any, error]) error {
	for _, name := range []string{Success, partName(m.Part, m.Parts)} {
		if err := in.Remove(ctx, name); err != nil {
			return err
		}
	}
	for _, t := range index.Tables() {
		var n int64
		counted := func(yield func([]any, error) bool) {
			for row, err := range rows(t) {
				n++
				if !yield(row, err) {
					return
				}
			}
		}
		if err := in.Put(ctx, FileName(t.Name, m.Part, m.Parts), func(w io.Writer) error { return WriteTable(w, t, counted) }); err != nil {
			return err
		}
		m.Rows[t.Name] = n
	}
	return put(ctx, in, partName(m.Part, m.Parts), m)
}

func put(ctx context.Context, in Folder, name string, m Manifest) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return in.Put(ctx, name, func(w io.Writer) error { _, err := w.Write(append(data, '\n')); return err })
}

// Complete writes the manifest of the folder, if all parts exist and have the same
// listing and version. It returns the numbers, from 1, of parts that are missing or
// differ from the given manifest.
func Complete(ctx context.Context, in Folder, like Manifest) (missing []int, err error) {
	whole := like
	whole.Part, whole.Kept, whole.Rows = 0, 0, map[string]int64{}
	for part := range like.Parts {
		m, err := get(ctx, in, partName(part, like.Parts))
		if errors.Is(err, fs.ErrNotExist) || err == nil && (m.Listing != like.Listing || m.SchemaVersion != like.SchemaVersion || m.Part != part) {
			missing = append(missing, part+1)
			continue
		}
		if err != nil {
			return nil, err
		}
		whole.Kept += m.Kept
		for table, n := range m.Rows {
			whole.Rows[table] += n
		}
	}
	if len(missing) > 0 {
		return missing, nil
	}
	return nil, put(ctx, in, Success, whole)
}

func get(ctx context.Context, in Folder, name string) (m Manifest, err error) {
	data, err := in.Get(ctx, name)
	if err == nil {
		if err = json.Unmarshal(data, &m); err != nil {
			err = fault.New(fault.Corrupt, "%s is not a manifest: %v", name, err)
		}
	}
	return m, err
}

// Read returns the manifest of a folder. A folder without a manifest is an error.
func Read(ctx context.Context, in Folder) (Manifest, error) {
	m, err := get(ctx, in, Success)
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	names, err := in.Names(ctx)
	if err != nil {
		return m, err
	}
	have := slices.ContainsFunc(names, func(n string) bool { return filepath.Ext(n) == ".parquet" })
	if !have {
		return m, fault.Usagef("the folder has no tables")
	}
	return m, fault.Usagef("the folder has no %s: the tables are not complete, or of an older pakbox", Success).Hint("run what makes them again")
}
