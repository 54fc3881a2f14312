// Package vpk42 reads and writes the .vpk archives of 42pak-generator, which Metin2
// private servers use in place of EterPack.
//
// An archive is a 512-byte header, the files' data in blocks aligned to 4096 bytes, an
// entry table, and a 32-byte trailer:
//
//	0x000              VpkHeader
//	0x1000, aligned    data blocks
//	EntryTableOffset   entry table, one variable-length record per file
//	FileSize - 32      HMAC-SHA256 of all that precedes it, or zeros
//
// Two versions exist. Version 1 is the one that 42pak's specification describes; version
// 2 is the one that every published build writes, with a CompressionAlgorithm byte in the
// header and twice the PBKDF2 iterations. This package reads and writes both and refuses
// all others. Field names are the specification's. docs/formats/42pak.md lists the facts that were
// checked against real files.
//
// [Open] verifies the HMAC of an encrypted archive, so the table of an open [Archive] is
// authentic. Content is checked when it is read: its BLAKE3 hash matches the table, or
// reading returns an error.
package vpk42

import (
	"context"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/packname"
)

// Format is the 42pak format for a registry.
type Format struct{}

var (
	_ archive.Creator   = Format{}
	_ archive.Describer = Format{}
	_ archive.Editor    = (*Archive)(nil)
)

// Name returns "vpk42".
func (Format) Name() string { return "vpk42" }

// Description describes the format in one line.
func (Format) Description() string { return "42pak archive, versions 1 and 2 (Metin2)" }

// Extensions returns ".vpk".
func (Format) Extensions() []string { return []string{".vpk"} }

// Root is the drive and folder that the client's names begin with.
func (Format) Root() archive.Root { return packname.Root }

// Match reports whether in begins with the format's magic number.
func (Format) Match(in archive.Input) bool { return string(in.Prefix(len(magic))) == magic }

// Open is [Open] for a registry.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(Open(ctx, in, opts))
}

// maxNameLength is the specification's limit for a file name in UTF-8. Real builds
// declare the limit but never check it.
const maxNameLength = 512

// checkName refuses a name that is not allowed for a new entry.
func checkName(name string) error {
	if len(name) > maxNameLength {
		return &fault.Error{Kind: fault.NameTooLong, Entry: name, Offset: fault.NoOffset, Field: "FileName",
			Message: "the name is longer than 512 bytes"}
	}
	return packname.Root.Check(name)
}

// CheckName refuses a name that the format cannot hold; writable mounts call it.
func (*Archive) CheckName(name string) error { return checkName(name) }
