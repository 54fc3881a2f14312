package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"pakbox/fault"
)

func TestUsage(t *testing.T) {
	err := fault.Usagef("no %s", "file").Hint("try %d", 2).Hint("100%%")
	if err.Error() != "no file" || !slices.Equal(fault.Hints(err), []string{"try 2", "100%"}) || !errors.Is(err, fault.Usage) {
		t.Errorf("Usagef = %q with hints %q, want no file with two hints", err, fault.Hints(err))
	}
	// A wrong request is not about the file that was open at that time.
	if got := fault.InFile(err, "a.vpk"); got != error(err) {
		t.Errorf("InFile of a usage error = %q, want it unchanged", got)
	}
}

// Advice must change neither the text of an error nor what errors.Is finds.
func TestWithHint(t *testing.T) {
	damage := fault.InFile(fault.At(fault.Truncated, 28, "salt", "is missing"), "a.vpk")
	for _, c := range []struct {
		name string
		err  error
		kind fault.Kind
		text string
	}{
		{"fault", damage, fault.Truncated, "a.vpk: salt at 0x1c: is missing"},
		{"wrapped fault", fmt.Errorf("outer: %w", damage), fault.Truncated, "outer: a.vpk: salt at 0x1c: is missing"},
		{"system", &fs.PathError{Op: "stat", Path: "a", Err: fs.ErrNotExist}, fault.NotFound, "a: no such file or folder"},
		{"other", errors.New("other"), "", "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fault.WithHint(c.err, "look in %q", "b")
			var e *fault.Error
			if !errors.As(got, &e) || !slices.Equal(fault.Hints(e), []string{`look in "b"`}) || !slices.Equal(fault.Hints(got), fault.Hints(e)) {
				t.Fatalf("WithHint(%v) = %#v, want a fault with the hint", c.err, got)
			}
			if got.Error() != c.text || fault.KindOf(got) != c.kind || c.kind != "" && !errors.Is(got, c.kind) {
				t.Errorf("WithHint(%v) = %q of kind %q, want %q of kind %q", c.err, got, fault.KindOf(got), c.text, c.kind)
			}
			if twice := fault.WithHint(got, "or not"); len(fault.Hints(twice)) != 2 || len(fault.Hints(e)) != 1 {
				t.Errorf("a second hint gives %q, and the first error has %q", fault.Hints(twice), fault.Hints(e))
			}
		})
	}
	if damage := fault.WithHint(damage, "once"); fault.KindOf(damage) != fault.Truncated || damage.(*fault.Error).Offset != 28 {
		t.Errorf("WithHint lost the place: %#v", damage)
	}
	if hints := fault.Hints(fault.Wrap(fault.Corrupt, fault.Usagef("x").Hint("y"), "z")); !slices.Equal(hints, []string{"y"}) {
		t.Errorf("Hints of a wrapped error = %q, want y", hints)
	}
	if hints := fault.Hints(errors.New("x")); hints != nil {
		t.Errorf("Hints of a foreign error = %q, want none", hints)
	}
}
