package makeobj_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

// The tests below are about the defects of makeobj, one each.

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// object returns a file with objects of a type and the given names.
func object(t *testing.T, path string, typ node.Type, names ...string) string {
	t.Helper()
	f := node.New()
	for _, name := range names {
		f.Root.Children = append(f.Root.Children, &node.Node{Type: typ, Children: []*node.Node{node.NewText(name), node.NewText("me")}})
	}
	data, err := f.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, path, string(data))
}

// 1: objects without a body end the list.
func TestDefect1ListShowsObjectsWithoutABody(t *testing.T) {
	path := object(t, filepath.Join(t.TempDir(), "a.pak"), node.MENU, "First", "Second", "Third")
	out, _, code := run("LIST", path)
	if code != 0 || strings.Count(out, "\nmenu ") != 3 || !strings.Contains(out, "Third") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// 2: a truncated file is read forever. 3: and gives exit code 0.
func TestDefects2And3BrokenFilesAreReported(t *testing.T) {
	files := corpus.Files(t, corpus.Dir(t, "simutrans"), "corrupt", "*.pak")
	files = append(files, filepath.Join(t.TempDir(), "missing.pak"))
	for _, command := range []string{"LIST", "DUMP"} {
		for _, path := range files {
			if out, stderr, code := run(command, path); code == 0 || out != "" || !strings.Contains(stderr, filepath.Base(path)) {
				t.Errorf("%s %s: exit code %d\n%s%s", command, path, code, out, stderr)
			}
		}
	}
}

// 3: a folder is promised and refused.
func TestDefect3ListReadsFolders(t *testing.T) {
	dir := t.TempDir()
	object(t, filepath.Join(dir, "a.pak"), node.MISC, "A")
	object(t, filepath.Join(dir, "b.pak"), node.MISC, "B")
	if out, stderr, code := run("LIST", dir+"/"); code != 0 || strings.Count(out, "Contents of file") != 2 {
		t.Errorf("exit code %d\n%s%s", code, out, stderr)
	}
}

// 4: a failed compile leaves a corrupt file.
func TestDefect4AFailedCompileLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	src := writeFile(t, filepath.Join(dir, "a.dat"), "obj=symbol\nname=a\nimage[0]=missing.0.0\n")
	for _, out := range []string{filepath.Join(dir, "lib.pak"), filepath.Join(dir, "out") + "/"} {
		if _, _, code := run("PAK", out, src); code == 0 {
			t.Error("a missing picture is not a problem")
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*.pak"))
	more, _ := filepath.Glob(filepath.Join(dir, "out", "*.pak"))
	if len(left)+len(more) != 0 {
		t.Errorf("left behind: %v %v", left, more)
	}
}

// 4: nor does it touch what was there.
func TestDefect4AFailedCompileKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	lib := object(t, filepath.Join(dir, "lib.pak"), node.MISC, "Old")
	before, _ := os.ReadFile(lib)
	run("PAK", lib, writeFile(t, filepath.Join(dir, "a.dat"), "obj=way\nname=a\n"))
	if after, _ := os.ReadFile(lib); !bytes.Equal(before, after) {
		t.Error("the old file changed")
	}
}

// 5: an unknown object or a missing source gives an empty file.
func TestDefect5UnknownObjectsAndMissingSourcesAreTold(t *testing.T) {
	dir := t.TempDir()
	lib := object(t, filepath.Join(dir, "lib.pak"), node.MISC, "Old")
	before, _ := os.ReadFile(lib)
	for _, src := range []string{
		filepath.Join(dir, "missing.dat"),
		writeFile(t, filepath.Join(dir, "a.dat"), "obj=vehikel\nname=a\n"),
	} {
		_, stderr, code := run("QUIET", "PAK", lib, src)
		if after, _ := os.ReadFile(lib); code != 0 || !bytes.Equal(before, after) || !strings.Contains(stderr, filepath.Base(src)) {
			t.Errorf("%s: exit code %d, %s", src, code, stderr)
		}
	}
}

// 6: makeobj's error names neither file nor line nor key, and is the last one only.
func TestDefect6AllErrorsWithTheirPlaces(t *testing.T) {
	dir := t.TempDir()
	a := writeFile(t, filepath.Join(dir, "a.dat"), "obj=way\nname=a\nwaytype=narrrowgauge_track\nimage[-]=-\n---\nobj=wai\nname=b\n")
	b := writeFile(t, filepath.Join(dir, "b.dat"), "obj=tunnel\nname=c\nwaytype=road\nfrontimage[n]=nope.0.0\n")
	_, stderr, code := run("PAK", filepath.Join(dir, "out")+"/", a, b)
	want := a + `:3: error: waytype: unknown way type "narrrowgauge_track" (did you mean narrowgauge_track?)
` + a + `:6: error: obj: unknown object type "wai" (did you mean way?)
` + b + `:4: error: frontimage[n]: picture nope.png not found
`
	if code != 1 || stderr != want {
		t.Errorf("exit code %d\n%swant\n%s", code, stderr, want)
	}
}

// 7: merging a file into itself deletes it first.
func TestDefect7AFileCanBeMergedIntoItself(t *testing.T) {
	dir := t.TempDir()
	lib := object(t, filepath.Join(dir, "lib.pak"), node.MISC, "Old")
	x := object(t, filepath.Join(dir, "x.pak"), node.MISC, "New")
	if _, stderr, code := run("MERGE", lib, lib, x); code != 0 {
		t.Errorf("stderr = %v; want code = 0", stderr)
	}
	if out, _, _ := run("LIST", lib); !strings.Contains(out, "Old") || !strings.Contains(out, "New") {
		t.Errorf(`out = %v; want out with "Old", out with "New"`, out)
	}
}

// A merge that fails leaves what was there, and nothing else.
func TestMergeIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	lib := object(t, filepath.Join(dir, "lib.pak"), node.MISC, "Old")
	want, _ := os.ReadFile(lib)
	good := object(t, filepath.Join(dir, "good.pak"), node.MISC, "New")
	args := append([]string{"MERGE", lib}, slices.Repeat([]string{good}, 100)...)
	bad := writeFile(t, filepath.Join(dir, "bad.pak"), string(want[:len(want)-1]))
	if _, stderr, code := run(append(args, bad, filepath.Join(dir, "missing.pak"))...); code != 1 || !strings.Contains(stderr, bad) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if got, _ := os.ReadFile(lib); !bytes.Equal(got, want) {
		t.Error("the old file is gone")
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("%d files are left", len(left))
	}
	// A file holds 65,535 objects.
	many := slices.Repeat([]string{object(t, filepath.Join(dir, "many.pak"), node.MISC, slices.Repeat([]string{"x"}, 4096)...)}, 16)
	if _, stderr, code := run(append([]string{"MERGE", lib}, many...)...); code != 1 || !strings.Contains(stderr, "ROOT has 65536 children") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if got, _ := os.ReadFile(lib); !bytes.Equal(got, want) {
		t.Error("the old file is gone")
	}
}

// 8: 60.6 shows the image for east in the west. As its target is 60.6, the
// compiler does the same by default, with a warning, and not for 60.12.
func TestDefect8SignalsFaceTheRightWay(t *testing.T) {
	src := []byte("obj=roadsign\nname=a\nwaytype=track\nis_signal=1\nimage[n][0]=-\nimage[s][0]=-\nimage[e][0]=> -\nimage[w][0]=-\n")
	for target, eastAt := range map[string]int{"60.6": 2, "60.12": 3} {
		t.Run(target, func(t *testing.T) {
			c, err := compile.NewCompiler(target, 64)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Source("a.dat", "", src)
			if len(s.Objects) != 1 {
				t.Fatalf("s.Problems = %v; want s.Objects of length 1", s.Problems)
			}
			images := s.Objects[0].Node.Children[2].Children
			for i, n := range images {
				if isEast := n.Body[9] == 0; isEast != (i == eastAt) {
					t.Errorf("%s: image %d", target, i)
				}
			}
			if warned := strings.Contains(s.Problems[0].Suggestion, "60.12"); warned != (target == "60.6") {
				t.Errorf(`%s: s.Problems = %v; want warned exactly if target is "60.6"`, target, s.Problems)
			}
		})
	}
}

// 9: extracting stops at a name with a slash and overwrites same names.
func TestDefect9ExtractWritesEveryObject(t *testing.T) {
	dir := t.TempDir()
	lib := object(t, filepath.Join(dir, "lib.pak"), node.MISC, "a/b", "../../c", "same", "same", "single")
	t.Chdir(dir)
	if _, stderr, code := run("EXTRACT", lib); code != 0 {
		t.Errorf("stderr = %v; want code = 0", stderr)
	}
	for _, name := range []string{"misc.a_b.pak", "misc..._.._c.pak", "misc.same.pak", "misc.same(2).pak", "misc.single.pak"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// makeobj's behaviour that is kept: merging and extracting gives the files again.
func TestMergeThenExtractIsTheIdentity(t *testing.T) {
	// Copies, so that not even a mistake in what is tested writes to the real ones.
	copies := t.TempDir()
	for _, path := range corpus.Files(t, corpus.Pak64(t), "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(copies, filepath.Base(path)), string(data))
	}
	files := corpus.Files(t, copies, "*.pak")
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib.pak")
	if _, stderr, code := run(append([]string{"MERGE", lib}, files...)...); code != 0 {
		t.Fatalf("stderr = %v; want code = 0", stderr)
	}
	t.Chdir(dir)
	if _, stderr, code := run("EXTRACT", lib); code != 0 {
		t.Fatalf("stderr = %v; want code = 0", stderr)
	}
	same := 0
	for _, path := range files {
		want, _ := os.ReadFile(path)
		if got, _ := os.ReadFile(filepath.Join(dir, filepath.Base(path))); bytes.Equal(got, want) {
			same++
		}
	}
	if same < len(files)-1 {
		t.Errorf("%d of %d files", same, len(files))
	}
	t.Logf("%d of %d files", same, len(files))
}

func TestUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{}, {"FROB", "x"}, {"QUIET"}, {"LIST"}, {"PAKxx"}, {"MERGE", "x"}} {
		if _, stderr, code := run(args...); code != 3 || !strings.Contains(stderr, "Usage") {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
	if out, _, code := run("capabilities"); code != 0 || strings.Count(out, "\n   ") != 22 {
		t.Errorf("out = %v; want code = 0, strings.Count(out, \"\\n \") = 22", out)
	}
}
