package cli

import "testing"

func TestStoredName(t *testing.T) {
	for input, want := range map[string]string{
		"a.txt": "a.txt", "./a.txt": "a.txt", "d/a.txt": "d/a.txt", "d": "d", "d/": "", ".": "", "..": "",
		"../a.txt": "a.txt", "../d/e": "e", "/tmp/a.txt": "a.txt", "d/../a.txt": "a.txt",
	} {
		if got := storedName(input); got != want {
			t.Errorf("storedName(%q) = %q, want %q", input, got, want)
		}
	}
}
