// Package nadeopak reads, checks, edits and writes NadeoPak files: the .pak
// and .Pack.Gbx archives in which TrackMania and ManiaPlanet keep their data.
//
// A pack has up to four parts: a clear header (version 6 and later) with the
// author, dates and addresses; a private header, usually encrypted, with the
// tables of folders and files; the entries' data, each entry plain or
// compressed, clear or encrypted; and the metadata section, which repeats the
// headers of GBX entries so that the game need not open them. [Open] reads the
// first two, [Pack.Decode] and [Pack.Reader] an entry, [Pack.Metadata] the
// last, [Archive.Verify] tells which of the stored checksums hold.
//
// What makes the format special is its cipher: while a GBX inside a pack is
// parsed, every node that is met alters the decryption of what follows. So an
// encrypted GBX of more than one page can only be read by something that
// understands GBX; a [NodeWalker] is that something. Without one, or where it
// meets a class it does not know, an entry yields the bytes that are certain
// and an error that says where they end.
//
// The layouts are those of the specification "PAK" with the corrections that
// real packs made necessary; docs/formats/nadeopak.md tells them all and says
// which have been seen to hold.
package nadeopak
