package recipe

import (
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/route"
)

// roadVerb is the step whose track stands behind a colon.
const roadVerb = "road"

// cutTrack cuts the track off a step of the verb road: "road at=20,9,24: start, straight 4".
func cutTrack(text string) (step, track string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), roadVerb)
	if !ok || rest == "" || !strings.ContainsRune(" \t:", rune(rest[0])) {
		return text, "", false
	}
	before, track, _ := strings.Cut(rest, ":")
	if strings.Contains(before, "#") {
		return text, "", false // the colon is part of a comment
	}
	track, _, _ = strings.Cut(track, "#")
	return roadVerb + before, track, true
}

// laying lays a road in the language of tracks.
type laying struct {
	track, surface string
	at             *gbx.Int3
	facing         *int
	color          *int
}

func readRoad(f *fields) action {
	a := &laying{track: f.text("track"), surface: f.text("surface"), facing: f.way("facing"), color: f.Integer("color")}
	if strings.TrimSpace(a.track) == "" {
		f.Fail("the road is missing; write it behind a colon, such as 'road: start, straight 4, finish'")
	}
	if f.has("at") {
		at := int3(f.cell("at"))
		a.at = &at
	}
	return a
}

func (a *laying) do(w *work) (touched, error) {
	layer, err := a.layer(w)
	if err != nil {
		return touched{}, err
	}
	if err := layer.Lay(a.track); err != nil {
		return touched{}, err
	}
	w.road = layer
	for _, b := range layer.Blocks {
		if a.color != nil {
			b.Color = *a.color
		}
		if b.Author, err = w.models.BlockAuthor(b.Name, "", ""); err != nil {
			return touched{}, err
		}
		w.complete(&b)
		if err := w.m.CheckBlock(&b); err != nil {
			return touched{}, err
		}
		w.layout.Blocks = append(w.layout.Blocks, maps.PlacedBlock{Block: b})
	}
	return touched{blocks: len(layer.Blocks)}, nil
}

// layer returns what lays the road: at its place, at the end of the road that the recipe
// laid before, or in the middle of the map.
func (a *laying) layer(w *work) (*route.Layer, error) {
	on := make([]maps.Block, len(w.layout.Blocks))
	for i := range w.layout.Blocks {
		on[i] = w.layout.Blocks[i].Block
	}
	layer, err := route.NewLayer(w.m, on)
	if err != nil {
		return nil, err
	}
	if a.at == nil && a.facing == nil && w.road != nil {
		layer.Continue(w.road)
	} else {
		at, facing := w.middle(), 0
		if a.at != nil {
			at = *a.at
		}
		if a.facing != nil {
			facing = *a.facing
		}
		layer.Begin(at, facing)
	}
	if a.surface != "" {
		if !slices.Contains(layer.Surfaces(), a.surface) {
			return nil, bad("surface: unknown surface %q; expected one of %s", a.surface, strings.Join(layer.Surfaces(), ", "))
		}
		layer.Surface = a.surface
	}
	return layer, nil
}

// middle returns the cell on the ground in the middle of the map.
func (w *work) middle() gbx.Int3 {
	size := w.m.Size()
	level, ok := w.groundLevel()
	if !ok {
		level = size.Y / 2
	}
	return gbx.Int3{X: size.X / 2, Y: level, Z: size.Z / 2}
}

// groundLevel returns the level of blocks that stand on flat ground.
func (w *work) groundLevel() (int32, bool) {
	if w.m.Title() == "" && w.m.Collection() == "Stadium" {
		return 1, true // before ManiaPlanet
	}
	return w.m.GroundLevel()
}

// complete fills in what the game would: the waypoint of a block's role, and whether it
// stands on the ground.
func (w *work) complete(b *maps.Block) {
	if kind := w.m.Kind(b); kind != nil && w.m.Title() != "" { // older maps need no tag: the name is enough
		b.Waypoint = kind.Role.Waypoint()
	}
	if level, ok := w.groundLevel(); ok && !b.Free && b.Coord.Y == level {
		b.SetGround(true)
	}
}
