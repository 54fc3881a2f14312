package web

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestColours: tokens.css is the only file of the page that contains colours. The start page
// contains the logo, which is drawn before the styles are loaded.
func TestColours(t *testing.T) {
	named := map[string]*regexp.Regexp{
		".css": regexp.MustCompile(`(?i):[^;{]*(#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(\s*\d|\b(white|black|red|green|blue|gr[ae]y)\b)`),
		".js":  regexp.MustCompile("(?i)[\"'`]#([0-9a-f]{3}|[0-9a-f]{6})\\b|\\b0x[0-9a-f]{6}\\b|\\b(rgb|hsl|oklch)a?\\(\\s*\\d"),
	}
	seen := 0
	err := fs.WalkDir(pageFolder(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "tokens.css" || strings.HasPrefix(name, "vendor/") || named[path.Ext(name)] == nil {
			return err
		}
		data, err := fs.ReadFile(pageFolder(), name)
		if err != nil {
			return err
		}
		seen++
		for n, line := range strings.Split(string(data), "\n") {
			if found := named[path.Ext(name)].FindString(line); found != "" {
				t.Errorf("%s:%d names a colour: %s", name, n+1, found)
			}
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("read %d files: %v", seen, err)
	}
}
