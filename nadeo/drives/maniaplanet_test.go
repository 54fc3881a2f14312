package drives

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/pak"
)

var formats = archive.Registry{pak.Format{}, ziparchive.Format{}}

// registry knows the one class that made-up GBX files have. Packs are written
// with it and read without, so that only the beginning of some can be read.
var registry = gbx.NewRegistry([]gbx.ClassInfo{{ID: 0x3e001000, Name: "CTest", Parent: "CMwNod"}})

// ref is one reference of a made-up GBX.
type ref struct {
	folder   uint32
	name     string
	resource int // -1 for a file
}

// gbxFile makes a GBX with references. Folders are "parent/child" paths in
// depth-first order.
func gbxFile(levels uint32, folders []string, refs ...ref) []byte {
	b := []byte("GBX\x06\x00BUUR")
	u32 := func(v uint32) { b = binary.LittleEndian.AppendUint32(b, v) }
	str := func(s string) { u32(uint32(len(s))); b = append(b, s...) }
	u32(0x3e001000)
	u32(0) // user data
	u32(uint32(1 + len(refs)))
	u32(uint32(len(refs)))
	if len(refs) > 0 {
		u32(levels)
		// A single chain of folders: each holds the next.
		var chain func(i int)
		chain = func(i int) {
			if i == len(folders) {
				u32(0)
				return
			}
			u32(1)
			str(folders[i])
			chain(i + 1)
		}
		chain(0)
		for i, r := range refs {
			if r.resource >= 0 {
				u32(4)
				u32(uint32(r.resource))
			} else {
				u32(1)
				str(r.name)
			}
			u32(uint32(i + 1))
			u32(1) // useFile
			if r.resource < 0 {
				u32(r.folder)
			}
		}
	}
	u32(0xfacade01)
	return b
}

func file(folder uint32, name string) ref { return ref{folder, name, -1} }

func pack(t *testing.T, path, version string, encrypt string, files map[string][]byte) {
	t.Helper()
	var items []archive.Item
	for name, content := range files {
		items = append(items, archive.Item{Name: name, Size: int64(len(content)), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		}})
	}
	slices.SortFunc(items, func(a, b archive.Item) int { return strings.Compare(a.Name, b.Name) })
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	err = pak.Format{Nodes: pak.GBXNodes(registry)}.Create(context.Background(), stage, items, archive.CreateOptions{
		Options: archive.Options{Keys: archive.Keys{"*": baseKey}},
		Params:  map[string]string{"version": version, "encrypt": encrypt},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

const baseKey = "0123456789ABCDEF0123456789ABCDEF"

func write(t *testing.T, root, name string, content []byte) {
	t.Helper()
	name = filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// madeUpGame is a game folder with folders, a zip and three packs, one of
// which is Resource.pak.
func madeUpGame(t *testing.T) *Game {
	root := t.TempDir()
	write(t, root, "ManiaPlanet/GameData/Translations/en.po", []byte("disk"))
	write(t, root, "ManiaPlanet/GameData/Vehicles/Both.txt", []byte("from disk"))
	write(t, root, "Personal/Maps/My.Map.Gbx", gbxFile(0, nil,
		file(0, "Other.Gbx"), file(0, `..\..\GameData\Vehicles\Car.Gbx`), file(0, "ManiaPlanet:GameData/x.txt"), ref{resource: 1}, ref{resource: 99}))
	write(t, root, "Personal/Maps/Other.Gbx", gbxFile(5, nil, file(0, "x")))
	write(t, root, "Temp/t.tmp", nil)

	// The zip beside the packs.
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	for name, content := range map[string]string{
		"GameData/Vehicles/Media/Texture/Paint.dds": "texture from zip",
		"Vehicles/Both.txt":                         "from zip",
		"Vehicles/Two.txt":                          "from zip",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			f.Write([]byte(content))
		})
	}
	w.Close()
	write(t, root, "ManiaPlanet/Packs/ManiaPlanet.zip", z.Bytes())

	packs := filepath.Join(root, "ManiaPlanet", "Packs")
	pack(t, filepath.Join(packs, "ManiaPlanet.pak"), "3", "true", map[string][]byte{
		"Vehicles/Car.Gbx": gbxFile(1, []string{"vehicles", "MEDIA", "material"},
			file(3, "Steel.Material.Gbx"), file(0, "Translations/EN.po"), file(2, "Missing.Gbx"), ref{resource: 0}),
		"Vehicles/Media/Material/Steel.Material.Gbx": gbxFile(1, []string{"Texture"}, file(1, "paint.DDS"), file(0, `..\Car.Gbx`)),
		"Vehicles/Both.txt":                          []byte("from pack"),
		"Vehicles/Two.txt":                           []byte("from pack"),
	})
	pack(t, filepath.Join(packs, "Resource.pak"), "18", "false", map[string][]byte{
		"a/Font.Gbx": gbxFile(0, nil), "b/Shader.txt": []byte("shader"),
	})
	list := &pak.Packlist{Salt: 5}
	if err := list.Set("ManiaPlanet", baseKey); err != nil {
		t.Fatal(err)
	}
	data, err := list.Append(nil, pak.TrackMania)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "ManiaPlanet/Packs/packlist.dat", data)

	write(t, root, "Common/PacksCache/broken.pak", []byte("NadeoPak\x63\x00\x00\x00"))
	pack(t, filepath.Join(root, "Common", "PacksCache", "Extra.Title.Pack.Gbx"), "18", "false", map[string][]byte{
		"Scripts/Extra.Script.txt": []byte("extra"), "vehicles/TWO.txt": []byte("from cache"),
	})

	layout, err := FindLayout(root)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Open(context.Background(), layout, formats, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

func TestDrives(t *testing.T) {
	g := madeUpGame(t)
	if len(g.Problems) != 1 || fault.KindOf(g.Problems[0]) != fault.UnsupportedVersion {
		t.Errorf("problems: %v", g.Problems)
	}
	for _, test := range []struct {
		name, content, origin string
		all                   int
	}{
		{"ManiaPlanet:gamedata/translations/EN.PO", "disk", "ManiaPlanet", 1},
		{"GameData/Vehicles/both.txt", "from disk", "ManiaPlanet", 3},
		{"GameData/Vehicles/two.txt", "from pack", "ManiaPlanet.pak", 3},
		{`GameData\Vehicles\Media\texture\paint.dds`, "texture from zip", "ManiaPlanet.zip", 1},
		{"GameData/Scripts/Extra.Script.txt", "extra", "Extra.Title.Pack.Gbx", 1},
		{"resource:B/shader.txt", "shader", "Resource.pak", 1},
		{"Temp:t.tmp", "", "Temp", 1},
	} {
		f, err := g.Find(test.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if filepath.Base(f.Origin.Path) != test.origin {
			t.Errorf("%s comes from %v", test.name, f.Origin)
		}
		if n := len(g.Drive(f.Drive).All(f.Path)); n != test.all {
			t.Errorf("%s: %d candidates, want %d", test.name, n, test.all)
		}
		got, err := fs.ReadFile(g.Drive(f.Drive), f.Path)
		if err != nil || string(got) != test.content {
			t.Errorf("%s: got = %q, err = %v; want no error, got = %q", test.name, got, err, test.content)
		}
	}
	for _, missing := range []string{"Nowhere:x", "nothing.txt", "Personal:GameData/Vehicles/Two.txt"} {
		if f, err := g.Find(missing); err == nil {
			t.Errorf("%s was found: %v", missing, f)
		}
	}
	if err := fstest.TestFS(g.Drive(ManiaPlanet), "GameData/Vehicles/Both.txt", "GameData/Vehicles/Media/Texture/Paint.dds"); err != nil {
		t.Error(err)
	}
}

func TestReferences(t *testing.T) {
	g := madeUpGame(t)
	car, err := g.Find("GameData/Vehicles/Car.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	refs, err := g.References(car)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		drive   DriveName
		path    string
		missing bool
	}{
		{ManiaPlanet, "GameData/Vehicles/Media/Material/Steel.Material.Gbx", false},
		{ManiaPlanet, "GameData/Translations/en.po", false},
		{ManiaPlanet, "GameData/vehicles/MEDIA/Missing.Gbx", true},
		{Resource, "a/Font.Gbx", false},
	}
	for i, w := range want {
		if r := refs[i]; r.Drive != w.drive || r.Path != w.path || r.Missing() != w.missing || r.Err != nil {
			t.Errorf("reference %d is %+v, want %+v", i, r, w)
		}
	}

	mine, err := g.Find("Personal:Maps/My.Map.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	if refs, err = g.References(mine); err != nil {
		t.Fatal(err)
	}
	if refs[0].File == nil || refs[0].Path != "Maps/Other.Gbx" {
		t.Errorf("neighbour: %+v", refs[0])
	}
	for _, i := range []int{1, 2} { // out of the drive, into another
		if !errors.Is(refs[i].Err, fault.Unsafe) || refs[i].File != nil {
			t.Errorf("reference %d across drives: %+v", i, refs[i])
		}
	}
	if refs[3].File == nil || refs[3].Path != "b/Shader.txt" || refs[3].Drive != Resource {
		t.Errorf("resource: %+v", refs[3])
	}
	if !refs[4].Missing() || refs[4].Path != "#99" {
		t.Errorf("resource beyond the list: %+v", refs[4])
	}
	other, _ := g.Find("Personal:Maps/Other.Gbx")
	if refs, err = g.References(other); err != nil || !errors.Is(refs[0].Err, fault.Unsafe) {
		t.Errorf("five levels up: %+v, %v", refs, err)
	}
}

// An entry beyond the limit is not unpacked for its references either.
func TestReferencesLimit(t *testing.T) {
	root := t.TempDir()
	write(t, root, "GameData/x.txt", nil)
	write(t, root, "Packs/x.txt", nil)
	pack(t, filepath.Join(root, "Packs", "Some.pak"), "18", "false", map[string][]byte{"Car.Gbx": gbxFile(0, nil, file(0, "x"))})
	g, err := Open(context.Background(), Layout{ManiaPlanet: root}, formats, archive.Options{MaxEntrySize: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	car, err := g.Find("GameData/Car.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.References(car); !errors.Is(err, fault.Limit) {
		t.Errorf("err = %v; want err matching fault.Limit", err)
	}
}

func TestDependencies(t *testing.T) {
	g := madeUpGame(t)
	car, err := g.Find("GameData/Vehicles/Car.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	g.Dependencies(car).Walk(func(d *Dependency, depth int) {
		line := strings.Repeat("  ", depth) + string(d.Drive) + ":" + d.Path
		if d.Missing() {
			line += " missing"
		}
		if d.Repeated {
			line += " again"
		}
		if d.Problem != nil {
			line += " " + d.Problem.Error()
		}
		got = append(got, line)
	})
	want := []string{
		"ManiaPlanet:GameData/Vehicles/Car.Gbx",
		"  ManiaPlanet:GameData/Vehicles/Media/Material/Steel.Material.Gbx",
		"    ManiaPlanet:GameData/Vehicles/Media/Texture/Paint.dds",
		"    ManiaPlanet:GameData/Vehicles/Car.Gbx again",
		"  ManiaPlanet:GameData/Translations/en.po",
		"  ManiaPlanet:GameData/vehicles/MEDIA/Missing.Gbx missing",
		"  Resource:a/Font.Gbx",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
