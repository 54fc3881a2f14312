package answer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/source"
)

// Card is what info says about one file.
type Card struct {
	Path, Format string
	Facts        []archive.Fact
	Locked       bool // it says only what can be said without a key or passphrase
}

// Object is the card as JSON.
func (c *Card) Object() *Object { return New("info", c.Path, c.Format).AddFacts(c.Facts) }

// Info gathers what is known about a file.
func Info(ctx context.Context, o *source.Opener, file string) (c Card, err error) {
	s, err := o.WithoutAsking().OpenAny(ctx, file)
	if isLocked(err) {
		return infoLocked(ctx, o, file, err)
	}
	if err != nil {
		return c, err
	}
	defer s.Close()
	c = Card{Path: file, Format: s.Format()}
	if !s.Whole && source.IsFile(s.Place) {
		c.Facts = entryFacts(s.Entries()[0])
		return c, nil
	}
	common := contentFacts(o, s)
	if isGrouped(s) {
		// Its files are made from what it holds: their sizes would mislead.
		for i, f := range common {
			if f.Name != "file_size" {
				common[i].Label = ""
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

// isGrouped reports whether a source holds things with names, or is one.
func isGrouped(s *source.Source) bool {
	_, ok := s.Place.Archive.(archive.Grouped)
	return ok
}

// hasFact reports whether a fact is said already.
func hasFact(facts []archive.Fact, f archive.Fact) bool {
	return slices.ContainsFunc(facts, func(g archive.Fact) bool { return g.Name == f.Name || g.Label == f.Label && f.Label != "" })
}

// contentFacts are those that every archive has.
func contentFacts(o *source.Opener, s *source.Source) []archive.Fact {
	var size, stored int64
	unknown := 0
	for _, e := range s.Entries() {
		if e.Size < 0 {
			unknown++
		}
		size += max(e.Size, 0)
		stored += e.StoredSize
	}
	facts := []archive.Fact{{Name: "entries", Label: "Entries", Value: len(s.Entries())}}
	sized := func(name, label string, n int64) archive.Fact {
		return archive.Fact{Name: name, Label: label, Value: n, Text: LongSize(n)}
	}
	if unknown == 0 {
		facts = append(facts, sized("size", "Content", size))
	} else {
		facts = append(facts, archive.Fact{Name: "size", Label: "Content", Text: fmt.Sprintf("more than %s; %s will tell only when unpacked", SizeText(size), Count(unknown, "entry"))})
	}
	facts = append(facts, sized("stored_size", "Stored", stored))
	if unknown == 0 && size > 0 {
		facts = append(facts, archive.Fact{Name: "ratio", Label: "Ratio", Value: float64(stored*1000/size) / 1000, Text: fmt.Sprintf("%.1f%%", float64(stored)*100/float64(size))})
	}
	if s.Whole && s.Place.Outer == nil {
		if info, err := o.StatOutermost(s.Place.File); err == nil && !info.IsDir() {
			facts = append(facts, sized("file_size", "File size", info.Size()))
		}
	}
	return facts
}

// entryFacts describe a file inside an archive.
func entryFacts(e archive.Entry) []archive.Fact {
	j := EntryOf(e)
	facts := []archive.Fact{
		{Name: "size", Label: "Content", Value: j.Size, Text: LongSize(e.Size)},
		{Name: "stored_size", Label: "Stored", Value: e.StoredSize, Text: LongSize(e.StoredSize)},
		{Name: "method", Label: "Method", Value: e.Method},
		{Name: "compressed", Label: "Compressed", Value: e.Compressed},
		{Name: "encrypted", Label: "Encrypted", Value: e.Encrypted},
		{Name: "hash", Label: "Hash", Value: e.Hash},
		{Name: "modified", Label: "Modified", Value: j.Modified, Text: TimeText(e.ModTime)},
	}
	if e.Problem != nil {
		facts = append(facts, archive.Fact{Name: "problem", Label: "Problem", Value: j.Problem, Text: Describe(e.Problem)})
	}
	return facts
}

// infoLocked says what can be said of a file that cannot be opened.
func infoLocked(ctx context.Context, o *source.Opener, file string, locked error) (c Card, err error) {
	in, closer, format, err := detect(ctx, o, file)
	if err != nil {
		return c, locked
	}
	defer closer.Close()
	d, ok := format.(archive.Describer)
	if !ok {
		return c, locked
	}
	facts, err := d.Describe(in)
	if err != nil {
		return c, err
	}
	c = Card{Path: file, Format: format.Name(), Facts: facts, Locked: true}
	c.Facts = append(c.Facts, archive.Fact{Name: "locked", Label: "Locked", Value: Kind(locked), Text: "yes: the rest needs a key or passphrase"})
	return c, nil
}

// detect finds the format of a file without opening it.
func detect(ctx context.Context, o *source.Opener, file string) (archive.Input, io.Closer, archive.Format, error) {
	in, closer, err := o.Input(ctx, file)
	if err != nil {
		return in, nil, nil, err
	}
	format, err := o.Formats.Detect(in)
	if err != nil {
		closer.Close()
	}
	return in, closer, format, err
}

// isLocked reports whether an error is for want of a key or a passphrase.
func isLocked(err error) bool {
	return errors.Is(err, fault.PassphraseRequired) || errors.Is(err, fault.KeyRequired)
}
