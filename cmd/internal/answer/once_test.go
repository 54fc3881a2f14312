package answer_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/metin2/vpk42"
)

// Info of a file in an encrypted archive derives keys once, as info of the
// archive does: that is nearly all of its time.
func TestInfoDerivesKeysOnce(t *testing.T) {
	derived := 0
	opener := source.NewOpener(archive.Registry{vpk42.Format{}})
	opener.Passphrase = func(source.Request) (string, error) { derived++; return "secret", nil }
	path := filepath.Join(t.TempDir(), "e.vpk")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	opts, err := opener.CreateOptions(path, map[string]string{"encrypt": "true"})
	if err != nil {
		t.Fatal(err)
	}
	readme := archive.Item{Name: "readme.txt", Size: 5, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("hello")), nil }}
	if err := (vpk42.Format{}).Create(t.Context(), stage, []archive.Item{readme}, opts); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "/readme.txt"} {
		derived = 0
		if _, err := answer.FileInfo.Ask(t.Context(), &question.At{Path: name, Opener: opener}, question.NoParams{}); err != nil || derived != 1 {
			t.Errorf("%s: keys were derived %d times, %v", filepath.Base(name), derived, err)
		}
	}
}
