package route

import (
	"math"

	"pakbox/nadeo/blocks"
)

// walk follows the road from ends of pieces, without turning around on a piece.
type walk struct {
	order   []end // the joints through which pieces were entered, nearest first
	entered map[end]bool
	dead    []end // the joints behind which the road does not go on, nearest first
	goal    bool  // a finish was entered
}

// from begins a walk that leaves pieces through these joints.
func (g *Graph) from(starts ...end) *walk {
	w := &walk{entered: map[end]bool{}}
	for todo := starts; len(todo) > 0; todo = todo[1:] {
		in, ok := g.next(todo[0])
		if !ok {
			w.dead = append(w.dead, todo[0])
			continue
		}
		if w.entered[in] {
			continue
		}
		w.entered[in] = true
		w.order = append(w.order, in)
		w.goal = w.goal || isGoal(g.Pieces[in.piece].Kind)
		todo = append(todo, g.through(in)...)
	}
	return w
}

// through returns the other ends of the piece that is entered through an end.
func (g *Graph) through(in end) (out []end) {
	joints := g.Pieces[in.piece].Joints
	for k := range joints {
		if k != in.joint && !turnsBack(joints[in.joint], joints[k]) {
			out = append(out, end{in.piece, k})
		}
	}
	return out
}

// turnsBack reports whether a car would turn around on a piece, to leave it on the side
// where it came: only on a loop it can.
func turnsBack(in, out Joint) bool {
	const loop = 24 // metres
	return in.Way == out.Way && math.Abs(in.Height()-out.Height()) < loop
}

// starts returns the joints through which cars leave the start. They leave the line of a
// race with laps to the north, as it is before it is turned.
func (g *Graph) starts() (out []end) {
	for i := range g.Pieces {
		p := &g.Pieces[i]
		for k := range p.Joints {
			if p.Kind.Role == blocks.Start || p.Kind.Role == blocks.StartFinish && p.Joints[k].Way == g.block(i).Direction {
				out = append(out, end{i, k})
			}
		}
	}
	return out
}
