package fact

// Row is one fact of the subject S: a [Fact] and the functions that read it.
type Row[S any] struct {
	Name, Label string
	Kind        Kind
	Doc         string
	Also        []Word
	Storage     bool
	Always      bool
	Search      Search
	Indexed     bool
	// Omit leaves an absent fact out of JSON. Otherwise it is null.
	Omit bool

	// Get reads the fact, nil if it is absent. A [Group] has no Get.
	Get func(S) any
	// Words gives the text on cards, if the text of the kind is not enough.
	Words func(S) string
	// Shown reports whether the card of this file shows the fact. Nil means always.
	Shown func(S) bool
	// Conflict returns a sentence if two places of the file disagree about the fact,
	// otherwise "".
	Conflict func(S) string
	// Set writes the fact to all places of the file that state it. Nil means that the
	// fact cannot be set.
	Set func(s S, text string) error
}

// Table lists the facts of the subject S, in the order of cards and JSON.
type Table[S any] struct {
	Subject
	rows []Row[S]
}

// Subject is one kind of file, or one kind of thing in a file.
type Subject struct {
	Name  string // such as map, replay or ghost, as in the schema of info
	Doc   string
	Facts []*Fact
}

// NewTable declares the facts of a subject.
func NewTable[S any](name, doc string, rows []Row[S]) *Table[S] {
	t := &Table[S]{Subject: Subject{Name: name, Doc: doc}, rows: rows}
	facts := make([]Fact, len(rows))
	t.Facts = make([]*Fact, len(rows))
	for i := range rows {
		r := &rows[i]
		facts[i] = Fact{
			Name: r.Name, Label: r.Label, Kind: r.Kind, Doc: r.Doc,
			Also: r.Also, Storage: r.Storage, Always: r.Always, Search: r.Search, Indexed: r.Indexed,
			Settable: r.Set != nil,
		}
		t.Facts[i] = &facts[i]
	}
	return t
}

// Of reads all facts of a file.
func (t *Table[S]) Of(s S) Record {
	record := make(Record, 0, len(t.rows))
	for i := range t.rows {
		r := &t.rows[i]
		v := Value{Fact: t.Facts[i], Hidden: r.Shown != nil && !r.Shown(s)}
		if r.Get != nil {
			v.Value = normal(r.Get(s))
		}
		if r.Omit && (v.Value == nil || v.Value == "") {
			continue
		}
		if r.Words != nil && !v.Hidden {
			v.Words = r.Words(s)
		}
		record = append(record, v)
	}
	return record
}

// Columns reads the facts that are columns of tables, without the text of cards.
func (t *Table[S]) Columns(s S) Record {
	record := make(Record, 0, len(t.rows))
	for i := range t.rows {
		if t.Facts[i].isColumn() {
			record = append(record, Value{Fact: t.Facts[i], Value: normal(t.rows[i].Get(s))})
		}
	}
	return record
}

// Conflicts lists the sentences about facts for which two places of the file disagree.
func (t *Table[S]) Conflicts(s S) (sentences []string) {
	for i := range t.rows {
		if conflict := t.rows[i].Conflict; conflict != nil {
			if sentence := conflict(s); sentence != "" {
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences
}

// Conflict returns the sentence about one fact, given by its name, for which two places
// of the file disagree; otherwise "".
func (t *Table[S]) Conflict(s S, name string) string {
	for i := range t.rows {
		if row := &t.rows[i]; row.Name == name && row.Conflict != nil {
			return row.Conflict(s)
		}
	}
	return ""
}

// Named finds a fact of a subject by any of its names.
func (s *Subject) Named(name string) (*Fact, bool) {
	for _, exact := range []bool{true, false} {
		for _, f := range s.Facts {
			if f.Name == name || !exact && f.Answers(name) {
				return f, true
			}
		}
	}
	return nil, false
}

// Columns lists the facts that are columns of tables: single values, and lists of times.
func (s *Subject) Columns() (facts []*Fact) {
	for _, f := range s.Facts {
		if f.isColumn() {
			facts = append(facts, f)
		}
	}
	return facts
}

func (f *Fact) isColumn() bool { return f.Kind.Scalar() || f.Kind == Times }
