// Package fact declares what pakbox says about files.
//
// A fact is declared once, as a row of a table: its name, its label, its kind,
// one sentence, and the function that reads it. The card and the JSON of info,
// the columns of tables and indexes, the words of searches, placeholders in
// names of outputs, help and schemas are all made from that row.
//
// A format or a room for a subject (maps, runs, items) has one [Table].
// [Table.Of] reads the facts of one file as a [Record].
package fact

import "strings"

// Fact is the declaration of one fact.
type Fact struct {
	// Name is the field in JSON. A member of an object has both names:
	// medals.author.
	Name string
	// Label is the name on cards. A fact without a label is not on cards.
	Label string
	// Kind says what the value means.
	Kind Kind
	// Doc is one sentence for help, documents and schemas.
	Doc string
	// Also lists further names for conditions, fields and searches.
	Also []Word
	// Storage: the fact is about how the file is stored. Pages show it last.
	Storage bool
	// Always: every file of the subject states it, so that its column is never null.
	Always bool
	// Search is the column of the full-text index that holds the value.
	Search Search
	// Indexed says that an index of files finds rows by this fact quickly.
	Indexed bool
}

// Column is the name of the fact's column in tables without objects.
func (f *Fact) Column() string { return strings.ReplaceAll(f.Name, ".", "_") }

// Answers reports whether name means this fact: name, column, label, further
// name.
func (f *Fact) Answers(name string) bool {
	if f.Name == name || f.Label != "" && strings.EqualFold(f.Label, name) || f.Column() == name {
		return true
	}
	for _, w := range f.Also {
		if w.Name == name {
			return true
		}
	}
	return false
}

// Search names a column of the full-text index.
type Search string

// Columns of the full-text index.
const (
	ByName    Search = "name"
	ByAuthor  Search = "author"
	ByComment Search = "comments"
)

// Value is a fact with the value that one file states.
type Value struct {
	*Fact
	// Value is nil, or has the type of its kind.
	Value any
	// Words is the value on cards, if that is more than the kind's text.
	Words string
	// Hidden says that the fact is of no interest on the card of this file.
	Hidden bool
}

// Make returns the value of a fact without a table.
func Make(name, label string, kind Kind, value any, words string) Value {
	return Value{Fact: &Fact{Name: name, Label: label, Kind: kind}, Value: normal(value), Words: words}
}

// Text is the value as people read it. Colour codes are removed.
func (v Value) Text() string {
	if v.Words != "" {
		return v.Words
	}
	return v.Kind.Text(v.Value)
}

// OnCard reports whether a card has a line for the value.
func (v Value) OnCard() bool {
	return v.Label != "" && !v.Hidden && !(v.Value == "" && v.Words == "")
}
