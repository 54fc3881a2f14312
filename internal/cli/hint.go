// Package hint has errors that say what to do about them.
package cli

import "fmt"

// usageError is a command line that cannot be obeyed.
type usageError struct {
	message string
	hints   []string
}

func usagef(format string, args ...any) *usageError {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

func (e *usageError) Error() string { return e.message }

func (e *usageError) hint(format string, args ...any) *usageError {
	e.hints = append(e.hints, fmt.Sprintf(format, args...))
	return e
}

// hinted is an error with advice.
type hinted struct {
	error
	hints []string
}

func withHint(err error, format string, args ...any) error {
	return &hinted{err, []string{fmt.Sprintf(format, args...)}}
}

func (h *hinted) Unwrap() error { return h.error }
