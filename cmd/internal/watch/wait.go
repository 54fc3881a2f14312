package watch

import (
	"os"
	"slices"
	"time"
)

// Reason is why a file is waited for.
type Reason int

const (
	// Open: a program has the file open for writing. The wait lasts as long.
	Open Reason = iota
	// Damaged: the file was damaged when it was read, and had changed shortly before. The
	// wait ends when it has not changed for some time.
	Damaged
)

// A file that was damaged when it was read must not change for still. If it changes, the
// time is doubled, up to mostStill: a program that opens the file for each piece of it
// may need long for a piece.
var still = 30 * time.Second // SetTimes changes it

const (
	mostStill = 10 * time.Minute
	// mostLook is the longest time until a file that a program has open is looked at again.
	mostLook = 2 * time.Second
)

// doubt is about a file that was damaged when it was read.
type doubt struct {
	changed time.Time     // when the file had changed last
	latest  time.Time     // when the latest of it and the files that belong to it had
	still   time.Duration // how long they must not change
	until   time.Time     // when that time is over
}

// complete removes from pending the files that nobody writes to any more, and returns
// them.
func (w *Watcher) complete(now time.Time) (names []string) {
	var waits [Damaged + 1][]string
	w.mu.Lock()
	for name, s := range w.pending {
		size, mod := int64(-1), time.Time{}
		info, err := os.Stat(name)
		if err == nil {
			size, mod = info.Size(), info.ModTime()
		}
		if size != s.size || !mod.Equal(s.mod) {
			if s.size != unseen || !mod.Equal(s.mod) {
				s.until = time.Time{}
			}
			s.size, s.mod, s.since, s.look = size, mod, now, time.Time{}
			s.say, s.wait = now.Add(patience), patience
			continue
		}
		reason, done := w.done(name, s, err == nil, now)
		if !done {
			if w.Waits != nil && now.After(s.since.Add(settle)) && (reason == Damaged && s.wait == patience || now.After(s.say)) {
				waits[reason] = append(waits[reason], name)
				s.wait *= 2
				s.say = now.Add(s.wait)
			}
			continue
		}
		delete(w.pending, name)
		// A file that appeared and disappeared does not count: programs save files under
		// temporary names first.
		if err != nil && !s.made || err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	w.mu.Unlock()
	for reason, names := range waits {
		if len(names) > 0 {
			slices.Sort(names)
			w.Waits(names, Reason(reason))
		}
	}
	slices.Sort(names)
	return names
}

// done reports whether a file that has not changed since s.since is complete, or else why
// it is waited for.
func (w *Watcher) done(name string, s *state, exists bool, now time.Time) (Reason, bool) {
	quiet := now.Sub(s.since)
	switch {
	case quiet < settle:
		return Open, false
	case !exists:
		return Open, true
	case now.Before(s.look):
		return Open, false
	case (quiet < patience || w.Waits != nil) && beingWritten(name):
		s.look = now.Add(min(quiet/4, mostLook))
		return Open, false
	}
	return Damaged, !now.Before(s.until)
}

// Unfinished reports whether a program may not be done with a file that changed last at
// this time: it changed a moment ago, a program has it open for writing, or [Watcher.Doubt]
// has found it damaged. If so, the file is watched, and reported when it is done.
func (w *Watcher) Unfinished(name string, changed time.Time) bool {
	now, open := time.Now(), beingWritten(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	// A file that waits for another one is read again whenever somebody asks.
	if d := w.doubts[name]; d != nil && d.changed.Equal(changed) && d.latest.Equal(changed) && now.Before(d.until) {
		w.hold(name, d)
		return true
	}
	// A time in the future, from another clock, is useless.
	if quiet := now.Sub(changed); open || quiet >= 0 && quiet < settle {
		w.hold(name, &doubt{})
		return true
	}
	return false
}

// Doubt receives a file that was read, the time of its last change, the latest such time
// of the file and the files that belong to it, and whether it was intact. It reports whether the
// file may be half written, and should be read again later: it is damaged and changed
// lately. If so, the file is watched, and reported when it changes or when it has not
// changed for some time.
func (w *Watcher) Doubt(name string, changed, latest time.Time, sound bool) bool {
	now := time.Now()
	quiet := max(0, now.Sub(latest))
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.doubts[name]
	switch {
	case sound:
		delete(w.doubts, name)
		return false
	case d == nil && quiet >= still:
		return false
	case d == nil:
		d = &doubt{still: still, until: now.Add(still - quiet)}
		if w.doubts == nil {
			w.doubts = map[string]*doubt{}
		}
		w.doubts[name] = d
	case !d.latest.Equal(latest):
		d.still = min(2*d.still, mostStill)
		d.until = now.Add(max(0, d.still-quiet))
	}
	d.changed, d.latest = changed, latest
	if !now.Before(d.until) {
		return false
	}
	w.hold(name, d)
	return true
}

// hold watches a file until it is complete; the file of d, if it does not change, for at
// least the time of d. The caller has locked the watcher.
func (w *Watcher) hold(name string, d *doubt) {
	if w.pending[name] == nil {
		w.pending[name] = &state{size: unseen, mod: d.changed, until: d.until}
	}
}
