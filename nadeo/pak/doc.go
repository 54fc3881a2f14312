// Package nadeopak reads, checks, edits and writes NadeoPak files: the .pak and .Pack.Gbx
// archives in which TrackMania and ManiaPlanet keep their data.
//
// A pack has up to four parts: a clear header (version 6 and later) with the author,
// dates and addresses; a private header, usually encrypted, with the tables of folders
// and files; the entries' data, each entry plain or compressed, clear or encrypted; and
// the metadata section, which repeats the headers of GBX entries so that the game need
// not open them. [Open] reads the first two, [Pack.Decode] and [Pack.Reader] an entry,
// [Pack.Metadata] the last, [Archive.Verify] reports which of the stored checksums hold.
//
// The cipher of the format is special: while a GBX inside a pack is parsed, every node
// changes the decryption of the bytes behind it. So an encrypted GBX of more than one
// page can only be read by a parser of GBX, a [NodeWalker]. Without one, or at a class
// that it does not know, reading an entry gives the bytes that are certain and an error
// with the offset of their end.
//
// The layouts are those of the specification "PAK" with corrections from real packs;
// docs/formats/nadeopak.md describes them, and lists those checked against real packs.
package pak
