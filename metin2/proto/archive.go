package proto

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
)

// Archive is an open table. Its entries are the other forms of the table, such as CSV.
type Archive struct {
	*archive.Tree
	*table
	form form
	file []byte
	opts archive.Options
}

var (
	_ archive.Grouped     = (*Archive)(nil)
	_ archive.Valuer      = (*Archive)(nil)
	_ archive.Differ      = (*Archive)(nil)
	_ archive.TableEditor = (*Archive)(nil)
)

// Format is the name of the format.
func (a *Archive) Format() string { return Format{}.Name() }

// tree lists the other forms as files. Their content is made on demand.
func (a *Archive) tree() *archive.Tree {
	contents := []func() []byte{a.csv, a.textForm, a.names}
	var entries []archive.Entry
	for _, ending := range []string{csvEnding, textEnding, namesEnding} {
		entries = append(entries, archive.Entry{Name: a.kind.name + ending, Size: -1, Offset: -1, Method: "made from the records", Form: true})
	}
	return archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(contents[i]())), nil
	})
}

// tableFacts are the facts of a table.
var tableFacts = fact.NewTable("metin2proto", "A table of Metin2's items or monsters.", []fact.Row[*Archive]{
	{Name: "records", Label: "Records", Kind: fact.Count, Doc: "number of records", Get: func(a *Archive) any { return a.count() },
		Words: func(a *Archive) string { return fmt.Sprintf("%d %ss", a.count(), a.kind.name) }},
	{Name: "form", Label: "Form", Kind: fact.Text, Doc: "how the table is stored: client, text, csv", Get: func(a *Archive) any { return string(a.form) }},
	{Name: "stride", Label: "Bytes of a record", Kind: fact.Count, Doc: "size of a record in the client's file", Get: func(a *Archive) any { return a.layout.stride }},
	{Name: "fields", Label: "Fields", Kind: fact.Count, Doc: "number of fields of a record", Get: func(a *Archive) any { return len(a.layout.fields) }},
	{Name: "unknown_bytes", Label: "Unknown bytes", Kind: fact.Count, Doc: "bytes of a record without a known meaning", Omit: true,
		Get: func(a *Archive) any { return fact.Known(a.layout.restSize(), a.layout.restSize() > 0) }},
	{Name: "first_vnum", Label: "First vnum", Kind: fact.Count, Doc: "vnum of the first record", Omit: true, Get: func(a *Archive) any {
		if a.count() == 0 {
			return nil
		}
		return a.record(0).vnum()
	}},
	{Name: "last_vnum", Label: "Last vnum", Kind: fact.Count, Doc: "vnum of the last record", Omit: true, Get: func(a *Archive) any {
		if a.count() == 0 {
			return nil
		}
		return a.record(a.count() - 1).vnum()
	}},
	{Name: "code_page", Label: "Code page", Kind: fact.Text, Doc: "code page of names beyond ASCII", Get: func(a *Archive) any {
		if a.pages.locale == nil {
			return "unknown"
		}
		return a.pages.locale.Name
	}},
	{Name: "unknown_words", Label: "Unknown words", Kind: fact.List, Doc: "words of a text form that pakbox does not know and reads as dump_proto does", Omit: true,
		Get: func(a *Archive) any {
			words := a.unknownWords()
			return fact.Known(words, len(words) > 0)
		}},
})

// unknownWords lists the unknown words in the notes, each once.
func (t *table) unknownWords() (words []string) {
	seen := map[string]bool{"": true}
	for _, n := range t.notes {
		if !seen[n.word] {
			seen[n.word] = true
			words = append(words, n.word)
		}
	}
	return words
}

// Subjects lists the facts of tables.
func (Format) Subjects() []*fact.Subject { return []*fact.Subject{&tableFacts.Subject} }

// Facts describe the table.
func (a *Archive) Facts() fact.Record { return tableFacts.Of(a) }

// Groups implements archive.Grouped: each record is a row of a table.
func (a *Archive) Groups() []archive.Group {
	list := make([]archive.Group, a.count())
	for i := range list {
		r := a.record(i)
		list[i] = archive.Group{Folder: fmt.Sprint(r.vnum()), Size: int64(a.layout.stride), Row: true, Summary: r.summary(), Facts: r.facts}
	}
	return list
}

// summary returns the facts of a record for a list.
func (r record) summary() (list fact.Record) {
	for _, name := range []string{"vnum", "name", "locale_name", "type"} {
		if f, ok := r.layout.field(name); ok {
			list = append(list, r.fact(f))
		}
	}
	return list
}

// facts returns all fields of a record.
func (r record) facts() (list fact.Record) {
	for i := range r.layout.fields {
		list = append(list, r.fact(&r.layout.fields[i]))
	}
	return list
}

// fact returns a field as a fact: numbers without words stay numbers, all others are
// text.
func (r record) fact(f *field) fact.Value {
	if f.words != nil {
		return fact.Make(f.name, f.name, fact.Text, f.text(r), "")
	}
	switch v := f.value(r).(type) {
	case string:
		return fact.Make(f.name, f.name, fact.Text, v, "")
	case int64:
		return fact.Make(f.name, f.name, fact.Count, v, "")
	default:
		return fact.Make(f.name, f.name, fact.Number, v, "")
	}
}

// Verify reports values of a text form that a client's file cannot hold, and records that
// the client never finds.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	r := &archive.Report{Entries: a.count(), Bytes: int64(len(a.data))}
	opts.Begin(r.Bytes)
	defer opts.Advance(r.Bytes)
	for _, n := range a.notes {
		r.Findings = append(r.Findings, finding.New(finding.Warning, "proto_text", finding.Position{Field: n.field}, "line %d: %s", n.line, n.message))
	}
	seen := make(map[uint32]bool, a.count())
	for i := range a.count() {
		vnum := a.record(i).vnum()
		if seen[vnum] {
			r.Findings = append(r.Findings, finding.New(finding.Warning, "proto_vnum_twice", finding.Position{Entry: fmt.Sprint(vnum)}, "another record has the same vnum; the client takes one of them"))
		}
		seen[vnum] = true
	}
	return r, ctx.Err()
}

// edited returns the table after edits.
func (a *Archive) edited(ctx context.Context, edits []archive.Edit, opts archive.CreateOptions) (*table, error) {
	var puts []archive.Item
	complete := false
	for _, e := range edits {
		if e.Put == nil {
			return nil, fault.New(fault.Unsupported, "the files in a table are made from its records; they can only be put")
		}
		puts = append(puts, *e.Put)
		complete = complete || e.RemoveMissing
	}
	if len(puts) == 0 {
		return a.table, nil
	}
	opts.CodePage = a.opts.CodePage
	t, err := tableOf(ctx, puts, a.table, opts.Options)
	if err != nil {
		return nil, err
	}
	if t.kind != a.kind {
		return nil, fault.New(fault.Unsupported, "a table of %ss cannot become one of %ss", a.kind.name, t.kind.name)
	}
	if complete {
		return t, nil
	}
	return a.merge(t)
}

// EditEffect implements archive.TableEditor.
func (a *Archive) EditEffect(ctx context.Context, edits []archive.Edit, opts archive.CreateOptions) (*archive.TableEffect, error) {
	t, err := a.edited(ctx, edits, opts)
	if err != nil {
		return nil, err
	}
	values, effect := a.changesTo(t)
	effect.Values = values
	return effect, nil
}

// Edit implements archive.Editor: putting another form of the table changes and adds the
// records that it has. With [archive.Edit.RemoveMissing] all other records are removed.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	t, err := a.edited(ctx, edits, opts)
	if err != nil {
		return err
	}
	if a.form == client && t.layout.stride == a.layout.stride {
		t = a.with(t.data) // keep the key, the marks and the version of the file
	}
	if bytes.Equal(t.data, a.data) {
		file, err := stage.File()
		if err == nil {
			_, err = file.Write(a.file)
		}
		return err
	}
	return t.write(stage, a.form)
}
