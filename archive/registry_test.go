package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/ziparchive"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// named is a format that is known by its name, extensions and keys only.
type named struct {
	name string
	exts []string
	keys []archive.KeyKind
}

func (f named) Name() string                { return f.name }
func (named) Description() string           { return "" }
func (f named) Extensions() []string        { return f.exts }
func (named) Match(archive.Input) bool      { return false }
func (f named) KeyKinds() []archive.KeyKind { return f.keys }
func (named) Open(context.Context, archive.Input, archive.Options) (archive.Archive, error) {
	return nil, errors.New("not to be opened")
}

// readForeign reads keys that stand in a file of another program.
func readForeign(data []byte) (archive.Keys, error) {
	switch string(data) {
	case "packlist":
		return archive.Keys{"a": "1"}, nil
	case "broken packlist":
		return nil, fault.New(fault.Key, "broken")
	}
	return nil, nil
}

func TestRegistryFindsFormats(t *testing.T) {
	r := archive.Registry{
		named{name: "nadeopak", exts: []string{".pak", ".pack.gbx"}}, named{name: "gbx", exts: []string{".gbx"}},
		named{name: "simutrans", exts: []string{".pak"}}, named{name: "folder", exts: []string{""}},
	}
	for path, want := range map[string]string{
		"x/A.Pack.Gbx": "nadeopak", "a.Map.Gbx": "gbx", "a.PAK": "nadeopak simutrans", "a.txt": "", "pak": "",
	} {
		var names []string
		for _, f := range r.ByPath(path) {
			names = append(names, f.Name())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s may be %q, want %q", path, got, want)
		}
	}
	if f, ok := r.ByName("gbx"); !ok || f.Name() != "gbx" {
		t.Errorf(`f = %v, ok = %v; want ok = true, f.Name() = "gbx"`, f, ok)
	}
	if _, ok := r.ByName("zip"); ok {
		t.Error("a format that is not there was found")
	}
}

func keyOf(name, want, good string) archive.KeyKind {
	return archive.KeyKind{Name: name, Want: want, Kind: func(value string) string {
		if value == good {
			return want
		}
		return ""
	}}
}

// A name that no format knows is that of a file, whose key has another look.
func TestKeyKind(t *testing.T) {
	r := archive.Registry{
		named{keys: []archive.KeyKind{keyOf("pck", "hex", "5a")}}, folder.Format{},
		named{keys: []archive.KeyKind{keyOf("", "a word", "word"), keyOf("pck", "numbers", "1,2")}},
	}
	for _, test := range []struct{ name, value, kind, err string }{
		{"PCK", "5a", "hex", ""}, {"pck", "1,2", "numbers", ""}, {"game.pak", "word", "a word", ""},
		{"pck", "word", "", "pck: the value must be hex, or numbers"}, {"game.pak", "5a", "", "game.pak: the value must be a word"},
	} {
		kind, err := r.KeyKind(test.name, test.value)
		if kind != test.kind || (err == nil) != (test.err == "") || err != nil && (err.Error() != test.err || !errors.Is(err, fault.Key)) {
			t.Errorf(`test.name = %s test.value = %s: kind = %q, err = %v; want kind = %q, err is nil exactly if test.err is "", (no error or err = %v, err matching fault.Key)`, test.name, test.value, kind, err, test.kind, test.err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestRegistryReadsKeys(t *testing.T) {
	r := archive.Registry{folder.Format{}, named{keys: []archive.KeyKind{{Name: "a", Read: readForeign}}}}
	for data, want := range map[string]string{"packlist": "map[a:1]", "b 2": "map[b:2]", "": "map[]"} {
		keys, err := r.ReadKeys([]byte(data))
		if err != nil || fmt.Sprint(keys) != want || keys == nil {
			t.Errorf("%q: keys = %v, err = %v; want no error, fmt.Sprint(keys) = %v, keys other than nil", data, keys, err, want)
		}
	}
	if _, err := r.ReadKeys([]byte("broken packlist")); !errors.Is(err, fault.Key) {
		t.Errorf("err = %v; want err matching fault.Key", err)
	}
}

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "A.eix"), "index")
	write(t, filepath.Join(dir, "A.EPK"), "data")
	write(t, filepath.Join(dir, "b.epk"), "exact")
	write(t, filepath.Join(dir, "B.epk"), "other")
	in, closer, err := archive.OpenFile(filepath.Join(dir, "A.eix"))
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	if in.Name != "A.eix" || in.Size != 5 || string(in.Prefix(3)) != "ind" || string(in.Prefix(10)) != "index" {
		t.Errorf(`in = %+v, in.Prefix(10) = %q; want in.Name = "A.eix", in.Size = 5, in.Prefix(3) = "ind", in.Prefix(10) = "index"`, in, in.Prefix(10))
	}
	for name, want := range map[string]string{"a.epk": "A.EPK", "b.epk": "b.epk", "B.epk": "B.epk"} {
		sibling, closer, err := in.Sibling(name)
		if err != nil || sibling.Name != want {
			t.Errorf("beside it is %s: %q, %v", name, sibling.Name, err)
			continue
		}
		closer.Close()
	}
	if _, _, err := in.Sibling("c.epk"); !errors.Is(err, fault.NotFound) {
		t.Errorf("a sibling that is not there: %v", err)
	}
	if _, _, err := archive.OpenFile(dir); !errors.Is(err, vfs.ErrIsDir) {
		t.Errorf("a folder: %v", err)
	}
	if _, _, err := archive.OpenFile(os.DevNull); fault.KindOf(err) != fault.Access || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("a device: %v", err)
	}
}

func TestPointerIsRefused(t *testing.T) {
	text := []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
	in := archive.Input{ReaderAt: bytes.NewReader(text), Size: int64(len(text)), Name: "x.zip"}
	if _, err := registry.Open(t.Context(), in, archive.Options{}); !errors.Is(err, fault.Pointer) || !strings.Contains(err.Error(), "x.zip") {
		t.Errorf(`err = %v; want err matching fault.Pointer, err with "x.zip"`, err)
	}
	if _, err := (archive.Registry{ziparchive.Format{}}).Open(t.Context(), archive.Input{ReaderAt: bytes.NewReader(nil), Name: "x.zip"}, archive.Options{}); err == nil || err.Error() != "x.zip: magic at 0x0: the file is empty" {
		t.Errorf(`err = %v; want an error, err = "x.zip: magic at 0x0: the file is empty"`, err)
	}
}
