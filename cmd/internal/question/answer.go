package question

import (
	"bufio"
	"bytes"
	"encoding/json"
	"iter"
	"reflect"
	"strings"

	"pakbox/fact"
)

// An answer is a pointer to a struct, whose JSON is that of encoding/json, or a *[File].
// If one of its fields has the tag method:"result", the methods of Python and JavaScript
// return that field instead of the whole answer.
// An answer may also implement the interfaces of this file. The package itself uses
// Fielder, Stater and Parted; commands use the others.

// Fielder is an answer that writes the fields of its JSON itself, each after a comma.
type Fielder interface{ AppendFields(b *bytes.Buffer) error }

// Stater is an answer whose fields are facts and not the fields of its type. Subjects
// lists the facts that the answer may have, for its schema; nil stands for the facts of
// all formats. It is called on a nil answer.
type Stater interface{ Subjects() []*fact.Subject }

// Parted is an answer of several parts. A command prints a line of JSON for each part;
// all other interfaces return one object.
type Parted interface{ Parts() []any }

// Listing is an answer that is a list, which commands can also print as rows of a table.
// file is the path that was asked about. A row is valid until the next one.
type Listing interface {
	Rows(file string) iter.Seq[fact.Record]
}

// Tabled is a Listing whose columns depend on the file.
type Tabled interface {
	Listing
	// Columns returns all columns in order, or nil if only the rows have them; and the
	// names of those that a table shows unless the user chooses others.
	Columns() (all []*fact.Fact, usual []string)
}

// RowWriter is a Listing that can have millions of rows, and that writes them as CSV
// faster than cell by cell. The rows have all columns; their head is already written.
type RowWriter interface {
	Listing
	WriteRows(w *bufio.Writer, file string) error
}

// Finder is the answer of a check. Found reports whether the check found a difference or
// a problem; the command then ends with exit code 1.
type Finder interface{ Found() bool }

// Seq is a list in an answer whose elements are made while they are written, because a
// list of all of them would take much memory.
type Seq[T any] iter.Seq[T]

// MarshalJSON writes the elements.
func (s Seq[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := s.AppendJSON(&b)
	return b.Bytes(), err
}

// AppendJSON writes the elements after the content of the buffer.
func (s Seq[T]) AppendJSON(b *bytes.Buffer) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	b.WriteByte('[')
	begin := b.Len()
	for e := range s {
		if b.Len() > begin {
			b.WriteByte(',')
		}
		if err := enc.Encode(e); err != nil {
			return err
		}
		b.Truncate(b.Len() - len("\n"))
	}
	b.WriteByte(']')
	return nil
}

// element returns a nil pointer to an element, for the schema.
func (Seq[T]) element() any { return (*T)(nil) }

// IsList reports whether values of a type are lists: slices, arrays and sequences.
func IsList(t reflect.Type) bool {
	_, ok := reflect.Zero(t).Interface().(interface{ element() any })
	return ok || t.Kind() == reflect.Slice || t.Kind() == reflect.Array
}

// FileFact is the first column of tables whose rows are parts of files.
var FileFact = &fact.Fact{Name: "file", Kind: fact.Text, Doc: "file that the row is about"}

// ListFacts returns the columns of a table: the file, and the fields of the struct T.
func ListFacts[T any]() []*fact.Fact { return append([]*fact.Fact{FileFact}, fact.Fields[T]()...) }

// ListRow returns a part of a file as a row of such a table.
func ListRow(facts []*fact.Fact, file string, part any) fact.Record {
	return fact.Cells(facts, append([]any{file}, fact.Values(part)...)...)
}

// MethodResult returns the name of the field that methods of Python and JavaScript return
// instead of the whole answer, or "".
func (q *Question) MethodResult() string {
	t := q.Answer.Elem()
	if q.IsFile() || q.Change || t.Kind() != reflect.Struct {
		return ""
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("method") == "result" {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			return name
		}
	}
	return ""
}
