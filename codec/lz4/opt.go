package lz4

// explore covers the data from m on with matches and returns their end. It offers the
// longest match at each position, up to a position that no match crosses. It skips the
// search at a position if the next position costs no more.
func (e *encoder) explore(b *block, m match, limit int, f *effort) int {
	first := m.pos
	e.open(first - b.anchor)
	at := 0
	for {
		if m.length >= f.enough || at+m.length > windowSize {
			break
		}
		if m.dist != 0 {
			e.offer(at, m.length, m.dist)
		}
		e.fill(at, at+1)
		at++
		m = match{}
		if at == e.last {
			break
		}
		if first+at <= limit && e.worthwhile(at, f.every) {
			least := minMatch - 1
			if !f.every {
				least = max(least, e.last-at) // the match must reach farther than all others
			}
			m = e.longest(b.src, first+at, least, f.tries)
		}
	}
	e.write(b, first, at)
	if m.dist == 0 {
		return first + at
	}
	b.sequence(m.pos, m.length, m.dist)
	return m.end()
}

// worthwhile reports whether a match at this position may make a later position cheaper.
func (e *encoder) worthwhile(at int, every bool) bool {
	price := e.nodes[at].price()
	if e.nodes[at+1].price() > price {
		return true
	}
	return every && (at+minMatch > e.last || e.nodes[at+minMatch].price() >= price+3)
}
