package nadeo

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/cmd/internal/asked"
)

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// Every question, and what it answers.
func TestAnswers(t *testing.T) {
	dir := asked.Files(t)
	clip, err := MakeClip.Ask(t.Context(), at(filepath.Join(dir, "runs/red.Ghost.Gbx")), clipParams{Name: "Made", Inputs: true, Checkpoints: true})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "made.Clip.Gbx"), clip.Data)
	two, err := Create.Ask(t.Context(), at(filepath.Join(dir, "runs/driven.Map.Gbx")), withParams{With: []string{filepath.Join(dir, "runs/blue.Ghost.Gbx"), filepath.Join(dir, "runs/red.Ghost.Gbx")}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "two.Replay.Gbx"), two.Data)
	macro, err := MapCut.Ask(t.Context(), at(filepath.Join(dir, "a.Map.Gbx")), cutParams{Box: "20,0,24:24,39,24", Name: "Part"})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "part.Macroblock.Gbx"), macro.Data)
	asked.Check(t, Questions(), "testdata/answers.txt", dir, at)
}
