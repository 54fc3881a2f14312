package runs

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/media"
)

// GhostsOfClip returns the recorded runs that a clip shows.
func GhostsOfClip(c *media.Clip) []*Ghost {
	var out []*Ghost
	for _, t := range c.Tracks() {
		for i := range t.Blocks {
			n := t.Blocks[i].Node
			if k, ok := gbx.Find[*game.Chunk030E5002](n); ok && k.GhostModel.Node != nil {
				out = append(out, &Ghost{Node: k.GhostModel.Node})
			} else if k, ok := gbx.Find[*game.Chunk030E5001](n); ok && k.GhostModel.Node != nil {
				out = append(out, &Ghost{Node: k.GhostModel.Node})
			}
		}
	}
	return out
}

// GhostsOfMap returns the runs in a map, each once: its validation first, then
// those that its clips show.
func GhostsOfMap(m *maps.Map) []*Ghost {
	var out []*Ghost
	seen := map[*gbx.Node]bool{}
	add := func(g *Ghost) {
		if !seen[g.Node] {
			seen[g.Node] = true
			out = append(out, g)
		}
	}
	if g := ValidationGhost(m); g != nil {
		add(g)
	}
	for _, c := range m.Clips() {
		for _, g := range GhostsOfClip(&c.Clip) {
			add(g)
		}
	}
	return out
}

// ValidationGhost returns the run that proves that a map can be finished, or
// nil.
func ValidationGhost(m *maps.Map) *Ghost {
	if ref := m.ValidationGhost(); ref != nil && ref.Node != nil {
		return &Ghost{Node: ref.Node}
	}
	return nil
}

// GhostsOf returns the runs in a file of any kind: those of a replay, the
// validation of a map and the ghosts that its clips show, those of a clip, or
// the ghost that the file is.
func GhostsOf(f *gbx.File) []*Ghost {
	if r, err := ReplayOf(f); err == nil {
		return r.Ghosts()
	}
	if m, err := maps.Of(f); err == nil {
		return GhostsOfMap(m)
	}
	if c, err := media.ClipOf(f); err == nil {
		return GhostsOfClip(c)
	}
	if g, err := GhostOf(f); err == nil {
		return []*Ghost{g}
	}
	return nil
}
