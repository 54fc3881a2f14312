package lz4

// encoder implements the levels from 2 up.
type encoder struct {
	chain
	window
	cluster [64]match
}

func (e *encoder) encode(b *block, f *effort) {
	e.begin(len(b.src))
	limit := len(b.src) - matchMargin
	for pos := 0; pos <= limit; {
		m := e.longest(b.src, pos, minMatch-1, f.tries)
		switch {
		case m.dist == 0:
			pos++
		case f.optimal:
			pos = e.explore(b, m, limit, f)
		default:
			pos = e.overlap(b, m, limit, f)
		}
	}
}

// overlap covers the data from m on with matches and returns their end. Near the end of
// each match it looks for a longer match that starts inside it. Prices decide which
// matches are used, and where one ends and the next begins.
func (e *encoder) overlap(b *block, m match, limit int, f *effort) int {
	e.cluster[0] = m
	n := 1
	own := m.length // bytes that only the last match covers
	for last := m; n < len(e.cluster) && last.end()-2 <= limit; n++ {
		// The search position is two bytes before the end, so a match found here reaches
		// beyond it.
		next := e.wider(b.src, last.end()-2, last.pos, max(own, minMatch-1), f.tries)
		if next.dist == 0 || next.end()-m.pos > windowSize {
			break
		}
		own = min(next.length, next.end()-last.end())
		e.cluster[n] = next
		last = next
	}
	if n == 1 {
		b.sequence(m.pos, m.length, m.dist)
		return m.end()
	}
	e.open(m.pos - b.anchor)
	at := 0
	for _, next := range e.cluster[:n] {
		e.fill(at, next.pos-m.pos)
		at = next.pos - m.pos
		e.offer(at, next.length, next.dist)
	}
	e.fill(at, e.last)
	e.write(b, m.pos, e.last)
	return m.pos + e.last
}
