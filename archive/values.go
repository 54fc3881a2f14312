package archive

import "io"

// A file may be made of named values besides what it shows as a folder. What
// people can do with them is the same for every format that has them; an
// [Archive] that offers it implements these interfaces.

// Dumper is an [Archive] that can show all values of its file.
type Dumper interface {
	Archive
	// DumpText writes the values as a tree for people, with offsets and bytes
	// if asked for.
	DumpText(w io.Writer, offsets bool) error
	// DumpJSON writes them as members of a JSON object, without the braces: at
	// least those that are wanted.
	DumpJSON(w io.Writer, want *Want) error
	// Coverage tells how much of the file was understood.
	Coverage() (*Coverage, error)
}

// Coverage tells how much of a file was understood, part by part and in
// total.
type Coverage struct {
	Bytes, Decoded int64
	Parts          []CoveredPart
}

// CoveredPart is all parts of a file of one kind.
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
	// Get returns the values a path leads to: one, or several that mean the
	// same and are the same.
	Get(path string) ([]Value, error)
	// Set returns the file with values changed.
	Set(assignments []Assignment) (*Revision, error)
}

// Revision is a file with values changed.
type Revision struct {
	Data    []byte
	Changes []ByteChange
	Notes   []string // what the caller should know about, a sentence each
}

// Value is a value of a file.
type Value struct {
	Path string
	Text string // for people
	JSON []byte
}

// ValueError is a path that leads nowhere, or a value that the file does not
// take there. It is the caller's mistake, not a fault of any file.
type ValueError struct {
	Path    string
	Message string
	Missing bool     // the path leads nowhere
	Near    []string // paths that it may have meant, best first
}

func (e *ValueError) Error() string { return e.Path + ": " + e.Message }

// Assignment asks for a new value.
type Assignment struct{ Path, Value string }

// ByteChange is a stretch of bytes that differs between two forms of a file.
type ByteChange struct {
	Part     string // of the file: "header", "body"
	Place    string // what lies there, as a path
	Offset   int64  // in the part
	Old, New []byte

	OldText, NewText string // for people, if a value lies there
}

// Differ is an [Archive] that compares values rather than entries.
type Differ interface {
	Archive
	// DiffValues lists what is different in another archive. It reports false
	// if the two cannot be compared by their values.
	DiffValues(other Archive) ([]ValueChange, bool, error)
}

// ValueChange is one value that differs. Old or New is empty where there is
// none.
type ValueChange struct {
	Kind     ChangeKind
	Path     string
	Old, New string
}
