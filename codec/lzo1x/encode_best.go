package lzo1x

import (
	"math"
	"slices"
)

const (
	niceLen  = 256     // a match of this length or more is taken without looking at shorter ones inside it
	patience = 4       // positions to wait after a long match, in case a better one starts there
	partLen  = 1 << 12 // positions after which the cheapest way is written as soon as no match is open
	partMax  = 1 << 13 // positions after which it is written in any case
	lead     = 4       // nodes before the first position, for matches that end there and a run that follows
)

// Units of cost. Of two streams with the same length, the one with fewer instructions
// decodes faster.
const (
	oneInstruction = 1
	oneByte        = 1 << 32
	unreachable    = math.MaxUint64 / 2
)

// node is the cheapest way to a position where a match ends: this match and the literals
// before it.
type node struct {
	cost             uint64
	literals         int
	distance, length uint16
}

// way is the cheapest way to a position through literals after the last match.
type way struct {
	cost     uint64
	literals int
}

// ways are the cheapest ways to a position, one for each kind of match that can follow.
type ways struct {
	few way // ends with 1 to 3 literals; the near M1 can follow
	run way // ends with 4 or more literals; the far M1 can follow
	any way // ends with any number of literals; all other matches can follow
}

// bestEncoder finds the cheapest path through the input, from match to match. The result
// is a little longer than the shortest stream, for three reasons: only one run is
// continued at each position, the input is decided in parts, and very long matches are
// taken at once.
type bestEncoder struct {
	tree   tree
	start  int // position of nodes[lead]
	nodes  [lead + partMax + patience + niceLen]node
	opened int // the last position with a valid node
	run    struct {
		start int // end of the match before the cheapest run of literals so far
		cost  uint64
	}
	path []node
}

// encode writes everything but the last literals, and returns where these start.
func (e *bestEncoder) encode(w *writer, src []byte) (anchor int) {
	e.tree.open(len(src))
	for pos := 0; pos < len(src); {
		anchor, pos = e.part(w, src, anchor, pos)
	}
	return anchor
}

// part continues at pos; the literals since anchor are not written yet. It writes the
// next part of the stream, and returns the new anchor and position.
func (e *bestEncoder) part(w *writer, src []byte, anchor, pos int) (int, int) {
	e.begin(anchor, pos)
	var long longMatch
	for wait := patience; ; pos++ {
		e.reach(pos)
		ways := e.ways(pos)
		if long.length > 0 {
			if wait--; wait == 0 {
				return e.leap(w, src, anchor, pos, &long)
			}
		} else if pos == len(src) || e.full(pos) {
			last := pos - ways.any.literals
			e.write(w, src, anchor, last)
			return last, pos
		}
		matches := e.tree.insert(src, pos)
		for i, m := range matches {
			if m.length >= niceLen {
				matches[i].length = niceLen - 1
				m.length += matchLen(src, pos+m.length, m.distance)
				long.consider(longMatch{ways.any, pos, m})
			}
		}
		e.follow(pos, &ways, matches)
	}
}

// full reports whether the part is long enough to be written.
func (e *bestEncoder) full(pos int) bool {
	n := pos - e.start
	return n >= partLen && e.opened == pos || n == partMax
}

// longMatch is a match of niceLen bytes or more.
type longMatch struct {
	way // the way to its start
	pos int
	match
}

// consider replaces l by o if o is better. A match that reaches farther may cost more.
func (l *longMatch) consider(o longMatch) {
	const anotherMatch = 3
	o.cost += matchCost(o.distance, o.length)
	further := (o.pos + o.length) - (l.pos + l.length)
	worth := min(max(further, -anotherMatch), anotherMatch) + further/255
	if l.length == 0 || int64(o.cost-l.cost) < int64(worth)*oneByte {
		*l = o
	}
}

func (e *bestEncoder) leap(w *writer, src []byte, anchor, pos int, l *longMatch) (int, int) {
	last := l.pos - l.literals
	e.write(w, src, anchor, last)
	if l.literals > 0 {
		w.literals(src[last:l.pos])
	}
	w.match(l.distance, l.length)
	end := l.pos + l.length
	for ; pos < end; pos++ {
		e.tree.insert(src, pos)
	}
	return end, end
}

// begin makes anchor the only position from which a way can start.
func (e *bestEncoder) begin(anchor, pos int) {
	e.start, e.opened = pos, pos
	for p := pos - lead; p <= pos; p++ {
		e.at(p).cost = unreachable
	}
	e.run.start, e.run.cost = anchor, unreachable
	if pos-anchor > lead {
		e.run.cost = 0
	} else {
		e.at(anchor).cost = 0
	}
}

func (e *bestEncoder) at(pos int) *node { return &e.nodes[pos-e.start+lead] }

// reach makes the nodes up to pos valid.
func (e *bestEncoder) reach(pos int) {
	for e.opened < pos {
		e.opened++
		e.at(e.opened).cost = unreachable
	}
}

// ways returns the cheapest ways to pos. It must be called for each position in turn.
func (e *bestEncoder) ways(pos int) (w ways) {
	w.few.cost = unreachable
	for n := 1; n <= 3; n++ {
		if c := e.at(pos-n).cost + literalCost(pos-n, n); c < w.few.cost {
			w.few = way{c, n}
		}
	}
	w.run = way{e.run.cost + literalCost(e.run.start, pos-e.run.start), pos - e.run.start}
	// Of runs with the same cost the shorter one is better: its length field has more
	// room.
	if c := e.at(pos-4).cost + literalCost(pos-4, 4); c <= w.run.cost {
		e.run.start, e.run.cost = pos-4, e.at(pos-4).cost
		w.run = way{c, 4}
	}
	w.any = way{e.at(pos).cost, 0}
	if w.few.cost < w.any.cost {
		w.any = w.few
	}
	if w.run.cost < w.any.cost {
		w.any = w.run
	}
	return w
}

// follow enters the ends of all matches at pos as nodes.
func (e *bestEncoder) follow(pos int, w *ways, matches []match) {
	length := 2
	for _, m := range matches {
		e.reach(pos + m.length)
		for ; length <= m.length; length++ {
			from, cost := w.any, matchCost(m.distance, length)
			switch {
			case length == 2 && m.distance <= m1NearMax:
				from, cost = w.few, m1Cost
			case length == 2:
				continue
			case length == 3 && m.distance > m2Max && m.distance <= m1FarMax && w.run.cost < from.cost+oneByte:
				from, cost = w.run, m1Cost
			}
			cost += from.cost
			if end := e.at(pos + length); cost < end.cost {
				*end = node{cost, from.literals, uint16(m.distance), uint16(length)}
			}
		}
	}
}

// write writes the cheapest way from anchor to the match that ends at end.
func (e *bestEncoder) write(w *writer, src []byte, anchor, end int) {
	e.path = e.path[:0]
	for end > anchor {
		n := *e.at(end)
		e.path = append(e.path, n)
		end -= n.literals + int(n.length)
	}
	for _, n := range slices.Backward(e.path) {
		if n.literals > 0 {
			w.literals(src[anchor : anchor+n.literals])
		}
		w.match(int(n.distance), int(n.length))
		anchor += n.literals + int(n.length)
	}
}

const m1Cost = 2*oneByte + oneInstruction

// literalCost returns the cost of n literals. start 0 means that they begin the stream.
func literalCost(start, n int) uint64 {
	switch {
	case start == 0 && n <= 255-17:
		return uint64(n+1)*oneByte + oneInstruction
	case n <= 3:
		return uint64(n) * oneByte
	default:
		return uint64(n+1+moreBytes(n-3, runField))*oneByte + oneInstruction
	}
}

func matchCost(distance, length int) uint64 {
	bytes := 3
	switch {
	case distance <= m2Max && length <= 8:
		bytes = 2
	case distance <= m3Max:
		bytes += moreBytes(length-2, m3Field)
	default:
		bytes += moreBytes(length-2, m4Field)
	}
	return uint64(bytes)*oneByte + oneInstruction
}

// moreBytes returns the number of extra bytes for a length n in a field with the largest
// value field.
func moreBytes(n, field int) int {
	if n <= field {
		return 0
	}
	return 1 + (n-field-1)/255
}
