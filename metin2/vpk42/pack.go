package vpk42

import (
	"io"

	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/fault"
)

// packer turns items into stored data. It is safe for concurrent use.
type packer struct {
	compress  compressFunc // nil if entries are not compressed
	algorithm Algorithm
	level     int
	keys      *keys // nil if entries are not encrypted
	buffers   bufferPool
}

// packed is an item ready to be written.
type packed struct {
	entry Entry
	data  []byte // returned to the packer's buffers after writing
}

// streamAbove is the size from which uncompressed data is copied through a small buffer,
// rather than being read in parallel.
const streamAbove = 1 << 20

// streams reports whether an item is copied without being held in memory.
func (p *packer) streams(item archive.Item) bool {
	return p.compress == nil && p.keys == nil && (item.Size < 0 || item.Size > streamAbove)
}

// large reports whether an item is compressed or encrypted piece by piece.
func (p *packer) large(item archive.Item) bool {
	return (p.compress != nil || p.keys != nil) && (item.Size < 0 || item.Size > largeAbove)
}

// cost is the memory that packing an item takes.
func (p *packer) cost(item archive.Item) int64 {
	if p.compress != nil {
		return 2 * item.Size
	}
	return item.Size
}

// pack reads, hashes, compresses and encrypts one item.
func (p *packer) pack(item archive.Item, nonce []byte) (packed, error) {
	raw, err := p.read(item)
	if err != nil {
		return packed{}, inItem(err, item)
	}
	e := newEntry(item.Name)
	e.OriginalSize = int64(len(raw))
	sum := blake3.Sum256(raw)
	e.ContentHash = sum[:]
	data := raw
	if p.compress != nil {
		buf := p.buffers.get(compressBound(len(raw)) + tagSize)
		short, err := compressEntry(p.compress, raw, buf)
		if err != nil {
			return packed{}, inItem(err, item)
		}
		if short != nil {
			data, e.IsCompressed = short, true
			p.buffers.put(raw)
		} else {
			p.buffers.put(buf)
		}
	}
	if p.keys != nil {
		e.IsEncrypted, e.Nonce = true, nonce
		data, e.AuthTag = p.keys.seal(data, nonce)
	}
	e.StoredSize = int64(len(data))
	return packed{e, data}, nil
}

// read reads a whole item into a buffer that has room for a tag.
func (p *packer) read(item archive.Item) ([]byte, error) {
	r, err := item.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b := p.buffers.get(int(item.Size) + tagSize)[:item.Size]
	n, err := io.ReadFull(r, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, item.CheckSize(int64(n))
	}
	if err != nil {
		return nil, err
	}
	// Read to the end, because some readers check their content there.
	extra, err := io.CopyN(io.Discard, r, 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return b, item.CheckSize(int64(n) + extra)
}

func tooLarge(size int64) error {
	return fault.New(fault.Limit, "%d bytes are too many to compress or encrypt (the limit is %d); a file of this size can be stored with neither", size, maxPacked)
}
