package pathname

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pakbox/fault"
)

func TestCheck(t *testing.T) {
	part := strings.Repeat("é", 127) + "n" // 255 bytes
	for name, want := range map[string]fault.Kind{
		"a": "", "a/b.txt": "", " ": "", "~": "", "a:b": fault.Unsafe, "ab:c": "", "x/a:": "", ":": "", "..a": "", "...": "", part: "", "x/" + part + "/y": "",
		"": fault.Unsafe, ".": fault.Unsafe, "..": fault.Unsafe, "a/../b": fault.Unsafe, "/a": fault.Unsafe, "a/": fault.Unsafe, "a//b": fault.Unsafe, `a\b`: fault.Unsafe,
		"c:": fault.Unsafe, "c:/x": fault.Unsafe, "a\x1fb": fault.Unsafe, "a\x00": fault.Unsafe, "\x7f": fault.Unsafe, "a\x80": fault.Unsafe,
		"x.pakbox-commit": fault.Unsafe, "x.pakbox-0123abcd/y": fault.Unsafe, part + "n": fault.NameTooLong, "x/n" + part: fault.NameTooLong,
	} {
		err := Check(name)
		var e *fault.Error
		if fault.KindOf(err) != want || err != nil && (!errors.As(err, &e) || e.Entry != name || e.Field != "name") {
			t.Errorf("%.40q: %v, want %q", name, err, want)
		}
	}
	if err := CheckFor("c:/x", "c:/x"); err != nil {
		t.Errorf("a path that is not yet a name: %v", err)
	}
	if err := CheckFor("stored", "../x"); err == nil || !strings.Contains(err.Error(), "stored") {
		t.Errorf("%v does not say which entry", err)
	}
}

func TestParents(t *testing.T) {
	var all []string
	Parents("a/b/c.txt", func(folder string) bool { all = append(all, folder); return true })
	Parents("x/y/z", func(folder string) bool { all = append(all, folder); return false })
	Parents("top", func(string) bool { t.Error("a file at the top is in no folder"); return true })
	if got := strings.Join(all, " "); got != "a/b a x/y" {
		t.Errorf(`got = %v; want "a/b a x/y"`, got)
	}
	folders := map[string]bool{}
	for _, path := range []string{"a/b/c", "a/d/e", "f", "a/b/g"} {
		AddParents(folders, path)
	}
	if got := fmt.Sprint(folders); got != "map[a:true a/b:true a/d:true]" {
		t.Errorf(`got = %v; want "map[a:true a/b:true a/d:true]"`, got)
	}
}

func TestHere(t *testing.T) {
	if s := Here(); s.Windows != (runtime.GOOS == "windows") || s.FoldsCase != (runtime.GOOS != "linux" && runtime.GOOS != "freebsd") {
		t.Errorf(`s = %+v; want s.Windows exactly if runtime.GOOS is "windows", s.FoldsCase = runtime.GOOS != "linux" && runtime.GOOS != "freebsd"`, s)
	}
}

// Entries get places in a folder: of equal names the last counts, what is a file and a
// folder or takes the place of another is reported, and a path may not lead out.
func TestLayOut(t *testing.T) {
	stored := []string{"a", "b/c", "a", "B/c", "b", "skip", "../x", "d:/y", "z", "con"}
	windows := &System{Windows: true, FoldsCase: true}
	for _, test := range []struct {
		system *System
		want   string
	}{
		{nil, "1 b/c; 2 a; 3 B/c; 4 b duplicate_name; 6 ../x unsafe_path; 7 d:/y; 8 z; 9 con"},
		{windows, "1 b/c; 2 a; 3 %42/c; 4 b duplicate_name; 6 ../x unsafe_path; 7 d%3A/y; 8 z; 9 %63on"},
	} {
		var got []string
		for _, l := range LayOut(stored, test.system, func(i int) (string, bool) { return stored[i], stored[i] != "skip" }) {
			got = append(got, strings.TrimSpace(fmt.Sprint(l.Index, " ", l.Path, " ", string(fault.KindOf(l.Err)))))
		}
		if got := strings.Join(got, "; "); got != test.want {
			t.Errorf("%+v:\n%s, want\n%s", test.system, got, test.want)
		}
	}
	// Two entries with names of their own may be put in one place.
	both := LayOut([]string{"a", "b"}, nil, func(int) (string, bool) { return "same", true })
	if len(both) != 2 || both[0].Err != nil || fault.KindOf(both[1].Err) != fault.DuplicateName {
		t.Errorf("both = %+v; want both of length 2, both[0].Err = nil, both[1].Err of kind fault.DuplicateName", both)
	}
}

func TestSafeKeepsWhatIsSafe(t *testing.T) {
	unix := &System{}
	for path, want := range map[string]string{"a?b": "a?b", "100%": "100%", "%3F": "%253F", "%20x": "%20x", "%20": "%2520", "con": "con"} {
		if got := unix.Safe(path); got != want || Unsafe(got) != path {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := (*System)(nil).Safe("%3F"); got != "%3F" {
		t.Errorf("a system without rules changes it to %s", got)
	}
}

func TestCutParts(t *testing.T) {
	for name, want := range map[string][2]string{"a/b/c": {"a/b", "c"}, "a/b": {"a/b", ""}, "a": {"a", ""}, "a/b/c/d": {"a/b", "c/d"}, "a/b/": {"a/b", ""}} {
		if head, rest := CutParts(name, 2); head != want[0] || rest != want[1] {
			t.Errorf("%s is cut into %q and %q", name, head, rest)
		}
	}
}
