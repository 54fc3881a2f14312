package proto

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// The path of a value is the vnum of its record and the name of the field: 19/buy_price.
// A vnum alone stands for the whole record.

// locate finds the record and the field of a path. f is nil if the path has no field.
func (t *table) locate(at string) (r record, f *field, err error) {
	number, name, hasField := strings.Cut(at, "/")
	vnum, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		return r, nil, &archive.ValueError{Path: at, Message: "a path is the vnum of a record and the name of a field, as in 19/name"}
	}
	i := t.count() - 1
	for i >= 0 && t.record(i).vnum() != uint32(vnum) {
		i--
	}
	if i < 0 {
		return r, nil, &archive.ValueError{Path: at, Missing: true, Message: "no record has this vnum"}
	}
	r = t.record(i)
	if !hasField {
		return r, nil, nil
	}
	f, ok := t.layout.field(name)
	if !ok {
		var names []string
		for _, f := range t.layout.fields {
			names = append(names, number+"/"+f.name)
		}
		return r, nil, &archive.ValueError{Path: at, Missing: true, Message: "the records have no such field", Near: spell.Near(at, names, 1)}
	}
	return r, f, nil
}

// Get implements archive.Valuer.
func (t *table) Get(path string) ([]archive.Value, error) {
	r, f, err := t.locate(path)
	if err != nil {
		return nil, err
	}
	if f != nil {
		data, err := json.Marshal(f.value(r))
		return []archive.Value{{Path: path, Text: f.text(r), JSON: data}}, err
	}
	var lines []string
	for i := range t.layout.fields {
		f := &t.layout.fields[i]
		lines = append(lines, fmt.Sprintf("%s = %s", f.name, f.text(r)))
	}
	data, err := r.facts().MarshalJSON()
	return []archive.Value{{Path: path, Text: strings.Join(lines, "\n"), JSON: data}}, err
}

// Set implements archive.Valuer. All other records stay as they are.
func (a *Archive) Set(assignments []archive.Assignment) (*archive.Revision, error) {
	now := a.with(bytes.Clone(a.data))
	revision := &archive.Revision{Data: a.file}
	for _, s := range assignments {
		r, f, err := now.locate(s.Path)
		if err != nil {
			return nil, err
		}
		if f == nil || f.name == "vnum" {
			return nil, &archive.ValueError{Path: s.Path, Message: "name a field other than the vnum"}
		}
		before := record{now, bytes.Clone(r.data)}
		if err := f.set(r, s.Value); err != nil {
			return nil, withLocale(r, f, s.Value, &archive.ValueError{Path: s.Path, Message: err.Error()})
		}
		if !bytes.Equal(before.data, r.data) {
			revision.Changes = append(revision.Changes, archive.ByteChange{
				Part: "records", Place: s.Path, Offset: int64(cap(now.data) - cap(r.data) + f.at),
				Old: before.data[f.at:][:f.size], New: bytes.Clone(r.data[f.at:][:f.size]), OldText: f.text(before), NewText: f.text(r),
			})
		}
	}
	if len(revision.Changes) == 0 {
		return revision, nil
	}
	var err error
	switch a.form {
	case asCSV:
		revision.Data = now.csv()
	case asText:
		return nil, &archive.ValueError{Path: assignments[0].Path, Message: "values are set in a client's file or in CSV: convert the text form to one of these"}
	default:
		revision.Data, err = now.file()
	}
	return revision, err
}

// withLocale adds advice to the error about a text that the Korean page of the makers' names
// lacks, if the record also has a name in the client's language.
func withLocale(r record, f *field, value string, err error) error {
	other, ok := r.layout.field("locale_" + f.name)
	if f.typ != text || f.locale || !ok {
		return err
	}
	if _, bad := r.pages.of(f).Bytes(value); bad == nil {
		return err
	}
	return fault.WithHint(err, "%s holds the makers' Korean text; the client's is in %d/%s", f.name, r.vnum(), other.name)
}

// rename returns the table with the names from a names file.
func (t *table) rename(names []byte) *table {
	now := t.with(bytes.Clone(t.data))
	found := now.byVnum()
	for _, cells := range rows(names) {
		first, _, _ := strings.Cut(string(cells[0]), "~")
		vnum, err := strconv.ParseUint(first, 10, 32)
		if r, ok := found[uint32(vnum)]; ok && err == nil && len(cells) > 1 {
			r.cutRaw("locale_name", cells[1])
		}
	}
	return now
}

// DiffValues implements archive.Differ: it compares records with the same vnum field by
// field.
func (a *Archive) DiffValues(other archive.Archive) ([]archive.ValueChange, bool, error) {
	b, ok := other.(*Archive)
	if !ok || b.kind != a.kind {
		return nil, false, nil
	}
	values, _ := a.changesTo(b.table)
	return values, true, nil
}

// changesTo lists what differs in another table, and counts the records.
func (t *table) changesTo(b *table) ([]archive.ValueChange, *archive.TableEffect) {
	olds, news := t.keys(), b.keys()
	had, has := map[recordKey]bool{}, map[recordKey]int{}
	for _, k := range olds {
		had[k] = true
	}
	effect := &archive.TableEffect{}
	var added, removed, changed []archive.ValueChange
	for i, k := range news {
		if has[k] = i; !had[k] {
			added = append(added, archive.ValueChange{Kind: archive.Added, Path: fmt.Sprint(k.vnum), New: "a record"})
		}
	}
	for i, k := range olds {
		now, ok := has[k]
		if !ok {
			removed = append(removed, archive.ValueChange{Kind: archive.Removed, Path: fmt.Sprint(k.vnum), Old: "a record"})
			continue
		}
		list := t.record(i).differences(b.record(now))
		if len(list) > 0 {
			effect.Changed++
		}
		changed = append(changed, list...)
	}
	effect.Added, effect.Removed = len(added), len(removed)
	return slices.Concat(added, removed, changed), effect
}

// recordKey identifies a record: its vnum, and how many records with the same vnum follow,
// because the client uses the last one.
type recordKey struct {
	vnum  uint32
	later int
}

// keys returns the keys of all records.
func (t *table) keys() []recordKey {
	list := make([]recordKey, t.count())
	later := map[uint32]int{}
	for i := t.count() - 1; i >= 0; i-- {
		v := t.record(i).vnum()
		list[i] = recordKey{v, later[v]}
		later[v]++
	}
	return list
}

// differences lists the fields of two records that differ.
func (r record) differences(now record) (list []archive.ValueChange) {
	add := func(f *field, kind archive.ChangeKind, before, after string) {
		if before != after {
			list = append(list, archive.ValueChange{Kind: kind, Path: fmt.Sprintf("%d/%s", r.vnum(), f.name), Old: before, New: after})
		}
	}
	for i := range r.layout.fields {
		f := &r.layout.fields[i]
		if g, ok := now.layout.field(f.name); ok {
			add(f, archive.Changed, f.text(r), g.text(now))
		} else {
			add(f, archive.Removed, f.text(r), "")
		}
	}
	for i := range now.layout.fields {
		f := &now.layout.fields[i]
		if _, ok := r.layout.field(f.name); !ok {
			add(f, archive.Added, "", f.text(now))
		}
	}
	return list
}
