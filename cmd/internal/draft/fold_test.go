package draft_test

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/cmd/internal/draft"
)

// folded is a draft of an archive whose names ignore case. The content of each
// file is its number.
func folded(names ...string) *draft.Draft {
	var entries []archive.Entry
	for _, name := range names {
		entries = append(entries, archive.Entry{Name: name, Size: 1})
	}
	return draft.New(archive.NewTree(entries, true, func(i int) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte{byte('0' + i)})), nil
	}))
}

// In such an archive names match in any case, and a change of the case alone
// is a change.
func TestDraftFolds(t *testing.T) {
	for name, test := range map[string]struct {
		change func(d *draft.Draft) error
		want   map[string]string // the content of the draft afterwards
		edits  string
	}{
		"nothing":           {func(*draft.Draft) error { return nil }, map[string]string{"Dir/A": "0", "Dir/b": "1", "c": "2"}, ""},
		"another case":      {func(d *draft.Draft) error { return d.Rename("dir/a", "Dir/a") }, map[string]string{"Dir/a": "0", "Dir/b": "1", "c": "2"}, "mv Dir/A Dir/a"},
		"a folder's case":   {func(d *draft.Draft) error { return d.Rename("DIR", "dir") }, map[string]string{"dir/A": "0", "dir/b": "1", "c": "2"}, "mv Dir/A dir/A mv Dir/b dir/b"},
		"onto another case": {func(d *draft.Draft) error { return d.Rename("C", "dir/B") }, map[string]string{"Dir/A": "0", "Dir/B": "2", "c": ""}, ""},
		"new content":       {func(d *draft.Draft) error { return d.Put(textItem("DIR/a", "new")) }, map[string]string{"Dir/A": "new", "Dir/b": "1", "c": "2"}, "put Dir/A"},
		"removed and made":  {func(d *draft.Draft) error { return firstError(d.Remove("dir/A"), d.Put(textItem("Dir/a", "new"))) }, map[string]string{"Dir/a": "new", "Dir/b": "1", "c": "2"}, "put Dir/a"},
		"folders are made":  {func(d *draft.Draft) error { return d.Put(textItem("DIR/new/Er/x", "new")) }, map[string]string{"Dir/A": "0", "Dir/b": "1", "c": "2", "Dir/new/Er/x": "new"}, "put Dir/new/Er/x"},
		"there and back":    {func(d *draft.Draft) error { return firstError(d.Rename("c", "x"), d.Rename("X", "c")) }, map[string]string{"Dir/A": "0", "Dir/b": "1", "c": "2"}, ""},
		"removed":           {func(d *draft.Draft) error { return d.Remove("dir/B") }, map[string]string{"Dir/A": "0", "c": "2"}, "rm Dir/b"},
		"made where it was": {func(d *draft.Draft) error { return firstError(d.Rename("c", "moved"), d.Put(textItem("C", "new"))) }, map[string]string{"Dir/A": "0", "Dir/b": "1", "moved": "2", "C": "new"}, ""},
		"a file is not a folder": {func(d *draft.Draft) error {
			if d.Put(textItem("C/x", "new")) == nil {
				t.Error("a file was put into a file")
			}
			return nil
		}, map[string]string{"Dir/A": "0", "Dir/b": "1", "c": "2"}, ""},
	} {
		d := folded("Dir/A", "Dir/b", "c")
		if err := test.change(d); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for file, text := range test.want {
			for _, spelled := range []string{file, strings.ToUpper(file), strings.ToLower(file)} {
				if data, err := fs.ReadFile(d, spelled); text != "" && (err != nil || string(data) != text) {
					t.Errorf("%s: %s is %q, %v, want %q", name, spelled, data, err, text)
				}
			}
		}
		got := contents(t, d)
		for file := range test.want {
			if test.want[file] == "" {
				delete(test.want, file)
			}
		}
		if !mapsEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		edits, err := d.Edits()
		if list := strings.Join(words(edits), " "); err != nil || test.edits != "" && list != test.edits || name == "nothing" && list != "" || name == "there and back" && list != "" {
			t.Errorf("%s: %s, %v, want %s", name, list, err, test.edits)
		}
	}
}

func firstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}
