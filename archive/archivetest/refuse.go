package archivetest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// attempt puts one file of that name into a new archive, and into one that is there
// already, by adding and by renaming. All ways must agree on whether the name is taken,
// and a name that is taken must come back.
func (f *fixture) attempt(t *testing.T, name string) error {
	t.Helper()
	it := f.Items[0]
	it.Name = name
	path := f.path(t)
	created := f.create(t.Context(), path, []archive.Item{it}, f.options())
	ways := map[string]string{}
	if created == nil {
		ways["creating"] = path
	}
	for way, edit := range map[string]archive.Edit{
		"adding":   {Put: &it},
		"renaming": {Rename: &archive.Rename{From: "before" + filepath.Ext(name), To: name}},
	} {
		before := f.Items[0]
		before.Name = "before" + filepath.Ext(name)
		path := f.path(t)
		if err := f.create(t.Context(), path, []archive.Item{before}, f.options()); err != nil {
			t.Fatal(err)
		}
		p := f.open(t, path)
		if _, ok := p.Archive.(archive.Editor); !ok {
			continue
		}
		if c, ok := p.Archive.(archive.NameChecker); ok && (c.CheckName(name) == nil) != (created == nil) {
			t.Errorf("%.40q: Create returns %v, but CheckName %v", name, created, c.CheckName(name))
		}
		if err := f.edit(t, path, edit); fault.KindOf(err) != fault.KindOf(created) || (err == nil) != (created == nil) {
			t.Errorf("%.40q: Create returns %v, but %s %v", name, created, way, err)
		} else if err == nil {
			ways[way] = path
		}
	}
	for way, path := range ways {
		if _, ok := f.mustRead(t, path)[f.stored(name)]; !ok {
			t.Errorf("%.40q does not come back after %s", name, way)
		}
		report, err := f.open(t, path).Verify(t.Context(), f.Options)
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%.40q, after %s: %v, %v", name, way, report, err)
		}
	}
	wantKind(t, name, created)
	return created
}

// testWords gives files names in several alphabets, alone and together. Each is taken
// whole or refused.
func (f *fixture) testWords(t *testing.T) {
	ext := filepath.Ext(f.Items[0].Name)
	for _, name := range []string{"straße", "żółw", "файл", "파일", "文件", "αρχείο", "100%", "%41", "파일 файл", "żółw 파일"} {
		if f.Stored == nil || f.Stored(name+ext) != "" {
			f.attempt(t, name+ext)
		}
	}
}

// testLongNames looks for the longest name that the format takes: it comes back, and a
// longer one is refused as too long, however it gets there.
func (f *fixture) testLongNames(t *testing.T) {
	if isFolder(f.made(t)) {
		return // how long a path can be is the system's affair
	}
	ext := filepath.Ext(f.Items[0].Name)
	long := func(n int) string { // a name of n bytes, of parts that any system takes
		name := []byte(strings.Repeat("n", n-len(ext)) + ext)
		for i := 100; i < len(name)-20; i += 100 {
			name[i] = '/'
		}
		return string(name)
	}
	if f.Stored != nil && f.Stored(long(20)) == "" {
		return
	}
	taken, refused := 20, 1<<12
	for taken+1 < refused {
		n := (taken + refused) / 2
		it := f.Items[0]
		it.Name = long(n)
		if f.create(t.Context(), f.path(t), []archive.Item{it}, f.options()) == nil {
			taken = n
		} else {
			refused = n
		}
	}
	if err := f.attempt(t, long(taken)); err != nil {
		t.Errorf("a name of %d bytes: %v", taken, err)
	}
	if refused == 1<<12 {
		return // the format has room for any name
	}
	if err := f.attempt(t, long(refused)); !errors.Is(err, fault.NameTooLong) {
		t.Errorf("a name of %d bytes is taken, and one more: %v", taken, err)
	}
}

// testParams sets each parameter to something that makes no sense, or to a number that may
// be out of range. It is refused by name, or the archive is right all the same.
func (f *fixture) testParams(t *testing.T) {
	want := f.mustRead(t, f.made(t))
	refused := func(what string, err error, name string) bool {
		var bad *archive.ParamError
		if err != nil && (!errors.As(err, &bad) || bad.Name != name) {
			t.Errorf("name = %s, what = %s: err = %v; want no error or err of the type of bad, bad.Name = %v", name, what, err, name)
		}
		return err != nil
	}
	for _, param := range f.Format.(archive.Creator).Params() {
		for _, value := range []string{"no such value", "-1", "0", "3", "23"} {
			opts := archive.CreateOptions{Options: f.Options, Params: map[string]string{param.Name: value}}
			made := f.path(t)
			if !refused("making", f.create(t.Context(), made, f.Items, opts), param.Name) {
				f.wantContents(t, made, want)
			}
			path := f.made(t)
			editor, ok := f.open(t, path).Archive.(archive.Editor)
			if !ok {
				continue
			}
			stage, err := archive.NewStage(path, true)
			if err != nil {
				t.Fatal(err)
			}
			defer stage.Abort()
			if !refused("editing", editor.Edit(t.Context(), stage, []archive.Edit{{Put: &f.Items[0]}}, opts), param.Name) {
				if err := stage.Commit(); err != nil {
					t.Fatal(err)
				}
				f.wantContents(t, path, want)
			}
		}
	}
}

// testNoFolder creates and edits an archive whose folder is gone when it is to be
// written.
func (f *fixture) testNoFolder(t *testing.T) {
	p := f.open(t, f.made(t))
	editor, _ := p.Archive.(archive.Editor)
	for _, edits := range [][]archive.Edit{nil, {{Put: &f.Items[0]}}} {
		for _, making := range []bool{true, false} {
			if !making && editor == nil {
				continue
			}
			dir := filepath.Join(t.TempDir(), "gone")
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			stage, err := archive.NewStage(filepath.Join(dir, filepath.Base(f.path(t))), false)
			if err != nil {
				t.Fatal(err)
			}
			defer stage.Abort()
			if err := os.Remove(dir); err != nil {
				t.Fatal(err)
			}
			if making {
				err = f.Format.(archive.Creator).Create(t.Context(), stage, f.Items, f.options())
			} else {
				err = editor.Edit(t.Context(), stage, edits, archive.CreateOptions{Options: f.Options})
			}
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("making: %v, %d edits: the folder is gone: %v", making, len(edits), err)
			}
		}
	}
}
