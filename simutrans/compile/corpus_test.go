package compile_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

// expected is one line of the corpus's list of what makeobj makes.
type expected struct{ dat, target, pak, sha256 string }

func readExpected(t *testing.T, dir string) (list []expected) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if c := strings.Split(lines.Text(), "\t"); c[0] != "dat" {
			list = append(list, expected{c[0], c[1], c[2], c[4]})
		}
	}
	return list
}

// TestCorpusCompilesAsMakeobjDoes compiles every source for both targets and
// compares with the checksums of what makeobj made of them.
func TestCorpusCompilesAsMakeobjDoes(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t, "simutrans"), "source")
	compiled := map[string]map[string]string{}
	right := map[string]int{}
	for _, e := range readExpected(t, dir) {
		cell := 128
		if strings.HasPrefix(e.dat, "synthetic/") {
			cell = 64
		}
		id := e.target + " " + e.dat
		if compiled[id] == nil {
			compiled[id] = compileFile(t, filepath.Join(dir, filepath.FromSlash(e.dat)), e.target, cell)
		}
		if compiled[id][e.pak] != e.sha256 {
			t.Errorf("%s: %s for %s differs from makeobj's", e.dat, e.pak, e.target)
			continue
		}
		right[e.target]++
	}
	if len(right) < 2 {
		t.Errorf("only these were compared: %v", right)
	}
	t.Logf("identical: %v", right)
}

// compileFile returns the checksums of the files of a source.
func compileFile(t *testing.T, path, target string, cell int) map[string]string {
	t.Helper()
	c, err := compile.NewCompiler(target, cell)
	if err != nil {
		t.Fatal(err)
	}
	s := c.File(path)
	if s.Failed() {
		t.Errorf("s.Problems = %v; want s.Failed() = false", s.Problems)
	}
	sums := map[string]string{}
	for _, o := range s.Objects {
		data, err := node.New(o.Node).Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		sums[o.FileName()] = hex.EncodeToString(sum[:])
	}
	return sums
}
