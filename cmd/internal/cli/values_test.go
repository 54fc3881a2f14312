package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
)

// unreadable is an archive whose values cannot be had.
type unreadable struct{ archive.Archive }

var errUnreadable = errors.New("cannot be read")

func (unreadable) DumpText(io.Writer, bool) error          { return errUnreadable }
func (unreadable) DumpJSON(io.Writer, *archive.Want) error { return errUnreadable }
func (unreadable) Coverage() (*archive.Coverage, error)    { return nil, errUnreadable }
func (unreadable) DiffValues(archive.Archive) ([]archive.ValueChange, bool, error) {
	return nil, true, errUnreadable
}

type unreadableFormat struct{ folder.Format }

func (unreadableFormat) Match(archive.Input) bool { return true }

func (f unreadableFormat) Open(context.Context, archive.Input, archive.Options) (archive.Archive, error) {
	return f.OpenDir(".")
}

func (f unreadableFormat) OpenDir(path string) (archive.Archive, error) {
	a, err := f.Format.OpenDir(path)
	return unreadable{a}, err
}

// Where values cannot be had, the error is all that is printed: no half of a
// document, and not that two files are the same.
func TestNoValuesNoAnswer(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("content"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"dump", file}, {"dump", "--coverage", file}, {"diff", dir, dir}, {"query", file, "."}} {
		var out, err strings.Builder
		code := Run(context.Background(), kit.Env{Args: append(args, "--json"), Stdout: &out, Stderr: &err,
			Getenv: func(string) string { return "" }, Formats: archive.Registry{unreadableFormat{}}})
		var answer struct{ Error *question.Error }
		if e := json.Unmarshal([]byte(out.String()), &answer); e != nil || answer.Error == nil || code != kit.ExitIO {
			t.Errorf("%q: exit code %d, %v: %s", args, code, e, &out)
		}
	}
}
