package eterpack

import (
	"github.com/klauspost/compress/s2"

	"pakbox/metin2/internal/xtea"
)

// Key is the key of a crypted object: four words.
type Key [4]uint32

// ParseKey reads four numbers, decimal or hexadecimal with 0x, separated by
// commas.
func ParseKey(text string) (key Key, ok bool) {
	words, ok := parseKey(text)
	return words, ok
}

// OpenObject unpacks a crypted object that stands alone in a file, such as an item_proto.
// base is its offset in the file. It decrypts in place.
func OpenObject(object []byte, base int64, key Key, limit int64) (content []byte, mark string, err error) {
	content, _, err = decodeObject(nil, object, base, xtea.New(key), codecLZO, limit, nil)
	return content, string(object[:min(len(object), innerMagicSize)]), err
}

// SealObject makes a crypted object in the layout of Ymir's packer. The mark decides
// between Snappy and LZO1X.
func SealObject(content []byte, mark string, key Key) ([]byte, error) {
	if mark == snappyMark {
		stream := s2.EncodeSnappyBest(nil, content)
		return seal(append(make([]byte, streamStart), stream...), len(content), mark, xtea.New(key)), nil
	}
	return encodeObject(content, mark, xtea.New(key), codecLZO, bestLZO)
}
