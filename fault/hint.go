package fault

import (
	"errors"
	"fmt"
	"slices"
)

// Usagef returns an error in a request.
func Usagef(format string, args ...any) *Error { return New(Usage, format, args...) }

// Hint adds advice to a new error, and returns it. For the error of another function there
// is [WithHint].
func (e *Error) Hint(format string, args ...any) *Error {
	a := advice{}
	if e.advice != nil {
		a = *e.advice
	}
	a.hints = append(slices.Clip(a.hints), fmt.Sprintf(format, args...))
	e.advice = &a
	return e
}

// WithHint returns err with advice added, as a [*Error]. Its text, its kind and its place
// are those of err; errors.Is and errors.As still find err.
func WithHint(err error, format string, args ...any) error {
	err = System(err)
	if e, ok := err.(*Error); ok {
		c := *e
		return c.Hint(format, args...)
	}
	c := Error{Offset: NoOffset}
	if inner := (*Error)(nil); errors.As(err, &inner) {
		c = *inner
	}
	c.Err = err
	with := c.Hint(format, args...)
	with.advice.wraps = true
	return with
}

// Hints returns the advice of the first fault in err's chain that has any.
func Hints(err error) []string {
	var e *Error
	for errors.As(err, &e) {
		if e.advice != nil && len(e.advice.hints) > 0 {
			return e.advice.hints
		}
		err = e.Err
	}
	return nil
}
