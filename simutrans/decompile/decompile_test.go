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

// knownExceptions are the objects of the corpus that do not compile to
// themselves, by what is said about them.
var knownExceptions = map[string]string{
	"its source language is not known":   "of Extended, whose source language is not known",
	"name was none, becomes name":        "of a compiler before 2010 that kept a coupling to \"none\" as a name",
	"rest was 6400, becomes rest 0000":   "of a compiler before 2010 that wrote a word it had not set",
	"reserved was 217, becomes reserved": "of a compiler before 2010 that wrote a word it had not set",
}

func TestCorpusCompilesToItself(t *testing.T) {
	exact, exceptions := decompileAll(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak"))
	left := map[string]int{}
	for _, e := range exceptions {
		reason := ""
		for text, name := range knownExceptions {
			if strings.Contains(e, text) {
				reason = name
			}
		}
		if reason == "" {
			t.Error(e)
		}
		left[reason]++
	}
	t.Logf("%d objects; exceptions: %v", exact, left)
}

func TestInnerNodesAreNoObjects(t *testing.T) {
	if _, err := decompile.Object(node.NewText("x"), decompile.Options{}); fault.KindOf(err) != fault.UnknownClass {
		t.Error(err)
	}
}
