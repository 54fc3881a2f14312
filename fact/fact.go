// Package fact declares the facts that pakbox reports about files.
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
	// Name is the field in JSON. The name of a member of an object includes the object:
	// medals.author.
	Name string
	// Label is the name on cards. A fact without a label is not on cards.
	Label string
	// Kind states what the value means.
	Kind Kind
	// Doc is one sentence for help, documents and schemas.
	Doc string
	// Also lists further names for conditions, fields and searches.
	Also []Word
	// Storage states that the fact is about how the file is stored. Pages show it last.
	Storage bool
	// Always states that every file of the subject has the fact, so that its column is
	// never null.
	Always bool
	// Search is the column of the full-text index that holds the value.
	Search Search
	// Indexed states that an index of files finds rows by this fact quickly.
	Indexed bool
	// Settable means that the fact can be set by its name.
	Settable bool
}

// Column is the name of the fact's column in flat tables: medals_author.
func (f *Fact) Column() string { return strings.ReplaceAll(f.Name, ".", "_") }

// Answers reports whether name is the name, the column, the label or a further name of
// this fact.
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

// Search is the name of a column of the full-text index.
type Search string

// Columns of the full-text index.
const (
	ByName    Search = "name"
	ByAuthor  Search = "author"
	ByComment Search = "comments"
)

// Value is a fact with its value in one file.
type Value struct {
	*Fact
	// Value is nil, or has the type of its kind.
	Value any
	// Words is the text on cards, if the text of the kind is not enough.
	Words string
	// Hidden states that the card of this file does not show the fact.
	Hidden bool
}

// Make returns a value whose fact is in no table.
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
