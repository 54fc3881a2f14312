package quote

import "testing"

func TestWord(t *testing.T) {
	// A name gets quotes only if needed, and quotes that Windows knows too, if possible.
	for name, want := range map[string]string{"a.b-c/d": "a.b-c/d", "a b": `"a b"`, "it's": `"it's"`, "$a": "'$a'"} {
		if got := Word(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
