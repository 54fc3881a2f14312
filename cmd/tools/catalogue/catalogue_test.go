package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// The catalogue in the project is the one that the tables make, where they are
// at hand.
func TestCurrent(t *testing.T) {
	corpus.Dir(t, "gbx") // the tables are where the real files are
	text, err := build(filepath.Join(filepath.Dir(corpus.Root()), "facts"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Log("the tables are not at hand")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("../../..", target))
	if err != nil {
		t.Fatal(err)
	}
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	have, err := io.ReadAll(in)
	if err != nil || !bytes.Equal(have, text) {
		t.Errorf("%s is not what the tables make (%v): run 'cmd/tools/run catalogue FACTS'", target, err)
	}
	if again, err := build(filepath.Join(filepath.Dir(corpus.Root()), "facts")); err != nil || !bytes.Equal(again, text) {
		t.Errorf("made twice, the catalogue differs (%v)", err)
	}
}
