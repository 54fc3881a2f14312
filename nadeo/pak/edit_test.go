package pak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// edited applies edits and opens the outcome.
func edited(t testing.TB, a *Archive, keys archive.Keys, params map[string]string, edits ...archive.Edit) *Archive {
	t.Helper()
	path := filepath.Join(t.TempDir(), "edited.pak")
	save(t, path, func(stage *archive.Stage) error {
		return a.Edit(context.Background(), stage, edits, archive.CreateOptions{Params: params})
	})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := openBytes(t, data, keys)
	out.pack.Nodes = a.pack.Nodes
	return out
}

// slot returns what is stored for an entry.
func (p *Pack) slot(i int) []byte {
	data := make([]byte, p.slotSize(&p.Files[i]))
	p.ra.ReadAt(data, p.start(i))
	return data
}

// sameSlots checks that entries of the same name have the same stored bytes.
func sameSlots(t *testing.T, a, b *Archive, except ...string) {
	t.Helper()
	slots := map[string][]byte{}
	for i, name := range a.pack.paths {
		slots[name] = a.pack.slot(i)
	}
	for i, name := range b.pack.paths {
		if !slices.Contains(except, name) && !bytes.Equal(slots[name], b.pack.slot(i)) {
			t.Errorf("%s: stored bytes have changed", name)
		}
	}
}

func TestEdit(t *testing.T) {
	files := contents()
	for _, params := range variants {
		t.Run(fmt.Sprint(params), func(t *testing.T) {
			a := create(t, files, params)
			replacement := toys()["many3.Gbx"]
			put := item("Gbx/many0.Gbx", replacement)
			added := item("New/Folder/added.txt", []byte("added"))
			b := edited(t, a, testKeys, params,
				archive.Edit{Put: &put},
				archive.Edit{Put: &added},
				archive.Edit{Remove: "Gbx/many1.Gbx"},
				archive.Edit{Rename: &archive.Rename{From: "Media", To: "Moved/Deep"}},
			)
			verify(t, b)
			for name, want := range map[string][]byte{
				"Gbx/many0.Gbx":                replacement,
				"New/Folder/added.txt":         []byte("added"),
				"Moved/Deep/Texture/noise.bin": files["Media/Texture/noise.bin"],
				"Gbx/many2.Gbx":                files["Gbx/many2.Gbx"],
				"readme.txt":                   files["readme.txt"],
			} {
				if got, err := fs.ReadFile(b, name); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %d bytes, %v", name, len(got), err)
				}
			}
			if _, err := b.Stat("Gbx/many1.Gbx"); err == nil {
				t.Error("removed entry is still there")
			}
			if len(b.Entries()) != len(files) {
				t.Errorf("%d entries", len(b.Entries()))
			}
			sameSlots(t, a, b, "Gbx/many0.Gbx", "New/Folder/added.txt",
				"Moved/Deep/Texture/noise.bin", "Moved/Deep/Texture/grass.dds")
			records, err := b.pack.Metadata()
			if err != nil || len(records) != len(toys())-1 {
				t.Errorf("%d metadata records, %v", len(records), err)
			}
			for _, rec := range records {
				if p := b.pack; p.Version >= 18 && p.Files[rec.File].MetaOffset == noMetadata {
					t.Errorf("%s: no metadata offset", p.paths[rec.File])
				}
			}
		})
	}
}

// Without edits the file is copied.
func TestEditWithoutEdits(t *testing.T) {
	a := create(t, contents(), nil)
	if b := edited(t, a, testKeys, nil); !bytes.Equal(bytesOf(a), bytesOf(b)) {
		t.Error("saved without a change it differs")
	}
}

// rebuilt writes a pack anew from its values, with nothing changed.
func rebuilt(t *testing.T, p *Pack) []byte {
	b := &build{Header: p.Header, Directory: p.Directory, encoder: encoder{version: p.Version, key: p.Key}, source: p, iv: p.headerIV}
	b.Files = slices.Clone(p.Files)
	for i := range b.Files {
		b.origins = append(b.origins, origin{from: i})
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "rebuilt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := b.write(context.Background(), f); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every pack of the corpus, written anew from the values read from it, is the
// same file: headers, checksums, padding, order and all.
func TestRebuildIsIdentical(t *testing.T) {
	dir, packs := goldens(t)
	for _, g := range packs {
		if g.Expect != "ok" {
			continue
		}
		data := g.read(t, dir)
		p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: g.key(t)})
		if err != nil {
			t.Fatal(err)
		}
		got := rebuilt(t, p)
		if p.Version >= 17 && p.headerEncrypted() {
			// These were padded to a block by their encoder, not to a page as
			// real packs are; all but the padding and the sums over it agrees.
			got, data = got[p.dataStart():], data[p.dataStart():]
		}
		diff(t, g.File, got, data)
	}
	data, _ := realPack(t)
	p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "real pack", rebuilt(t, p), data)
}

func diff(t *testing.T, name string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	t.Errorf("%s: %d bytes instead of %d, different from byte %d on", name, len(got), len(want), at)
}

// Replacing one entry of a golden pack leaves the others' ciphertext alone.
func TestEditGoldens(t *testing.T) {
	dir, packs := goldens(t)
	for _, g := range packs {
		if g.Expect != "ok" {
			continue
		}
		keys := archive.Keys{"*": g.BaseKey}
		a := openBytes(t, g.read(t, dir), keys)
		name := a.pack.paths[0]
		put := item(name, []byte("replaced"))
		extra := item("extra/file.txt", noise(700))
		b := edited(t, a, keys, nil, archive.Edit{Put: &put}, archive.Edit{Put: &extra})
		sameSlots(t, a, b, name, "extra/file.txt")
		if !b.pack.md5Holds {
			t.Errorf("%s: headerMD5", g.File)
		}
		if got, err := fs.ReadFile(b, name); err != nil || string(got) != "replaced" {
			t.Errorf(`%s: got = %q, err = %v; want no error, got = "replaced"`, g.File, got, err)
		}
		if got, err := fs.ReadFile(b, "extra/file.txt"); err != nil || !bytes.Equal(got, noise(700)) {
			t.Errorf("%s: %d bytes, %v", g.File, len(got), err)
		}
		for i, f := range g.Files[1:] {
			b.pack.Nodes = replay(f.Events)
			if got, err := b.pack.Decode(i + 1); err != nil || sha(got) != f.SHA256 {
				t.Errorf("%s: f.Path = %s: err = %v; want no error, sha(got) = %v", g.File, f.Path, err, f.SHA256)
			}
		}
		checks, err := b.pack.checks()
		for _, c := range checks {
			if !c.Holds {
				t.Errorf("%s: %s does not hold, %v", g.File, c.Name, err)
			}
		}
	}
}

func TestEditRealPack(t *testing.T) {
	data, entries := realPack(t)
	a := openBytes(t, data, nil)
	put := item("Logos.png", noise(12345))
	b := edited(t, a, nil, nil, archive.Edit{Put: &put})
	checks, err := b.pack.checks()
	if err != nil || len(checks) < 3 {
		t.Fatalf("checks = %v, err = %v; want no error, len(checks) at least 3", checks, err)
	}
	for _, c := range checks {
		if !c.Holds {
			t.Errorf("%s does not hold", c.Name)
		}
	}
	for i := range b.pack.Files {
		if ok, err := b.pack.slotHolds(i); !ok {
			t.Errorf("%s: checksum does not hold, %v", b.pack.paths[i], err)
		}
	}
	sameSlots(t, a, b, "Logos.png")
	if got, err := fs.ReadFile(b, "Logos.png"); err != nil || !bytes.Equal(got, noise(12345)) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if len(b.pack.Files) != len(entries) || b.pack.Files[2].Flags != a.pack.Files[2].Flags {
		t.Errorf("table: %d entries, flags %v", len(b.pack.Files), b.pack.Files[2].Flags.Names())
	}
}

// A setting with an empty value is rejected, and not read as "no".
func TestWrongSettings(t *testing.T) {
	for _, name := range []string{"version", "encrypt", "compress", "clear-gbx", "private-header"} {
		stage, err := archive.NewStage(filepath.Join(t.TempDir(), "new.pak"), false)
		if err != nil {
			t.Fatal(err)
		}
		defer stage.Abort()
		err = Format{}.Create(context.Background(), stage, nil, archive.CreateOptions{Params: map[string]string{name: "perhaps"}})
		var wrong *archive.ParamError
		if !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s=perhaps: %v", name, err)
		}
	}
}

// The key of a title pack follows from the pack's checksum: what is written
// with it could not be read again.
func TestTitleKeyWritesNothing(t *testing.T) {
	keys := archive.Keys{"*": "title:000102030405060708090A0B0C0D0E0F"}
	put := item("a.txt", []byte("text"))
	write := func(params map[string]string) error {
		stage, err := archive.NewStage(filepath.Join(t.TempDir(), "Test.Pack.Gbx"), true)
		if err != nil {
			t.Fatal(err)
		}
		defer stage.Abort()
		return Format{}.Create(context.Background(), stage, []archive.Item{put}, archive.CreateOptions{Options: archive.Options{Keys: keys}, Params: params})
	}
	if err := write(nil); err != nil {
		t.Errorf("a pack that needs no key: %v", err)
	}
	for _, param := range []string{"encrypt", "private-header"} {
		if err := write(map[string]string{param: "true"}); fault.KindOf(err) != fault.Key {
			t.Errorf("%s: err = %v; want err of kind fault.Key", param, err)
		}
	}
	for encrypt, want := range map[string]fault.Kind{"true": fault.Key, "false": ""} {
		t.Run(encrypt, func(t *testing.T) {
			a := openBytes(t, bytesOf(create(t, map[string][]byte{"old.txt": []byte("old")}, map[string]string{"encrypt": encrypt})), keys)
			stage, err := archive.NewStage(filepath.Join(t.TempDir(), "Test.Pack.Gbx"), true)
			if err != nil {
				t.Fatal(err)
			}
			defer stage.Abort()
			err = a.Edit(context.Background(), stage, []archive.Edit{{Put: &put}}, archive.CreateOptions{Options: archive.Options{Keys: keys}})
			if fault.KindOf(err) != want {
				t.Errorf("encrypted %s: %v", encrypt, err)
			}
		})
	}
}
