// Package meshtest is for tests only: it finds the real files that may hold
// meshes, and what another implementation found in them.
package meshtest

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/corpus"
)

// EachFile calls test with every GBX file of the corpus that may hold a mesh,
// and those that maps bring along.
func EachFile(t testing.TB, test func(name string, f *gbx.File)) {
	t.Helper()
	dir := corpus.Dir(t, "gbx")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isGBX(path) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		parse(t, name, data, test)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func isGBX(name string) bool { return strings.EqualFold(filepath.Ext(name), ".gbx") }

func parse(t testing.TB, name string, data []byte, test func(string, *gbx.File)) {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	test(name, f)
	c, ok := gbx.Find[*game.Chunk03043054](f.Body)
	if !ok || len(c.EmbeddedZip) == 0 {
		return
	}
	z, err := zip.NewReader(bytes.NewReader(c.EmbeddedZip), int64(len(c.EmbeddedZip)))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, e := range z.File {
		if !isGBX(e.Name) {
			continue
		}
		in, err := e.Open()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		parse(t, name+"/"+e.Name, data, test)
	}
}

// Oracle reads what another implementation found in the meshes of the
// corpus, by the beginning of the file's hash, which is its name too.
func Oracle(t testing.TB) map[string]map[string]any {
	in, err := os.Open(filepath.Join(corpus.Dir(t, "gbx"), "oracle.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	known := map[string]map[string]any{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var o struct {
			SHA256 string         `json:"sha256"`
			Mesh   map[string]any `json:"mesh"`
		}
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		if o.Mesh != nil {
			known[o.SHA256[:12]] = o.Mesh
		}
	}
	return known
}
