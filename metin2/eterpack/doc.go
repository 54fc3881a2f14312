// Package eterpack reads, checks, edits and writes the packs of Metin2 clients: a pair of
// files, NAME.eix with the index and NAME.epk with the data.
//
// The index is a table of 192-byte records. It stands in the .eix plainly, or inside a
// crypted object: a small container that compresses its content (LZO1X, or LZ4 in some
// builds of the client) and may encrypt it with XTEA. Entries are stored raw (type 0), as
// a compressed but not encrypted crypted object (type 1), or as an encrypted one (type
// 2). Types 3 to 6 need data that only the game's server has; they are listed, but cannot
// be read.
//
// No published specification exists. docs/formats/eterpack.md describes the format as the
// client and its tools read and write it, with the choices made here; names of fields in
// errors and comments are those used there.
package eterpack
