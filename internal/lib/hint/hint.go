// Package hint has errors that say what to do about them.
package hint

import "fmt"

// Usage is a command line that cannot be obeyed.
type Usage struct {
	message string
	Hints   []string
}

// Usagef makes such an error.
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
