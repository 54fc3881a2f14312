package vpk42

import (
	"io"
	"sync"

	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/fault"
)

// packer turns items into stored data. It is safe for concurrent use.
type packer struct {
	compress compressFunc // nil if entries are stored as they are
	keys     *keys        // nil if they are not encrypted
	buffers  bufferPool
}

// packed is an item ready to be written.
type packed struct {
	entry Entry
	data  []byte
	used  [2][]byte // buffers to free afterwards
}

// streamAbove is the size from which data that is stored as it is goes
// through a small buffer, rather than being read in parallel.
const streamAbove = 1 << 20

// streams reports whether an item need not be held in memory.
func (p *packer) streams(item archive.Item) bool {
	return p.compress == nil && p.keys == nil && (item.Size < 0 || item.Size > streamAbove)
}

// cost is the memory that packing an item takes.
func (p *packer) cost(item archive.Item) int64 {
	switch {
	case item.Size < 0:
		return writeBudget
	case p.compress != nil:
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
	out := packed{data: raw, used: [2][]byte{raw}}
	if p.compress != nil {
		buf := p.buffers.get(compressBound(len(raw)) + tagSize)
		out.used[1] = buf
		short, err := compressEntry(p.compress, raw, buf)
		if err != nil {
			return packed{}, inItem(err, item)
		}
		if short != nil {
			out.data, e.IsCompressed = short, true
		}
	}
	if p.keys != nil {
		e.IsEncrypted, e.Nonce = true, nonce
		out.data, e.AuthTag = p.keys.seal(out.data, nonce)
	}
	e.StoredSize = int64(len(out.data))
	out.entry = e
	return out, nil
}

// free makes the buffers of p available again.
func (p *packer) free(out packed) {
	for _, b := range out.used {
		p.buffers.put(b)
	}
}

// read reads all of an item, leaving room for a tag behind it.
func (p *packer) read(item archive.Item) ([]byte, error) {
	if item.Size > maxPacked {
		return nil, tooLarge(item.Size)
	}
	r, err := item.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if item.Size < 0 {
		b, err := io.ReadAll(io.LimitReader(r, maxPacked+1))
		if len(b) > maxPacked {
			return nil, tooLarge(int64(len(b)))
		}
		return b, err
	}
	b := p.buffers.get(int(item.Size) + tagSize)[:item.Size]
	n, err := io.ReadFull(r, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, archive.CheckSize(item, int64(n))
	}
	if err != nil {
		return nil, err
	}
	// The end must be seen too, because some readers check content there.
	extra, err := io.CopyN(io.Discard, r, 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return b, archive.CheckSize(item, int64(n)+extra)
}

func tooLarge(size int64) error {
	return fault.New(fault.Limit, "%d bytes are too many to compress or encrypt (the limit is %d); without either the file can be stored", size, maxPacked)
}

// bufferPool keeps the large buffers of finished entries for the next ones,
// so that memory does not grow with the garbage of many large files.
type bufferPool struct {
	mu   sync.Mutex
	free [][]byte
	held int
}

// maxHeld bounds what a pool keeps. What is in use is bounded elsewhere.
const maxHeld = writeBudget

// get returns a buffer of at least n bytes, not much larger than that.
func (p *bufferPool) get(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i, b := range p.free {
		if cap(b) >= n && cap(b)/4 <= n+4096 && (best < 0 || cap(b) < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return make([]byte, n, n+n/8+1024)
	}
	b := p.free[best]
	last := len(p.free) - 1
	p.free[best] = p.free[last]
	p.free[last] = nil
	p.free = p.free[:last]
	p.held -= cap(b)
	return b[:n]
}

// put gives a buffer back. The oldest make room for it.
func (p *bufferPool) put(b []byte) {
	if cap(b) == 0 || cap(b) > maxHeld {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b[:cap(b)])
	p.held += cap(b)
	for p.held > maxHeld || len(p.free) > maxBuffers {
		p.held -= cap(p.free[0])
		p.free[0] = nil
		p.free = p.free[1:]
	}
}

// maxBuffers keeps the search for a buffer short.
const maxBuffers = 64

// copyBuffers are for moving bulk data.
var copyBuffers = sync.Pool{New: func() any { b := make([]byte, copyBuffer); return &b }}

// onlyWriter hides what else a writer can do, so that copying goes through
// the buffer it was given.
type onlyWriter struct{ io.Writer }
