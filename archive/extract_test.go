package archive_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fault"
)

// stages lists what work has left in a folder under a temporary name.
func stages(t *testing.T, dir string) (left []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if strings.Contains(f.Name(), ".pakbox-") {
			left = append(left, f.Name())
		}
	}
	return left
}

func TestExtractTellsAndConverts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "for it")
	var seen progress
	var told []string
	err := archive.Extract(t.Context(), newMemory(false, "a.txt", "alpha", "b.dds", "beta", "sub/c.dds", "c"), dir, archive.ExtractOptions{
		Options: archive.Options{Progress: &seen, Workers: 1},
		Convert: func(name string) (string, func(io.Writer, io.Reader) error) {
			base, ok := strings.CutSuffix(name, ".dds")
			if !ok {
				return "", nil
			}
			return base + ".png", func(dst io.Writer, src io.Reader) error {
				b, err := io.ReadAll(src)
				io.WriteString(dst, strings.ToUpper(string(b)))
				return err
			}
		},
		Extracted: func(e archive.Entry, name string) { told = append(told, e.Name+">"+name) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.txt": "alpha", "b.png": "BETA", "sub/c.png": "C"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: got = %q, err = %v; want no error, got = %q", name, got, err, want)
		}
	}
	if got := strings.Join(told, " "); got != "a.txt>a.txt b.dds>b.png sub/c.dds>sub/c.png" {
		t.Errorf("extracted files = %s", got)
	}
	if seen.total != 10 || seen.done != 10 {
		t.Errorf("%d of %d bytes", seen.done, seen.total)
	}
}

// Files get the time that the archive has for them, and keep their own where it
// has none.
func TestExtractTimes(t *testing.T) {
	when := time.Date(2006, 5, 4, 3, 2, 1, 0, time.UTC)
	a := memory{archive.NewTree([]archive.Entry{{Name: "old", ModTime: when}, {Name: "new"}}, false, func(int) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("")), nil
	})}
	dir := t.TempDir()
	if err := archive.Extract(t.Context(), a, dir, archive.ExtractOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"old": true, "new": false} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.ModTime().Equal(when) != want {
			t.Errorf("%s: info = %v, err = %v; want no error, info.ModTime().Equal(when) = %v", name, info, err, want)
		}
	}
}

// A failure is reported with its entry, in stored order, and does not stop the others.
func TestExtractFailures(t *testing.T) {
	entries := []archive.Entry{{Name: "problem", Problem: fault.New(fault.BadEntry, "p")}, {Name: "closed"}, {Name: "blocked/x"}, {Name: "good"}, {Name: "breaks"}}
	a := memory{archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) {
		switch entries[i].Name {
		case "closed":
			return nil, fault.New(fault.Key, "k")
		case "breaks":
			return io.NopCloser(io.MultiReader(strings.NewReader("half"), breaking{})), nil
		}
		return io.NopCloser(strings.NewReader("x")), nil
	})}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "blocked"), "a file where a folder has to be")
	write(t, filepath.Join(dir, "breaks"), "old")
	err := archive.Extract(t.Context(), a, dir, archive.ExtractOptions{Overwrite: true})
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 4 || lines[0] != "problem: p" || lines[1] != "closed: k" || !strings.Contains(lines[2], "blocked") || lines[3] != "breaks: broken" {
		t.Errorf(`lines = %q; want lines of length 4, lines[0] = "problem: p", lines[1] = "closed: k", lines[2] with "blocked", lines[3] = "breaks: broken"`, lines)
	}
	for name, want := range map[string]string{"good": "x", "breaks": "old", "blocked": "a file where a folder has to be"} {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if left := stages(t, dir); left != nil {
		t.Errorf("left behind: %q", left)
	}
	if err := archive.Extract(t.Context(), a, filepath.Join(dir, "good"), archive.ExtractOptions{}); err == nil {
		t.Error("Extract into a file succeeded, want an error")
	}
}

type breaking struct{}

func (breaking) Read([]byte) (int, error) { return 0, fault.New(fault.Truncated, "broken") }

// Items of an archive are its files under their names; of two that are called
// the same, the one that is found.
func TestItems(t *testing.T) {
	items := archive.Items(newMemory(false, "a", "old", "b", "beta", "a", "new"))
	if len(items) != 2 || items[0].Name != "b" || items[1].Name != "a" || items[1].Size != 3 {
		t.Fatalf(`items = %+v; want items of length 2, items[0].Name = "b", items[1].Name = "a", items[1].Size = 3`, items)
	}
	rc, err := items[1].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	if b, err := io.ReadAll(rc); err != nil || string(b) != "new" {
		t.Errorf(`b = %q, err = %v; want no error, b = "new"`, b, err)
	}
}

// Errors of a stage name its path, never the temporary one, and a stage is done once.
func TestStageMistakes(t *testing.T) {
	dir := t.TempDir()
	stage, err := archive.NewStage(filepath.Join(dir, "none", "x"), false)
	if err == nil {
		_, err = stage.File()
	}
	var e *fault.Error
	if err = fault.System(err); !errors.As(err, &e) || e.Kind != fault.NotFound || e.Path != filepath.Join(dir, "none") {
		t.Errorf("a folder that is missing: %v", err)
	}
	path := filepath.Join(dir, "x")
	stage, err = archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if stage.Path() != path || stage.Named() != path {
		t.Errorf("stage.Path() = %s, stage.Named() = %s; want stage.Path() = %s, stage.Named() = %s", stage.Path(), stage.Named(), path, path)
	}
	if err := stage.Commit(); err == nil {
		t.Error("nothing was committed")
	}
	stage, err = archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	f, err := stage.File()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := stage.File(); again != f || err != nil {
		t.Errorf("another file: %v", err)
	}
	io.WriteString(f, "x")
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err == nil {
		t.Error("committed twice")
	}
	stage.Abort()
	if got, err := os.ReadFile(path); string(got) != "x" || err != nil {
		t.Errorf("aborted after it was committed: %q, %v", got, err)
	}
	if _, err := archive.NewStage(path, false); !errors.Is(err, fault.Exists) {
		t.Errorf("a path that exists: %v", err)
	}
	if left := stages(t, dir); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

// A file that could not be written to the disk is not put in its place.
func TestStageThatCannotFinish(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	write(t, path, "old")
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	f, err := stage.File()
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := stage.Commit(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("err = %v; want err matching os.ErrClosed", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" || stages(t, filepath.Dir(path)) != nil {
		t.Errorf(`got = %q, stages(t, filepath.Dir(path)) = %q; want got = "old", stages(t, filepath.Dir(path)) = nil`, got, stages(t, filepath.Dir(path)))
	}
}
