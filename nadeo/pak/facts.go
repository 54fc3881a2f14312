package pak

import (
	"encoding/hex"
	"fmt"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/gbx/classid"
)

// headerFacts are the facts of the clear header, which needs no key. A pack before
// version 6 has only a version.
var headerFacts = fact.NewTable("nadeopak", "A NadeoPak archive.", []fact.Row[*Header]{
	{Name: "version", Label: "Version", Kind: fact.Count, Doc: "version of the format", Get: func(h *Header) any { return h.Version }},
	{Name: "title_id", Label: "Title", Kind: fact.ID, Doc: "title that the pack belongs to", Also: []fact.Word{fact.Title}, Search: fact.ByName, Omit: true,
		Get: func(h *Header) any { return h.TitleID }},
	{Name: "author_login", Label: "Author", Kind: fact.Login, Doc: "login of the maker", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Omit: true,
		Get: func(h *Header) any { return h.Author.Login }},
	{Name: "author_nick", Label: "Nick", Kind: fact.Styled, Doc: "nickname of the maker, with colour codes", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Omit: true,
		Get: func(h *Header) any { return unmarked(h.Author.Nick) }},
	{Name: "author_zone", Label: "Zone", Kind: fact.Text, Doc: "zone of the maker: World|Europe|…", Omit: true,
		Get: func(h *Header) any { return unmarked(h.Author.Zone) }},
	{Name: "author_extra", Label: "Extra", Kind: fact.Text, Doc: "last text about the maker", Omit: true,
		Get: func(h *Header) any { return unmarked(h.Author.Extra) }},
	{Name: "created", Label: "Created", Kind: fact.Text, Doc: "date and time that the pack states", Omit: true, Get: func(h *Header) any { return h.CreationDate.text() }},
	{Name: "comment", Label: "Comment", Kind: fact.Text, Doc: "comment of the maker", Also: []fact.Word{fact.Comment}, Search: fact.ByComment, Omit: true,
		Get: func(h *Header) any { return h.Comment }},
	{Name: "usage_sub_dir", Label: "Used for", Kind: fact.Text, Doc: "folder of the game that the pack adds to", Omit: true, Get: func(h *Header) any { return h.UsageSubDir }},
	{Name: "build", Label: "Made by", Kind: fact.Text, Doc: "version of the program that made the pack", Omit: true, Get: func(h *Header) any { return h.CreationBuildInfo }},
	{Name: "manialink_url", Label: "Manialink", Kind: fact.Text, Doc: "manialink of the pack", Omit: true, Get: func(h *Header) any { return h.ManialinkURL }},
	{Name: "download_url", Label: "Download", Kind: fact.Text, Doc: "address to download the pack", Omit: true, Get: func(h *Header) any { return h.DownloadURL }},
	{Name: "author_url", Label: "Address", Kind: fact.Text, Doc: "address of the maker, in version 8", Omit: true, Get: func(h *Header) any { return h.AuthorURL }},
	{Name: "xml", Label: "XML", Kind: fact.Text, Doc: "XML text of the header", Omit: true, Get: func(h *Header) any { return h.XML }},
	{Name: "decrypt_flags", Label: "Encryption", Kind: fact.List, Doc: "parts of the pack that are encrypted", Omit: true,
		Get: func(h *Header) any { return fact.Known(h.DecryptFlags.Names(), h.Version >= 6) },
		Words: func(h *Header) string {
			if h.DecryptFlags == 0 {
				return "none"
			}
			return ""
		}},
	{Name: "contents_sha256", Label: "SHA-256", Kind: fact.ID, Doc: "SHA-256 of the pack behind its first 44 bytes, as the header states it", Omit: true,
		Get: func(h *Header) any { return fact.Known(hex.EncodeToString(h.ContentsChecksum[:]), h.Version >= 6) }},
	{Name: "included_packs", Label: "Includes", Kind: fact.List, Doc: "names of the packs that the pack includes", Omit: true, Get: func(h *Header) any {
		var names []string
		for _, p := range h.IncludedPacks {
			names = append(names, p.Name)
		}
		return fact.Known(names, len(names) > 0)
	}},
	{Name: "included_records", Label: "Included packs", Kind: fact.Object, Doc: "all that the header states of the included packs", Omit: true,
		Shown: func(*Header) bool { return false }, Get: func(h *Header) any {
			var records []fact.Record
			for i := range h.IncludedPacks {
				records = append(records, includedFacts.Of(&h.IncludedPacks[i]))
			}
			return fact.Known(records, len(records) > 0)
		}},
	{Name: "header_max_size", Label: "Header room", Kind: fact.Bytes, Doc: "room for the headers: the data begins behind it", Omit: true,
		Shown: func(*Header) bool { return false }, Get: func(h *Header) any { return fact.Known(int64(h.HeaderMaxSize), h.Version >= 15) }},
})

// includedFacts are the facts of a pack that this pack includes.
var includedFacts = fact.NewTable("nadeopak included", "A pack that a NadeoPak archive includes.", []fact.Row[*IncludedPack]{
	{Name: "name", Label: "Name", Kind: fact.Text, Doc: "name of the pack", Get: func(p *IncludedPack) any { return p.Name }},
	{Name: "second_name", Label: "Again", Kind: fact.Text, Doc: "name, stored a second time", Get: func(p *IncludedPack) any { return p.SecondName }},
	{Name: "contents_sha256", Label: "SHA-256", Kind: fact.ID, Doc: "checksum of the pack's contents", Get: func(p *IncludedPack) any { return hex.EncodeToString(p.ContentsChecksum[:]) }},
	{Name: "author_login", Label: "Author", Kind: fact.Login, Doc: "login of the maker", Get: func(p *IncludedPack) any { return p.Author.Login }},
	{Name: "author_nick", Label: "Nick", Kind: fact.Styled, Doc: "nickname of the maker", Get: func(p *IncludedPack) any { return unmarked(p.Author.Nick) }},
	{Name: "author_zone", Label: "Zone", Kind: fact.Text, Doc: "zone of the maker", Get: func(p *IncludedPack) any { return unmarked(p.Author.Zone) }},
	{Name: "author_extra", Label: "Extra", Kind: fact.Text, Doc: "last text about the maker", Omit: true, Get: func(p *IncludedPack) any { return p.Author.Extra }},
	{Name: "manialink_url", Label: "Manialink", Kind: fact.Text, Doc: "manialink of the pack", Omit: true, Get: func(p *IncludedPack) any { return p.InfoManialinkURL }},
	{Name: "created", Label: "Created", Kind: fact.Text, Doc: "date and time of the pack", Omit: true, Get: func(p *IncludedPack) any { return p.CreationDate.text() }},
	{Name: "nesting_level", Label: "Level", Kind: fact.Count, Doc: "depth of inclusion", Get: func(p *IncludedPack) any { return int(p.NestingLevel) }},
})

// entryFacts are the facts about an entry that only this format has.
var entryFacts = fact.NewTable("nadeopak entry", "An entry of a NadeoPak archive.", []fact.Row[record]{
	{Name: "class_id", Label: "Class", Kind: fact.ID, Doc: "class of the node in a GBX file", Get: func(r record) any { return fmt.Sprintf("%08X", r.file().ClassID) }},
	{Name: "class", Label: "Class name", Kind: fact.Text, Doc: "name of the class, where it is known", Omit: true, Get: func(r record) any {
		class, ok := classid.Lookup(classid.ID(r.file().ClassID))
		return fact.Known(class.Name, ok)
	}},
	{Name: "flags", Label: "Flags", Kind: fact.ID, Doc: "flags of the entry, as a number", Get: func(r record) any { return fmt.Sprintf("%016X", uint64(r.file().Flags)) }},
	{Name: "flag_names", Label: "Flag names", Kind: fact.List, Doc: "names of the flags that are set", Get: func(r record) any { return r.file().flagNames() }},
	{Name: "slot_size", Label: "Slot", Kind: fact.Bytes, Doc: "size of the entry's place, from version 17 on", Omit: true,
		Get: func(r record) any { return fact.Known(int64(r.file().Size), r.Version >= 17) }},
	{Name: "metadata_offset", Label: "Metadata at", Kind: fact.Count, Doc: "place of the metadata record in its section", Omit: true,
		Get: func(r record) any {
			return fact.Known(int64(r.file().MetaOffset), r.file().MetaOffset != noMetadata && r.hasMetadata())
		}},
	{Name: "metadata_size", Label: "Metadata", Kind: fact.Bytes, Doc: "size of the metadata record", Omit: true, Get: func(r record) any {
		records, err := r.metadata()
		data, ok := records[r.i]
		return fact.Known(int64(len(data)), err == nil && ok)
	}},
	{Name: "metadata", Label: "Metadata bytes", Kind: fact.Text, Doc: "metadata record, in hexadecimal digits", Omit: true, Get: func(r record) any {
		records, _ := r.metadata()
		return hex.EncodeToString(records[r.i])
	}},
})

// record is the row of an entry in the file table.
type record struct {
	*Pack
	i int
}

func (r record) file() *File { return &r.Files[r.i] }

// Facts are the facts of the row.
func (r record) Facts() fact.Record { return entryFacts.Of(r) }

// packFacts are the facts of a pack's directory, which may need a key.
var packFacts = fact.NewTable("nadeopak directory", "The directory of a NadeoPak archive.", []fact.Row[*packCounts]{
	{Name: "entries", Label: "Entries", Kind: fact.Count, Doc: "number of entries", Get: func(c *packCounts) any { return c.entries }},
	{Name: "folders", Label: "Folders", Kind: fact.Count, Doc: "number of folders", Get: func(c *packCounts) any { return c.folders }},
	{Name: "encrypted_entries", Label: "Encrypted", Kind: fact.Count, Doc: "number of encrypted entries", Get: func(c *packCounts) any { return c.encrypted }},
	{Name: "compressed_entries", Label: "Compressed", Kind: fact.Count, Doc: "number of compressed entries", Get: func(c *packCounts) any { return c.compressed }},
	{Name: "unresolved_names", Label: "Unresolved names", Kind: fact.Count, Doc: "number of names of which only the hash is known", Get: func(c *packCounts) any { return c.hashed }},
	{Name: "metadata_section", Label: "Metadata", Kind: fact.Flag, Doc: "whether the pack has a section of metadata", Get: func(c *packCounts) any { return c.metadata }},
})

// packCounts has the counts from one pass over a directory.
type packCounts struct {
	entries, folders, encrypted, compressed, hashed int
	metadata                                        bool
}

// Subjects lists the facts of packs.
func (Format) Subjects() []*fact.Subject {
	return []*fact.Subject{&headerFacts.Subject, &packFacts.Subject}
}

// Describe reads the facts of the clear header.
func (Format) Describe(in archive.Input) (fact.Record, error) {
	h, _, err := ReadHeader(in, in.Size)
	if err != nil {
		return nil, err
	}
	return headerFacts.Of(h), nil
}

// Facts describe the pack.
func (a *Archive) Facts() fact.Record {
	p := a.pack
	c := &packCounts{entries: len(p.Files), folders: len(p.Folders), metadata: p.hasMetadata()}
	for i := range p.Files {
		flags := p.Files[i].Flags
		c.encrypted += count(flags.Encrypted())
		c.compressed += count(p.Files[i].Compressed())
		c.hashed += count(flags&IsHashed != 0 && p.base(i) == p.Files[i].Name)
	}
	return append(headerFacts.Of(&p.Header), packFacts.Of(c)...)
}

func (t FileTime) text() any {
	return fact.Known(t.Time().Format(timeLayout), t != 0)
}

// unmarked removes the byte order mark before texts with other than ASCII characters.
func unmarked(s string) string { return strings.TrimPrefix(s, "\ufeff") }
