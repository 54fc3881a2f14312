package replay

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox"
	"pakbox/internal/question"
	"pakbox/internal/source"
	"pakbox/internal/testkit/asked"
)

// Every question about runs and clips, and what it answers.
func TestAnswers(t *testing.T) {
	dir := asked.Files(t)
	opener := source.NewOpener(pakbox.Formats())
	at := func(path string) *question.At { return &question.At{Path: path, Opener: opener} }
	clip, err := MakeClip.Ask(t.Context(), at(filepath.Join(dir, "runs/red.Ghost.Gbx")), clipParams{Name: "Made", Inputs: true, Checkpoints: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "made.Clip.Gbx"), clip.Data, 0o666); err != nil {
		t.Fatal(err)
	}
	asked.Check(t, Questions(), "testdata/answers.txt", dir, at)
}
