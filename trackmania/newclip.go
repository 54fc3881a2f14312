package trackmania

import (
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
)

const classTrack classid.ID = 0x03078000

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

// NewClip makes a clip for the maps of a game. A block of a track is made from
// its Media, or its Node is used as it is: that of another clip, for example.
func NewClip(g Generation, name string, tracks ...Track) (*Clip, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	refs := make([]gbx.Ref, 0, len(tracks))
	for i := range tracks {
		n, err := newTrack(g, &tracks[i])
		if err != nil {
			return nil, err
		}
		refs = append(refs, gbx.NewRef(n))
	}
	var list chunkList
	const usualStereo = 0.2
	switch g {
	case Forever:
		list.add(0x03079004, &game.Chunk03079004{})
		list.add(0x03079005, &game.Chunk03079005{TracksListVersion: oldListVersion, Tracks: refs, Name: marked(name)})
		list.add(0x03079007, &game.Chunk03079007{LocalPlayerClipEntIndex: -1})
	case ManiaPlanet4, Trackmania2020:
		c := &game.Chunk0307900D{
			TracksListVersion: oldListVersion, Tracks: refs, Name: marked(name), StereoSepMax: usualStereo, LocalPlayerClipEntIndex: -1,
		}
		list.add(0x0307900D, c)
		if g == Trackmania2020 {
			c.Version = 1
			list.skippable(0x0307900E, &game.Chunk0307900E{Version: 1})
		}
	default:
		return nil, fault.New(fault.Unsupported, "new clips of %s cannot be made", g)
	}
	return &Clip{&gbx.Node{Class: classClip, Chunks: list}}, nil
}

func newTrack(g Generation, t *Track) (*gbx.Node, error) {
	if err := CheckName(t.Name); err != nil {
		return nil, err
	}
	c := &game.Chunk03078001{Name: marked(t.Name), BlocksListVersion: oldListVersion, U01: -1}
	for i := range t.Blocks {
		b := t.Blocks[i]
		if b.Node == nil {
			if b.Media == nil {
				return nil, fault.New(fault.Unsupported, "a block of the track %q shows nothing", t.Name)
			}
			made, err := NewMediaBlock(g, b.Media)
			if err != nil {
				return nil, err
			}
			b = made
		}
		c.Blocks = append(c.Blocks, gbx.NewRef(b.Node))
	}
	var list chunkList
	list.add(0x03078001, c)
	keep := storedBool(t.KeepPlaying)
	if g != Forever {
		list.add(0x03078005, &game.Chunk03078005{
			Version: 1, IsKeepPlaying: keep, IsCycling: storedBool(t.Cycling), RepeatingSegmentStart: -1, RepeatingSegmentEnd: -1,
		})
	} else {
		if t.Cycling {
			return nil, notIn(g, "tracks that begin again")
		}
		list.add(0x03078004, &game.Chunk03078004{IsKeepPlaying: keep})
	}
	return &gbx.Node{Class: classTrack, Chunks: list}, nil
}

// AddClip makes the media tracker play a clip on the map: where and when its
// Use and Trigger say. There can be only one clip that is not triggered, of
// each use.
func (m *Map) AddClip(c MapClip) error {
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
func (m *Map) fitsClip(c *Clip) error {
	if c.Node == nil || c.Node.Class.Latest() != classClip {
		return fault.New(fault.Unsupported, "there is no clip")
	}
	_, later := gbx.Find[*game.Chunk0307900D](c.Node)
	_, old := gbx.Find[*game.Chunk03079005](c.Node)
	forever := m.Generation() == Forever
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
func (m *Map) addTriggered(place *gbx.Ref, c MapClip) error {
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
		list := &game.Chunk0307A003{ClipsListVersion: oldListVersion}
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
func (m *Map) RemoveClips(doomed func(*MapClip) bool) (int, error) {
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
		} else if place, group := m.clipPlace(use); !group && place != nil && place.Node != nil && doomed(&MapClip{Clip: Clip{place.Node}, Use: use}) {
			*place = gbx.Ref{}
			gone++
		}
	}
	return gone, nil
}

func removeTriggered(use string, list *game.Chunk0307A003, doomed func(*MapClip) bool) int {
	var clips []gbx.Ref
	var triggers []game.CGameCtnMediaClipGroupTrigger
	for i, r := range list.Clips {
		t := list.Triggers[i]
		if r.Node == nil || !doomed(&MapClip{Clip{r.Node}, use, &Trigger{t.Coords, t.Condition, t.ConditionValue}}) {
			clips, triggers = append(clips, r), append(triggers, t)
		}
	}
	gone := len(list.Clips) - len(clips)
	list.Clips, list.Triggers = clips, triggers
	return gone
}
