package eterpack

import (
	"fmt"
	"maps"
	"slices"

	"pakbox/fact"
)

// packFacts are the facts of a pair of index and data file.
var packFacts = fact.NewTable("eterpack", "A pair of EIX and EPK files.", []fact.Row[*packSurvey]{
	{Name: "index", Label: "Index", Kind: fact.Text, Doc: "how the index is stored", Get: func(s *packSurvey) any { return string(s.index.form) }, Words: func(s *packSurvey) string {
		if s.index.codec != "" {
			return string(s.index.form) + ", " + string(s.index.codec)
		}
		return string(s.index.form)
	}},
	{Name: "packer", Label: "Packer", Kind: fact.Text, Doc: "program that laid out most entries, by their sizes", Omit: true,
		Get: func(s *packSurvey) any { return fact.Known(string(s.packer), s.packed > 0) },
		Words: func(s *packSurvey) string {
			return fmt.Sprintf("%s, by the sizes of %d of %d entries", s.packer, s.packed, len(s.record))
		}},
	{Name: "marks", Label: "Marks", Kind: fact.List, Doc: "magic words of index and objects, where they are not the usual ones", Omit: true, Get: func(s *packSurvey) any {
		m := s.index.marks
		return fact.Known([]string{m.index, m.object}, m != defaultMarks)
	}},
	{Name: "code_page", Label: "Code page", Kind: fact.Text, Doc: "code page of names beyond ASCII", Omit: true, Get: func(s *packSurvey) any {
		name := "unknown"
		if s.page != nil {
			name = s.page.Name
		}
		return fact.Known(name, s.beyondASCII())
	}},
	{Name: "index_version", Label: "Index version", Kind: fact.Count, Doc: "version of the index", Get: func(*packSurvey) any { return int64(indexVersion) }},
	{Name: "free_slots", Label: "Free slots", Kind: fact.Count, Doc: "number of free records of the index", Get: func(s *packSurvey) any { return s.free }},
	{Name: "data_size", Label: "Data file", Kind: fact.Bytes, Doc: "size of the data file",
		Get: func(s *packSurvey) any { return fact.Known(s.epk.Size, s.noData == nil) },
		Words: func(s *packSurvey) string {
			if s.noData != nil {
				return s.noData.Error()
			}
			return fmt.Sprintf("%s, %d bytes", s.epk.Name, s.epk.Size)
		}},
	{Name: "data_used", Label: "Of that in use", Kind: fact.Bytes, Doc: "bytes of the data file that entries use",
		Get: func(s *packSurvey) any { return s.used }, Words: func(s *packSurvey) string { return fmt.Sprintf("%d bytes", s.used) }},
})

// packSurvey is an archive with the counts from one pass over its records.
type packSurvey struct {
	*Archive
	kinds  map[int8]int
	free   int
	used   int64
	packer packer
	packed int // entries that fit the packer
}

// Subjects lists the facts of packs.
func (Format) Subjects() []*fact.Subject { return []*fact.Subject{&packFacts.Subject} }

// Facts describe the pack: the facts of the table, then the number of entries of each
// type.
func (a *Archive) Facts() fact.Record {
	s := &packSurvey{Archive: a, kinds: map[int8]int{}}
	for i := range a.index.records {
		r := &a.index.records[i]
		if r.free() {
			s.free++
			continue
		}
		s.kinds[r.kind]++
		s.used += int64(max(r.dataSize, 0))
	}
	s.packer, s.packed = a.packer()
	record := packFacts.Of(s)
	for _, kind := range slices.Sorted(maps.Keys(s.kinds)) {
		record = append(record, fact.Make(fmt.Sprintf("type_%d", kind), "Entries of "+method(kind), fact.Count, s.kinds[kind], ""))
	}
	return record
}
