package pak

import (
	"crypto/md5"
	"encoding/hex"
	"os"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
)

// Key is the key a pack's data is encrypted with.
type Key [16]byte

// defaultHeaderKey opens the private header of packs with the flag UseDefaultHeaderKey.
// It is not a secret: everyone may list title packs. It is a constant of the format like the
// magic number.
var defaultHeaderKey = Key{
	0x56, 0xee, 0xcb, 0xbb, 0xde, 0xb6, 0xbc, 0x90, 0xa1, 0x7d, 0xfc, 0xeb, 0x76, 0x1d, 0x59, 0xce,
}

// KeyFromBase derives a pack's key from its base key in packlist.dat: 32 hex digits,
// hashed as upper-case text.
func KeyFromBase(base string) (Key, error) {
	if _, err := parseHex16(base); err != nil {
		return Key{}, err
	}
	return md5.Sum([]byte(strings.ToUpper(base) + "NadeoPak")), nil
}

// TitleKey derives the key of a title pack from the key of the master server and the
// pack's contents checksum.
func TitleKey(master Key, contentsChecksum [32]byte) Key {
	var k Key
	for i := range 8 {
		k[i] = master[15-i] ^ contentsChecksum[i]
		k[i+8] = master[7-i] ^ contentsChecksum[i+16]
	}
	return k
}

// Names in a keys file whose values are paths of files.
const (
	DictionaryKey = "lz4-dictionary" // see [FindDictionary]
	namesKey      = "nadeopak-names" // a list of names, for packs that store only hashes of names
)

// Prefixes that distinguish the forms of a key in a keys file.
const (
	finalPrefix = "final:"
	titlePrefix = "title:"
)

// ParseKey reads the three forms of a key in a keys file: the 32 digits of a base key,
// "final:" and the 32 digits of the pack key itself, or "title:" and the 32 digits of a
// master-server key. The last one gives a key only together with the header of a finished
// pack.
func ParseKey(text string, h *Header) (Key, error) {
	if digits, ok := strings.CutPrefix(text, finalPrefix); ok {
		return parseHex16(digits)
	}
	if digits, ok := strings.CutPrefix(text, titlePrefix); ok {
		master, err := parseHex16(digits)
		if h == nil {
			return Key{}, errTitleKey
		}
		if err != nil || h.Version < 6 {
			return Key{}, fault.New(fault.Key, "a title key needs 32 hex digits and a pack of version 6 or later")
		}
		return TitleKey(master, h.ContentsChecksum), nil
	}
	return KeyFromBase(text)
}

var errTitleKey = fault.New(fault.Key, "the key of a title pack follows from the pack's checksum, so a pack that is written would not be opened by it; give the pack's own key, with final:")

// parseHex16 never quotes its argument, so that no key gets into a message.
func parseHex16(digits string) (Key, error) {
	var k Key
	if n, err := hex.Decode(k[:], []byte(digits[:min(len(digits), 32)])); err != nil || n != len(k) || len(digits) != 32 {
		return Key{}, fault.New(fault.Key, "expected a key of 32 hex digits")
	}
	return k, nil
}

// headerKey is the key of the private header and of the metadata section.
func (h *Header) headerKey(pack Key) Key {
	if h.Version < 6 {
		return pack
	}
	var k Key
	if h.DecryptFlags&IsHeaderPrivate != 0 {
		k = pack
	}
	if h.DecryptFlags&UseDefaultHeaderKey != 0 {
		for i := range k {
			k[i] ^= defaultHeaderKey[i]
		}
	}
	return k
}

// headerNeedsKey reports whether the private header is encrypted with the pack's own key.
func (h *Header) headerNeedsKey() bool {
	return h.Version < 6 || h.DecryptFlags&IsHeaderPrivate != 0
}

// KeyKinds are the kinds of lines in a keys file that this format uses.
func (Format) KeyKinds() []archive.KeyKind {
	return []archive.KeyKind{
		fileKey(DictionaryKey),
		fileKey(namesKey),
		{Want: "32 hex digits, alone or behind final: or title:", Kind: keyKind},
	}
}

// fileKey is the kind of a key whose value is the path of a file.
func fileKey(name string) archive.KeyKind {
	return archive.KeyKind{Name: name, Want: "the name of a file that exists", Kind: func(value string) string {
		if _, err := os.Stat(value); err != nil {
			return ""
		}
		return "file"
	}}
}

func keyKind(value string) string {
	kind, digits := "base", value
	for _, prefixed := range []struct{ prefix, kind string }{{finalPrefix, "pack"}, {titlePrefix, "title"}} {
		if rest, ok := strings.CutPrefix(value, prefixed.prefix); ok {
			kind, digits = prefixed.kind, rest
		}
	}
	if _, err := parseHex16(digits); err != nil {
		return ""
	}
	return kind
}
