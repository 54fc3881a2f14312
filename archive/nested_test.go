package archive_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/archive/ziparchive"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
	"pakbox/metin2/eterpack"
)

// zipOf is a zip with one file.
func zipOf(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	return zipOfItems(t, archivetest.Item(name, content))
}

func zipOfItems(t *testing.T, items ...archive.Item) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.zip")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (ziparchive.Format{}).Create(t.Context(), stage, items, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A path may lead through 16 archives in one another and no more.
func TestNestedTooDeep(t *testing.T) {
	content, inner := []byte("text"), "a.txt"
	path := filepath.Join(t.TempDir(), "outer.zip")
	for depth := range 18 {
		content = zipOf(t, strings.Split(inner, "/")[0], content)
		write(t, path, string(content))
		p, err := registry.Locate(t.Context(), path+"/"+inner, archive.Options{})
		if depth <= 16 {
			if err != nil {
				t.Fatalf("%d archives: %v", depth, err)
			}
			if text, err := p.Archive.Open("a.txt"); err != nil {
				t.Error(err)
			} else {
				text.Close()
			}
			p.Close()
		} else if !errors.Is(err, fault.Limit) {
			t.Errorf("%d archives: %v", depth, err)
		}
		inner = "in.zip/" + inner
	}
}

// The second file of a pair is found beside the first one, inside an archive too.
func TestPairInside(t *testing.T) {
	var items []archive.Item
	for name, from := range map[string]string{"dir/A.eix": "hello.eix", "dir/a.EPK": "hello.epk"} {
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join("..", "samples", from))
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, archivetest.Item(name, content))
		})
	}
	path := filepath.Join(t.TempDir(), "outer.zip")
	write(t, path, string(zipOfItems(t, items...)))
	p, err := append(registry, eterpack.Format{}).Enter(t.Context(), path+"/dir/A.eix", archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if text, err := fs.ReadFile(p.Archive, "readme.txt"); err != nil || len(text) == 0 {
		t.Errorf("text = %q, err = %v; want no error, text not empty", text, err)
	}
}

// Errors in nested archives have the full path.
func TestEnterFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "outer.zip")
	write(t, path, string(zipOf(t, "sub/note.txt", []byte("text"))))
	for inner, want := range map[string]fault.Kind{
		"sub/none": fault.NotFound, "none/x": fault.NotFound, "sub/note.txt": fault.NotFormat, "sub/note.txt/x": fault.NotFormat,
	} {
		_, err := registry.Enter(t.Context(), path+"/"+inner, archive.Options{})
		if fault.KindOf(err) != want || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: err = %v; want err of kind %v, err with %q", inner, err, want, path)
		}
	}
	p, err := registry.Enter(t.Context(), path+"/sub", archive.Options{})
	if err != nil || p.Inner != "sub" || p.Format() != "zip" {
		t.Fatalf("a folder inside: %+v, %v", p, err)
	}
	p.Close()
	if _, err := registry.Enter(t.Context(), filepath.Join(filepath.Dir(path), "none", "x"), archive.Options{}); !errors.Is(err, fault.NotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := (archive.Registry{ziparchive.Format{}}).Enter(t.Context(), filepath.Dir(path), archive.Options{}); !errors.Is(err, vfs.ErrIsDir) {
		t.Errorf("a folder, to a program that knows none: %v", err)
	}
}

// Renames that touch one another are done one after the other, as they stand.
func TestPlanRenamesInOrder(t *testing.T) {
	mv := func(from, to string) archive.Edit { return archive.Edit{Rename: &archive.Rename{From: from, To: to}} }
	for _, test := range []struct {
		what  string
		edits []archive.Edit
		want  string // "" if it cannot be done
	}{
		{"apart", []archive.Edit{mv("a", "x"), mv("dir/b", "y")}, "x y dir/c e"},
		{"into a place that was left", []archive.Edit{mv("a", "x"), mv("e", "a")}, "x dir/b dir/c a"},
		{"twice", []archive.Edit{mv("a", "x"), mv("x", "y")}, "y dir/b dir/c e"},
		{"the same again", []archive.Edit{mv("a", "x"), mv("a", "y")}, ""},
		{"a folder, then in it", []archive.Edit{mv("dir", "new"), mv("new/b", "b")}, "a b new/c e"},
		{"out of a folder, then it", []archive.Edit{mv("dir/b", "b"), mv("dir", "new")}, "a b new/c e"},
		{"a folder, then out of where it was", []archive.Edit{mv("dir", "new"), mv("dir/b", "b")}, ""},
		{"into a folder, then it", []archive.Edit{mv("a", "dir/a"), mv("dir", "new")}, "new/a new/b new/c e"},
		{"round about", []archive.Edit{mv("a", "t"), mv("e", "a"), mv("t", "e")}, "e dir/b dir/c a"},
	} {
		after, err := archive.Plan(newMemory(false, "a", "", "dir/b", "", "dir/c", "", "e", "").Tree, test.edits, false)
		var names []string
		for _, e := range after {
			names = append(names, e.Name)
		}
		if got := strings.Join(names, " "); got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s: %q, %v; want %q", test.what, got, err, test.want)
		}
	}
}
