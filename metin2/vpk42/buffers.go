package vpk42

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/zeebo/blake3"
)

// bufferPool keeps the large buffers of finished entries for reuse, so that memory does
// not grow with the garbage of many large files.
type bufferPool struct {
	mu   sync.Mutex
	free [][]byte // oldest first
	held int      // bytes in free
}

const (
	// maxHeld limits the memory of a pool to what can be in use at one time: 64 MiB of
	// unpacked data, the packed data, and an eighth for rounding. So work on files of
	// similar size allocates buffers only at its beginning.
	maxHeld = 144 << 20
	// maxBuffers limits the number of buffers, to keep the search short.
	maxBuffers = 64
)

// get returns a buffer of n bytes.
func (p *bufferPool) get(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i, b := range p.free {
		// A much larger buffer is left for a larger n.
		if cap(b) >= n && cap(b)/4 <= n+4096 && (best < 0 || cap(b) < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		size := roundUp(n)
		p.drop(size)
		return make([]byte, n, size)
	}
	b := p.free[best]
	p.free = slices.Delete(p.free, best, best+1)
	p.held -= cap(b)
	return b[:n]
}

// roundUp rounds n so that similar sizes become equal, and files of similar size can
// share buffers. It adds about an eighth at most.
func roundUp(n int) int {
	n += 64
	step := max(1<<bits.Len(uint(n))/16, 512)
	return (n + step - 1) / step * step
}

// put returns a buffer to the pool. The caller must not use it any more.
func (p *bufferPool) put(b []byte) {
	if cap(b) == 0 || cap(b) > maxHeld {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(cap(b))
	p.free = append(p.free, b)
	p.held += cap(b)
}

// drop removes the oldest buffers until there is room for n bytes more.
func (p *bufferPool) drop(n int) {
	i := 0
	for i < len(p.free) && (p.held+n > maxHeld || len(p.free)-i >= maxBuffers) {
		p.held -= cap(p.free[i])
		i++
	}
	p.free = slices.Delete(p.free, 0, i)
}

// hashers are reused for content that is streamed.
var hashers = sync.Pool{New: func() any { return blake3.New() }}
