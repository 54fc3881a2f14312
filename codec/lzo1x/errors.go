package lzo1x

import (
	"errors"
	"fmt"
)

// The faults of a stream. An [*Error] wraps one of them.
var (
	// ErrTruncated states that the input ends before the end marker.
	ErrTruncated = errors.New("input ends before the end marker")
	// ErrLookBehind states that a match points before the first byte of output.
	ErrLookBehind = errors.New("match reaches back before the start of the output")
	// ErrOutputFull states that the stream holds more than the caller has room for.
	ErrOutputFull = errors.New("output is larger than the room given for it")
	// ErrTrailing states that bytes follow the end marker.
	ErrTrailing = errors.New("input goes on after the end marker")
)

// Error states what is wrong with a stream and where.
type Error struct {
	Err    error // one of the Err values of this package
	Offset int   // offset in the compressed input: the faulty instruction, or the first trailing byte
}

func (e *Error) Error() string {
	return fmt.Sprintf("lzo1x: %v (at input offset %d)", e.Err, e.Offset)
}

func (e *Error) Unwrap() error { return e.Err }
