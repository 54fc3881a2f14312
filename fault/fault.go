// Package fault is the one vocabulary for everything that can be wrong with a
// file, or with a request ([Usage]). All formats report through [Error], so that a caller distinguishes "this file
// is damaged" from "pakbox cannot read this yet" from "a key is missing" the
// same way everywhere. A message names its place, as far as that is known: file, entry,
// offset and field, as far as they are known.
//
//	if errors.Is(err, fault.Corrupt) { … }       // any damage
//	if errors.Is(err, fault.HashMismatch) { … }  // exactly this one
//	var e *fault.Error
//	if errors.As(err, &e) { fmt.Println(e.Entry, e.Offset) }
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// NoOffset is the Offset of an error that belongs to no place in the file.
const NoOffset int64 = -1

// Error is one fault of a file. The layer that finds the fault sets kind, offset and
// field; [InEntry] and [InFile] add the entry and the file.
type Error struct {
	Kind    Kind
	Path    string // the file, or the path through archives that leads to it
	Entry   string // the entry inside the file
	Offset  int64  // offset in the file, or in the entry's unpacked data; NoOffset for none
	Field   string // the field's name in the format's specification
	Message string // one sentence without the place
	Err     error  // the cause, if there is one

	// Of content that ends too early: how many bytes are wanted at the offset, and how
	// many are there. 0 and 0 if not known.
	Needs, Remain int64

	advice *advice // see Hints; one word, because a damaged file may give a million errors
}

// advice is the part of an error beside its text.
type advice struct {
	hints []string // for the person who reads the error, a sentence each
	wraps bool     // Err has the whole text, with its place: see WithHint
}

// New returns an error that belongs to no single place in the file.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Offset: NoOffset, Message: fmt.Sprintf(format, args...)}
}

// At returns an error about the field at offset.
func At(kind Kind, offset int64, field, format string, args ...any) *Error {
	return &Error{Kind: kind, Offset: offset, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Short returns an error about the field at offset, which takes more bytes than remain.
func Short(offset int64, field string, needs, remain int64) *Error {
	e := At(Truncated, offset, field, "needs %d bytes, %d remain", needs, remain)
	e.Needs, e.Remain = needs, remain
	return e
}

// Wrap returns an error of the given kind caused by err.
func Wrap(kind Kind, err error, format string, args ...any) *Error {
	return &Error{Kind: kind, Offset: NoOffset, Message: fmt.Sprintf(format, args...), Err: err}
}

// Error renders the place, then the sentence, then the cause, on one line:
//
//	a.vpk: data.bin: content_hash at 0x1c40: BLAKE3 of the content differs
func (e *Error) Error() string {
	if e.advice != nil && e.advice.wraps {
		return e.Err.Error()
	}
	var b strings.Builder
	for _, place := range []string{e.Path, e.Entry} {
		if place != "" {
			b.WriteString(place)
			b.WriteString(": ")
		}
	}
	b.WriteString(e.Detail())
	return b.String()
}

// Detail is the error without file and entry.
func (e *Error) Detail() string {
	if e.advice != nil && e.advice.wraps {
		return e.Err.Error()
	}
	var b strings.Builder
	switch {
	case e.Field != "" && e.Offset != NoOffset:
		fmt.Fprintf(&b, "%s at 0x%x: ", e.Field, e.Offset)
	case e.Field != "":
		fmt.Fprintf(&b, "%s: ", e.Field)
	case e.Offset != NoOffset:
		fmt.Fprintf(&b, "at 0x%x: ", e.Offset)
	}
	switch {
	case e.Message != "" && e.Err != nil:
		fmt.Fprintf(&b, "%s: %v", e.Message, e.Err)
	case e.Message != "":
		b.WriteString(e.Message)
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	default:
		b.WriteString(e.Kind.Error())
	}
	return b.String()
}

// Is reports whether target is this error's kind or its class.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && (k == e.Kind || k == e.Kind.Class())
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first fault in err's chain, or "".
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// InEntry adds the name of the entry to a fault that has none. Other errors are returned
// unchanged.
func InEntry(err error, entry string) error {
	return amend(err, func(e *Error) bool {
		if e.Entry != "" {
			return false
		}
		e.Entry = entry
		return true
	})
}

// InFile adds the path of the file to a fault that has none. Other errors are returned
// unchanged.
func InFile(err error, path string) error {
	return amend(err, func(e *Error) bool {
		if e.Path != "" {
			return false
		}
		e.Path = path
		return true
	})
}

// amend applies set to a copy of the fault, because the original may be shared. An error
// of usage is about the request, and stays as it is.
func amend(err error, set func(*Error) bool) error {
	e, ok := err.(*Error)
	if !ok || e.Kind == Usage || e.advice != nil && e.advice.wraps {
		return err
	}
	c := *e
	if !set(&c) {
		return err
	}
	return &c
}
