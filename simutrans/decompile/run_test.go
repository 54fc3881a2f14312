package decompile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
)

// TestFilesThroughTheDisk decompiles every fourth file of pak64 into a folder
// and compiles the folder again, with pictures as real PNG files in between.
func TestFilesThroughTheDisk(t *testing.T) {
	files := corpus.Files(t, corpus.Pak64(t), "*.pak")
	var some []string
	for i := 0; i < len(files); i += 4 {
		some = append(some, files[i])
	}
	dir := t.TempDir()
	outputs, err := decompile.Run(context.Background(), decompile.RunOptions{Sources: some, Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	result, err := compile.Run(context.Background(), compile.Options{Sources: []string{dir}, Out: out})
	if err != nil || result.Failed() || len(result.Outputs) != len(outputs) {
		t.Fatalf("%d of %d objects, %v", len(result.Outputs), len(outputs), err)
	}
	same := 0
	for _, o := range outputs {
		want, _ := os.ReadFile(o.File)
		kind, name, _ := strings.Cut(o.Object, ".")
		got, err := os.ReadFile(filepath.Join(out, compile.FileName(kind, name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the same again (%v)", filepath.Base(o.File), err)
			continue
		}
		same++
	}
	t.Logf("%d files are the same again", same)
	compareWithPeer(t, dir, out)
}

// Every file of the corpus comes back from a folder of sources, with the head
// it had: also those of code 1001 and of Extended, and merged ones.
func TestCorpusFilesThroughTheDisk(t *testing.T) {
	files := corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak")
	for _, path := range files {
		outputs, err := decompile.Run(context.Background(), decompile.RunOptions{Sources: []string{path}, Out: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		opts := compile.Options{Out: filepath.Join(t.TempDir(), "x.pak")}
		for _, o := range outputs {
			opts.Sources, opts.Target = append(opts.Sources, o.Dat), o.Target
		}
		result, err := compile.Run(context.Background(), opts)
		if err != nil || result.Failed() {
			t.Errorf("%s: result.Problems = %v, err = %v; want no error, result.Failed() = false", filepath.Base(path), result.Problems, err)
			continue
		}
		want, _ := os.ReadFile(path)
		got, err := os.ReadFile(opts.Out)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the same again (%v)", filepath.Base(path), err)
		}
	}
}

// compareWithPeer compiles the decompiled sources with makeobj too. Those
// that carry versions makeobj 60.6 does not write are left out.
func compareWithPeer(t *testing.T, dir, ours string) {
	makeobj := peer.Makeobj(t)
	var sources []string
	files, _ := filepath.Glob(filepath.Join(dir, "*.dat"))
	for _, path := range files {
		if text, _ := os.ReadFile(path); !bytes.Contains(text, []byte("#pakbox")) {
			sources = append(sources, path)
		}
	}
	theirs := t.TempDir() + "/"
	if out, err := exec.Command(makeobj, append([]string{"QUIET", "PAK", theirs}, sources...)...).CombinedOutput(); err != nil {
		t.Fatalf("makeobj: %v\n%s", err, out)
	}
	made, _ := filepath.Glob(theirs + "*.pak")
	for _, path := range made {
		want, _ := os.ReadFile(path)
		if got, _ := os.ReadFile(filepath.Join(ours, filepath.Base(path))); !bytes.Equal(got, want) {
			t.Errorf("makeobj makes something else of the source of %s", filepath.Base(path))
		}
	}
	if len(made) < 100 {
		t.Errorf("makeobj made only %d files", len(made))
	}
	t.Logf("makeobj makes the same of %d sources", len(made))
}

func TestRunRefusesToOverwrite(t *testing.T) {
	src := filepath.Join(corpus.Pak64(t), "good.None.pak")
	opts := decompile.RunOptions{Sources: []string{src}, Out: t.TempDir()}
	if _, err := decompile.Run(context.Background(), opts); err != nil {
		t.Fatal(err)
	}
	if _, err := decompile.Run(context.Background(), opts); !errors.Is(err, fs.ErrExist) {
		t.Errorf("err = %v; want err matching fs.ErrExist", err)
	}
	opts.Overwrite = true
	if _, err := decompile.Run(context.Background(), opts); err != nil {
		t.Error(err)
	}
}

// meter adds up what it hears.
type meter struct{ total, done int64 }

func (m *meter) Begin(total int64) { m.total = total }
func (m *meter) Advance(n int64)   { m.done += n }

func TestProgressIsInBytes(t *testing.T) {
	path := filepath.Join(corpus.Dir(t, "simutrans"), "pak", "debian-pak64__vehicle.TB24.pak")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	var m meter
	if _, err := decompile.Run(context.Background(), decompile.RunOptions{Sources: []string{path}, Out: t.TempDir(), Progress: &m}); err != nil {
		t.Fatal(err)
	}
	if m.total != info.Size() || m.done != m.total {
		t.Errorf("%d of %d bytes, want %d", m.done, m.total, info.Size())
	}
}

// TestOneFolderForManyFiles: sources of objects with one name get a number, a
// file that cannot be read becomes an output with the error, and other files of a
// folder stay unchanged.
func TestOneFolderForManyFiles(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "new", "folder")
	n := symbols(t, 64, image.Rect(3, 4, 20, 18), "image[0]=s.0.0\n")
	none := n.Clone()
	none.SetName("b")
	none.Children[2] = node.NewXref(node.Xref{Type: node.IMG1})
	named := func(name string) *node.Node {
		o := n.Clone()
		o.SetName(name)
		return o
	}
	for name, file := range map[string]*node.File{"1.pak": node.New(n), "2.pak": node.New(n, none), "3.pak": node.New(n, named("a(2)"), named("c d"), named("c.d"))} {
		t.Run(name, func(t *testing.T) {
			data, err := file.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	for name, text := range map[string]string{"4.pak": "no pak", "readme.txt": "text"} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.Mkdir(filepath.Join(dir, "5.pak"), 0o755); err != nil { // a folder is not a file
		t.Fatal(err)
	}
	outputs, err := decompile.Run(context.Background(), decompile.RunOptions{Sources: []string{dir}, Out: out, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	base := func(path string) string {
		if path == "" {
			return "-"
		}
		return filepath.Base(path)
	}
	for _, o := range outputs {
		got = append(got, fmt.Sprintf("%s %s %s %s %s %v %d %v %v", base(o.File), o.Object, base(o.Dat), base(o.PNG), o.Target, o.Exact, o.Pins, o.Carried, o.Err != nil))
	}
	want := `1.pak symbol.a symbol.a.dat symbol_a.png 60.6 true 0 false false
2.pak symbol.a symbol.a(2).dat symbol_a_2.png 60.6 true 0 false false
2.pak symbol.b symbol.b.dat - 60.6 true 1 false false
3.pak symbol.a symbol.a(3).dat symbol_a_3.png 60.6 true 0 false false
3.pak symbol.a(2) symbol.a(2)(2).dat symbol_a(2)_2.png 60.6 true 0 false false
3.pak symbol.c d symbol.c d.dat symbol_c_d.png 60.6 true 0 false false
3.pak symbol.c.d symbol.c.d(2).dat symbol_c_d_2.png 60.6 true 0 false false
4.pak  - -  false 0 false true`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if err := outputs[7].Err; fault.KindOf(err) == "" || !strings.Contains(err.Error(), "4.pak") {
		t.Errorf(`err = %v; want err of a kind other than none, err with "4.pak"`, err)
	}
	text, err := os.ReadFile(filepath.Join(out, "symbol.a(2).dat"))
	if err != nil || !strings.Contains(string(text), "image[0]=symbol_a_2.0.0\n") {
		t.Errorf("text = %s (err = %v); want no error, text with \"image[0]=symbol_a_2.0.0\\n\"", text, err)
	}
	files, err := os.ReadDir(out)
	if err != nil || len(files) != 13 {
		t.Errorf("files = %v (err = %v); want no error, files of length 13", files, err)
	}
	// Problems of the run itself.
	if _, err := decompile.Run(context.Background(), decompile.RunOptions{Sources: []string{filepath.Join(dir, "none")}, Out: out}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
	if _, err := decompile.Run(context.Background(), decompile.RunOptions{Sources: []string{dir}, Out: filepath.Join(dir, "1.pak", "x")}); err == nil {
		t.Error("a folder below a file")
	}
	if outputs, err := decompile.Run(context.Background(), decompile.RunOptions{Sources: []string{filepath.Join(dir, "1.pak")}, Out: out, Target: "59"}); err != nil || outputs[0].Err == nil {
		t.Errorf("outputs = %+v (err = %v); want no error, outputs[0].Err other than nil", outputs, err)
	}
}
