package source

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestMatchPath(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.txt", "a.txt", true},
		{"*.txt", "d/a.txt", false},
		{"d/*.txt", "d/a.txt", true},
		{"**/*.txt", "a.txt", true},
		{"**/*.txt", "d/e/a.txt", true},
		{"d/**", "d/e/a.txt", true},
		{"d/**", "e/a.txt", false},
		{"d/**/x/*", "d/a/b/x/y", true},
		{"d/**/x/*", "d/x/y", true},
		{"**", "anything/at/all", true},
		{"**/**/**/**/**/**/**/**/z", "a/b/c/d/e/f/g/h/i/j", false},
		{"?.txt", "ab.txt", false},
		{"[ab].txt", "b.txt", true},
		{"[", "[", false}, // an invalid pattern matches nothing
		{"a", "a/b", false},
		{"a/b", "a", false},
	} {
		if got := MatchPath(test.pattern, test.name); got != test.want {
			t.Errorf("matchPath(%q, %q) = %v", test.pattern, test.name, got)
		}
	}
}

// Patterns over files are expanded alike on every system, and stop at
// the first file on the path.
func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.zip", "b.zip", "d/c.zip", "d/e/f.zip", "d/.hidden.zip", "odd[1].zip", "o[2]/g.zip", "x/x/y"} {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		arg  string
		want []Target
	}{
		{"plain", []Target{{"plain", ""}}},
		{"odd[1].zip", []Target{{"odd[1].zip", ""}}},
		{"odd[1].zip/docs/x.txt", []Target{{"odd[1].zip/docs/x.txt", ""}}},
		{"odd[1].zip/docs/*.txt", []Target{{"odd[1].zip/docs", "*.txt"}}},
		{"o[2]/g.zip/x.txt", []Target{{"o[2]/g.zip/x.txt", ""}}},
		{"?.zip", []Target{{"a.zip", ""}, {"b.zip", ""}}},
		{"./?.zip", []Target{{"./a.zip", ""}, {"./b.zip", ""}}},
		{"d/**/*.zip", []Target{{"d/c.zip", ""}, {"d/e/f.zip", ""}}},
		{"*.zip/x/*.txt", []Target{{"a.zip/x", "*.txt"}, {"b.zip/x", "*.txt"}, {"odd[1].zip/x", "*.txt"}}},
		{"a.zip/docs/*.txt", []Target{{"a.zip/docs", "*.txt"}}},
		{"[ab].zip/docs/x.txt", []Target{{"a.zip/docs/x.txt", ""}, {"b.zip/docs/x.txt", ""}}},
		{"*/c.zip", []Target{{"d/c.zip", ""}}},
		{"**/**/f.zip", []Target{{"d/e/f.zip", ""}}}, // only once
		{"**/x/**/y", []Target{{"x/x/y", ""}}},
		{"**/x/**", []Target{{"x", ""}, {"x/x", ""}, {"x/x/y", ""}}},
		{"d/**", []Target{{"d", ""}, {"d/c.zip", ""}, {"d/e", ""}, {"d/e/f.zip", ""}}},
		{"d/.h*", []Target{{"d/.hidden.zip", ""}}},
		{"D/*.ZIP", nil},
		{"d/*.ZIP", []Target{{"d/c.zip", ""}}},
		{"[", nil},
		{"-", []Target{{"-", ""}}},
		{"-/*.txt", []Target{{"-", "*.txt"}}},
		{"a.zip/[", []Target{{"a.zip", "["}}},
		{"none*", nil},
		{"none/*", nil},
	} {
		got, err := expandFiles(test.arg)
		if !reflect.DeepEqual(got, test.want) || (err != nil) != (test.want == nil) {
			t.Errorf("%s: got = %v, err = %v; want got equal to %v, an error exactly if nothing is expected", test.arg, got, err, test.want)
		}
	}
	abs, _ := filepath.Abs("a.zip")
	pattern := filepath.ToSlash(filepath.Dir(abs)) + "/a*.zip"
	if got, err := expandFiles(pattern); err != nil || len(got) != 1 || got[0].Path != filepath.ToSlash(abs) {
		t.Errorf("%s: got = %v, err = %v; want no error, got of length 1, got[0].Path = filepath.ToSlash(abs)", pattern, got, err)
	}
}
