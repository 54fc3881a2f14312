// Package hint has errors with advice for the user.
package hint

import (
	"fmt"
	"os"
	"strings"
)

// Usage is an error in the command line or request.
type Usage struct {
	message string
	Hints   []string
}

// Usagef makes a usage error.
func Usagef(format string, args ...any) *Usage {
	return &Usage{message: fmt.Sprintf(format, args...)}
}

func (e *Usage) Error() string { return e.message }

// Hint adds advice.
func (e *Usage) Hint(format string, args ...any) *Usage {
	e.Hints = append(e.Hints, fmt.Sprintf(format, args...))
	return e
}

// Hinted is an error with advice.
type Hinted struct {
	error
	Hints []string
}

// With adds advice to an error.
func With(err error, format string, args ...any) error {
	return &Hinted{err, []string{fmt.Sprintf(format, args...)}}
}

func (h *Hinted) Unwrap() error { return h.error }

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
