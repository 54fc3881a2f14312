package decompile_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
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
			t.Errorf("%s: %v, %v", filepath.Base(path), result.Problems, err)
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
		t.Error(err)
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
