package nadeo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/internal/answer/replay"
	"pakbox/internal/cli/shell"
)

// Where ffmpeg is missing, a video is refused with a sentence that says so, before
// anything is read. Where it fails, its own words are the reason.
func TestVideoNeedsFFmpeg(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	a := &app{shell.New(context.Background(), shell.Env{})}
	out := filepath.Join(dir, "f.MP4")
	err := a.writeVideo(context.Background(), a.At("missing.Ghost.Gbx"), replay.AnimateParams{}, shell.Making{Out: out})
	if !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "MP4 videos are made by the program ffmpeg, which is not installed") {
		t.Error(err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file was written")
	}
}
