package hint

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
)

func TestErrors(t *testing.T) {
	err := Usagef("no %s", "file").Hint("try %d", 2).Hint("100%%")
	if err.Error() != "no file" || !slices.Equal(err.Hints, []string{"try 2", "100%"}) {
		t.Errorf("%q, %q", err, err.Hints)
	}
	with := With(fs.ErrNotExist, "look in %q", "a")
	var hinted *Hinted
	if with.Error() != fs.ErrNotExist.Error() || !errors.Is(with, fs.ErrNotExist) || !errors.As(with, &hinted) || !slices.Equal(hinted.Hints, []string{`look in "a"`}) {
		t.Errorf("%q, %+v", with, hinted)
	}
}

func TestWord(t *testing.T) {
	// What needs no quotes has none, and quotes are those that Windows knows too, if they do.
	for name, want := range map[string]string{"a.b-c/d": "a.b-c/d", "a b": `"a b"`, "it's": `"it's"`, "$a": "'$a'"} {
		if got := Word(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
