package drives

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/testkit/leak"
)

// A game folder is known by what is in it.
func TestFindLayout(t *testing.T) {
	for _, test := range []struct {
		files []string
		want  Layout // relative to the root
	}{
		{nil, Layout{ManiaPlanet: "."}},
		{[]string{"GameData/x"}, Layout{ManiaPlanet: "."}},
		{[]string{"packs/x"}, Layout{ManiaPlanet: "."}},
		{[]string{"personal/x", "COMMON/x", "Temp/x", "maniaplanet/x"}, Layout{"maniaplanet", "personal", "COMMON", "Temp"}},
		{[]string{"Personal/x"}, Layout{Personal: "Personal"}},
		{[]string{"Personal/x", "GAMEDATA/x"}, Layout{ManiaPlanet: ".", Personal: "Personal"}},
		{[]string{"ManiaPlanet/x", "GameData/x"}, Layout{ManiaPlanet: "ManiaPlanet"}},
		{[]string{"Common", "x/Personal/y"}, Layout{ManiaPlanet: "."}}, // a file, and a folder further down
	} {
		root := t.TempDir()
		for _, name := range test.files {
			write(t, root, name, nil)
		}
		for _, field := range test.want.fields() {
			if *field != "" {
				*field = filepath.Join(root, *field)
			}
		}
		if got, err := FindLayout(root); err != nil || got != test.want {
			t.Errorf("%q: %+v, %v, want %+v", test.files, got, err, test.want)
		}
	}
	if _, err := FindLayout(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// A drive that is not there is an error, and so is work that is cancelled; what
// was opened on the way is closed.
func TestOpenFails(t *testing.T) {
	root := t.TempDir()
	write(t, root, "game/GameData/x.txt", nil)
	pack(t, filepath.Join(mkdir(t, root, "game/Packs"), "a.pak"), "18", "false", map[string][]byte{"x": {1}})
	write(t, root, "game/Packs/broken.pak", []byte("NadeoPak\x63\x00\x00\x00"))
	game, missing := filepath.Join(root, "game"), filepath.Join(root, "missing")
	before := leak.OpenFiles()
	for _, layout := range []Layout{{ManiaPlanet: missing}, {ManiaPlanet: game, Personal: missing}, {ManiaPlanet: game, Common: missing}, {Temp: missing}} {
		if g, err := Open(t.Context(), layout, formats, archive.Options{}); !errors.Is(err, fs.ErrNotExist) || g != nil {
			t.Errorf("%+v: err = %v; want err matching fs.ErrNotExist, g = nil", layout, err)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if g, err := Open(cancelled, Layout{ManiaPlanet: game}, formats, archive.Options{}); !errors.Is(err, context.Canceled) || g != nil {
		t.Errorf("cancelled: %v", err)
	}
	g, err := Open(t.Context(), Layout{ManiaPlanet: game}, formats, archive.Options{})
	if err != nil || len(g.Problems) != 1 || !strings.Contains(g.Problems[0].Error(), "broken.pak") {
		t.Fatalf(`g.Problems = %v, err = %v; want no error, g.Problems of length 1, g.Problems[0] with "broken.pak"`, g.Problems, err)
	}
	if g.Drive("nowhere") != nil || g.Drive("mAnIaPlAnEt") == nil {
		t.Error("a drive is found by its name in any case")
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	leak.Settled(t, "open files", before, leak.OpenFiles)
}

func mkdir(t *testing.T, root, name string) string {
	t.Helper()
	dir := filepath.Join(root, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Packs take precedence in the order of their names without regard to case, and
// the files of a drive are listed so.
func TestPrecedence(t *testing.T) {
	root := t.TempDir()
	packs := mkdir(t, root, "PACKS")
	pack(t, filepath.Join(packs, "B.pak"), "18", "false", map[string][]byte{"X.txt": []byte("from B"), "only/B.txt": nil, "gamedata/z.txt": nil})
	pack(t, filepath.Join(packs, "a.Pack.Gbx"), "18", "false", map[string][]byte{"x.txt": []byte("from a"), "only/a.txt": nil})
	write(t, root, "PACKS/notes.txt", []byte("no archive"))
	write(t, root, "PACKS/folder.zip/x", nil)
	g, err := Open(t.Context(), Layout{ManiaPlanet: root}, formats, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if len(g.Problems) > 0 {
		t.Errorf("g.Problems = %v; want len(g.Problems) at most 0", g.Problems)
	}
	d := g.Drive(ManiaPlanet)
	if got, err := fs.ReadFile(d, "GameData/X.TXT"); err != nil || string(got) != "from a" {
		t.Errorf(`got = %q, err = %v; want no error, got = "from a"`, got, err)
	}
	var names []string
	for _, f := range d.Files() {
		names = append(names, f.Path)
	}
	want := []string{"GameData/only/a.txt", "GameData/only/B.txt", "GameData/x.txt", "gamedata/z.txt", "PACKS/a.Pack.Gbx", "PACKS/B.pak", "PACKS/folder.zip/x", "PACKS/notes.txt"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	for i, e := range d.Entries() {
		if f := d.Files()[i]; e.Size != f.Size || e.Method != f.Origin.Format || e.Offset >= 0 {
			t.Errorf("%+v is listed as %+v", f, e)
		}
	}
}

// The files that a map names outside its table are looked up on all drives. Names that
// lead outside are rejected, and no file is followed twice or without end.
func TestNamedDependencies(t *testing.T) {
	root := t.TempDir()
	write(t, root, "Personal/Skins/a.zip", []byte("skin"))
	write(t, root, "Personal/Maps/Item.Gbx", gbxFile(0, nil, file(0, "Next.Gbx")))
	write(t, root, "Personal/Maps/Next.Gbx", gbxFile(0, nil))
	write(t, root, "Personal/Maps/Broken.Gbx", []byte("no GBX"))
	write(t, root, "Personal/Maps/A.Map.Gbx", gbxFile(0, nil, file(0, "Item.Gbx")))
	write(t, root, "ManiaPlanet/GameData/b.dds", nil)
	layout, err := FindLayout(root)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Open(t.Context(), layout, formats, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	m, err := g.Find("Maps/A.Map.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	tell := func(d *Dependency, depth int) {
		line := fmt.Sprintf("%d %s:%s", depth, d.Drive, d.Path)
		for word, so := range map[string]bool{" missing": d.Missing() && d.Err == nil, " again": d.Repeated, " refused": errors.Is(d.Err, fault.Unsafe), " unread": d.Problem != nil} {
			if so {
				line += word
			}
		}
		got = append(got, line)
	}
	g.Dependencies(m, `\Skins\A.zip`, "gamedata/B.DDS", "Maps/Item.Gbx", "Maps/Broken.Gbx", "no/such", "../x", "..", "C:/x", "a/../../x").Walk(tell)
	want := []string{
		"0 Personal:Maps/A.Map.Gbx", "1 Personal:Maps/Item.Gbx", "2 Personal:Maps/Next.Gbx",
		"1 Personal:Skins/a.zip", "1 ManiaPlanet:GameData/b.dds", "1 Personal:Maps/Item.Gbx again", "1 Personal:Maps/Broken.Gbx unread",
		"1 Personal:no/such missing", "1 Personal:../x refused", "1 Personal:.. refused", "1 Personal:C:/x refused", "1 Personal:../x refused",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// References are followed 64 deep.
func TestDependencyDepth(t *testing.T) {
	root := t.TempDir()
	for i := range maxDepth + 3 {
		write(t, root, fmt.Sprintf("Personal/%d.Gbx", i), gbxFile(0, nil, file(0, fmt.Sprintf("%d.Gbx", i+1))))
	}
	g, err := Open(t.Context(), Layout{Personal: filepath.Join(root, "Personal")}, formats, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	first, err := g.Find("0.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	deepest := 0
	g.Dependencies(first).Walk(func(d *Dependency, depth int) {
		deepest = max(deepest, depth)
		if (depth == maxDepth) != errors.Is(d.Problem, fault.Limit) {
			t.Errorf("%s, %d deep: %v", d.Path, depth, d.Problem)
		}
	})
	if deepest != maxDepth {
		t.Errorf("followed %d deep", deepest)
	}
}

// A reference goes up as far as its drive, and not one level more; resources are
// counted from 0.
func TestReferenceBounds(t *testing.T) {
	for levels, want := range map[uint32]string{0: "a/b/x.txt", 1: "a/x.txt", 2: "x.txt", 3: "", 4: "", 1 << 31: ""} {
		root := t.TempDir()
		write(t, root, "a/b/From.Gbx", gbxFile(levels, nil, file(0, "x.txt")))
		g, err := Open(t.Context(), Layout{Temp: root}, formats, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := g.Find("Temp:/a/b/from.gbx")
		if err != nil {
			t.Fatal(err)
		}
		refs, err := g.References(f)
		if err != nil || len(refs) != 1 {
			t.Fatalf("%d levels: %v, %v", levels, refs, err)
		}
		if r := refs[0]; (want == "") != errors.Is(r.Err, fault.Unsafe) || want != "" && r.Path != want {
			t.Errorf("%d levels up: %+v, want %s", levels, r, want)
		}
	}
	g := madeUpGame(t)
	for index, want := range map[int]string{0: "a/Font.Gbx", 1: "b/Shader.txt", 2: "#2"} {
		root := t.TempDir()
		write(t, root, "From.Gbx", gbxFile(0, nil, ref{resource: index}))
		from := &File{Drive: Temp, Path: "From.Gbx", disk: filepath.Join(root, "From.Gbx")}
		info, err := os.Stat(from.disk)
		if err != nil {
			t.Fatal(err)
		}
		from.Size = info.Size()
		if refs, err := g.References(from); err != nil || refs[0].Path != want || refs[0].Missing() != (want[0] == '#') {
			t.Errorf("resource %d: %+v, %v", index, refs, err)
		}
	}
}

// The table of a GBX is read from any storage: deflated in a zip, or in a pack of
// which only the beginning can be read. A file of another format is reported.
func TestHeadersFromAnywhere(t *testing.T) {
	root := t.TempDir()
	packs := mkdir(t, root, "Packs")
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	for name, content := range map[string][]byte{"zipped.Gbx": gbxFile(0, nil, file(0, "x")), "text.Gbx": bytes.Repeat([]byte("text"), 100)} {
		t.Run(name, func(t *testing.T) {
			f, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(content); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, root, "Packs/a.zip", z.Bytes())
	damaged := bytes.Clone(z.Bytes())
	damaged[bytes.Index(damaged, []byte("zipped.Gbx"))+12] ^= 0xff
	write(t, root, "Packs/damaged.zip", bytes.ReplaceAll(damaged, []byte("zipped.Gbx"), []byte("broken.Gbx")))
	long := append(gbxFile(0, nil, file(0, "x")), bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7}, 300)...)
	pack(t, filepath.Join(packs, "b.pak"), "18", "false", map[string][]byte{"packed.Gbx": long, "textual.Gbx": bytes.Repeat([]byte("text"), 100)})
	g, err := Open(t.Context(), Layout{ManiaPlanet: root}, formats, archive.Options{Keys: archive.Keys{"*": baseKey}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for name, ok := range map[string]bool{"zipped.Gbx": true, "packed.Gbx": true, "text.Gbx": false, "textual.Gbx": false, "broken.Gbx": false} {
		t.Run(name, func(t *testing.T) {
			f, err := g.Find("GameData/" + name)
			if err != nil {
				t.Fatal(err)
			}
			refs, err := g.References(f)
			if (err == nil) != ok || ok && (len(refs) != 1 || refs[0].Path != "GameData/x") {
				t.Errorf(`%s: refs = %+v, err = %v; want success = %v, (ok = false or refs of length 1, refs[0].Path = "GameData/x")`, name, refs, err, ok)
			}
			if err != nil && fault.KindOf(err) == "" {
				t.Errorf("%s: an error without a kind: %v", name, err)
			}
		})
	}
	gone := &File{Drive: Temp, Path: "gone.Gbx", disk: filepath.Join(root, "gone.Gbx")}
	if _, err := g.References(gone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	before := leak.OpenFiles()
	write(t, root, "open.Gbx", gbxFile(0, nil))
	still := &File{Drive: Temp, Path: "open.Gbx", disk: filepath.Join(root, "open.Gbx"), Size: int64(len(gbxFile(0, nil)))}
	for range 3 {
		if _, err := g.References(still); err != nil {
			t.Error(err)
		}
	}
	leak.Settled(t, "open files", before, leak.OpenFiles)
}
