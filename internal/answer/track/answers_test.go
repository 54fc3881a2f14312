package track

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/asked"
)

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// Every question about maps, items and blocks, and what it answers.
func TestAnswers(t *testing.T) {
	dir := asked.Files(t)
	macro, err := MapCut.Ask(t.Context(), at(filepath.Join(dir, "a.Map.Gbx")), cutParams{Box: "20,0,24:24,39,24", Name: "Part"})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "part.Macroblock.Gbx"), macro.Data)
	asked.Check(t, Questions(), "testdata/answers.txt", dir, at)
}
