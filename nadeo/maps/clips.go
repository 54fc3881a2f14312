package maps

import (
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	media "pakbox/nadeo/clips"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/internal/places"
)

// Trigger states where and when a clip is played.
type Trigger struct {
	Coords         []gbx.Int3 // in cells of the trigger grid
	Condition      game.CGameCtnMediaClipGroupCondition
	ConditionValue float32
}

// Clip is a clip of a map.
type Clip struct {
	media.Clip
	Use     string   // a constant such as ClipIntro
	Trigger *Trigger // only for clips in the game and at the end of a race
}

// Clips returns the clips that the MediaTracker plays on the map.
func (m *Map) Clips() []Clip {
	var out []Clip
	for i := range clipPlaces {
		use, r := clipPlaces[i].use, clipPlaces[i].in(m)
		switch {
		case r == nil || r.Node == nil:
		case clipPlaces[i].group:
			out = append(out, groupClips(use, *r)...)
		default:
			out = append(out, Clip{Clip: media.Clip{Node: r.Node}, Use: use})
		}
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

// The uses of a map's clips.
const (
	ClipIntro    = "intro"
	ClipPodium   = "podium"
	ClipInGame   = "in game"
	ClipEndRace  = "end of race"
	ClipAmbiance = "ambiance"
	ClipGlobal   = "global"
)

// AddClip adds a clip to the map. Clips of use ClipInGame and ClipEndRace need a trigger.
// Other clips have no trigger, and a map has at most one clip of each other use.
func (m *Map) AddClip(c Clip) error {
	if err := m.fitsClip(&c.Clip); err != nil {
		return err
	}
	var place *gbx.Ref
	group := false
	if i := slices.IndexFunc(clipPlaces, func(p clipPlace) bool { return p.use == c.Use }); i >= 0 {
		place, group = clipPlaces[i].in(m), clipPlaces[i].group
	}
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

// fitsClip returns an error if a clip does not have the form of the map's game.
func (m *Map) fitsClip(c *media.Clip) error {
	if c.Node == nil || c.Node.Class.Latest() != media.ClassClip {
		return fault.New(fault.Unsupported, "the node is not a clip")
	}
	_, later := gbx.Find[*game.Chunk0307900D](c.Node)
	_, old := gbx.Find[*game.Chunk03079005](c.Node)
	forever := m.Generation() == nadeo.Forever
	if !forever && !later || forever && !old {
		return fault.New(fault.Unsupported, "the clip is not one of %s", m.Generation())
	}
	return nil
}

// clipPlace describes where a map stores the clips of one use: one clip, or a group of
// clips with triggers.
type clipPlace struct {
	use    string
	group  bool
	places []func(*Map) *gbx.Ref // one place for each game, the latest first
}

func (p *clipPlace) in(m *Map) *gbx.Ref {
	for _, place := range p.places {
		if r := place(m); r != nil {
			return r
		}
	}
	return nil
}

// refIn makes a function that finds a reference in a chunk of the body.
func refIn[C gbx.Body](field func(C) *gbx.Ref) func(*Map) *gbx.Ref {
	return func(m *Map) *gbx.Ref { return value(m, field) }
}

// clipPlaces lists all uses, in the order of [Map.Clips].
var clipPlaces = []clipPlace{
	{ClipIntro, false, []func(*Map) *gbx.Ref{
		refIn(func(c *game.Chunk03043049) *gbx.Ref { return &c.ClipIntro }),
		refIn(func(c *game.Chunk03043021) *gbx.Ref { return &c.ClipIntro }),
		refIn(func(c *game.Chunk03043020) *gbx.Ref { return &c.ClipIntro }),
	}},
	{ClipPodium, false, []func(*Map) *gbx.Ref{refIn(func(c *game.Chunk03043049) *gbx.Ref { return &c.ClipPodium })}},
	{ClipInGame, true, []func(*Map) *gbx.Ref{
		refIn(func(c *game.Chunk03043049) *gbx.Ref { return &c.ClipGroupInGame }),
		refIn(func(c *game.Chunk03043021) *gbx.Ref { return &c.ClipGroupInGame }),
		refIn(func(c *game.Chunk03043020) *gbx.Ref { return &c.ClipGroupInGame }),
	}},
	{ClipEndRace, true, []func(*Map) *gbx.Ref{
		refIn(func(c *game.Chunk03043049) *gbx.Ref { return &c.ClipGroupEndRace }),
		refIn(func(c *game.Chunk03043021) *gbx.Ref { return &c.ClipGroupEndRace }),
		refIn(func(c *game.Chunk03043020) *gbx.Ref { return &c.ClipGroupEndRace }),
	}},
	{ClipAmbiance, false, []func(*Map) *gbx.Ref{
		refIn(func(c *game.Chunk03043049) *gbx.Ref { return places.When(c.Version >= 2, &c.ClipAmbiance) }),
	}},
	{ClipGlobal, false, []func(*Map) *gbx.Ref{refIn(func(c *game.Chunk03043026) *gbx.Ref { return &c.ClipGlobal })}},
}

// TriggerGrid returns how many cells the trigger grid has along each side of the map.
func (m *Map) TriggerGrid() gbx.Int3 {
	cell, size := gbx.Int3{X: 3, Y: 1, Z: 3}, m.Size()
	if c, ok := find[*game.Chunk03043049](m); ok && c.Version >= 1 {
		cell = c.ClipTriggerSize
	}
	return gbx.Int3{X: size.X * cell.X, Y: size.Y * cell.Y, Z: size.Z * cell.Z}
}

// addTriggered adds a clip with its trigger to a group.
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
		list := &game.Chunk0307A003{ClipsListVersion: chunks.ListVersion}
		*place = gbx.NewRef(chunks.Node(list))
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

// RemoveClips removes the clips that a function chooses, and returns their number.
func (m *Map) RemoveClips(doomed func(*Clip) bool) (int, error) {
	groups := map[string]*game.Chunk0307A003{}
	for i := range clipPlaces {
		if place := clipPlaces[i].in(m); clipPlaces[i].group && place != nil && place.Node != nil {
			list, ok := gbx.Find[*game.Chunk0307A003](place.Node)
			if !ok || len(list.Triggers) != len(list.Clips) {
				return 0, fault.New(fault.Unsupported, "the map keeps its clips as an older game does")
			}
			groups[clipPlaces[i].use] = list
		}
	}
	gone := 0
	for i := range clipPlaces {
		use, place := clipPlaces[i].use, clipPlaces[i].in(m)
		if list, ok := groups[use]; ok {
			gone += removeTriggered(use, list, doomed)
		} else if place != nil && place.Node != nil && doomed(&Clip{Clip: media.Clip{Node: place.Node}, Use: use}) {
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
