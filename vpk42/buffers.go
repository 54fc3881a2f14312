package vpk42

import (
	"io"
	"slices"
	"sync"
)

// bufferPool keeps the large buffers of finished entries for the next ones,
// so that memory does not grow with the garbage of many large files.
type bufferPool struct {
	mu   sync.Mutex
	free [][]byte // oldest first
	held int      // bytes in free
}

const (
	// maxHeld bounds what a pool keeps. It is as much as can be in use, so
	// that work on files of one size allocates nothing once it has begun.
	maxHeld = writeBudget
	// maxBuffers keeps the search for a buffer short.
	maxBuffers = 64
)

// get returns a buffer of n bytes.
func (p *bufferPool) get(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i, b := range p.free {
		// One that is much too large is left for those who need it.
		if cap(b) >= n && cap(b)/4 <= n+4096 && (best < 0 || cap(b) < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		p.drop(n)
		return make([]byte, n)
	}
	b := p.free[best]
	p.free = slices.Delete(p.free, best, best+1)
	p.held -= cap(b)
	return b[:n]
}

// put gives a buffer back. Nobody may use it any more.
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

// drop forgets the oldest buffers until there is room for n bytes more.
func (p *bufferPool) drop(n int) {
	i := 0
	for i < len(p.free) && (p.held+n > maxHeld || len(p.free)-i >= maxBuffers) {
		p.held -= cap(p.free[i])
		i++
	}
	p.free = slices.Delete(p.free, 0, i)
}

// copyBuffers are for moving bulk data.
var copyBuffers = sync.Pool{New: func() any { b := make([]byte, copyBuffer); return &b }}

// onlyWriter hides what else a writer can do, so that copying goes through
// the buffer it was given.
type onlyWriter struct{ io.Writer }
