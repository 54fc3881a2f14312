package decompile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/internal/corpus"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
)

// pak64 is where Debian's package simutrans-pak64 keeps its files.
const pak64 = "/usr/share/games/simutrans/pak"

func decompileAll(t *testing.T, dir string) (exact int, exceptions []string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.pak"))
	if len(files) == 0 {
		t.Skipf("no .pak in %s", dir)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := node.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range f.Root.Children {
			r, err := decompile.Object(o, decompile.Options{})
			switch {
			case err != nil:
				exceptions = append(exceptions, filepath.Base(path)+": "+err.Error())
			case !r.Exact:
				exceptions = append(exceptions, filepath.Base(path)+": "+o.Type.Obj()+" "+o.Name()+": "+r.Loss)
			default:
				exact++
			}
		}
	}
	return exact, exceptions
}

func TestPak64CompilesToItself(t *testing.T) {
	exact, exceptions := decompileAll(t, pak64)
	for _, e := range exceptions {
		t.Error(e)
	}
	t.Logf("%d objects", exact)
}

func TestCorpusCompilesToItself(t *testing.T) {
	exact, exceptions := decompileAll(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak"))
	for _, e := range exceptions {
		// Extended's source language is not known.
		if !strings.Contains(e, "its source language is not known") {
			t.Error(e)
		}
	}
	t.Logf("%d objects, %d of Extended left out", exact, len(exceptions))
}

func TestInnerNodesAreNoObjects(t *testing.T) {
	if _, err := decompile.Object(node.NewText("x"), decompile.Options{}); fault.KindOf(err) != fault.UnknownClass {
		t.Error(err)
	}
}
