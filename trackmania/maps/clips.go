package maps

import (
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/trackmania"
	"pakbox/trackmania/internal/build"
	"pakbox/trackmania/media"
)

// Trigger is where and when a clip is played.
type Trigger struct {
	Coords         []gbx.Int3 // in cells of the trigger grid
	Condition      game.CGameCtnMediaClipGroupCondition
	ConditionValue float32
}

// Clip is a clip of a map.
type Clip struct {
	media.Clip
	Use     string   // one of the constants that begin with Clip: ClipIntro
	Trigger *Trigger // in game and at the end of a race
}

// Clips returns what the media tracker plays on the map.
func (m *Map) Clips() []Clip {
	var out []Clip
	single := func(use string, r gbx.Ref) {
		if r.Node != nil {
			out = append(out, Clip{Clip: media.Clip{Node: r.Node}, Use: use})
		}
	}
	group := func(use string, r gbx.Ref) { out = append(out, groupClips(use, r)...) }
	if c, ok := find[*game.Chunk03043020](m); ok {
		single(ClipIntro, c.ClipIntro)
		group(ClipInGame, c.ClipGroupInGame)
		group(ClipEndRace, c.ClipGroupEndRace)
	}
	if c, ok := find[*game.Chunk03043021](m); ok {
		single(ClipIntro, c.ClipIntro)
		group(ClipInGame, c.ClipGroupInGame)
		group(ClipEndRace, c.ClipGroupEndRace)
	}
	if c, ok := find[*game.Chunk03043049](m); ok {
		single(ClipIntro, c.ClipIntro)
		single(ClipPodium, c.ClipPodium)
		group(ClipInGame, c.ClipGroupInGame)
		group(ClipEndRace, c.ClipGroupEndRace)
		single(ClipAmbiance, c.ClipAmbiance)
	}
	if c, ok := find[*game.Chunk03043026](m); ok {
		single(ClipGlobal, c.ClipGlobal)
	}
	return out
}

// groupClips returns the clips of a group, with their triggers.
func groupClips(use string, r gbx.Ref) []Clip {
	var clips []gbx.Ref
	var triggers []game.CGameCtnMediaClipGroupTrigger
	if c, ok := gbx.Find[*game.Chunk0307A003](r.Node); ok {
		clips, triggers = c.Clips, c.Triggers
	} else if c, ok := gbx.Find[*game.Chunk0307A002](r.Node); ok {
		clips, triggers = c.Clips, c.Triggers
	} else if c, ok := gbx.Find[*game.Chunk0307A001](r.Node); ok {
		clips, triggers = c.Clips, c.Triggers
	} else if c, ok := gbx.Find[*game.Chunk0307A000](r.Node); ok {
		clips, triggers = c.Clips, slices.Clone(c.Triggers)
		for i := range triggers {
			triggers[i].Coords = []gbx.Int3{triggers[i].Coord}
		}
	}
	var out []Clip
	for i, clip := range clips {
		if clip.Node == nil {
			continue
		}
		c := Clip{Clip: media.Clip{Node: clip.Node}, Use: use}
		if i < len(triggers) {
			c.Trigger = &Trigger{triggers[i].Coords, triggers[i].Condition, triggers[i].ConditionValue}
		}
		out = append(out, c)
	}
	return out
}

const classClipGroup classid.ID = 0x0307A000

// What a clip of a map is for.
const (
	ClipIntro    = "intro"
	ClipPodium   = "podium"
	ClipInGame   = "in game"
	ClipEndRace  = "end of race"
	ClipAmbiance = "ambiance"
	ClipGlobal   = "global"
)

// AddClip makes the media tracker play a clip on the map: where and when its
// Use and Trigger say. There can be only one clip that is not triggered, of
// each use.
func (m *Map) AddClip(c Clip) error {
	if err := m.fitsClip(&c.Clip); err != nil {
		return err
	}
	place, group := m.clipPlace(c.Use)
	if place == nil {
		return fault.New(fault.Unsupported, "the map has no place for a clip of use %q", c.Use)
	}
	if group {
		return m.addTriggered(place, c)
	}
	if c.Trigger != nil {
		return fault.New(fault.Unsupported, "a clip of use %q has no trigger", c.Use)
	}
	if place.Node != nil {
		return fault.New(fault.Unsupported, "the map has a clip of use %q", c.Use)
	}
	*place = gbx.NewRef(c.Node)
	return nil
}

// fitsClip tells whether a clip has the form of the map's game.
func (m *Map) fitsClip(c *media.Clip) error {
	if c.Node == nil || c.Node.Class.Latest() != media.ClassClip {
		return fault.New(fault.Unsupported, "there is no clip")
	}
	_, later := gbx.Find[*game.Chunk0307900D](c.Node)
	_, old := gbx.Find[*game.Chunk03079005](c.Node)
	forever := m.Generation() == trackmania.Forever
	if !forever && !later || forever && !old {
		return fault.New(fault.Unsupported, "the clip is not one of %s", m.Generation())
	}
	return nil
}

// clipPlace is where clips of a use stand: one clip, or a group of them.
func (m *Map) clipPlace(use string) (place *gbx.Ref, group bool) {
	group = use == ClipInGame || use == ClipEndRace
	if c, ok := find[*game.Chunk03043026](m); ok && use == ClipGlobal {
		return &c.ClipGlobal, false
	}
	if c, ok := find[*game.Chunk03043049](m); ok {
		switch {
		case use == ClipIntro:
			return &c.ClipIntro, false
		case use == ClipPodium:
			return &c.ClipPodium, false
		case use == ClipInGame:
			return &c.ClipGroupInGame, true
		case use == ClipEndRace:
			return &c.ClipGroupEndRace, true
		case use == ClipAmbiance && c.Version >= 2:
			return &c.ClipAmbiance, false
		}
		return nil, group
	}
	if c, ok := find[*game.Chunk03043021](m); ok {
		switch use {
		case ClipIntro:
			return &c.ClipIntro, false
		case ClipInGame:
			return &c.ClipGroupInGame, true
		case ClipEndRace:
			return &c.ClipGroupEndRace, true
		}
	}
	return nil, group
}

// TriggerGrid returns how many cells of the trigger grid there are along each
// side of the map.
func (m *Map) TriggerGrid() gbx.Int3 {
	cell, size := gbx.Int3{X: 3, Y: 1, Z: 3}, m.Size()
	if c, ok := find[*game.Chunk03043049](m); ok && c.Version >= 1 {
		cell = c.ClipTriggerSize
	}
	return gbx.Int3{X: size.X * cell.X, Y: size.Y * cell.Y, Z: size.Z * cell.Z}
}

// addTriggered adds a clip to a group.
func (m *Map) addTriggered(place *gbx.Ref, c Clip) error {
	if c.Trigger == nil || len(c.Trigger.Coords) == 0 {
		return fault.New(fault.Unsupported, "a clip of use %q needs a trigger", c.Use)
	}
	grid := m.TriggerGrid()
	for _, at := range c.Trigger.Coords {
		if min(at.X, at.Y, at.Z) < 0 || at.X >= grid.X || at.Y >= grid.Y || at.Z >= grid.Z {
			return fault.New(fault.Unsupported, "the trigger at %v lies outside the map, whose trigger grid has %v cells", at, grid)
		}
	}
	if place.Node == nil {
		list := &game.Chunk0307A003{ClipsListVersion: build.ListVersion}
		*place = gbx.NewRef(&gbx.Node{Class: classClipGroup, Chunks: []gbx.Chunk{{ID: 0x0307A003, Body: list}}})
	}
	list, ok := gbx.Find[*game.Chunk0307A003](place.Node)
	if !ok {
		return fault.New(fault.Unsupported, "the map keeps its clips as an older game does")
	}
	list.Clips = append(slices.Clip(list.Clips), gbx.NewRef(c.Node))
	list.Triggers = append(slices.Clip(list.Triggers), game.CGameCtnMediaClipGroupTrigger{
		Coords: c.Trigger.Coords, RefCoord: gbx.Int3{X: -1, Y: -1, Z: -1}, Condition: c.Trigger.Condition, ConditionValue: c.Trigger.ConditionValue,
	})
	return nil
}

// clipUses are all uses, in the order of [Map.Clips].
var clipUses = []string{ClipIntro, ClipPodium, ClipInGame, ClipEndRace, ClipAmbiance, ClipGlobal}

// RemoveClips takes the clips from the map that a function chooses, and says
// how many those were.
func (m *Map) RemoveClips(doomed func(*Clip) bool) (int, error) {
	groups := map[string]*game.Chunk0307A003{}
	for _, use := range clipUses {
		if place, group := m.clipPlace(use); group && place != nil && place.Node != nil {
			list, ok := gbx.Find[*game.Chunk0307A003](place.Node)
			if !ok || len(list.Triggers) != len(list.Clips) {
				return 0, fault.New(fault.Unsupported, "the map keeps its clips as an older game does")
			}
			groups[use] = list
		}
	}
	gone := 0
	for _, use := range clipUses {
		if list, ok := groups[use]; ok {
			gone += removeTriggered(use, list, doomed)
		} else if place, group := m.clipPlace(use); !group && place != nil && place.Node != nil && doomed(&Clip{Clip: media.Clip{Node: place.Node}, Use: use}) {
			*place = gbx.Ref{}
			gone++
		}
	}
	return gone, nil
}

func removeTriggered(use string, list *game.Chunk0307A003, doomed func(*Clip) bool) int {
	var clips []gbx.Ref
	var triggers []game.CGameCtnMediaClipGroupTrigger
	for i, r := range list.Clips {
		t := list.Triggers[i]
		if r.Node == nil || !doomed(&Clip{media.Clip{Node: r.Node}, use, &Trigger{t.Coords, t.Condition, t.ConditionValue}}) {
			clips, triggers = append(clips, r), append(triggers, t)
		}
	}
	gone := len(list.Clips) - len(clips)
	list.Clips, list.Triggers = clips, triggers
	return gone
}
