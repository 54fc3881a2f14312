package vpk42

import (
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/fact"
)

// headerFacts are the facts of the header, which is never encrypted.
var headerFacts = fact.NewTable("vpk42", "A VPK archive of 42pak.", []fact.Row[*Header]{
	{Name: "version", Label: "Version", Kind: fact.Count, Doc: "version of the format", Get: func(h *Header) any { return int(h.Version) }},
	{Name: "encrypted", Label: "Encrypted", Kind: fact.Flag, Doc: "whether the contents are encrypted", Get: func(h *Header) any { return h.IsEncrypted }},
	{Name: "compression_algorithm", Label: "Compression", Kind: fact.Text, Doc: "algorithm that the archive was made with", Get: func(h *Header) any { return h.CompressionAlgorithm.String() }},
	{Name: "compression_level", Label: "Level", Kind: fact.Count, Doc: "level that the archive was made with", Get: func(h *Header) any { return int(h.CompressionLevel) }},
	{Name: "names_mangled", Label: "Names mangled", Kind: fact.Flag, Doc: "whether names are stored as hashes", Get: func(h *Header) any { return h.FileNamesMangled }},
	{Name: "created", Label: "Created", Kind: fact.Text, Doc: "date and time that the archive states", Get: func(h *Header) any {
		if t := h.CreatedAt(); !t.IsZero() {
			return t.Format(time.RFC3339)
		}
		return ""
	}},
	{Name: "author", Label: "Author", Kind: fact.Text, Doc: "name of the maker", Search: fact.ByAuthor, Omit: true,
		Get: func(h *Header) any { return strings.ToValidUTF8(h.Author, "\uFFFD") }},
	{Name: "comment", Label: "Comment", Kind: fact.Text, Doc: "comment of the maker", Search: fact.ByComment, Omit: true,
		Get: func(h *Header) any { return strings.ToValidUTF8(h.Comment, "\uFFFD") }},
})

// Subjects lists the facts of archives.
func (Format) Subjects() []*fact.Subject { return []*fact.Subject{&headerFacts.Subject} }

// Describe reads the facts of the header. It needs no passphrase.
func (Format) Describe(in archive.Input) (fact.Record, error) {
	h, err := ReadHeader(in, in.Size)
	if err != nil {
		return nil, err
	}
	return append(headerFacts.Of(&h), fact.Make("entries", "Entries", fact.Count, h.EntryCount, "")), nil
}

// Facts describe the archive.
func (a *Archive) Facts() fact.Record { return headerFacts.Of(&a.header) }
