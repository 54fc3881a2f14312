package pathname

import (
	"slices"
	"strings"
	"testing"
)

var (
	windows = &System{Windows: true, FoldsCase: true}
	linux   = &System{}
)

// Names that Windows cannot hold, or changes.
func TestSafe(t *testing.T) {
	for _, c := range []struct{ stored, windows, linux string }{
		{"con", "%63on", "con"},
		{"a/AUX.txt", "a/%41UX.txt", "a/AUX.txt"},
		{"NUL.gbx", "%4EUL.gbx", "NUL.gbx"},
		{"lpt1", "%6Cpt1", "lpt1"},
		{"com¹.x.y", "%63om¹.x.y", "com¹.x.y"},
		{"con .txt", "%63on .txt", "con .txt"},
		{"console", "console", "console"},
		{"com", "com", "com"},
		{"../a/..", "../a/..", "../a/.."}, // for the check of paths to refuse
		{"com10", "com10", "com10"},
		{"a./b", "a%2E/b", "a./b"},
		{"trail ", "trail%20", "trail "},
		{"q?.txt", "q%3F.txt", "q?.txt"},
		{"x:y", "x%3Ay", "x:y"},
		{"d:/ymir work/x", "d%3A/ymir work/x", "d:/ymir work/x"},
		{`<>"|*`, "%3C%3E%22%7C%2A", `<>"|*`},
		{"100%", "100%", "100%"},
		{"a%20b%C3%A9.txt", "a%20b%C3%A9.txt", "a%20b%C3%A9.txt"},
		{"a%3Ab", "a%253Ab", "a%253Ab"},
		{"a%20", "a%2520", "a%2520"},
		{"%63on", "%2563on", "%2563on"},
		{"%2563on", "%252563on", "%252563on"},
		{"%3a", "%3a", "%3a"},
	} {
		for s, want := range map[*System]string{windows: c.windows, linux: c.linux} {
			if got := s.Safe(c.stored); got != want {
				t.Errorf("%+v: Safe(%q) = %q, want %q", *s, c.stored, got, want)
			} else if back := Unsafe(got); back != c.stored {
				t.Errorf("Unsafe(%q) = %q, want %q", got, back, c.stored)
			}
		}
	}
}

// Names that differ only in case, and folders that do, stay apart.
func TestSafeCase(t *testing.T) {
	stored := []string{"A.txt", "a.TXT", "a.txt", "Dir/x", "dir/y", "dir/X", "dir/x", "1", "1/2"}
	var got []string
	for _, l := range LayOut(stored, windows, func(i int) (string, bool) { return stored[i], true }) {
		got = append(got, l.Path)
		if back := Unsafe(l.Path); back != stored[l.Index] {
			t.Errorf("%s goes back to %s", l.Path, back)
		}
	}
	want := []string{"A.txt", "%61.TXT", "%61.%74xt", "Dir/x", "%64ir/y", "%64ir/X", "%64ir/%78", "1", "1/2"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// FuzzSafe gives any name to Windows: it can hold what Safe makes, and Unsafe
// gives the name back.
func FuzzSafe(f *testing.F) {
	for _, name := range []string{"con", "a%2E", "%25%2525", "nul.", "x:/..", "%63on "} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if CheckFor(name, name) != nil {
			return
		}
		for _, s := range []*System{windows, linux} {
			if back := Unsafe(s.Safe(name)); back != name {
				t.Fatalf("%q became %q, and that %q", name, s.Safe(name), back)
			}
		}
		safe := windows.Safe(name)
		for part := range strings.SplitSeq(safe, "/") {
			if strings.ContainsAny(part, forbidden) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || isDevice(part) {
				t.Fatalf("%q became %q", name, safe)
			}
		}
	})
}
