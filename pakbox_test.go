package pakbox_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox"
	"pakbox/archive"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/testkit/corpus"
)

var ctx = context.Background()

// The README's ten lines.
func Example() {
	a, err := pakbox.Open(context.Background(), "samples/hello.vpk", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	for _, e := range a.Entries() {
		fmt.Println(e.Name, e.Size)
	}
	text, err := fs.ReadFile(a, "readme.txt")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.28s\n", text)
	// Output:
	// empty.txt 0
	// locale/en/item_names.txt 1262
	// readme.txt 123
	// d:/ymir work/item/sword.txt 55
	// You have just extracted a 42
}

// Create makes what 'pakbox create' makes: clients find ymir work under its stored name.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	made, err := pakbox.Create(context.Background(), filepath.Join(dir, "hello.vpk"), []string{"samples/hello"}, pakbox.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range made.Items {
		fmt.Println(item.Name)
	}
	// Output:
	// empty.txt
	// locale/en/item_names.txt
	// readme.txt
	// d:/ymir work/item/sword.txt
}

func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	a, err := pakbox.Open(ctx, path, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	m := map[string]string{}
	for i, e := range a.Entries() {
		f, err := a.OpenEntry(i)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		m[a.Root().Path(e.Name)] = string(b)
	}
	return m
}

func TestTheSampleIsWhatItSays(t *testing.T) {
	want := contents(t, filepath.Join("samples", "hello"))
	got := contents(t, filepath.Join("samples", "hello.vpk"))
	if !maps.Equal(got, want) {
		t.Errorf("samples/hello.vpk holds %v", slices.Sorted(maps.Keys(got)))
	}
}

// target is one thing to convert to.
type target struct {
	file   string
	format string
	params map[string]string
}

var targets = []target{
	{"a.vpk", "vpk42", nil},
	{"b.vpk", "vpk42", map[string]string{"vpk-version": "2", "algorithm": "zstd"}},
	{"c.vpk", "vpk42", map[string]string{"vpk-version": "2", "algorithm": "brotli", "mangle": "true"}},
	{"d.eix", "eterpack", nil},
	{"e.eix", "eterpack", map[string]string{"eterpack-type": "2", "eterpack-codec": "lz4"}},
	{"f.zip", "zip", nil},
	{"g", "folder", nil},
}

func convert(t *testing.T, from, dir string, to target) string {
	t.Helper()
	src, err := pakbox.Open(ctx, from, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	format, ok := pakbox.Formats().ByName(to.format)
	if !ok {
		t.Fatalf("no format %s", to.format)
	}
	path := filepath.Join(dir, to.file)
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	opts := archive.CreateOptions{Params: to.params}
	items := archive.Items(src)
	names := opts.Names(format)
	for i := range items {
		if items[i].Name = names.OfEntry(src.Root(), items[i].Name); src.Format() == "folder" {
			items[i].Name = names.OfFile(items[i].Name)
		}
	}
	if err := format.(archive.Creator).Create(ctx, stage, items, opts); err != nil {
		t.Fatalf("%s to %s: %v", from, to.file, err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	return path
}

func storedNames(t *testing.T, path string) (names []string) {
	a, err := pakbox.Open(ctx, path, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, e := range a.Entries() {
		names = append(names, e.Name)
	}
	return names
}

// withoutDrive returns names without Metin2's drive, which zips leave out.
func withoutDrive(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.TrimPrefix(name, "d:/")
	}
	return out
}

// Every format converts to every other and back, with names and contents kept.
func TestConvertEveryWay(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"readme.txt":                     strings.Repeat("compressible text, ", 300),
		"ymir work/item/sword_01.gr2":    string(bytes.Repeat([]byte{0, 1, 2, 3}, 999)),
		"ymir work/with space/a.dds":     "x",
		"empty.txt":                      "",
		"noise.bin":                      noise(5000),
		"locale/de/straße.txt":           "grüße",
		"deep/er/and/deeper/still/f.bin": noise(70000),
	}
	source := filepath.Join(dir, "source")
	for name, content := range files {
		path := filepath.Join(source, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range targets {
		first := convert(t, source, t.TempDir(), from)
		for _, to := range targets {
			out := convert(t, first, t.TempDir(), to)
			if to.format != "folder" { // names stay, also of a root that the format does not know
				if a, b := storedNames(t, first), storedNames(t, out); from.format != "folder" && !slices.Equal(withoutDrive(a), withoutDrive(b)) {
					t.Errorf("%v to %v: %v became %v", from, to, a, b)
				}
				out = convert(t, out, t.TempDir(), target{"folder", "folder", nil})
			}
			got := map[string]string{}
			for name, content := range contents(t, out) {
				got[strings.NewReplacer("ymir work_/", "ymir work/", "d:/", "").Replace(name)] = content
			}
			if !maps.Equal(got, files) {
				t.Errorf("%v to %v: got %v", from, to, slices.Sorted(maps.Keys(got)))
			}
		}
	}
}

// noise is content that no codec can compress, the same on every run.
func noise(n int) string {
	b := make([]byte, n)
	x := uint64(n)
	for i := range b {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x >> 56)
	}
	return string(b)
}

// Every format's archives are file systems, verify clean, and give the same
// bytes for the same input.
func TestEveryFormatMeetsTheContract(t *testing.T) {
	for _, to := range targets {
		path := convert(t, filepath.Join("samples", "hello"), t.TempDir(), to)
		a, err := pakbox.Open(ctx, path, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range a.Entries() {
			names = append(names, e.Name)
		}
		if len(names) != 4 {
			t.Errorf("%v: entries %v", to, names)
		}
		if err := fstest.TestFS(a, names...); err != nil {
			t.Errorf("%v: %v", to, err)
		}
		report, err := a.Verify(ctx, archive.Options{})
		if err != nil || len(report.Findings) != 0 || report.Entries != 4 {
			t.Errorf("%v: report = %+v, err = %v; want no error, empty report.Findings, report.Entries = 4", to, report, err)
		}
		if _, ok := a.Archive.(archive.Editor); !ok {
			t.Errorf("%v cannot be edited", to)
		}
		a.Close()
	}
}

// names lists the entries of an archive, in stored order.
func names(t *testing.T, path string) (list []string) {
	t.Helper()
	a, err := pakbox.Open(ctx, path, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, e := range a.Entries() {
		list = append(list, e.Name)
	}
	return list
}

// Every name of the real packs goes from format to format, and through a folder
// and back, byte for byte, and diff finds nothing.
func TestNamesOfRealPacksSurvive(t *testing.T) {
	var files []string
	for _, pattern := range [][]string{{"eterpack", "*.eix"}, {"eterpack-hard", "0[1-8]*.eix"}, {"eterpack-hard", "*.pck"}, {"vpk42", "original", "*.vpk"}, {"vpk42", "v2", "*.vpk"}} {
		dir := corpus.Dir(t, pattern[0])
		files = append(files, corpus.Files(t, append([]string{dir}, pattern[1:]...)...)...)
	}
	tried := 0
	for _, file := range files {
		if a, err := pakbox.Open(ctx, file, archive.Options{}); err != nil {
			continue // a passphrase, which others are about
		} else if a.Close(); len(names(t, file)) > 0 && packable(names(t, file)) {
			tried++
			chain := []target{{"1.vpk", "vpk42", nil}, {"2.vpk", "vpk42", map[string]string{"vpk-version": "2"}}, {"3.eix", "eterpack", nil}, {"4.pck", "pck", nil}, {"5", "folder", nil}, {"6.eix", "eterpack", nil}}
			at := file
			for _, to := range chain {
				at = convert(t, at, t.TempDir(), to)
				if got, want := names(t, at), names(t, file); to.format != "folder" && !sameNames(got, want) {
					t.Errorf("%s to %s: %q, was %q", filepath.Base(file), to.file, got, want)
				}
			}
			checkSame(t, file, at)
		}
	}
	if tried < 20 {
		t.Errorf("only %d packs of %d could be tried", tried, len(files))
	}
}

// packable reports whether all names can be in each of the formats: an EterPack
// has only short ones, in lower case.
func packable(list []string) bool {
	for _, name := range list {
		if len(name) > 120 || name != strings.ToLower(name) || pathname.Check(strings.TrimPrefix(name, "d:/")) != nil || strings.ContainsFunc(name, func(r rune) bool { return r >= 0x250 && r < 0xac00 }) {
			return false
		}
	}
	return true
}

// sameNames compares without regard to order, which a folder does not keep.
func sameNames(x, y []string) bool {
	x, y = slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	return slices.Equal(x, slices.Compact(y))
}

func checkSame(t *testing.T, x, y string) {
	t.Helper()
	a, err := pakbox.Open(ctx, x, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := pakbox.Open(ctx, y, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	changes, err := archive.Compare(ctx, a, b, archive.Options{})
	if err != nil || len(changes) > 0 {
		t.Errorf("%s: changes = %v, err = %v; want no error, len(changes) at most 0", filepath.Base(x), changes, err)
	}
}
