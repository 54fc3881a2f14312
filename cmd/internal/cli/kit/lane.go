package kit

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// lane collects the output about one of several files. It holds the output back until the
// files before it are complete; then it lets everything through.
type lane struct {
	run *App // the run to which all lanes write

	mu    sync.Mutex
	leads bool       // all lanes before are complete
	over  bool       // the work was cancelled, so output is dropped
	turn  *sync.Cond // signals a change of leads
	held  []laneText
	size  int           // bytes held by this lane
	total *atomic.Int64 // bytes held by all lanes
}

// laneText is a piece of output.
type laneText struct {
	to   io.Writer // nil for a hint, which is printed once per run; or a separator or heading
	text []byte
}

// Limits for output that waits for its turn, in bytes. A lane may always hold maxHeld,
// and more while all lanes together hold less than maxTotal. Beyond that a lane blocks
// until its turn comes.
const (
	maxHeld  = 256 << 10
	maxTotal = 2 << 20
)

// newLanes makes n lanes.
func newLanes(run *App, n int) []*lane {
	lanes, total := make([]*lane, n), new(atomic.Int64)
	for i := range lanes {
		l := &lane{run: run, total: total}
		l.turn = sync.NewCond(&l.mu)
		lanes[i] = l
	}
	return lanes
}

// texts keeps buffers for reuse.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// lead writes the held output, and lets all further output through.
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

// callOff drops the held output, and all further output.
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

// isFull reports whether that many more bytes would exceed the limits.
func (l *lane) isFull(more int) bool {
	return l.size > 0 && l.size+more > maxHeld && l.total.Load()+int64(more) > maxTotal
}

// through writes a piece of output to its stream.
func (l *lane) through(t laneText) {
	l.run.Meter.Hide()
	switch t.to {
	case nil:
		l.run.giveHint(string(t.text))
	case separator{}:
		l.run.Separate()
	case heading{}:
		l.run.head(t.text)
	case io.Writer(l.run.Out):
		l.run.Out.Write(t.text)
	default:
		l.run.Out.Flush() // so that earlier findings appear first
		t.to.Write(t.text)
	}
}

// laneStream is one of the output streams of a lane.
type laneStream struct {
	lane *lane
	to   io.Writer
}

func (s laneStream) Write(p []byte) (int, error) {
	s.lane.put(laneText{s.to, p})
	return len(p), nil
}

// separator stands for an empty line between the outputs about two files.
type separator struct{}

func (separator) Write(p []byte) (int, error) { return len(p), nil }

// heading stands for the first line of rows, which is printed once.
type heading struct{}

func (heading) Write(p []byte) (int, error) { return len(p), nil }

// Separate prints an empty line, except on the first call.
func (a *App) Separate() {
	switch {
	case a.lane != nil:
		a.lane.put(laneText{to: separator{}})
	case a.separated:
		a.Out.WriteByte('\n')
	}
	a.separated = true
}

// giveHint prints a hint, once per run.
func (a *App) giveHint(text string) {
	if a.lane != nil {
		a.lane.put(laneText{nil, []byte(text)})
		return
	}
	if a.hinted == nil {
		a.hinted = map[string]bool{}
	}
	if !a.hinted[text] {
		fmt.Fprintf(a.Err, "pakbox: hint: %s\n", Printable(text))
		a.hinted[text] = true
	}
}
