package page

import (
	"context"
	"io"
	"sync"
	"time"
)

// gathering is the index that the program makes of the served files while they are shown.
type gathering struct {
	mu      sync.Mutex
	running bool
	failed  bool
	last    time.Time // when it was brought up to date
	cancel  context.CancelFunc
	done    sync.WaitGroup

	opened sync.RWMutex // held for reading while a question uses the index
	open   Collection
}

// maxGather limits the time for an index, so that serving a whole disk does not read it
// for hours. What was read stays in the index, and the next start goes on from there.
const maxGather = 10 * time.Minute

// stale is the age of an index from which home brings it up to date.
const stale = time.Minute

// gather begins to make the index, or to bring it up to date, and does not wait.
func (s *Explorer) gather() {
	g := &s.gathering
	g.mu.Lock()
	defer g.mu.Unlock()
	if s.opts.Gather == nil || g.running || g.failed || time.Since(g.last) < stale {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxGather) // it goes on when the visitor leaves
	g.running, g.cancel = true, cancel
	g.done.Go(func() {
		defer cancel()
		made, err := s.opts.Gather(ctx)
		if err == nil {
			g.set(made)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.running, g.last = false, time.Now()
		g.failed = g.failed || err != nil
	})
}

// end stops the work and closes the index.
func (g *gathering) end() {
	g.mu.Lock()
	g.failed = true // nothing begins after the end
	if g.cancel != nil {
		g.cancel()
	}
	g.mu.Unlock()
	g.done.Wait()
	g.set(nil)
}

// set replaces the open index, and closes the one before.
func (g *gathering) set(c Collection) {
	g.opened.Lock()
	defer g.opened.Unlock()
	if closer, ok := g.open.(io.Closer); ok {
		closer.Close()
	}
	g.open = c
}

// making reports whether the first index is being made.
func (g *gathering) making() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running && g.last.IsZero()
}

// use calls use with the index, which stays open meanwhile. ready is false without one.
func (g *gathering) use(use func(Collection) (any, error)) (value any, ready bool, err error) {
	g.opened.RLock()
	defer g.opened.RUnlock()
	if g.open == nil {
		return nil, false, nil
	}
	value, err = use(g.open)
	return value, true, err
}
