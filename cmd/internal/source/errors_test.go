package source_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// Errors of the keys, the prompt and the temporary files are returned, and no file stays open.
func TestErrorsOnTheWay(t *testing.T) {
	o := stored(t)
	broken := errors.New("the keys cannot be read")
	keyed := source.NewOpener(o.Formats)
	t.Cleanup(keyed.CleanUp)
	keyed.Keys = func() (archive.Keys, error) { return archive.Keys{}, broken }
	unread := source.NewOpener(o.Formats)
	t.Cleanup(unread.CleanUp)
	failing := errors.New("write fails")
	unread.Stdin = iotest.ErrReader(failing)
	for name, test := range map[string]struct {
		o    *source.Opener
		path string
		want error
	}{
		"keys": {keyed, "outer.zip/docs/x.txt", broken}, "standard input": {unread, "-", failing}, "in standard input": {unread, "-/docs", failing}, "no file": {o, "none.zip/docs/x.txt", fs.ErrNotExist},
	} {
		asks := map[string]func() error{
			"Open":    func() error { _, err := test.o.Open(t.Context(), test.path); return err },
			"OpenAny": func() error { _, err := test.o.OpenAny(t.Context(), test.path); return err },
			"Find":    func() error { _, _, err := test.o.Find(t.Context(), test.path); return err },
			"Input":   func() error { _, _, err := test.o.Input(t.Context(), test.path); return err },
			"Salvage": func() error { _, err := test.o.Salvage(t.Context(), test.path); return err },
			"pattern": func() error {
				_, err := test.o.ExpandInside(t.Context(), source.Target{Path: test.path, Pattern: "*"})
				return err
			},
		}
		for what, ask := range asks {
			if err := ask(); !errors.Is(err, test.want) {
				t.Errorf("%s, %s: %v, want %v", name, what, err, test.want)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	quiet := source.NewOpener(o.Formats)
	t.Cleanup(quiet.CleanUp)
	quiet.Stdin = strings.NewReader("x")
	if _, err := quiet.SpoolStdin(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The inputs of an archive are closed with it.
func TestCloseInputs(t *testing.T) {
	o := stored(t)
	s, err := o.Open(t.Context(), "outer.zip")
	if err != nil {
		t.Fatal(err)
	}
	closed := 0
	s.Inputs = func() { closed++ }
	if err := s.Close(); err != nil || closed != 1 {
		t.Errorf("closed %d times, %v", closed, err)
	}
}

// The error of an archive that cannot be changed in place has hints for other ways.
func TestCannotEdit(t *testing.T) {
	t.Chdir("../../../samples")
	o := source.NewOpener(pakbox.Formats())
	t.Cleanup(o.CleanUp)
	s, err := o.Open(t.Context(), "trackmania/Sample.Map.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for what, err := range map[string]error{"CanEdit": source.CanEdit(s), "Edit": o.Edit(t.Context(), s, nil)} {
		if hints := strings.Join(question.Hints(err), ""); fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), "cannot be changed in place") || !strings.Contains(hints, "pakbox set") {
			t.Errorf(`%s: err = %v, hints = %q; want err of kind fault.Unsupported, err with "cannot be changed in place", hints with "pakbox set"`, what, err, hints)
		}
	}
	if err := source.CanReplace(s, s.Path); err != nil {
		t.Errorf("replaced: %v", err)
	}
}
