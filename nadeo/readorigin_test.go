package nadeo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/nadeotest/roomtest"
)

// The origin of a file is the same whether its header was read completely or only the
// part with the origin.
func TestReadOrigin(t *testing.T) {
	told := 0
	for _, folder := range []string{"03043000", "03093000", "2e002000"} {
		for i, path := range corpus.Files(t, corpus.Dir(t, "gbx"), folder, "*") {
			if i%7 != 0 {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), engine.Registry())
			if err != nil {
				t.Fatal(err)
			}
			got, err := nadeo.ReadOrigin(h, bytes.NewReader(data), int64(len(data)))
			if want := nadeo.OriginOf(&roomtest.Parse(t, data).Header); got != want || err != nil {
				t.Errorf("%s: %+v, %v, want %+v", filepath.Base(path), got, err, want)
			}
			if got != (nadeo.Origin{}) {
				told++
			}
		}
	}
	if told < 20 {
		t.Errorf("only %d files say what made them", told)
	}
}
