package archivetest

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
)

// testNames creates archives with forbidden names, and with the same name twice. Both
// must be refused.
func (f *fixture) testNames(t *testing.T) {
	content := func(name string) archive.Item {
		it := f.Items[0]
		it.Name = name
		return it
	}
	for _, name := range []string{
		"", ".", "..", "../x", "a/../../x", "/x", "a//b", "a/", "./a", `a\b`, `..\x`, "a\x00b", "a\nb", "\xff", "x.pakbox-commit",
		archive.RootOf(f.Format).Place + "/../x", "a/" + strings.Repeat("n", 256),
	} {
		err := f.create(t.Context(), f.path(t), []archive.Item{content(name)}, f.options())
		if err == nil {
			t.Errorf("an archive was made with %q in it", name)
		}
		wantKind(t, name, err)
	}
	twins := []string{f.Items[0].Name, f.Items[0].Name}
	if f.Fold {
		twins[1] = strings.ToUpper(twins[0])
	}
	err := f.create(t.Context(), f.path(t), []archive.Item{content(twins[0]), content(twins[1])}, f.options())
	if err == nil {
		t.Errorf("an archive was made with %q in it", twins)
	}
}

// testDeterminism makes the same archive with one worker and with many.
func (f *fixture) testDeterminism(t *testing.T) {
	var first map[string][]byte
	for _, workers := range []int{1, 8, 3} {
		path := f.path(t)
		opts := f.options()
		opts.Workers = workers
		if err := f.create(t.Context(), path, f.Items, opts); err != nil {
			t.Fatal(err)
		}
		made := map[string][]byte{}
		for name, b := range files(t, path) {
			if f.Volatile != nil {
				f.Volatile(b)
			}
			rel, err := filepath.Rel(filepath.Dir(path), name)
			if err != nil {
				t.Fatal(err)
			}
			made[rel] = b
		}
		if first == nil {
			first = made
		}
		if !reflect.DeepEqual(made, first) {
			t.Errorf("%d workers make other bytes", workers)
		}
	}
}

// edit applies edits to the archive at path and saves it.
func (f *fixture) edit(t *testing.T, path string, edits ...archive.Edit) error {
	p, err := f.openAt(t.Context(), path, f.Options)
	if err != nil {
		return err
	}
	defer p.Close()
	target := path
	if name := p.PrimaryName(); name != "" {
		target = filepath.Join(filepath.Dir(path), name)
	}
	stage, err := archive.NewStage(target, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := p.Archive.(archive.Editor).Edit(t.Context(), stage, edits, archive.CreateOptions{Options: f.Options}); err != nil {
		return err
	}
	p.Close()
	return stage.Commit()
}

// testEdits puts, replaces, renames and removes entries. All other entries stay as they
// are.
func (f *fixture) testEdits(t *testing.T) {
	path := f.made(t)
	if _, ok := f.open(t, path).Archive.(archive.Editor); !ok {
		return
	}
	before, bytesBefore := f.mustRead(t, path), files(t, path)
	if err := f.edit(t, path); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(files(t, path), bytesBefore) {
		t.Error("saved without an edit, the archive is another")
	}
	for _, wrong := range f.wrongEdits(before) {
		err := f.edit(t, path, wrong)
		if err == nil {
			t.Errorf("%+v was done", wrong)
		}
		wantKind(t, "editing", err)
	}
	if !reflect.DeepEqual(files(t, path), bytesBefore) {
		t.Error("an edit that failed left something behind")
	}
	if f.Items != nil {
		f.testEdit(t, path, before)
	}
}

// wrongEdits are edits that must fail on an archive with these files.
func (f *fixture) wrongEdits(all map[string]string) []archive.Edit {
	names := slices.Sorted(maps.Keys(all))
	outside := Item("../x", []byte(all[names[0]]))
	return []archive.Edit{
		{Remove: "no such file"}, {Rename: &archive.Rename{From: "no such file", To: "x"}}, {Put: &outside},
		{Rename: &archive.Rename{From: names[0], To: names[1]}},
	}
}

// testEdit does several edits at once.
func (f *fixture) testEdit(t *testing.T, path string, want map[string]string) {
	first, second, third := f.stored(f.Items[0].Name), f.stored(f.Items[1].Name), f.stored(f.Items[2].Name)
	put, other := f.Items[0], f.Items[3]
	put.Name = "new" + filepath.Ext(first)
	other.Name = first
	moved := "moved" + filepath.Ext(third)
	if f.Stored != nil && (f.Stored(put.Name) == "" || f.Stored(moved) == "") {
		return // the format computes the name from the content
	}
	err := f.edit(t, path,
		archive.Edit{Put: &put}, archive.Edit{Put: &other}, archive.Edit{Remove: second},
		archive.Edit{Rename: &archive.Rename{From: third, To: moved}})
	if err != nil {
		t.Fatal(err)
	}
	want = maps.Clone(want)
	want[f.stored(put.Name)] = want[first]
	want[first] = want[f.stored(other.Name)]
	if content, err := readItem(other); err == nil {
		want[first] = string(content)
	}
	want[f.stored(moved)] = want[third]
	delete(want, second)
	delete(want, third)
	f.wantContents(t, path, want)
	for _, folder := range f.topFolders(want) {
		if err := f.edit(t, path, archive.Edit{Remove: folder}); err != nil {
			t.Errorf("removing the folder %s: %v", folder, err)
			continue
		}
		maps.DeleteFunc(want, func(name, _ string) bool { return strings.HasPrefix(name, folder+"/") })
		f.wantContents(t, path, want)
	}
}

// topFolders lists the folders at the top of the archive. The root counts as one folder.
func (f *fixture) topFolders(all map[string]string) []string {
	folders := map[string]bool{}
	root := archive.RootOf(f.Format).Place
	for name := range all {
		if root != "" && strings.HasPrefix(name, root+"/") {
			folders[root] = true
		} else if first, _, ok := strings.Cut(name, "/"); ok {
			folders[first] = true
		}
	}
	return slices.Sorted(maps.Keys(folders))
}

// wantContents compares the content of an archive with the wanted content.
func (f *fixture) wantContents(t *testing.T, path string, want map[string]string) {
	t.Helper()
	got := f.mustRead(t, path)
	if !maps.Equal(got, want) {
		t.Errorf("the archive holds %q, want %q, or their content differs", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	report, err := f.open(t, path).Verify(t.Context(), f.Options)
	if err != nil || !report.OK() || len(report.Findings) > 0 {
		t.Errorf("after an edit: %v, %v", report, err)
	}
	for name := range files(t, path) {
		if strings.Contains(name, ".pakbox-") {
			t.Errorf("left behind: %s", name)
		}
	}
}
