package form

import "pakbox/fact"

// FileFact is the first column of tables whose rows are parts of files.
var FileFact = &fact.Fact{Name: "file", Kind: fact.Text, Doc: "file that the row is about"}

// ListFacts returns the columns of a table: the file, and the fields of the struct T.
func ListFacts[T any]() []*fact.Fact { return append([]*fact.Fact{FileFact}, fact.Fields[T]()...) }

// ListRow returns a part of a file as a row of such a table.
func ListRow(facts []*fact.Fact, file string, part any) fact.Record {
	return fact.Cells(facts, append([]any{file}, fact.Values(part)...)...)
}
