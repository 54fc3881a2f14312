package makeobj_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/makeobj"
	"pakbox/simutrans/node"
)

// sources writes two sources and their picture, of cells of 32 and 64 pixels.
func sources(t *testing.T, dir string) {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 128, 128))
	draw.Draw(m, image.Rect(5, 6, 60, 60), image.NewUniform(color.NRGBA{80, 120, 40, 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(64, 0, 120, 20), image.NewUniform(color.NRGBA{180, 20, 40, 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "sheet.png"), b.String())
	writeFile(t, filepath.Join(dir, "a.dat"), "obj=symbol\nname=A\nimage[0]=sheet.0.1\n")
	writeFile(t, filepath.Join(dir, "b.dat"), "obj=symbol\nname=B\nimage[0]=sheet.0.0\n")
}

// files are the contents of the .pak files of a folder, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.pak"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = string(data)
	}
	return all
}

// Command lines that write: the files are those that makeobj writes.
func TestCommandsWriteWhatMakeobjWrites(t *testing.T) {
	program := peer.Makeobj(t)
	old := filepath.Join(t.TempDir(), "old.pak") // of code 1001; a copy, in case something goes wrong
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "simutrans"), "pak", "portal__test-48.pak"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, old, string(data))
	for _, args := range [][]string{
		{"PAK"}, {"pak32"}, {"PAK", "./"}, {"PAK128", "all.pak", "b.dat"}, {"PAK64", "all.pak", "a.dat"}, {"PAK", "all.pak", "b.dat", "a.dat"},
		{"MERGE", "all.pak", old}, {"MERGE", "all.pak", old, "x.pak"}, {"EXTRACT", "x.pak"}, {"EXTRACT", old},
	} {
		var dirs [2]string
		for i := range dirs {
			dirs[i] = t.TempDir()
			sources(t, dirs[i])
			object(t, filepath.Join(dirs[i], "x.pak"), node.MISC, "A", "B")
		}
		theirs := exec.Command(program, append([]string{"QUIET"}, args...)...)
		theirs.Dir = dirs[0]
		if out, err := theirs.CombinedOutput(); err != nil {
			t.Errorf("makeobj %v: %v %s", args, err, out)
			continue
		}
		t.Chdir(dirs[1])
		if _, stderr, code := run(append([]string{"quiet"}, args...)...); code != 0 || stderr != "" {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
		want, got := files(t, dirs[0]), files(t, dirs[1])
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%v: %s is not makeobj's", args, name)
			}
		}
		if len(got) != len(want) || len(got) < 2 {
			t.Errorf("%v writes %d files, makeobj %d", args, len(got), len(want))
		}
	}
}

// The progress messages; with QUIET only problems are printed.
func TestQuiet(t *testing.T) {
	dir := t.TempDir()
	sources(t, dir)
	writeFile(t, filepath.Join(dir, "c.dat"), "obj=symbol\nname=C\nimage[0]=sheet.0.0\nnonsense=1\n")
	t.Chdir(dir)
	_, loud, code := run("VERBOSE", "PAK", "out/", "a.dat", "c.dat")
	if code != 0 || !strings.Contains(loud, "   packing symbol.A\n   packing symbol.C\n") || !strings.Contains(loud, "c.dat:4: ") {
		t.Errorf("code = %d loud = %s; want code = 0, loud with \" packing symbol.A\\n packing symbol.C\\n\", loud with \"c.dat:4: \"", code, loud)
	}
	if _, quiet, code := run("QUIET", "PAK", "out/", "a.dat", "c.dat"); code != 0 || quiet != "" {
		t.Errorf(`code = %d quiet = %s; want code = 0, quiet = ""`, code, quiet)
	}
}

// EXPAND writes sources that mean the same, or nothing if one is wrong.
func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "a.dat", "obj=symbol\nname=A\nimage[0-1]=sheet.0.<$0>\n")
	writeFile(t, "b.dat", "obj=symbol\nname=B\n")
	if _, stderr, code := run("EXPAND", "all.dat", "a.dat", "b.dat"); code != 0 {
		t.Fatalf("stderr = %v; want code = 0", stderr)
	}
	text, err := os.ReadFile("all.dat")
	if err != nil || !strings.Contains(string(text), "image[1]=sheet.0.1") || strings.Count(strings.ToLower(string(text)), "obj=symbol") != 2 {
		t.Errorf("err = %v\ntext = %s; want no error, text with \"image[1]=sheet.0.1\", strings.Count(strings.ToLower(string(text)), \"obj=symbol\") = 2", err, text)
	}
	writeFile(t, "c.dat", "obj=symbol\nname=C\nimage[0]=<1/0>\nno line\n")
	for _, source := range []string{"missing.dat", "c.dat"} {
		_, stderr, code := run("EXPAND", "other.dat", "a.dat", source)
		if _, err := os.Stat("other.dat"); code != 1 || err == nil || !strings.Contains(stderr, source) {
			t.Errorf("%s: exit code %d, %v, %s", source, code, err, stderr)
		}
	}
	if _, _, code := run("EXPAND", "other.dat"); code != 3 {
		t.Errorf("nothing to expand: exit code %d", code)
	}
}

// Callers can distinguish unreadable and unwritable files from mistakes in sources,
// and a file that is wrong does not keep the others from their turn.
func TestFailure(t *testing.T) {
	t.Chdir(t.TempDir())
	object(t, "good.pak", node.MISC, "A")
	object(t, "other.file", node.MISC, "B")
	writeFile(t, "bad.pak", "text")
	var out, errs bytes.Buffer
	f := &makeobj.Front{Stdout: &out, Stderr: &errs}
	if code := f.Run(context.Background(), []string{"LIST", "missing.pak", "bad.pak", "good.pak", "other.file"}); code != 1 || !errors.Is(f.Failure(), fs.ErrNotExist) {
		t.Errorf("exit code %d, %v", code, f.Failure())
	}
	if strings.Count(errs.String(), "ERROR: ") != 2 || strings.Count(out.String(), "Contents of file") != 2 {
		t.Errorf(`out.String() = %serrs.String() = %s; want strings.Count(errs.String(), "ERROR: ") = 2, strings.Count(out.String(), "Contents of file") = 2`, out.String(), errs.String())
	}
	full := errors.New("disk full")
	f = &makeobj.Front{Stdout: failing{full}, Stderr: &errs}
	if code := f.Run(context.Background(), []string{"LIST", "good.pak"}); code != 1 || !errors.Is(f.Failure(), full) {
		t.Errorf("exit code %d, %v", code, f.Failure())
	}
	if err := os.Mkdir("folder.pak", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"LIST", "folder.pak"}, {"MERGE", "all.pak", "folder.pak"}, {"MERGE", "none/all.pak", "good.pak"}, {"MERGE", "all.pak", "missing.pak"}} {
		f = &makeobj.Front{Stdout: &out, Stderr: &errs}
		if code := f.Run(context.Background(), args); code != 1 || f.Failure() == nil {
			t.Errorf("%v: exit code %d, %v", args, code, f.Failure())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f = &makeobj.Front{Stdout: &out, Stderr: &errs}
	if code := f.Run(ctx, []string{"LIST", "good.pak"}); code != 1 || !errors.Is(f.Failure(), context.Canceled) {
		t.Errorf("exit code %d, %v", code, f.Failure())
	}
	f = &makeobj.Front{Stdout: &out, Stderr: &errs, Dir: "into"}
	if err := os.Mkdir("into", 0o777); err != nil {
		t.Fatal(err)
	}
	if code := f.Run(context.Background(), []string{"EXTRACT", "good.pak"}); code != 0 || len(files(t, "into")) != 1 {
		t.Errorf("exit code %d, %v", code, files(t, "into"))
	}
}

type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }
