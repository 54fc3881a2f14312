package replay

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

// Every question about runs and clips, and what it answers.
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
	asked.Check(t, Questions(), "testdata/answers.txt", dir, at)
}
