package route

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// Section is a piece of a route, and its word in the language of tracks.
type Section struct {
	Word  string
	Block *maps.Block
}

// Route is the way of a road from the start of a map.
type Route struct {
	Sections []Section
	Complete bool // the road leads to the finish
}

// String returns the route in the language of tracks. Straights that follow each other
// become one.
func (r *Route) String() string {
	var words []string
	straight := 0
	flush := func() {
		switch {
		case straight == 1:
			words = append(words, "straight")
		case straight > 1:
			words = append(words, fmt.Sprintf("straight %d", straight))
		}
		straight = 0
	}
	for i := 0; i < len(r.Sections); i++ {
		word := r.Sections[i].Word
		if n, ok := straightLength(word); ok {
			straight += n
			continue
		}
		flush()
		for _, side := range []string{"left", "right"} {
			if up, down := loopHalves(side); word == up && i+1 < len(r.Sections) && r.Sections[i+1].Word == down {
				word = wordLoop + " " + side
				i++
			}
		}
		words = append(words, word)
	}
	flush()
	return strings.Join(words, ", ")
}

// straightLength returns the cells of a straight.
func straightLength(word string) (n int, ok bool) {
	if word == "straight" {
		return 1, true
	}
	_, err := fmt.Sscanf(word, "straight %d", &n)
	return n, err == nil
}

// Route follows the road from the start: to the nearest checkpoint that was not yet
// reached, and at last to the finish. Where the ends of the road do not lead on, the route
// ends. It returns nil for a map without a start whose ends are known.
func (g *Graph) Route() *Route {
	starts := g.starts()
	if len(starts) == 0 {
		return nil
	}
	g.budget = farthest
	r := &Route{}
	first := starts[0]
	for _, e := range starts { // the start from which the road leads on
		if _, ok := g.next(e); ok {
			first = e
			break
		}
	}
	word := wordStart
	if g.Pieces[first.piece].Kind.Role == blocks.StartFinish {
		word = "multilap"
	}
	r.Sections = append(r.Sections, Section{word, g.block(first.piece)})
	seen := map[int]bool{}
	for out := first; ; {
		path := g.path(out, func(p int) bool { return g.Pieces[p].Kind.Role == blocks.Checkpoint && !seen[p] })
		if path == nil {
			path = g.path(out, func(p int) bool { return isGoal(g.Pieces[p].Kind) })
		}
		last := path == nil
		if last {
			path = g.onward(out)
		}
		for i, in := range path {
			seen[in.piece] = true
			if isGoal(g.Pieces[in.piece].Kind) {
				r.finish(g, in)
				return r
			}
			next := g.exit(path, i)
			if next.joint < 0 {
				return r
			}
			r.Sections = append(r.Sections, Section{g.wordOf(in, next), g.block(in.piece)})
			out = next
		}
		if last {
			return r
		}
	}
}

// finish ends the route at a finish.
func (r *Route) finish(g *Graph, in end) {
	r.Complete = true
	word := wordFinish
	if g.Pieces[in.piece].Kind.Role == blocks.StartFinish {
		word = wordLap
	}
	r.Sections = append(r.Sections, Section{word, g.block(in.piece)})
}

// wordOf returns the word for the way through a piece.
func (g *Graph) wordOf(in, out end) string {
	p := &g.Pieces[in.piece]
	way := passage{p.Kind, g.block(in.piece).Flags, in.joint, out.joint}
	return way.word(shapeOf(p.Joints[in.joint], p.Joints[out.joint]))
}

// farthest is the number of steps in which a route is looked for. No real map needs more.
const farthest = 2_000_000

// path returns the shortest way, as the ends through which pieces are entered, from an end
// to a piece that is wanted, nil if it found none. The last piece of the way has no exit
// yet.
func (g *Graph) path(out end, wanted func(piece int) bool) []end {
	before, todo := map[end]end{}, []end{}
	enter := func(from, through end) bool {
		in, ok := g.next(through)
		if _, known := before[in]; !ok || known {
			return false
		}
		before[in] = from
		todo = append(todo, in)
		return wanted(in.piece)
	}
	back := func() (path []end) {
		for in := todo[len(todo)-1]; in.piece >= 0; in = before[in] {
			path = append(path, in)
		}
		slices.Reverse(path)
		return path
	}
	if enter(end{-1, 0}, out) {
		return back()
	}
	for i := 0; i < len(todo) && g.budget > 0; i++ {
		g.budget--
		for _, through := range g.through(todo[i]) {
			if enter(todo[i], through) {
				return back()
			}
		}
	}
	return nil
}

// onward returns the way on from an end, as long as there is only one.
func (g *Graph) onward(out end) (path []end) {
	seen := map[end]bool{}
	for {
		in, ok := g.next(out)
		if !ok || seen[in] {
			return path
		}
		seen[in] = true
		path = append(path, in)
		exits := g.through(in)
		if len(exits) != 1 {
			return path
		}
		out = exits[0]
	}
}

// exit returns the end through which a way leaves a piece. At the end of the way it is the
// only other end, or one without a joint.
func (g *Graph) exit(path []end, i int) end {
	exits := g.through(path[i])
	if i+1 < len(path) {
		for _, e := range exits {
			if in, ok := g.next(e); ok && in == path[i+1] {
				return e
			}
		}
	}
	switch {
	case len(exits) == 0:
		return end{path[i].piece, -1}
	case i+1 == len(path):
		for _, e := range exits { // of a checkpoint: the end that leads on
			if _, ok := g.next(e); ok {
				return e
			}
		}
	}
	return exits[0]
}
