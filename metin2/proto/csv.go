package proto

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/csvline"
	"pakbox/metin2/internal/packname"
)

// The CSV form has all fields of all records, in UTF-8. Numbers that have words are
// written as words. It loses nothing.

// isCSV reports whether a file begins like the CSV form.
func isCSV(head []byte) bool {
	head = csvline.Text(head)
	if line, rest, _ := bytes.Cut(head, []byte("\n")); bytes.HasPrefix(bytes.ToLower(line), []byte("sep=")) {
		head = rest
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	line = bytes.ReplaceAll(bytes.ReplaceAll(bytes.ReplaceAll(line, []byte{';'}, []byte{','}), []byte{'\t'}, []byte{','}), []byte{'"'}, nil)
	return bytes.HasPrefix(line, []byte("vnum,")) && (bytes.Contains(line, []byte(",locale_name,")) || bytes.Contains(line, []byte(",rest")))
}

// csv is the table as CSV.
func (t *table) csv() []byte {
	var b []byte
	for i, f := range t.layout.fields {
		b = append(append(b, f.name...), ",\n"[boolInt(i == len(t.layout.fields)-1)])
	}
	for i := range t.count() {
		r := t.record(i)
		for c := range t.layout.fields {
			b = csvline.AppendText(b, t.layout.fields[c].text(r))
			b = append(b, ",\n"[boolInt(c == len(t.layout.fields)-1)])
		}
	}
	return b
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readCSV reads the CSV form. old is the table to change, nil for a new one. A field
// without a column keeps its old value, or is 0.
func readCSV(data []byte, old *table, opts archive.Options) (*table, error) {
	in := csvline.NewReader(data)
	header, err := in.Read()
	if err != nil {
		return nil, csvFault(err)
	}
	lines, err := in.ReadAll()
	if err != nil {
		return nil, csvFault(err)
	}
	t := old
	if t == nil {
		if t, err = newTable(header, lines, opts.CodePage); err != nil {
			return nil, err
		}
	}
	fields := make([]*field, len(header))
	for i, name := range header {
		f, ok := t.layout.field(name)
		if !ok {
			return nil, fault.New(fault.BadEntry, "line 1: the records have no field %q", name)
		}
		fields[i] = f
	}
	if len(fields) == 0 || fields[0].name != "vnum" {
		return nil, fault.New(fault.BadEntry, "line 1: the first column must be vnum")
	}
	if need := int64(len(lines)) * int64(t.layout.stride); need > opts.EntryLimit() {
		return nil, fault.New(fault.Limit, "%d lines are %d bytes of records, more than %d", len(lines), need, opts.EntryLimit())
	}
	return t.readLines(fields, lines)
}

// readLines makes records of the lines of a CSV.
func (t *table) readLines(fields []*field, lines [][]string) (*table, error) {
	olds := t.byVnum()
	data := make([]byte, len(lines)*t.layout.stride)
	now := t.with(data)
	for i, cells := range lines {
		r := now.record(i)
		for c, f := range fields {
			// A field with an unchanged text keeps its bytes, such as those behind the
			// NUL of a name.
			if old, ok := olds[r.vnum()]; c > 0 && ok && f.text(old) == cells[c] {
				continue
			}
			if err := f.set(r, cells[c]); err != nil {
				return nil, fault.At(fault.BadEntry, fault.NoOffset, f.name, "line %d: %v", i+2, err)
			}
			if old, ok := olds[r.vnum()]; c == 0 && ok {
				copy(r.data, old.data)
			}
		}
	}
	return now, nil
}

// newTable is an empty table with a known struct that has these columns.
func newTable(header []string, lines [][]string, codePage string) (*table, error) {
	k, mark := items, markItems
	if slices.Contains(header, "rank") {
		k, mark = mobs, markMobs
	}
	for _, l := range k.layouts() {
		if slices.ContainsFunc(header, func(name string) bool { _, ok := l.field(name); return !ok }) {
			continue
		}
		t := &table{kind: k, layout: l, version: 1, mark: mark, object: "MCOZ", key: k.key}
		t.pages.korean = korean
		var names []string
		if at := slices.Index(header, "locale_name"); at >= 0 {
			for _, cells := range lines {
				names = append(names, cells[at])
			}
		}
		page, err := packname.NewCodePage(codePage, names)
		if err != nil && slices.ContainsFunc(names, func(name string) bool { _, err := page.Bytes(name); return err != nil }) {
			return nil, err
		}
		t.pages.locale = page
		return t, nil
	}
	return nil, fault.New(fault.Unsupported, "no known client has records with these columns; put the CSV into a file of the client instead")
}

// csvFault adds the place to an error about a CSV.
func csvFault(err error) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return fault.New(fault.Truncated, "the CSV has no first line")
	case errors.As(err, &parse):
		return fault.New(fault.BadEntry, "line %d: %v", parse.Line, parse.Err)
	}
	return fmt.Errorf("CSV: %w", err)
}
