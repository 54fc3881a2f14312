package vpk42

import (
	"encoding/hex"
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
	{Name: "salt", Label: "Salt", Kind: fact.ID, Doc: "salt of the key derivation", Omit: true,
		Get: func(h *Header) any { return fact.Known(hex.EncodeToString(h.Salt[:]), h.Salt != [saltSize]byte{}) }},
	{Name: "table_offset", Label: "Table at", Kind: fact.Count, Doc: "place of the entry table in the file", Shown: never, Get: func(h *Header) any { return h.EntryTableOffset }},
	{Name: "table_size", Label: "Table", Kind: fact.Bytes, Doc: "size of the entry table as it is stored", Shown: never, Get: func(h *Header) any { return int64(h.EntryTableSize) }},
})

func never(*Header) bool { return false }

// entryFacts are the facts about an entry that only this format has.
var entryFacts = fact.NewTable("vpk42 entry", "An entry of a VPK archive of 42pak.", []fact.Row[*Entry]{
	{Name: "stored_name", Label: "Stored name", Kind: fact.Text, Doc: "name again, or its hash where names are mangled",
		Get: func(e *Entry) any { return strings.ToValidUTF8(e.StoredName, "\uFFFD") }},
	{Name: "nonce", Label: "Nonce", Kind: fact.ID, Doc: "nonce of the encryption", Omit: true, Get: func(e *Entry) any { return hex.EncodeToString(e.Nonce) }},
	{Name: "auth_tag", Label: "Tag", Kind: fact.ID, Doc: "tag that authenticates the stored data", Omit: true, Get: func(e *Entry) any { return hex.EncodeToString(e.AuthTag) }},
	{Name: "record_offset", Label: "Record", Kind: fact.Count, Doc: "place of the record in the file", Get: func(e *Entry) any { return e.offset }},
})

// Facts are the facts of the record.
func (e *Entry) Facts() fact.Record { return entryFacts.Of(e) }

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
