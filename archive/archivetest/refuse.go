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

// nameChecker is an archive that can say in advance whether it takes a name.
type nameChecker interface{ CheckName(name string) error }

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
		if c, ok := p.Archive.(nameChecker); ok && (c.CheckName(name) == nil) != (created == nil) {
			t.Errorf("%.40q: creating says %v, and CheckName %v", name, created, c.CheckName(name))
		}
		if err := f.edit(t, path, edit); fault.KindOf(err) != fault.KindOf(created) || (err == nil) != (created == nil) {
			t.Errorf("%.40q: creating says %v, and %s %v", name, created, way, err)
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
		for i := 200; i < len(name)-100; i += 200 {
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

// testParams sets each parameter to something that makes no sense. It is refused by name,
// or means nothing, as some settings do when an archive is changed.
func (f *fixture) testParams(t *testing.T) {
	path := f.made(t)
	before := f.mustRead(t, path)
	for _, param := range f.Format.(archive.Creator).Params() {
		opts := archive.CreateOptions{Options: f.Options, Params: map[string]string{param.Name: "no such value"}}
		var bad *archive.ParamError
		if err := f.create(t.Context(), f.path(t), f.Items, opts); err != nil && (!errors.As(err, &bad) || bad.Name != param.Name) {
			t.Errorf("%s: %v", param.Name, err)
		}
		p := f.open(t, path)
		editor, ok := p.Archive.(archive.Editor)
		if !ok {
			continue
		}
		stage, err := archive.NewStage(path, true)
		if err != nil {
			t.Fatal(err)
		}
		err = editor.Edit(t.Context(), stage, []archive.Edit{{Put: &f.Items[0]}}, opts)
		stage.Abort()
		if err != nil && (!errors.As(err, &bad) || bad.Name != param.Name) {
			t.Errorf("%s, in an edit: %v", param.Name, err)
		}
	}
	f.wantContents(t, path, before)
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
