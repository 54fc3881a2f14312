// Command catalogue makes the catalogue of package blocks from tables of facts:
// blocks.tsv, with the blocks of ManiaPlanet and Trackmania, blocks-tmuf.tsv, with
// the cells of those of TrackMania United Forever, and items-nadeo.tsv, with the
// items in the games.
//
//	cmd/tools/run catalogue ../shared/facts
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
)

// target is the file that the program writes, relative to the project.
const target = "nadeo/blocks/catalogue.txt.gz"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: catalogue FACTS")
		os.Exit(2)
	}
	text, err := build(os.Args[1])
	if err == nil {
		err = os.WriteFile(target, packed(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "catalogue:", err)
		os.Exit(1)
	}
}

// packed compresses a text. The same text gives the same bytes.
func packed(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// build makes the catalogue from a folder of tables.
func build(facts string) ([]byte, error) {
	all := catalogue{}
	if err := all.readTMUF(filepath.Join(facts, "blocks-tmuf.tsv")); err != nil {
		return nil, err
	}
	if err := all.readBlocks(filepath.Join(facts, "blocks.tsv")); err != nil {
		return nil, err
	}
	all.complete()
	all.agree()
	items, err := readItems(filepath.Join(facts, "items-nadeo.tsv"))
	return append(all.text(), items...), err
}
