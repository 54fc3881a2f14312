package archive_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pakbox/archive"
	"pakbox/fault"
)

func TestExtractStaysInside(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "target")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a := newMemory(false, "good/a", "A", "../evil1", "x", "/evil2", "x", "link/evil3", "x", "c:/../../evil4", "x", "z", "Z")
	err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{})
	if !errors.Is(err, fault.Unsafe) {
		t.Errorf("error = %v", err)
	}
	names, _ := os.ReadDir(outside)
	if len(names) != 1 {
		t.Errorf("extraction left the folder: %v", names)
	}
	for name, want := range map[string]string{"good/a": "A", "z": "Z"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v: a bad neighbour must not stop it", name, got, err)
		}
	}
}

func TestExtractKeepsWhatExists(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	os.WriteFile(path, []byte("old"), 0o666)
	a := newMemory(false, "a", "new")
	ctx := context.Background()
	if err := archive.Extract(ctx, a, dir, archive.ExtractOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error = %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("overwritten without being asked: %q", got)
	}
	if err := archive.Extract(ctx, a, dir, archive.ExtractOptions{Overwrite: true}); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("not overwritten: %q", got)
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

// Where entries need one place, the same one has it each time, whatever may be
// overwritten, and the other is not lost without a word.
func TestExtractClashes(t *testing.T) {
	a := newMemory(false, "a", "file", "a/b", "in the folder", "d:/ymir work/x", "first", "d_ymir_work/x", "second")
	for range 20 {
		dir := t.TempDir()
		err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{Overwrite: true})
		if !errors.Is(err, fault.DuplicateName) || strings.Count(err.Error(), "\n") != 0 {
			t.Fatalf("want one failure, got %v", err)
		}
		for name, want := range map[string]string{"a/b": "in the folder", "d_ymir_work/x": "first", "d_ymir_work_/x": "second"} {
			if got := read(t, filepath.Join(dir, name)); got != want {
				t.Fatalf("%s holds %q, want %q", name, got, want)
			}
		}
	}
}

func TestExtractSelectsAndStrips(t *testing.T) {
	dir := t.TempDir()
	a := newMemory(false, "a/b/1", "one", "a/2", "two", "3", "three", "d:/ymir work/4", "four")
	var seen []string
	err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{
		Strip:     "a",
		Select:    func(name string) bool { return name != "a/2" },
		Extracted: func(e archive.Entry, name string) { seen = append(seen, e.Name+" "+name) },
	})
	if err != nil || !slices.Equal(seen, []string{"a/b/1 b/1"}) {
		t.Errorf(`seen = %v, err = %v; want no error, seen equal to []string{"a/b/1 b/1"}`, seen, err)
	}
	err = archive.Extract(context.Background(), a, dir, archive.ExtractOptions{})
	if got, _ := os.ReadFile(filepath.Join(dir, "d_ymir_work", "4")); err != nil || string(got) != "four" {
		t.Errorf("drive name: %q, %v", got, err)
	}
	err = archive.Extract(context.Background(), a, t.TempDir(), archive.ExtractOptions{RootFolder: "top/", Extracted: func(_ archive.Entry, name string) { seen = append(seen, name) }})
	if err != nil || seen[len(seen)-1] != "top/4" {
		t.Errorf(`seen = %v, err = %v; want no error, seen[len(seen)-1] = "top/4"`, seen, err)
	}
}

// failing delivers some bytes and then an error.
type failing struct{ n int }

func (f *failing) Read(p []byte) (int, error) {
	if f.n == 0 {
		return 0, fault.New(fault.HashMismatch, "broken")
	}
	n := min(len(p), f.n)
	f.n -= n
	return n, nil
}

func (*failing) Close() error { return nil }

func TestExtractRemovesWhatFailed(t *testing.T) {
	dir := t.TempDir()
	a := memory{archive.NewTree([]archive.Entry{{Name: "x", Size: 1 << 20}}, false,
		func(int) (io.ReadCloser, error) { return &failing{1000}, nil })}
	err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{})
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != fault.HashMismatch || e.Entry != "x" {
		t.Errorf("error = %v", err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// The certain beginning of an entry is kept, under a
// name that marks it as partial and that replaces no file.
func TestExtractKeepsTheCertainBeginning(t *testing.T) {
	unknown := fault.New(fault.UnknownClass, "unknown from here on")
	a := memory{archive.NewTree([]archive.Entry{{Name: "sub/x", Size: 100}, {Name: "y", Size: 100}}, false,
		func(i int) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader([]string{"certain", ""}[i]), iotest.ErrReader(unknown))), nil
		})}
	dir := t.TempDir()
	for range 2 {
		if err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{}); !errors.Is(err, fault.UnknownClass) {
			t.Errorf("error = %v", err)
		}
		part := filepath.Join(dir, "sub", "x.part")
		if data, err := os.ReadFile(part); err != nil || string(data) != "certain" && string(data) != "mine" {
			t.Errorf(`data = %q, err = %v; want no error, (data = "certain" or data = "mine")`, data, err)
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
			t.Errorf("left behind: %v", names)
		}
		if err := os.WriteFile(part, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
