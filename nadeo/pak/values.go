package pak

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/internal/lib/spell"
)

var _ archive.Valuer = (*Archive)(nil)

// The path of a value is the name of a fact of the header (author_nick), a fact of an
// included pack with the number of the pack (included_packs[0].name), or the path of an
// entry with one of its facts (Media/a.dds/flags).

// headerValues are the facts of the header that can be set.
var headerValues = []headerValue{
	{"title_id", false, func(h *Header) *string { return &h.TitleID }},
	{"author_login", false, func(h *Header) *string { return &h.Author.Login }},
	{"author_nick", true, func(h *Header) *string { return &h.Author.Nick }},
	{"author_zone", true, func(h *Header) *string { return &h.Author.Zone }},
	{"author_extra", true, func(h *Header) *string { return &h.Author.Extra }},
	{"comment", false, func(h *Header) *string { return &h.Comment }},
	{"usage_sub_dir", false, func(h *Header) *string { return &h.UsageSubDir }},
	{"build", false, func(h *Header) *string { return &h.CreationBuildInfo }},
	{"manialink_url", false, func(h *Header) *string { return &h.ManialinkURL }},
	{"download_url", false, func(h *Header) *string { return &h.DownloadURL }},
	{"author_url", false, func(h *Header) *string { return &h.AuthorURL }},
	{"xml", false, func(h *Header) *string { return &h.XML }},
}

type headerValue struct {
	name   string
	marked bool // a byte order mark stands before text with other than ASCII characters
	text   func(h *Header) *string
}

// set stores a text in the form of the format.
func (v headerValue) set(h *Header, text string) {
	if v.marked && strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f }) {
		text = "\ufeff" + text
	}
	*v.text(h) = text
}

// param is the name of the setting of a new pack.
func (v headerValue) param() string {
	if v.name == "author_login" {
		return "author"
	}
	return strings.ReplaceAll(v.name, "_", "-")
}

// includedValues are the facts of included packs that can be set.
var includedValues = map[string]func(p *IncludedPack) *string{
	"name": func(p *IncludedPack) *string { return &p.Name }, "second_name": func(p *IncludedPack) *string { return &p.SecondName },
	"author_login": func(p *IncludedPack) *string { return &p.Author.Login }, "author_nick": func(p *IncludedPack) *string { return &p.Author.Nick },
	"author_zone": func(p *IncludedPack) *string { return &p.Author.Zone }, "author_extra": func(p *IncludedPack) *string { return &p.Author.Extra },
	"manialink_url": func(p *IncludedPack) *string { return &p.InfoManialinkURL },
}

// timeLayout is the form of dates, as facts have it.
const timeLayout = "2006-01-02T15:04:05Z"

// Get implements archive.Valuer. All facts of the header and of entries can be read.
func (a *Archive) Get(path string) ([]archive.Value, error) {
	facts, name := a.factsAt(path)
	for _, v := range facts {
		if v.Fact != nil && v.Name == name {
			data, err := json.Marshal(v.Value)
			text, ok := v.Value.(string) // with its colour codes
			if !ok {
				text = v.Text()
			}
			return []archive.Value{{Path: path, Text: text, JSON: data}}, err
		}
	}
	if _, err := a.valueText(a.unchanged(), path); err != nil {
		return nil, err
	}
	return []archive.Value{{Path: path, JSON: []byte("null")}}, nil // it can be set, and is not
}

// isFact reports whether a path leads to a fact that the pack states.
func (a *Archive) isFact(path string) bool {
	facts, name := a.factsAt(path)
	return slices.ContainsFunc(facts, func(v fact.Value) bool { return v.Fact != nil && v.Name == name })
}

// factsAt returns the facts among which a path names one.
func (a *Archive) factsAt(path string) (facts fact.Record, name string) {
	if i, field, ok := a.entryValue(path); ok {
		return record{a.pack, i}.Facts(), field
	}
	if n, field, ok := a.includedValue(path); ok {
		return includedFacts.Of(&a.pack.IncludedPacks[n]), field
	}
	return a.Facts(), path
}

// noValue is the error for a path that leads nowhere.
func (a *Archive) noValue(path string) error {
	var names []string
	for _, v := range headerValues {
		names = append(names, v.name)
	}
	names = append(names, "created")
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		names = nil
		for _, entry := range a.pack.paths {
			names = append(names, entry+path[i:])
		}
		if _, _, ok := a.entryValue(path); ok {
			names = []string{path[:i+1] + "flags", path[:i+1] + "class_id", path[:i+1] + "metadata"}
		}
	}
	return &archive.ValueError{Path: path, Missing: true, Message: "value not found; it is a fact of the header, or an entry with flags, class_id or metadata", Near: spell.Near(path, names, 1)}
}

// entryValue splits a path into the number of an entry and the name of a fact.
func (a *Archive) entryValue(path string) (i int, field string, ok bool) {
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 {
		return 0, "", false
	}
	i = slices.Index(a.pack.paths, path[:cut])
	if i < 0 {
		i = slices.IndexFunc(a.pack.paths, func(s string) bool { return strings.EqualFold(s, path[:cut]) })
	}
	return i, path[cut+1:], i >= 0
}

// includedValue splits a path into the number of an included pack and the name of a fact.
func (a *Archive) includedValue(path string) (n int, field string, ok bool) {
	rest, ok := strings.CutPrefix(path, "included_packs[")
	number, field, cut := strings.Cut(rest, "].")
	n, err := strconv.Atoi(number)
	return n, field, ok && cut && err == nil && n >= 0 && n < len(a.pack.IncludedPacks)
}

// Set implements archive.Valuer. The data of all entries stays as it is stored; offsets
// and checksums of the pack are computed again.
func (a *Archive) Set(assignments []archive.Assignment) (*archive.Revision, error) {
	p := a.pack
	old := make([]byte, p.size)
	if _, err := p.ra.ReadAt(old, 0); err != nil && err != io.EOF {
		return nil, err
	}
	revision := &archive.Revision{Data: old}
	b := a.unchanged()
	changed := false
	for _, s := range assignments {
		before, err := a.valueText(b, s.Path)
		if err != nil {
			return nil, err
		}
		if err := a.assign(b, s); err != nil {
			return nil, err
		}
		after, err := a.valueText(b, s.Path)
		if err != nil {
			return nil, err
		}
		if before == after {
			continue
		}
		changed = true
		part := "header"
		if _, _, ok := a.entryValue(s.Path); ok {
			part = "table"
		}
		revision.Changes = append(revision.Changes, archive.ByteChange{Part: part, Place: s.Path, Old: []byte(before), New: []byte(after), OldText: before, NewText: after})
	}
	if !changed {
		return revision, nil
	}
	if a.titleKey && p.usesKey() {
		return nil, errTitleKey
	}
	if err := b.checkHeader(assignments); err != nil {
		return nil, err
	}
	var out memory
	if err := b.write(context.Background(), &out); err != nil {
		return nil, err
	}
	revision.Data = out.data
	return revision, nil
}

// unchanged returns the pack as a build that copies all entries.
func (a *Archive) unchanged() *build {
	p := a.pack
	b := &build{Header: p.Header, Directory: p.Directory, encoder: encoder{version: p.Version, key: p.Key, nodes: p.Nodes}, source: p, iv: p.headerIV}
	b.Files, b.IncludedPacks = slices.Clone(p.Files), slices.Clone(p.IncludedPacks)
	for i := range b.Files {
		b.origins = append(b.origins, origin{from: i})
	}
	return b
}

// valueText is the value at a path that can be set, as it stands in the build.
func (a *Archive) valueText(b *build, path string) (string, error) {
	if i, field, ok := a.entryValue(path); ok {
		switch field {
		case "flags":
			return fmt.Sprintf("%016X", uint64(b.Files[i].Flags)), nil
		case "class_id":
			return fmt.Sprintf("%08X", b.Files[i].ClassID), nil
		case "metadata":
			return a.recordText(b, i)
		}
		return "", a.fixed(path)
	}
	if n, field, ok := a.includedValue(path); ok {
		if text := includedValues[field]; text != nil {
			return unmarked(*text(&b.IncludedPacks[n])), nil
		}
		return "", a.fixed(path)
	}
	if path == "created" {
		if b.CreationDate == 0 {
			return "null", nil
		}
		return b.CreationDate.Time().Format(timeLayout), nil
	}
	for _, v := range headerValues {
		if v.name == path {
			return unmarked(*v.text(&b.Header)), nil
		}
	}
	return "", a.fixed(path)
}

// fixed is the error for a path without a value that can be set.
func (a *Archive) fixed(path string) error {
	if !a.isFact(path) {
		return a.noValue(path)
	}
	return &archive.ValueError{Path: path, Message: "this value cannot be set: it follows from others, or from the content of the pack"}
}

func (a *Archive) recordText(b *build, i int) (string, error) {
	if m := b.origins[i].meta; m != nil {
		return hexOrNull(m.data), nil
	}
	records, err := a.pack.metadata()
	return hexOrNull(records[i]), err
}

func hexOrNull(data []byte) string {
	if data == nil {
		return "null"
	}
	return hex.EncodeToString(data)
}

// assign stores one value in the build.
func (a *Archive) assign(b *build, s archive.Assignment) error {
	wrong := func(format string, args ...any) error {
		return &archive.ValueError{Path: s.Path, Message: fmt.Sprintf(format, args...)}
	}
	if i, field, ok := a.entryValue(s.Path); ok {
		return b.assignEntry(i, field, s.Value, wrong)
	}
	if n, field, ok := a.includedValue(s.Path); ok {
		*includedValues[field](&b.IncludedPacks[n]) = s.Value
		return nil
	}
	if s.Path == "created" {
		if s.Value == "null" {
			b.CreationDate = 0
			return nil
		}
		t, err := parseTime(s.Value)
		if err != nil {
			return wrong("expected a date such as 2026-11-19 or 2026-11-19T12:30:00Z, found %q", s.Value)
		}
		b.CreationDate = fileTimeOf(t)
		return nil
	}
	for _, v := range headerValues {
		if v.name == s.Path {
			v.set(&b.Header, s.Value)
		}
	}
	return nil
}

func parseTime(text string) (t time.Time, err error) {
	for _, layout := range []string{timeLayout, time.DateOnly} {
		if t, err = time.Parse(layout, text); err == nil && t.Year() >= 1601 {
			return t, nil
		}
	}
	return t, fmt.Errorf("invalid date %q", text)
}

// storedAs are the flags that state how the data of an entry is stored. They change only
// when the data is stored anew.
const storedAs = IsHashed | compressionMask | IsSeekable | DontUseDummyWrite | PublicFile | ForceNoCrypt

func (b *build) assignEntry(i int, field, value string, wrong func(format string, args ...any) error) error {
	f := &b.Files[i]
	switch field {
	case "flags":
		n, err := strconv.ParseUint(value, 16, 64)
		if err != nil {
			return wrong("expected up to 16 hexadecimal digits, found %q", value)
		}
		if diff := (FileFlags(n) ^ f.Flags) & storedAs; diff != 0 {
			return wrong("the flags %s state how the data is stored; put the file again to store it in another form", strings.Join(diff.Names(), ", "))
		}
		f.Flags = FileFlags(n)
	case "class_id":
		n, err := strconv.ParseUint(value, 16, 32)
		if err != nil {
			return wrong("expected up to 8 hexadecimal digits, found %q", value)
		}
		f.ClassID = uint32(n)
	case "metadata":
		m := &carriedRecord{version: b.Version}
		if value != "null" {
			var err error
			if m.data, err = parseRecord(b.Version, value); err != nil {
				return wrong("%v", err)
			}
		}
		b.origins[i].meta = m
	}
	return nil
}

// checkHeader refuses values that the version of the pack does not store.
func (b *build) checkHeader(assignments []archive.Assignment) error {
	var stored Header
	r := &memory{data: b.Header.bytes()}
	h, _, err := ReadHeader(r, int64(len(r.data)))
	if err != nil {
		return err
	}
	stored = *h
	want := b.Header
	want.ContentsChecksum, stored.ContentsChecksum = [32]byte{}, [32]byte{}
	if reflect.DeepEqual(want, stored) || len(want.IncludedPacks)+len(stored.IncludedPacks) == 0 && sameTexts(&want, &stored) {
		return nil
	}
	for _, s := range assignments {
		for _, v := range headerValues {
			if v.name == s.Path && *v.text(&want) != *v.text(&stored) {
				return &archive.ValueError{Path: s.Path, Message: fmt.Sprintf("packs of version %d do not store it", b.Version)}
			}
		}
		if s.Path == "created" && want.CreationDate != stored.CreationDate {
			return &archive.ValueError{Path: s.Path, Message: fmt.Sprintf("packs of version %d do not store it", b.Version)}
		}
	}
	return nil
}

// sameTexts compares the values of two headers that can be set.
func sameTexts(a, b *Header) bool {
	for _, v := range headerValues {
		if *v.text(a) != *v.text(b) {
			return false
		}
	}
	return a.CreationDate == b.CreationDate
}

// memory is a file in memory.
type memory struct{ data []byte }

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	if end := int(off) + len(p); end > len(m.data) {
		m.data = slices.Grow(m.data, end-len(m.data))[:end]
	}
	return copy(m.data[off:], p), nil
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(m.data)) {
		return 0, io.EOF
	}
	n := copy(p, m.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
