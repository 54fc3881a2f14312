package source_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/metin2/vpk42"
)

// A path into an encrypted archive opens the archive once: each opening derives the keys
// from the passphrase, which takes most of the time.
func TestOpensOnce(t *testing.T) {
	formats := archive.Registry{vpk42.Format{}}
	derived := 0
	opener := source.NewOpener(formats)
	opener.Passphrase = func(source.Request) (string, error) { derived++; return "secret", nil }
	path := filepath.Join(t.TempDir(), "e.vpk")
	opts, err := opener.CreateOptions(path, map[string]string{"encrypt": "true"})
	if err != nil {
		t.Fatal(err)
	}
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	item := archive.Item{Name: "docs/readme.txt", Size: 5, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("hello")), nil }}
	if err := (vpk42.Format{}).Create(t.Context(), stage, []archive.Item{item}, opts); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	for what, open := range map[string]func(name string) (io.Closer, error){
		"OpenAny": func(name string) (io.Closer, error) { return opener.OpenAny(t.Context(), name) },
		"Find":    func(name string) (io.Closer, error) { p, _, err := opener.Find(t.Context(), name); return p, err },
		"Input":   func(name string) (io.Closer, error) { _, c, err := opener.Input(t.Context(), name); return c, err },
	} {
		for name, found := range map[string]bool{path: true, path + "/docs/readme.txt": true, path + "/docs": what != "Input", path + "/docs/raedme.txt": false} {
			derived = 0
			closer, err := open(name)
			if (err == nil) != found {
				t.Errorf("%s of %s: %v", what, filepath.Base(name), err)
			}
			if err == nil {
				closer.Close()
			}
			if want := 1; derived != want && !(what == "Input" && name == path) {
				t.Errorf("%s of %s derived keys %d times, want %d", what, filepath.Base(name), derived, want)
			}
		}
	}
	opener.CleanUp()
}
