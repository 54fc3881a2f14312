package kit

import (
	"bytes"
	"context"
	"os"
	"slices"
	"testing"
	"time"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain name.txt":      "plain name.txt",
		"größe-日本-😀.txt":      "größe-日本-😀.txt",
		"a\x1b[2Jb":           `a\x1b[2Jb`,
		"a\nb\tc\x7f":         `a\x0ab\x09c\x7f`,
		"cut\xff\xfe":         `cut\xff\xfe`,
		"\u202egpj.exe":       `\u202egpj.exe`,
		"c1\u009b31m":         `c1\u009b31m`,
		"real \ufffd stays":   "real \ufffd stays",
		"family 👩\u200d👧":     "family 👩\u200d👧",
		"\u0080\u007f":        `\u0080\x7f`,
		"bom\ufeff":           `bom\ufeff`,
		"":                    "",
		"back\\slash is fine": "back\\slash is fine",
	} {
		if got := Printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMeterLine(t *testing.T) {
	for _, test := range []struct {
		done, total int64
		want        string
	}{
		{1 << 20, 4 << 20, "packing  [##........]  25%  1.0 MiB of 4.0 MiB  512.0 KiB/s  0:06 left"},
		{0, 4 << 20, "packing  [..........]   0%  0 bytes of 4.0 MiB  0 bytes/s  -:-- left"},
		{1 << 20, 0, "packing  1.0 MiB  512.0 KiB/s"},
		{2 << 20, 1 << 20, "packing  2.0 MiB  1.0 MiB/s"},
	} {
		if got := meterLine("packing", test.done, test.total, 2*time.Second); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// If standard error is not a terminal, the meter is nil. A nil meter
// can be hidden and held all the same.
func TestNoMeterWithoutTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	a := New(context.Background(), Env{Stderr: null})
	end := a.Watch("packing")
	if a.Progress != nil {
		t.Error("a meter on a file instead of a terminal")
	}
	a.Meter.Hide()
	a.Meter.hold()()
	end()
}

// The line shrinks and goes without leaving anything.
func TestMeterClearsItsLine(t *testing.T) {
	var screen recorder
	m := &meter{out: &screen, width: 10}
	m.show("0123456789abc")
	m.show("01")
	release := m.hold()
	m.show("not now")
	release()
	m.Hide()
	want := "\r0123456789" + "\r01        " + "\r  \r"
	if string(screen) != want {
		t.Errorf("%q, want %q", screen, want)
	}
}

type recorder []byte

func (r *recorder) Write(p []byte) (int, error) {
	*r = append(*r, p...)
	return len(p), nil
}

// A terminal must get no control characters, whatever a command prints, and whole
// characters although they come in pieces.
func TestGuard(t *testing.T) {
	for _, test := range []struct {
		name, text string
		strict     bool
		want       string
	}{
		{"plain", "a\tä日🙂\r\n", true, "a\tä日🙂\r\n"},
		{"colours", "\x1b[1mX\x1b[0m", false, "\x1b[1mX\x1b[0m"},
		{"escape", "\x1b]0;x\a", true, `\u001b]0;x\u0007`},
		{"C1", "\u009b31m\u007f", false, `\u009b31m\u007f`},
		{"directions", "\u202ea\u2066b\u200e", false, "\\u202ea\\u2066b\u200e"},
		{"no UTF-8", "\x9b\xff", true, `\x9b\xff`},
		{"no UTF-8 among colours", "\xff", false, "\xff"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, size := range []int{1, 2, len(test.text)} {
				var got bytes.Buffer
				g := &guard{to: &got, strict: test.strict}
				for part := range slices.Chunk([]byte(test.text), size) {
					if n, err := g.Write(part); n != len(part) || err != nil {
						t.Fatalf("Write = %d, %v", n, err)
					}
				}
				if got.String() != test.want {
					t.Errorf("in parts of %d: got %q, want %q", size, got.String(), test.want)
				}
			}
		})
	}
}
