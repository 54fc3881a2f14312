package answer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"

	"pakbox/archive"
	"pakbox/archive/imagefile"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/span"
)

// Card is the answer of the command info about one file.
type Card struct {
	Path, Format string
	Facts        fact.Record
	Locked       bool // the file needs a key or passphrase: only the facts that need none are here
}

// AppendFields writes the fields of the card's JSON.
func (c *Card) AppendFields(b *bytes.Buffer) error { return c.Facts.AppendFields(b) }

// Subjects returns nil: the formats declare which facts a card may have.
func (*Card) Subjects() []*fact.Subject { return nil }

// Subjects lists the facts of all formats, and those of archives and entries in every
// format, and of pictures.
func Subjects(formats archive.Registry) []*fact.Subject {
	return append(formats.Subjects(), &contentFacts.Subject, &entryFacts.Subject, &imagefile.Facts.Subject)
}

// FileInfo is the question what a file is. For a locked archive it returns the
// unencrypted facts.
var FileInfo = question.New(&room, "info", "kind and facts of a file, the most important first", func(ctx context.Context, at *question.At, _ question.NoParams) (*Card, error) {
	return info(ctx, at)
})

// Rows returns the card as a row of a table.
func (c *Card) Rows(string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		yield(append(question.Envelope("info", c.Path, c.Format), c.Facts...))
	}
}

// info collects the facts about a file.
func info(ctx context.Context, at *question.At) (*Card, error) {
	at.Opener = at.Opener.WithoutAsking()
	s, done, err := at.OpenAny(ctx)
	if isLocked(err) {
		return infoLocked(ctx, at, err)
	}
	if errors.Is(err, fault.NotFormat) {
		return infoPicture(ctx, at, err)
	}
	if err != nil {
		return nil, err
	}
	defer done()
	c := &Card{Path: at.Path, Format: at.Format}
	if !s.Whole && source.IsFile(s.Place) {
		c.Facts = entryFacts.Of(s.Entries()[0])
		if p := storedPicture(s); p != nil {
			c.Facts = append(p[:len(p)-1:len(p)-1], c.Facts...) // without the picture's size, which the entry has too
		}
		return c, nil
	}
	common := contentFacts.Of(hold(at.Opener, s))
	if isGrouped(s) {
		// The entries are derived from the content, so their sizes would mislead.
		for i, f := range common {
			if f.Name != "file_size" {
				common[i].Hidden = true
			}
		}
	}
	for _, f := range s.Facts() {
		if !hasFact(common, f) {
			c.Facts = append(c.Facts, f)
		}
	}
	c.Facts = append(c.Facts, common...)
	return c, nil
}

// isGrouped reports whether an archive consists of named objects, or is one of them.
func isGrouped(s *source.Source) bool {
	_, ok := s.Place.Archive.(archive.Grouped)
	return ok
}

// hasFact reports whether a record already has a fact.
func hasFact(facts fact.Record, f fact.Value) bool {
	return slices.ContainsFunc(facts, func(g fact.Value) bool { return g.Name == f.Name || g.Label == f.Label && f.Label != "" })
}

// held sums up the entries of an archive.
type held struct {
	entries      int
	size, stored int64
	unknown      int         // number of entries whose size is unknown without unpacking
	file         fs.FileInfo // file of the archive, nil if it has none
}

// contentFacts are the facts that every archive has.
var contentFacts = fact.NewTable("archive", "An archive of any format.", []fact.Row[*held]{
	{Name: "entries", Label: "Entries", Storage: true, Kind: fact.Count, Doc: "number of entries", Get: func(h *held) any { return h.entries }},
	{Name: "size", Label: "Content", Storage: true, Kind: fact.Bytes, Doc: "size of all content, unpacked",
		Get: func(h *held) any { return fact.Known(h.size, h.unknown == 0) },
		Words: func(h *held) string {
			if h.unknown == 0 {
				return ""
			}
			return fmt.Sprintf("more than %s; %s can only be counted after unpacking", fact.SizeText(h.size), question.Count(h.unknown, "entry"))
		}},
	{Name: "stored_size", Label: "Stored", Storage: true, Kind: fact.Bytes, Doc: "size of all content as it is stored", Get: func(h *held) any { return h.stored }},
	{Name: "ratio", Label: "Ratio", Storage: true, Kind: fact.Number, Doc: "stored size as a part of the size", Omit: true,
		Get: func(h *held) any {
			return fact.Known(float64(h.stored*1000/max(h.size, 1))/1000, h.unknown == 0 && h.size > 0)
		},
		Words: func(h *held) string { return fmt.Sprintf("%.1f%%", float64(h.stored)*100/float64(h.size)) }},
	{Name: "file_size", Label: "File size", Storage: true, Kind: fact.Bytes, Doc: "size of the file itself", Omit: true, Get: func(h *held) any {
		if h.file == nil {
			return nil
		}
		return h.file.Size()
	}},
})

// hold sums up the entries of a source.
func hold(o *source.Opener, s *source.Source) *held {
	h := &held{entries: len(s.Entries())}
	entries := s.Entries()
	if t, ok := s.Archive.(archive.Layered); ok && s.Whole {
		entries = t.Outer()
	}
	var spans []span.Span
	for _, e := range entries {
		if e.Size < 0 {
			h.unknown++
		}
		h.size += max(e.Size, 0)
		if e.Offset < 0 {
			h.stored += e.StoredSize
		} else {
			spans = append(spans, span.Span{Start: e.Offset, End: e.Offset + e.StoredSize})
		}
	}
	h.stored += span.Covered(spans) // counts bytes once that several entries share
	if s.Whole && s.Place.Outer == nil {
		if h.file = s.Place.Info(); h.file == nil {
			if info, err := o.StatOutermost(s.Place.File); err == nil && !info.IsDir() {
				h.file = info
			}
		}
	}
	return h
}

// entryFacts are the facts of a file inside an archive.
var entryFacts = fact.NewTable("entry", "A file inside an archive.", []fact.Row[archive.Entry]{
	{Name: "name", Kind: fact.Text, Doc: "name in the archive", Get: func(e archive.Entry) any { return e.Name }},
	{Name: "size", Label: "Content", Kind: fact.Bytes, Doc: "size of the content; null if known only after unpacking",
		Get: func(e archive.Entry) any { return fact.Known(e.Size, e.Size >= 0) }, Words: func(e archive.Entry) string { return fact.LongSize(e.Size) }},
	{Name: "stored_size", Label: "Stored", Kind: fact.Bytes, Doc: "size of the content as it is stored", Get: func(e archive.Entry) any { return e.StoredSize }},
	{Name: "compressed", Label: "Compressed", Kind: fact.Flag, Doc: "whether the content is compressed", Get: func(e archive.Entry) any { return e.Compressed }},
	{Name: "encrypted", Label: "Encrypted", Kind: fact.Flag, Doc: "whether the content is encrypted", Get: func(e archive.Entry) any { return e.Encrypted }},
	{Name: "method", Label: "Method", Kind: fact.Text, Doc: "how the content is stored, in the format's words", Get: func(e archive.Entry) any { return e.Method }},
	{Name: "hash", Label: "Hash", Kind: fact.Text, Doc: "checksum that the archive stores, such as crc32:…; empty where it stores none", Get: func(e archive.Entry) any { return e.Hash }},
	{Name: "modified", Label: "Modified", Kind: fact.Moment, Doc: "time of the last change, as the archive states it", Get: func(e archive.Entry) any { return e.ModTime }},
	{Name: "offset", Kind: fact.Count, Doc: "place of the content in the file; null where it has none of its own", Get: func(e archive.Entry) any { return fact.Known(e.Offset, e.Offset >= 0) }},
	{Name: "problem", Label: "Problem", Kind: fact.Object, Doc: "why the content cannot be had", Omit: true,
		Get: func(e archive.Entry) any {
			if e.Problem == nil {
				return nil
			}
			return question.ErrorOf(e.Problem)
		},
		Words: func(e archive.Entry) string { return question.Describe(e.Problem) }},
	{Name: "record", Kind: fact.Object, Doc: "what only this format stores of the entry", Omit: true,
		Get: func(e archive.Entry) any {
			if e.Record == nil {
				return nil
			}
			return e.Record.Facts()
		}},
})

// infoLocked returns the facts about a file that cannot be opened without a key.
func infoLocked(ctx context.Context, at *question.At, locked error) (*Card, error) {
	in, closer, format, err := detect(ctx, at)
	if err != nil {
		return nil, locked
	}
	defer closer.Close()
	d, ok := format.(archive.Describer)
	if !ok {
		return nil, locked
	}
	facts, err := d.Describe(in)
	if err != nil {
		return nil, err
	}
	at.Format = format.Name()
	c := &Card{Path: at.Path, Format: at.Format, Facts: facts, Locked: true}
	c.Facts = append(c.Facts, fact.Make("locked", "Locked", fact.Text, question.ErrorKind(locked), "yes: the rest needs a key or passphrase"))
	return c, nil
}

// infoPicture returns the facts about a picture. unknown is the error if the file is not a
// picture.
func infoPicture(ctx context.Context, at *question.At, unknown error) (*Card, error) {
	in, closer, err := at.Input(ctx)
	if err != nil {
		return nil, unknown
	}
	defer closer.Close()
	if !imagefile.Is(in.Name, in.Prefix(imagefile.HeadSize)) {
		return nil, unknown
	}
	p, err := imagefile.Describe(in)
	if err != nil {
		return nil, err
	}
	at.Format = imagefile.Format
	return &Card{Path: at.Path, Format: at.Format, Facts: imagefile.Facts.Of(p)}, nil
}

// storedPicture returns the facts about a picture in an archive, nil for other files.
func storedPicture(s *source.Source) fact.Record {
	f, err := s.OpenEntry(0)
	if err != nil {
		return nil
	}
	defer f.Close()
	name := s.Entries()[0].Name
	data := make([]byte, imagefile.HeadSize)
	n, _ := io.ReadFull(f, data)
	if data = data[:n]; !imagefile.Is(name, data) {
		return nil
	}
	rest, err := io.ReadAll(io.LimitReader(f, imagefile.MaxBytes))
	if err != nil {
		return nil
	}
	data = append(data, rest...)
	p, err := imagefile.Describe(archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: name})
	if err != nil {
		return nil
	}
	return imagefile.Facts.Of(p)
}

// detect finds the format of a file without opening it.
func detect(ctx context.Context, at *question.At) (archive.Input, io.Closer, archive.Format, error) {
	in, closer, err := at.Input(ctx)
	if err != nil {
		return in, nil, nil, err
	}
	format, err := at.Opener.Formats.Detect(in)
	if err != nil {
		closer.Close()
	}
	return in, closer, format, err
}

// isLocked reports whether an error means that a key or a passphrase is missing.
func isLocked(err error) bool {
	return errors.Is(err, fault.PassphraseRequired) || errors.Is(err, fault.KeyRequired)
}
