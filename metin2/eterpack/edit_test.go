package eterpack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// stageEdit applies edits to the pack at path without committing.
func stageEdit(t *testing.T, path, dest string, edits []archive.Edit, opts archive.CreateOptions) (*archive.Stage, error) {
	t.Helper()
	a := openPath(t, path, opts.Options)
	stage, err := archive.NewStage(dest, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stage.Abort)
	return stage, a.Edit(context.Background(), stage, edits, opts)
}

func edit(t *testing.T, path string, opts archive.CreateOptions, edits ...archive.Edit) {
	t.Helper()
	stage, err := stageEdit(t, path, path, edits, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

func put(name string, content []byte) archive.Edit {
	it := item(name, content)
	return archive.Edit{Put: &it}
}

func rm(name string) archive.Edit { return archive.Edit{Remove: name} }
func mv(from, to string) archive.Edit {
	return archive.Edit{Rename: &archive.Rename{From: from, To: to}}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// listing is the content of a pack by name.
func listing(t *testing.T, a *Archive) map[string]string {
	t.Helper()
	m := map[string]string{}
	for i, e := range a.Entries() {
		m[e.Name] = string(readEntry(t, a, i))
	}
	return m
}

func smallItems() []archive.Item {
	return []archive.Item{
		item("root/game.py", text(3000)),
		item("d:/ymir work/pc/warrior.gr2", noise(2000)),
		item("d:/ymir work/pc/shaman.gr2", text(900)),
		item("readme.txt", text(256)),
	}
}

func TestEdit(t *testing.T) {
	for _, p := range variants() {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			path := create(t, smallItems(), archive.CreateOptions{Params: p})
			before := openPath(t, path, archive.Options{})
			want := listing(t, before)
			oldData := readFile(t, withExt(path, dataExt))
			untouched := bytes.Clone(before.index.records[0].raw)

			edit(t, path, archive.CreateOptions{},
				put("README.txt", text(70)),                          // replaces, whatever its case
				put("Ymir Work/PC/New.gr2", text(5000)),              // is lowered
				rm("ymir work/pc/shaman.gr2"),                        // by its portable name
				mv("d:/ymir work/pc", "ymir work/npc"),               // a folder
				mv("d:/ymir work/npc/warrior.gr2", "root/again.gr2"), // a file, moved twice
				put("empty", nil),
			)

			want["readme.txt"] = string(text(70))
			want["d:/ymir work/npc/new.gr2"] = string(text(5000))
			want["root/again.gr2"] = want["d:/ymir work/pc/warrior.gr2"]
			want["empty"] = ""
			delete(want, "d:/ymir work/pc/shaman.gr2")
			delete(want, "d:/ymir work/pc/warrior.gr2")
			a := openPath(t, path, archive.Options{})
			wantClean(t, a)
			got := listing(t, a)
			if len(got) != len(want) {
				t.Errorf("%d entries, want %d", len(got), len(want))
			}
			for name, content := range want {
				if c, ok := got[name]; !ok || c != content {
					t.Errorf("%s: there: %v, content differs", name, ok)
				}
			}
			if a.index.form != before.index.form || a.index.codec != before.index.codec {
				t.Errorf("index %s %s, was %s %s", a.index.form, a.index.codec, before.index.form, before.index.codec)
			}
			if !bytes.Equal(a.index.records[0].raw, untouched) {
				t.Error("the record of an untouched entry changed")
			}
			if !bytes.HasPrefix(readFile(t, withExt(path, dataExt)), oldData) {
				t.Error("old data was overwritten")
			}
			if k := p["eterpack-type"]; k == "2" && a.Entries()[len(a.Entries())-1].Method != method(typeEncrypted) {
				t.Error("a new entry of an encrypted pack is not encrypted")
			}
			// The pack as it was when it was opened still reads.
			for name, content := range listing(t, before) {
				if name == "readme.txt" && content != string(text(256)) {
					t.Error("a reader of the old index sees new data")
				}
			}
		})
	}
}

func TestEditNothing(t *testing.T) {
	for _, p := range variants() {
		path := create(t, smallItems(), archive.CreateOptions{Params: p})
		eix, epk := readFile(t, path), readFile(t, withExt(path, dataExt))
		edit(t, path, archive.CreateOptions{})
		if !bytes.Equal(readFile(t, path), eix) || !bytes.Equal(readFile(t, withExt(path, dataExt)), epk) {
			t.Errorf("%v: saving without a change changed the pack", p)
		}
	}
}

// TestEditCorpus checks that packs of another writer survive an edit, and that
// undoing it leaves the content that was there.
func TestEditCorpus(t *testing.T) {
	dir, m := readManifest(t)
	for _, p := range m.Packs {
		tmp := t.TempDir()
		for _, ext := range []string{indexExt, dataExt} {
			if err := os.WriteFile(filepath.Join(tmp, "x"+ext), readFile(t, filepath.Join(dir, p.Pack+ext)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(tmp, "x.eix")
		edit(t, path, archive.CreateOptions{}, put("new.txt", text(1000)), mv(p.Entries[0].Name, "moved"))
		wantClean(t, openPath(t, path, archive.Options{}))
		edit(t, path, archive.CreateOptions{}, rm("new.txt"), mv("moved", p.Entries[0].Name))
		a := openPath(t, path, archive.Options{})
		wantClean(t, a)
		changes, err := archive.Compare(context.Background(), openPath(t, filepath.Join(dir, p.Pack+indexExt), archive.Options{}), a, archive.Options{})
		if err != nil || len(changes) > 0 {
			t.Errorf("%s: changes = %v, err = %v; want no error, len(changes) at most 0", p.Pack, changes, err)
		}
	}
}

// TestAbort checks that edits given up leave both files as they were.
func TestAbort(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	eix, epk := readFile(t, path), readFile(t, withExt(path, dataExt))
	stage, err := stageEdit(t, path, path, []archive.Edit{put("new", noise(5000))}, archive.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// Killed here, the pack would still be the old one, with some bytes more.
	a := openPath(t, path, archive.Options{})
	listing(t, a)
	report := mustVerify(t, a)
	if len(report.Findings) != 1 || fault.Kind(report.Findings[0].Rule) != fault.TrailingData || !report.OK() {
		t.Errorf("findings before the commit: %v", report.Findings)
	}
	stage.Abort()
	if !bytes.Equal(readFile(t, path), eix) || !bytes.Equal(readFile(t, withExt(path, dataExt)), epk) {
		t.Error("an edit given up left a trace")
	}
}

func TestEditElsewhere(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	eix, epk := readFile(t, path), readFile(t, withExt(path, dataExt))
	dest := filepath.Join(filepath.Dir(path), "other.eix")
	stage, err := stageEdit(t, path, dest, []archive.Edit{put("new", text(10)), rm("readme.txt")}, archive.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, path), eix) || !bytes.Equal(readFile(t, withExt(path, dataExt)), epk) {
		t.Error("the pack that was read changed")
	}
	a := openPath(t, dest, archive.Options{})
	wantClean(t, a)
	if got := listing(t, a); len(got) != 4 || got["new"] != string(text(10)) {
		t.Errorf("%d entries", len(got))
	}
}

func TestEditRefuses(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	for _, test := range []struct {
		edit archive.Edit
		want error
	}{
		{rm("nothing"), fs.ErrNotExist},
		{mv("nothing", "x"), fs.ErrNotExist},
		{mv("readme.txt", "ROOT/game.py"), fs.ErrExist},
		{mv("readme.txt", "YMIR WORK/pc/shaman.gr2"), fs.ErrExist},
		{mv("readme.txt", "../x"), fault.Unsafe},
		{mv("readme.txt", strings.Repeat("y", maxName+1)), fault.NameTooLong},
		{put("/x", nil), fault.Unsafe},
	} {
		stage, err := stageEdit(t, path, path, []archive.Edit{test.edit}, archive.CreateOptions{})
		stage.Abort()
		if !errors.Is(err, test.want) {
			t.Errorf("%+v: %v, want %v", test.edit, err, test.want)
		}
	}
}

// TestEditShared removes one of two entries that share their data: the other
// must not lose its space to a free slot.
func TestEditShared(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{Params: map[string]string{"eterpack-index": "plain", "eterpack-type": "0"}})
	a := openPath(t, path, archive.Options{})
	shared := a.index.records[3]
	shared.name, shared.raw = []byte("twin"), nil
	shared.nameCRC, shared.id = nameCRC(shared.name), 4
	a.index.records = append(a.index.records, shared)
	data, err := a.index.encode(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	edit(t, path, archive.CreateOptions{}, rm("readme.txt"))
	a = openPath(t, path, archive.Options{})
	wantClean(t, a)
	if r := a.index.records[3]; !r.free() || r.slotSize != 0 {
		t.Errorf("the removed entry left %+v", r)
	}
	if got := listing(t, a)["twin"]; got != string(text(256)) {
		t.Error("the twin lost its content")
	}
}

// A pack may have names below "ymir work" as they are, from a packer that knows
// nothing of the folder's other name. An entry that is replaced keeps its own.
func TestEditKeepsNames(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{Params: map[string]string{"eterpack-index": "plain"}})
	a := openPath(t, path, archive.Options{})
	r := &a.index.records[1]
	r.name, r.raw = []byte("ymir work/x"), nil
	r.nameCRC = nameCRC(r.name)
	data, err := a.index.encode(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	edit(t, path, archive.CreateOptions{}, put("ymir work/x", text(99)))
	e := openPath(t, path, archive.Options{}).Entries()[1]
	if e.Name != "ymir work/x" || e.Size != 99 {
		t.Errorf("the replaced entry is %s of %d bytes", e.Name, e.Size)
	}
}

// TestEditSettings changes how a pack is stored while editing it.
func TestEditSettings(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	edit(t, path, archive.CreateOptions{Params: map[string]string{"eterpack-index": "plain", "eterpack-type": "0"}}, put("root/game.py", text(10)))
	a := openPath(t, path, archive.Options{})
	if a.index.form != indexPlain || a.Entries()[0].Method != method(typeRaw) {
		t.Errorf("index %s, %s", a.index.form, a.Entries()[0].Method)
	}
	if a.Entries()[0].Name != "root/game.py" {
		t.Error("a replaced entry lost its place")
	}
}
