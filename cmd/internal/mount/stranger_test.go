package mount_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pakbox/cmd/internal/mount"
	"pakbox/fault"
)

// A folder for changes from another user must not be used: a link in it would redirect the
// changes, and the removal of old ones, into another folder.
func TestFolderOfStrangers(t *testing.T) {
	for name, bring := range map[string]func(docs, dir string) error{
		"link to a folder": func(docs, dir string) error { return os.Symlink(docs, dir) },
		"open to others":   func(_, dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o755)) },
		"log is a link": func(docs, dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Symlink(filepath.Join(docs, "f1"), filepath.Join(dir, "changes")))
		},
		"log has another name": func(docs, dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Link(filepath.Join(docs, "f1"), filepath.Join(dir, "changes")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			docs := t.TempDir()
			file := writeFile(t, zipOf(t, "a", "alpha"))
			for _, name := range []string{"f1", "f2"} {
				if err := os.WriteFile(filepath.Join(docs, name), []byte("precious"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := bring(docs, mount.KeptAt(file)); err != nil {
				t.Fatal(err)
			}
			if tree, err := tryTree(t, file); !errors.Is(err, fault.Unsafe) {
				t.Errorf("mounted: %v, %v", tree != nil, err)
			}
			if err := mount.Discard(file); !errors.Is(err, fault.Unsafe) {
				t.Errorf("Discard() = %v", err)
			}
			for _, name := range []string{"f1", "f2"} {
				if data, err := os.ReadFile(filepath.Join(docs, name)); err != nil || string(data) != "precious" {
					t.Errorf(`%s: data = %q, err = %v; want no error, data = "precious"`, name, data, err)
				}
			}
		})
	}
}

// Files in the folder for changes that are links must not be written through, and files
// that pakbox did not make must stay.
func TestFilesOfStrangers(t *testing.T) {
	docs := t.TempDir()
	precious := filepath.Join(docs, "precious")
	file := writeFile(t, zipOf(t, "a", "alpha"))
	dir := mount.KeptAt(file)
	if err := errors.Join(os.WriteFile(precious, []byte("precious"), 0o666), os.Mkdir(dir, 0o700), os.Symlink(precious, filepath.Join(dir, "0.open")),
		os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("dear"), 0o666)); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, file, mount.Options{Write: true})
	if err := put(t, tree, "b", "bee", create); !errors.Is(err, fault.Unsafe) {
		t.Errorf("a file is written beside a link: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "0.open")), put(t, tree, "b", "bee", create)); err != nil {
		t.Fatal(err)
	}
	if n, err := tree.End(t.Context()); n != 1 || err != nil {
		t.Errorf("End() = %d, %v", n, err)
	}
	if data, err := os.ReadFile(precious); err != nil || string(data) != "precious" {
		t.Errorf(`data = %q, err = %v; want no error, data = "precious"`, data, err)
	}
	if got := inFolder(t, dir); got != "letter.txt" {
		t.Errorf("the folder holds %s", got)
	}
}

// Changes must not be saved into an archive that another program has changed meanwhile.
func TestChangedMeanwhile(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha"))
	tree := openTree(t, file, mount.Options{Write: true})
	if err := put(t, tree, "b", "bee", create); err != nil {
		t.Fatal(err)
	}
	theirs := zipOf(t, "a", "theirs, which is longer")
	if err := errors.Join(os.WriteFile(file+"2", theirs, 0o666), os.Rename(file+"2", file)); err != nil {
		t.Fatal(err)
	}
	if n, err := tree.End(t.Context()); n != 0 || !errors.Is(err, fault.Access) {
		t.Errorf("End() = %d, %v", n, err)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != string(theirs) {
		t.Errorf("the archive was changed: %v", err)
	}
	if got := inFolder(t, mount.KeptAt(file)); got != "0 changes" {
		t.Errorf("the folder of changes holds %s", got)
	}
}
