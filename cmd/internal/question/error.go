package question

import (
	"context"
	"errors"
	"net/http"

	"pakbox/fault"
)

// Error is an error in JSON.
type Error struct {
	Kind    string  `json:"kind"`
	Message string  `json:"message"`
	Entry   *string `json:"entry"`
	Offset  *int64  `json:"offset"`
	*Advice
}

// Advice is the part of an error that commands print as text. All other interfaces send
// it with the error.
type Advice struct {
	File  string   `json:"file"`
	Hints []string `json:"hints"`
	// Of content that ends too early: how many bytes are wanted at the offset, and how
	// many are there.
	Needs  int64 `json:"needs,omitempty"`
	Remain int64 `json:"remain,omitempty"`
}

// ErrorOf converts an error for the JSON of a command.
func ErrorOf(err error) *Error {
	j := &Error{Kind: ErrorKind(err), Message: Describe(err)}
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		j.Entry, j.Offset = NonEmpty(f.Entry), Known(f.Offset)
	}
	return j
}

// ErrorAbout converts an error about the file at a path for all other interfaces. An error
// may name another file.
func ErrorAbout(err error, path string) *Error {
	j := ErrorOf(err)
	j.Advice = &Advice{File: path, Hints: append([]string{}, Hints(err)...)}
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		if f.Path != "" {
			j.File = f.Path
		}
		j.Needs, j.Remain = f.Needs, f.Remain
	}
	return j
}

// Outcome is the result of a failed question: the exit code of a command, and the status
// of an answer over HTTP.
type Outcome struct{ Exit, Status int }

// interrupted is the kind of an error of work that was cancelled.
const interrupted fault.Kind = "interrupted"

// outcomes has the outcome of each kind of errors, or of its class. A damaged file is not
// a failure of the program.
var outcomes = map[fault.Kind]Outcome{
	fault.Usage:       {2, http.StatusBadRequest},
	interrupted:       {3, http.StatusServiceUnavailable},
	fault.NotFormat:   {1, http.StatusUnsupportedMediaType},
	fault.Corrupt:     {1, http.StatusUnprocessableEntity},
	fault.Unsupported: {3, http.StatusUnprocessableEntity},
	fault.Key:         {3, http.StatusUnprocessableEntity},
	fault.Unsafe:      {1, http.StatusForbidden},
	fault.Limit:       {1, http.StatusRequestEntityTooLarge},
	fault.NotFound:    {3, http.StatusNotFound},
	fault.Permission:  {3, http.StatusForbidden},
	fault.Access:      {3, http.StatusUnprocessableEntity},
}

// OutcomeOf returns the outcome of an error.
func OutcomeOf(err error) Outcome {
	kind := fault.KindOfAny(err)
	switch {
	case IsUsage(err):
		kind = fault.Usage
	case isInterrupted(err):
		kind = interrupted
	}
	for _, k := range []fault.Kind{kind, kind.Class()} {
		if o, ok := outcomes[k]; ok {
			return o
		}
	}
	return outcomes[fault.Access]
}

// ErrorKind returns the word that scripts see as error.kind: the kind of a fault, or one of
// a few words for errors that are not errors of a file.
func ErrorKind(err error) string {
	switch {
	case fault.KindOf(err) != "":
	case IsUsage(err):
		return string(fault.Usage)
	case isInterrupted(err):
		return string(interrupted)
	}
	return string(fault.KindOfAny(err))
}

func isInterrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Leaves splits joined errors.
func Leaves(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, Leaves(e)...)
	}
	return all
}

// IsUsage reports whether an error is about the request, and not about a file.
func IsUsage(err error) bool { return errors.Is(err, fault.Usage) }

// Describe returns the sentence for an error, without the name of the system call.
func Describe(err error) string {
	switch {
	case fault.KindOf(err) != "":
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, context.DeadlineExceeded):
		return "the answer took longer than an answer may take"
	}
	return fault.System(err).Error()
}
