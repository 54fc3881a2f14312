package kit

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"pakbox/fact"
)

// meter draws the progress of long work: one line on a terminal, which appears after a
// second and disappears at the end. It implements [archive.Progress]. A nil meter draws
// nothing.
type meter struct {
	out   io.Writer
	width int
	label atomic.Pointer[string]
	count atomic.Pointer[string] // number of finished files, as text
	start time.Time
	done  atomic.Int64
	total atomic.Int64

	mu    sync.Mutex
	shown int  // characters on the line now
	held  bool // something else is using the line
	stop  chan struct{}
}

const (
	meterDelay  = time.Second
	meterPeriod = 100 * time.Millisecond
)

// Watch starts to draw progress on standard error, if that is a terminal. The returned
// function ends it.
func (a *App) Watch(label string) (end func()) {
	f, ok := a.Err.(*os.File)
	if a.Quiet || !ok || !isTerminal(f) {
		return func() {}
	}
	if a.Meter != nil { // the running meter continues with the new label
		return a.Meter.relabel(label)
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	m := &meter{out: f, width: width - 1, start: time.Now(), stop: make(chan struct{})}
	m.label.Store(&label)
	a.Meter, a.Progress = m, m
	var wg sync.WaitGroup
	wg.Go(m.run)
	return sync.OnceFunc(func() {
		close(m.stop)
		wg.Wait()
		m.Hide()
		a.Meter, a.Progress = nil, nil
	})
}

// relabel changes the label until the returned function is called.
func (m *meter) relabel(label string) (end func()) {
	before := m.label.Swap(&label)
	return sync.OnceFunc(func() { m.label.Store(before) })
}

// files sets the number of finished files.
func (m *meter) files(done, all int) {
	if m != nil {
		text := fmt.Sprintf(" %d of %d files", done, all)
		m.count.Store(&text)
	}
}

// Begin announces more work.
func (m *meter) Begin(total int64) { m.total.Add(total) }

// Advance reports work done.
func (m *meter) Advance(n int64) { m.done.Add(n) }

func (m *meter) run() {
	timer := time.NewTimer(meterDelay)
	defer timer.Stop()
	for {
		select {
		case <-m.stop:
			return
		case now := <-timer.C:
			label := *m.label.Load()
			if count := m.count.Load(); count != nil {
				label += *count
			}
			m.show(meterLine(label, m.done.Load(), m.total.Load(), now.Sub(m.start)))
			timer.Reset(meterPeriod)
		}
	}
}

// show writes a line over the one that the terminal shows.
func (m *meter) show(line string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held {
		return
	}
	if len(line) > m.width {
		line = line[:m.width]
	}
	fmt.Fprintf(m.out, "\r%s%s", line, strings.Repeat(" ", max(0, m.shown-len(line))))
	m.shown = len(line)
}

// Hide clears the line, so that something else can be printed.
func (m *meter) Hide() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shown > 0 {
		fmt.Fprintf(m.out, "\r%s\r", strings.Repeat(" ", m.shown))
		m.shown = 0
	}
}

// hold clears the line and keeps it clear until release.
func (m *meter) hold() (release func()) {
	if m == nil {
		return func() {}
	}
	set := func(held bool) {
		m.mu.Lock()
		m.held = held
		m.mu.Unlock()
	}
	set(true)
	m.Hide()
	return func() { set(false) }
}

// meterLine formats progress, speed and remaining time. It is ASCII, so that its length
// is its width.
func meterLine(label string, done, total int64, elapsed time.Duration) string {
	if done == 0 && total <= 0 { // nothing is counted
		return fmt.Sprintf("%s  %d s", label, int(elapsed.Seconds()))
	}
	rate := float64(done) / elapsed.Seconds()
	speed := fact.SizeText(int64(rate)) + "/s"
	if total <= 0 || done > total {
		return fmt.Sprintf("%s  %s  %s", label, fact.SizeText(done), speed)
	}
	const cells = 10
	share := float64(done) / float64(total)
	full := int(share * cells)
	bar := strings.Repeat("#", full) + strings.Repeat(".", cells-full)
	left := "-:-- left"
	const day = 24 * 60 * 60
	if seconds := int64(min(float64(total-done)/rate+0.5, day)); done > 0 && seconds < day { // longer estimates are not reliable yet
		left = fmt.Sprintf("%d:%02d left", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%s  [%s] %3.0f%%  %s of %s  %s  %s", label, bar, share*100, fact.SizeText(done), fact.SizeText(total), speed, left)
}
