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
		t.Error(got)
	}
	folders := map[string]bool{}
	for _, path := range []string{"a/b/c", "a/d/e", "f", "a/b/g"} {
		AddParents(folders, path)
	}
	if got := fmt.Sprint(folders); got != "map[a:true a/b:true a/d:true]" {
		t.Error(got)
	}
}

func TestHere(t *testing.T) {
	if s := Here(); s.Windows != (runtime.GOOS == "windows") || s.FoldsCase != (runtime.GOOS != "linux" && runtime.GOOS != "freebsd") {
		t.Errorf("%+v", s)
	}
}
