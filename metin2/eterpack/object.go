package eterpack

import (
	"encoding/binary"
	"math"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/internal/xtea"
)

// A crypted object:
//
//	"MCOZ" u32 encrypt_size  u32 compressed_size  u32 real_size
//	"MCOZ" compressed stream, padding
//
// If encrypt_size is not 0, that many bytes after the header are encrypted. Servers may
// choose another mark. It is the same in both places.
const (
	objectHeaderSize = 16
	innerMagicSize   = 4
)

// Ymir's packer encrypts encryptExtra bytes more than the content, and counts objectSpare
// of them as part of the object. Every reader allows this, and some may rely on it.
const (
	encryptExtra = 19
	objectSpare  = 4
)

type objectHeader struct {
	mark           string
	encryptSize    uint32
	compressedSize uint32
	realSize       uint32
}

// body is the number of bytes that a reader needs after the header.
func (h objectHeader) body() int64 {
	return max(int64(h.encryptSize), innerMagicSize+int64(h.compressedSize))
}

// size is the size of the whole object, as far as readers need it.
func (h objectHeader) size() int64 { return objectHeaderSize + h.body() }

// spare is the number of unused bytes behind the object, if n bytes are stored.
func (h objectHeader) spare(n int) int { return int(int64(n) - h.size()) }

// readObjectHeader reads and checks a header. b holds the whole object; base is its
// offset in the file.
func readObjectHeader(b []byte, base int64) (objectHeader, error) {
	h, err := parseObjectHeader(b, base)
	if err == nil && h.body() > int64(len(b)-objectHeaderSize) {
		err = fault.At(fault.Truncated, base, "encrypt_size", "the object needs %d bytes after its header, %d are stored",
			h.body(), len(b)-objectHeaderSize)
	}
	return h, err
}

// parseObjectHeader is readObjectHeader, but b need not hold the whole object.
func parseObjectHeader(b []byte, base int64) (objectHeader, error) {
	r := wire.NewReader(b, base)
	mark := string(r.Bytes(4, "fourcc"))
	h := objectHeader{mark, r.U32("encrypt_size"), r.U32("compressed_size"), r.U32("real_size")}
	switch {
	case r.Err() != nil:
		return h, r.Err()
	case h.encryptSize%xtea.BlockSize != 0:
		return h, fault.At(fault.BadEntry, base+4, "encrypt_size", "%d is not a multiple of %d", h.encryptSize, xtea.BlockSize)
	case h.encryptSize != 0 && int64(h.encryptSize) < innerMagicSize+int64(h.compressedSize):
		return h, fault.At(fault.BadEntry, base+4, "encrypt_size", "%d bytes cannot hold the %d of the compressed data", h.encryptSize, h.compressedSize)
	case h.realSize > math.MaxInt32:
		return h, fault.At(fault.BadEntry, base+12, "real_size", "%d is negative to the client", h.realSize)
	// Neither codec unpacks one byte to more than 255. A larger claim is refused before
	// memory is reserved for it.
	case int64(h.realSize) > 256*(int64(h.compressedSize)+1):
		return h, fault.At(fault.SizeMismatch, base+12, "real_size", "%d bytes cannot be compressed to %d", h.realSize, h.compressedSize)
	}
	return h, nil
}

// decodeObject unpacks the object in b, and may change b. If both codecs fit, first wins;
// see [decompress]. before is nil, or memory that ends where b begins and may be used for
// the content.
func decodeObject(before, b []byte, base int64, key *xtea.Cipher, first codec, limit int64, accept func([]byte) bool) ([]byte, codec, error) {
	h, err := readObjectHeader(b, base)
	if err != nil {
		return nil, "", err
	}
	if int64(h.realSize) > limit {
		return nil, "", fault.At(fault.Limit, base+12, "real_size", "claims to unpack to %d bytes, more than %d", h.realSize, limit)
	}
	body := b[objectHeaderSize:]
	if h.encryptSize != 0 {
		key.Decrypt(body[:h.encryptSize], body[:h.encryptSize])
	}
	if inner := body[:innerMagicSize]; string(inner) != h.mark {
		if h.encryptSize != 0 {
			return nil, "", fault.At(fault.WrongKey, base+objectHeaderSize, "inner fourcc", "the key does not fit (it gives %x, not %q)", inner, h.mark)
		}
		return nil, "", fault.At(fault.BadEntry, base+objectHeaderSize, "inner fourcc", "found %q, not %q", inner, h.mark)
	}
	stream := body[innerMagicSize : innerMagicSize+int(h.compressedSize)]
	if h.mark == snappyMark {
		out, err := decodeSnappy(stream, int(h.realSize))
		if err != nil {
			err = &fault.Error{Kind: fault.DecompressFailed, Offset: base + streamStart, Field: "stream", Err: err, Message: "is no Snappy"}
		}
		return out, codecSnappy, err
	}
	if before != nil {
		before = before[:len(before)+streamStart]
	}
	out, used, err := decompress(before, stream, int(h.realSize), first, accept)
	if err != nil {
		return nil, "", &fault.Error{Kind: fault.DecompressFailed, Offset: base + objectHeaderSize + innerMagicSize, Field: "stream", Err: err,
			Message: "is neither LZO1X nor LZ4"}
	}
	return out, used, nil
}

// encodeObject packs content in the layout of Ymir's packer, and encrypts it if there is
// a key.
func encodeObject(content []byte, mark string, key *xtea.Cipher, c codec, level int) ([]byte, error) {
	if len(content) > math.MaxInt32 {
		return nil, fault.New(fault.Limit, "%d bytes are more than a crypted object can hold", len(content))
	}
	room := make([]byte, streamStart, streamStart+c.bound(len(content))+encryptExtra+xtea.BlockSize+objectSpare)
	return encodeWithin(room, content, mark, key, c, level)
}

// objectRoom returns memory for n bytes of content and for their object, which overlap:
// little more than the content alone.
func objectRoom(n int, c codec) (room, content []byte) {
	room = make([]byte, streamStart+c.lead(n)+n+encryptExtra+xtea.BlockSize+objectSpare)
	return room, room[streamStart+c.lead(n):][:n]
}

// encodeWithin is encodeObject that writes into room, which may come from objectRoom.
func encodeWithin(room, content []byte, mark string, key *xtea.Cipher, c codec, level int) ([]byte, error) {
	n := len(content)
	b, err := c.compress(room[:streamStart], content, level)
	if err != nil {
		return nil, err
	}
	return seal(b, n, mark, key), nil
}

// streamStart is the offset of the compressed stream in an object.
const streamStart = objectHeaderSize + innerMagicSize

// seal completes an object whose stream is already in b behind streamStart bytes.
func seal(b []byte, realSize int, mark string, key *xtea.Cipher) []byte {
	compressed := len(b) - streamStart
	copy(b, mark)
	binary.LittleEndian.PutUint32(b[8:], uint32(compressed))
	binary.LittleEndian.PutUint32(b[12:], uint32(realSize))
	copy(b[objectHeaderSize:], mark)
	if key != nil {
		n := (compressed + encryptExtra + xtea.BlockSize - 1) / xtea.BlockSize * xtea.BlockSize
		binary.LittleEndian.PutUint32(b[4:], uint32(n))
		b = append(b, make([]byte, objectHeaderSize+n+objectSpare-len(b))...)
		body := b[objectHeaderSize : objectHeaderSize+n]
		key.Encrypt(body, body)
	}
	return b
}
