// Package pck reads, checks, edits and writes the .pck packs of newer Metin2 clients. A
// pack is one file: a head, a table of records, each encrypted by itself, and the data,
// one Zstandard frame an entry, some of them encrypted:
//
//	u64 count  u64 data_begin  24 bytes nonce
//	count records of 310 bytes
//	data
//
// The format lacks magic bytes and a checksum: a pack is recognised by data_begin, which must follow
// from count. docs/formats/pck.md describes the format.
package pck

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"golang.org/x/crypto/chacha20"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/packname"
)

// Format is the .pck format.
type Format struct{}

var (
	_ archive.Creator = Format{}
	_ archive.Keyed   = Format{}
	_ archive.Editor  = (*Archive)(nil)
)

func (Format) Name() string         { return "pck" }
func (Format) Description() string  { return "Metin2 .pck pack of newer clients" }
func (Format) Extensions() []string { return []string{".pck"} }

// Root is the drive and folder that the client's names begin with.
func (Format) Root() archive.Root { return packname.Root }

// Sizes of the format. The older variant (old) has nonces of 16 bytes and another cipher.
const (
	nonceSize     = chacha20.NonceSizeX
	headSize      = 8 + 8 + nonceSize
	recordSize    = nameField + 8 + 8 + 8 + 1 + nonceSize
	nameField     = 261
	maxName       = nameField - 1
	oldHeadSize   = 8 + 8 + 16
	oldRecordSize = nameField + 8 + 8 + 8 + 1 + 16
)

// Match reports whether data_begin is where a table of count records ends.
func (Format) Match(in archive.Input) bool {
	start := in.Prefix(startSize)
	return matches(start, in.Size, headSize, recordSize) || matches(start, in.Size, oldHeadSize, oldRecordSize)
}

// startSize is the size of the two fields that identify a pack: count and data_begin.
const startSize = 16

func matches(start []byte, size, head, record int64) bool {
	if len(start) < startSize {
		return false
	}
	count, begin := binary.LittleEndian.Uint64(start), binary.LittleEndian.Uint64(start[8:])
	return size >= head && count <= uint64((size-head)/record) && begin == uint64(head)+count*uint64(record)
}

// Open is [Open] for a registry.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(Open(ctx, in, opts))
}

// keyName is the name of the key in a keys file.
const keyName = "pck"

// defaultKey is the key in the public packer.
const defaultKey = "00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210"

// KeyKinds are the lines of a keys file that this format uses.
func (Format) KeyKinds() []archive.KeyKind {
	return []archive.KeyKind{{Name: keyName, Want: "64 hex digits", Kind: func(value string) string {
		if _, ok := parseKey(value); !ok {
			return ""
		}
		return "pck"
	}}}
}

func parseKey(text string) ([]byte, bool) {
	key, err := hex.DecodeString(strings.TrimSpace(text))
	return key, err == nil && len(key) == chacha20.KeySize
}

// findKey returns the user's key, or the key of the public packer.
func findKey(ring archive.Keys) ([]byte, error) {
	text := defaultKey
	if ring != nil {
		if t, ok := ring.Key(keyName); ok {
			text = t
		}
	}
	key, ok := parseKey(text)
	if !ok {
		// The text is not quoted: a key must not get into a log.
		return nil, fault.New(fault.Key, "key %s: expected 64 hex digits", keyName)
	}
	return key, nil
}

// cryptRecords encrypts or decrypts the records of a table. The cipher restarts for each
// record, so all records have the same key stream.
func cryptRecords(table, key, nonce []byte) {
	var stream [recordSize]byte
	newCipher(key, nonce).XORKeyStream(stream[:], stream[:])
	for raw := range slices.Chunk(table, recordSize) {
		subtle.XORBytes(raw, raw, stream[:])
	}
}

// newCipher starts the cipher for a key and a nonce.
func newCipher(key, nonce []byte) *chacha20.Cipher {
	c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		panic(err) // only wrong lengths fail, and these are constant
	}
	return c
}
