// Package quote writes names as a shell wants them typed.
package quote

import (
	"os"
	"strings"
)

// Word returns a name as it must be typed in a command: in quotes if a shell would take it
// apart or change it. A backslash changes names, except where it stands between folders.
func Word(name string) string {
	backslash := os.PathSeparator == '/' && strings.Contains(name, `\`)
	special := strings.ContainsAny(name, " \t\n&|;<>()*?[]{}#~`!'$\"") || name == "" || backslash
	switch {
	case !special:
		return name
	case !strings.ContainsAny(name, "\"$`!\n") && !backslash:
		return `"` + name + `"`
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
