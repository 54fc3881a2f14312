package kit

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"reflect"

	"pakbox/cmd/internal/question"
)

// Reports lists the reports of all commands.
var Reports []*question.Report

// Report declares the JSON of a command that answers no question, or what it prints beside
// the answer. T is a struct; its fields follow schema, path and format.
type Report[T any] struct{ about *question.Report }

// NewReport declares the report of a command about a file. when has the flags with which
// the command prints it, "" for always.
func NewReport[T any](name, when, doc string) Report[T] {
	return newReport[T](&question.Report{Name: name, When: when, Doc: doc})
}

// NewPlainReport declares the report of a command that is not about a file.
func NewPlainReport[T any](name, when, doc string) Report[T] {
	return newReport[T](&question.Report{Name: name, When: when, Doc: doc, NoFile: true})
}

func newReport[T any](about *question.Report) Report[T] {
	about.Fields = reflect.TypeFor[T]()
	Reports = append(Reports, about)
	return Report[T]{about}
}

// Print prints the report about a file.
func (r Report[T]) Print(a *App, path, format string, fields T) error {
	return a.Print(question.NewObject(r.about.Name, path, format).AddFields(&fields))
}

// PrintPlain prints a report that is not about a file.
func (r Report[T]) PrintPlain(a *App, fields T) error {
	return a.Print(r.plain(fields))
}

func (r Report[T]) plain(fields T) *question.Object {
	return new(question.Object).Add("schema", "pakbox."+r.about.Name+"/1").AddFields(&fields)
}

// Made has the first fields of a report about a new file.
type Made struct {
	Output string `json:"output" doc:"path of the new file"`
	Size   int    `json:"size" doc:"size of the new file in bytes"`
	SHA256 string `json:"sha256" doc:"SHA-256 of the new file, in hexadecimal"`
}

func (m *Made) describe(out string, data []byte) {
	*m = Made{filepath.ToSlash(out), len(data), fmt.Sprintf("%x", sha256.Sum256(data))}
}

// made is a pointer to a struct that embeds Made.
type made[T any] interface {
	*T
	describe(out string, data []byte)
}

// WriteMade writes a new file that a command made from a GBX file, or in place of one, and
// prints the report about it.
func WriteMade[T any, P made[T]](a *App, r Report[T], o Output, name string, data []byte, fields T) error {
	return a.writeMade(o, data, func() error {
		P(&fields).describe(o.Out, data)
		return r.Print(a, name, "gbx", fields)
	})
}

// FailedEntries has the last fields of the report of an extraction.
type FailedEntries struct {
	Failures []*question.Error `json:"failures" doc:"entries that were not extracted, and why"`
	First    *question.Error   `json:"error,omitempty" doc:"the first failure"`
}

// NewFailures describes the failures of an extraction.
func (a *App) NewFailures(failures []error) FailedEntries {
	objects := make([]*question.Error, len(failures))
	for i, e := range failures {
		objects[i] = a.ErrorObject(e)
	}
	f := FailedEntries{Failures: objects}
	if len(objects) > 0 {
		f.First = objects[0]
	}
	return f
}

// NewFileReport declares what [App.WriteFile] prints about a file that a question made: the
// fields of Made, and those of T, which describes the file.
func NewFileReport[T any](name, doc string) Report[T] {
	NewReport[OnlyMade](name, "", doc)
	return NewReport[T](name, "", doc)
}

// OnlyMade is a report about a new file without further fields.
type OnlyMade struct{ Made }
