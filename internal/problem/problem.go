// Package problem describes errors in words: their kind, a sentence, and advice.
package problem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

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
func IsUsage(err error) bool {
	var usage *hint.Usage
	var param *archive.ParamError
	var value *archive.ValueError
	return errors.As(err, &usage) || errors.As(err, &param) || errors.As(err, &value)
}

// Kind returns the word that scripts see as error.kind: the kind of a fault, or one of a
// few words for errors that are no fault of a file.
func Kind(err error) string {
	if kind := fault.KindOf(err); kind != "" {
		return string(kind)
	}
	switch {
	case IsUsage(err):
		return "usage"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "interrupted"
	}
	if kind := fault.KindOf(fault.System(err)); kind != "" {
		return string(kind)
	}
	return string(fault.Access)
}

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

// Hints returns advice for the user about an error.
func Hints(err error) []string {
	var usage *hint.Usage
	var with *hint.Hinted
	switch {
	case errors.As(err, &with):
		return with.Hints
	case errors.As(err, &usage):
		return usage.Hints
	case errors.Is(err, fault.PassphraseRequired):
		return []string{"give the passphrase with --passphrase-file FILE or PAKBOX_PASSPHRASE, or run pakbox on a terminal to be asked"}
	case errors.Is(err, fault.KeyRequired):
		return []string{"give the key with --keys FILE or PAKBOX_KEYS; see 'pakbox help keys'"}
	case errors.Is(err, fault.WrongKey):
		return []string{"keys come from --keys FILE or PAKBOX_KEYS, see 'pakbox help keys'; a wrong letter in one looks the same as damage"}
	case errors.Is(err, fault.Pointer):
		return []string{"fetch the file with 'git lfs pull' in its repository, or download it from the site that holds it"}
	case errors.Is(err, fault.HMACMismatch):
		return []string{"try the passphrase again first: a wrong letter in it looks the same as damage"}
	case errors.Is(err, fault.Truncated):
		return []string{"the file ends too early: copy or download it again"}
	case errors.Is(err, fault.NotFormat):
		return []string{"'pakbox help formats' lists what pakbox can open"}
	case errors.Is(err, fault.UnsupportedVersion):
		return []string{"'pakbox help formats' lists what this pakbox can open; a newer one may know more"}
	}
	var e *fault.Error
	if errors.As(fault.System(err), &e) && errors.Is(e, fault.Access) {
		return systemHints(e)
	}
	return nil
}

// systemHints returns advice about an operation that the system refused.
func systemHints(err *fault.Error) []string {
	name := err.Path
	switch {
	case errors.Is(err, fs.ErrExist):
		return []string{"--force replaces what exists"}
	case errors.Is(err, fs.ErrPermission):
		return []string{"choose a place that is yours, or ask its owner for permission"}
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(name, `\`) && source.Exists(strings.ReplaceAll(name, `\`, "/")):
		return []string{fmt.Sprintf("folders are separated by slashes here: %s", strings.ReplaceAll(name, `\`, "/"))}
	case errors.Is(err, fs.ErrNotExist) && source.ThroughFile(source.Slashed(name)):
		file := source.Outermost(name)
		return []string{fmt.Sprintf("to see what %s holds: pakbox ls %s", file, hint.Word(file))}
	case errors.Is(err, fs.ErrNotExist) && source.Exists(name+".eix"): // people name packs without it
		return []string{fmt.Sprintf("there is %s.eix", name)}
	}
	return nil
}

// InFile adds the file to an error about the path of a value. All other errors already
// name their file.
func InFile(err error, file string) error {
	var value *archive.ValueError
	if !errors.As(err, &value) {
		return err
	}
	err = fmt.Errorf("%s: %w", file, err)
	switch {
	case len(value.Near) > 0:
		return hint.With(err, "did you mean %s?", form.OrList(value.Near))
	case value.Missing && strings.Trim(value.Path, "0123456789") == "": // a record of a table, which no dump shows
		return hint.With(err, "to see all records: pakbox ls %s", hint.Word(file))
	case value.Missing && strings.HasSuffix(strings.ToLower(file), ".gbx") && !strings.HasPrefix(value.Path, "header.") && !strings.HasPrefix(value.Path, "body."):
		return hint.With(err, "to see the names of all values: pakbox dump %s; the facts are in 'pakbox info', and commands such as 'pakbox map medals' change them", hint.Word(file))
	case value.Missing:
		return hint.With(err, "to see the names of all values: pakbox dump %s", hint.Word(file))
	}
	return err
}

// Error is the form of all errors in JSON.
type Error struct {
	Kind    string  `json:"kind"`
	Message string  `json:"message"`
	Entry   *string `json:"entry"`
	Offset  *int64  `json:"offset"`
}

// Of converts an error for JSON.
func Of(err error) *Error {
	j := &Error{Kind: Kind(err), Message: Describe(err)}
	var e *fault.Error
	if errors.As(err, &e) {
		j.Entry, j.Offset = form.NonEmpty(e.Entry), form.Known(e.Offset)
	}
	return j
}
