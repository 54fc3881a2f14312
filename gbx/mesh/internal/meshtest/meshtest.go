// Package meshtest finds real files with meshes, for tests.
package meshtest

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
)

// EachFile calls test with every GBX file of the corpus and every embedded file.
func EachFile(t testing.TB, test func(name string, f *gbx.File)) {
	t.Helper()
	dir := corpus.Dir(t, "gbx")
	for path, data := range corpus.GBX(t) {
		name, _ := filepath.Rel(dir, path)
		parse(t, name, data, test)
	}
}

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
		if !strings.EqualFold(filepath.Ext(e.Name), ".gbx") {
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
