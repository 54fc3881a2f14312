package archive

import (
	"context"
	"encoding/json"
	"io"

	"pakbox/fault"
)

// A file may be made of named values besides the files that it shows. Commands on values
// are the same for every format. An [Archive] that offers values implements these
// interfaces.

// Dumper is an [Archive] that can show all values of its file.
type Dumper interface {
	Archive
	// DumpText writes the values as a tree for people, with offsets and bytes
	// if asked for.
	DumpText(w io.Writer, offsets bool) error
	// DumpJSON writes the values as members of a JSON object, without the braces. It may
	// leave out values that are not wanted.
	DumpJSON(w io.Writer, want *Want) error
	// Coverage states how much of the file was understood.
	Coverage() (*Coverage, error)
}

// Coverage states how much of a file was understood, part by part and in total.
type Coverage struct {
	Bytes, Decoded int64
	Parts          []CoveredPart
}

// CoveredPart sums up all parts of one kind in a file.
type CoveredPart struct {
	Name    string `json:"chunk"`
	Class   string `json:"class"`
	Header  bool   `json:"header"`
	Count   int    `json:"count"`
	Bytes   int64  `json:"bytes"`
	Decoded int64  `json:"decoded_bytes"`
}

// Valuer is an [Archive] whose values can be asked for and set by path.
type Valuer interface {
	Archive
	// Get returns the values at a path. Several values mean that the file stores the same
	// value in several places.
	Get(path string) ([]Value, error)
	// Set returns the file with changed values.
	Set(assignments []Assignment) (*Revision, error)
}

// IsDocument reports whether an archive consists of values, and shows files only as another
// form of them. An archive of files may have values besides.
func IsDocument(a Archive) bool {
	_, dumper := a.(Dumper)
	_, table := a.(TableEditor)
	return dumper || table
}

// Revision is a file with changed values.
type Revision struct {
	Data    []byte
	Changes []ByteChange
	Notes   []string // one sentence for each thing that the caller should know
}

// Value is a value of a file.
type Value struct {
	Path string          `json:"path" doc:"whole path of the value"`
	Text string          `json:"-"` // for people
	JSON json.RawMessage `json:"value" doc:"the value"`
}

// ValueError reports a path that leads nowhere, or a value that the file cannot hold
// there. It is the caller's mistake, not a fault of any file.
type ValueError struct {
	Path    string
	Message string
	Missing bool     // the path leads nowhere
	Near    []string // similar paths that exist, best first
	Rename  bool     // the value is the name of an entry: moving the entry changes it
}

func (e *ValueError) Error() string { return e.Path + ": " + e.Message }

// Unwrap returns the error as a fault of kind [fault.Usage].
func (e *ValueError) Unwrap() error { return fault.Usagef("%s", e.Error()) }

// Assignment asks for a new value.
type Assignment struct{ Path, Value string }

// ByteChange is a stretch of bytes that differs between two forms of a file.
type ByteChange struct {
	Part     string // part of the file: "header", "body"
	Place    string // the path of the value at these bytes
	Offset   int64  // from the beginning of the part
	Old, New []byte

	OldText, NewText string // the value as text, if these bytes are a value
	Size             bool   // the bytes are sizes or counts, which follow from the values
}

// Differ is an [Archive] that compares values rather than entries.
type Differ interface {
	Archive
	// DiffValues lists the values that differ in another archive. It returns false if the
	// values of the two cannot be compared.
	DiffValues(other Archive) ([]ValueChange, bool, error)
}

// ValueChange is one value that differs. Old or New is empty where there is
// none.
type ValueChange struct {
	Kind     ChangeKind
	Path     string
	Old, New string
}

// TableEditor is an [Editor] of a table. Its entries are the table in other forms. Putting
// one changes and adds records by their keys, and removes others only if
// [Edit.RemoveMissing] is set.
type TableEditor interface {
	Editor
	// EditEffect works out what edits would do to the records.
	EditEffect(ctx context.Context, edits []Edit, opts CreateOptions) (*TableEffect, error)
}

// TableEffect is what edits do to the records of a table.
type TableEffect struct {
	Values []ValueChange // as [Differ] lists them
	// Numbers of records.
	Changed, Added, Removed int
}
