package runs

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/maps"
)

// GhostsOfClip returns the recorded runs that a clip shows.
func GhostsOfClip(c *clips.Clip) []*Ghost {
	var out []*Ghost
	for _, t := range c.Tracks() {
		for i := range t.Blocks {
			if g := ghostOfBlock(t.Blocks[i].Node); g != nil {
				out = append(out, g)
			}
		}
	}
	return out
}

// ghostOfBlock returns the run that a block of a clip shows, or nil.
func ghostOfBlock(n *gbx.Node) *Ghost {
	if k, ok := gbx.Find[*game.Chunk030E5002](n); ok && k.GhostModel.Node != nil {
		return &Ghost{Node: k.GhostModel.Node}
	}
	if k, ok := gbx.Find[*game.Chunk030E5001](n); ok && k.GhostModel.Node != nil {
		return &Ghost{Node: k.GhostModel.Node}
	}
	if k, ok := gbx.Find[*game.Chunk0329F000](n); ok && k.RecordData.Node != nil {
		return ghostOfEntity(k)
	}
	return nil
}

// ghostOfEntity returns the run in a block of Trackmania (2020). Clips of this game
// contain no ghosts, only the record, the model, the name, and U05, the time (47498 in
// the map of 6f6dce8c6dce, whose run is called 47.498). So the ghost has no inputs, no
// account and no declared checkpoints. The inverse is [Ghost.block].
func ghostOfEntity(k *game.Chunk0329F000) *Ghost {
	const version, appearance, u02 = versionRecord, 1, 2 // the values in all ghosts of the game
	colour := gbx.Color{R: k.U03.X, G: k.U03.Y, B: k.U03.Z}
	var list chunks.Chunks
	list.Skippable(&game.Chunk03092000{
		Version: version, AppearanceVersion: appearance, U02: u02, PlayerModel: k.PlayerModel, LightTrailColor: colour,
		SkinPackDescs: k.SkinNames, HasBadges: k.HasBadges, Badge: k.Badge, U01: k.SkinOptions, GhostNickname: k.GhostName,
		RecordData: k.RecordData, U03: k.NoticeRecords,
	})
	if k.U05 > 0 {
		list.Skippable(&game.Chunk03092005{RaceTime: gbx.Time(k.U05)})
	}
	return &Ghost{Node: &gbx.Node{Class: classGhost, Chunks: list}}
}

// GhostsOfMap returns the runs in a map, each once: the validation run first, then the
// runs in its clips.
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

// ValidationGhost returns the run that proves that a map can be finished, or nil.
func ValidationGhost(m *maps.Map) *Ghost {
	if ref := m.ValidationGhost(); ref != nil && ref.Node != nil {
		return &Ghost{Node: ref.Node}
	}
	return nil
}

// GhostsOf returns the runs in a file of any kind: the runs of a replay, the validation
// of a map and the ghosts in its clips, the ghosts of a clip, or the ghost itself.
func GhostsOf(f *gbx.File) []*Ghost {
	if r, err := ReplayOf(f); err == nil {
		return r.Ghosts()
	}
	if m, err := maps.Of(f); err == nil {
		return GhostsOfMap(m)
	}
	if c, err := clips.ClipOf(f); err == nil {
		return GhostsOfClip(c)
	}
	if g, err := GhostOf(f); err == nil {
		return []*Ghost{g}
	}
	return nil
}
