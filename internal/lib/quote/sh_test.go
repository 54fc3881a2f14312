//go:build !windows

package quote

import (
	"os/exec"
	"testing"
)

// names are names that mean something to a shell, or do not.
var names = []string{"a", "Größe", "a.b-c_d=e:f/g,h@i", "", " ", "a b", "a\tb", "a\nb", "a&b", "a|b", "a;b", "a<b", "a>b", "a(b", "a)b",
	"a*", "a?", "[a]", "{a,b}", "#a", "~", "a`b`", "!a", "it's", "$HOME", "'$HOME'", `a"b`, `'"'`, `"a'`, "a $b 'c' \"d\"", `a\b`, `a\`, `\\a b`, `\'`}

// A shell that is given the word of a name finds the name.
func TestWordInAShell(t *testing.T) {
	for _, name := range names {
		out, err := exec.Command("/bin/sh", "-c", "printf %s "+Word(name)).Output()
		if err != nil || string(out) != name {
			t.Errorf("%q: %s gives %q, %v", name, Word(name), out, err)
		}
	}
}
