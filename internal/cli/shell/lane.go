package shell

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// lane is the output of the work on one of several files. It is held back until
// those of the files before are complete; from then on it goes through.
type lane struct {
	run *App // that all lanes end in

	mu    sync.Mutex
	leads bool       // those before are complete
	over  bool       // the work was called off: nobody reads on
	turn  *sync.Cond // of leads
	held  []laneText
	size  int           // of what is held
	total *atomic.Int64 // of what all lanes hold
}

// laneText is something that was written.
type laneText struct {
	to   io.Writer // nil for a hint, which is given once in a run, or a separator
	text []byte
}

// Bytes of output that wait for their turn. A lane may hold maxHeld in any case, and more
// while all lanes together hold less than maxTotal. A lane beyond that stops until its
// turn comes.
const (
	maxHeld  = 256 << 10
	maxTotal = 2 << 20
)

// newLanes returns n lanes.
func newLanes(run *App, n int) []*lane {
	lanes, total := make([]*lane, n), new(atomic.Int64)
	for i := range lanes {
		l := &lane{run: run, total: total}
		l.turn = sync.NewCond(&l.mu)
		lanes[i] = l
	}
	return lanes
}

// texts keeps room for what is held.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// lead lets through what is held, and all that comes.
func (l *lane) lead() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.held {
		l.through(t)
		texts.Put(&t.text)
	}
	l.drop()
	l.leads = true
	l.turn.Broadcast()
}

// drop forgets the held output.
func (l *lane) drop() {
	l.total.Add(-int64(l.size))
	l.held, l.size = nil, 0
}

// callOff drops what is held, and all that comes.
func (l *lane) callOff() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop()
	l.over = true
	l.turn.Broadcast()
}

func (l *lane) put(t laneText) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.leads && !l.over && l.isFull(len(t.text)) {
		l.turn.Wait()
	}
	switch {
	case l.over:
		return
	case l.leads:
		l.through(t)
		return
	}
	room := texts.Get().(*[]byte)
	t.text = append((*room)[:0], t.text...)
	l.held = append(l.held, t)
	l.size += len(t.text)
	l.total.Add(int64(len(t.text)))
}

// isFull reports whether so many bytes more have to wait.
func (l *lane) isFull(more int) bool {
	return l.size > 0 && l.size+more > maxHeld && l.total.Load()+int64(more) > maxTotal
}

// through writes something to where it belongs.
func (l *lane) through(t laneText) {
	l.run.Meter.Hide()
	switch t.to {
	case nil:
		l.run.giveHint(string(t.text))
	case separator{}:
		l.run.Separate()
	case io.Writer(l.run.Out):
		l.run.Out.Write(t.text)
	default:
		l.run.Out.Flush() // so that what was found before stands before
		t.to.Write(t.text)
	}
}

// laneStream is one of the streams of a lane.
type laneStream struct {
	lane *lane
	to   io.Writer
}

func (s laneStream) Write(p []byte) (int, error) {
	s.lane.put(laneText{s.to, p})
	return len(p), nil
}

// separator stands for an empty line between what is said of two files.
type separator struct{}

func (separator) Write(p []byte) (int, error) { return len(p), nil }

// Separate prints an empty line, but for the first time that it is called.
func (a *App) Separate() {
	switch {
	case a.lane != nil:
		a.lane.put(laneText{to: separator{}})
	case a.separated:
		a.Out.WriteByte('\n')
	}
	a.separated = true
}

// giveHint prints advice, once in a run.
func (a *App) giveHint(text string) {
	if a.lane != nil {
		a.lane.put(laneText{nil, []byte(text)})
		return
	}
	if a.hinted == nil {
		a.hinted = map[string]bool{}
	}
	if !a.hinted[text] {
		fmt.Fprintf(a.Env.Stderr, "pakbox: hint: %s\n", Printable(text))
		a.hinted[text] = true
	}
}
