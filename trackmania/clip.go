package trackmania

import (
	"reflect"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
)

// classClip is the class of clips.
const classClip classid.ID = 0x03079000

// Clip is a clip of the media tracker: tracks of blocks, such as cameras,
// texts and ghosts, that are played together.
type Clip struct {
	Node *gbx.Node
}

// ClipOf returns the clip that a file is.
func ClipOf(f *gbx.File) (*Clip, error) {
	if f.Class.Latest() != classClip {
		return nil, fault.New(fault.NotFormat, "the file is no clip")
	}
	return &Clip{f.Body}, nil
}

// Track is a track of a clip.
type Track struct {
	Name        string
	KeepPlaying bool
	Cycling     bool
	Blocks      []MediaBlock
}

// MediaBlock is a block on a track.
type MediaBlock struct {
	Node       *gbx.Node
	Media      Media   // what it shows, if it is of a kind that [NewMediaBlock] makes
	Kind       string  // the class without CGameCtnMediaBlock: CameraCustom, Text, Ghost
	Start, End float32 // in seconds; both 0 where the block has no time of its own
}

// Where a clip's name and tracks stand: in a different chunk in each game.
var (
	clipName = fact[string]{what: "clip's name", text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk0307900D) *string { return &c.Name }),
		inBody(func(c *game.Chunk03079005) *string { return &c.Name }),
		inBody(func(c *game.Chunk03079003) *string { return &c.Name }),
		inBody(func(c *game.Chunk03079002) *string { return &c.Name }),
		inBody(func(c *game.Chunk03079001) *string { return &c.Name }),
	}}
	clipTracks = fact[[]gbx.Ref]{places: []place[[]gbx.Ref]{
		inBody(func(c *game.Chunk0307900D) *[]gbx.Ref { return &c.Tracks }),
		inBody(func(c *game.Chunk03079005) *[]gbx.Ref { return &c.Tracks }),
		inBody(func(c *game.Chunk03079003) *[]gbx.Ref { return &c.Tracks }),
		inBody(func(c *game.Chunk03079002) *[]gbx.Ref { return &c.Tracks }),
		inBody(func(c *game.Chunk03079001) *[]gbx.Ref { return &c.Tracks }),
		inBody(func(c *game.Chunk03079000) *[]gbx.Ref { return &c.Tracks }),
	}}
	trackKeepsPlaying = fact[gbx.Bool]{places: []place[gbx.Bool]{
		inBody(func(c *game.Chunk03078005) *gbx.Bool { return &c.IsKeepPlaying }),
		inBody(func(c *game.Chunk03078004) *gbx.Bool { return &c.IsKeepPlaying }),
		inBody(func(c *game.Chunk03078002) *gbx.Bool { return &c.IsKeepPlaying }),
	}}
	trackCycles = fact[gbx.Bool]{places: []place[gbx.Bool]{
		inBody(func(c *game.Chunk03078005) *gbx.Bool { return &c.IsCycling }),
	}}
)

// ClipContradictions lists where a clip states one fact in two ways.
func ClipContradictions(f *gbx.File) []string { return disagreements(siteOf(f), &clipName) }

// NameOfClip returns the name of a clip; false where a file has no place for one.
func NameOfClip(f *gbx.File) (string, bool) { return clipName.find(siteOf(f)) }

// Name returns the clip's name.
func (c *Clip) Name() string { return clipName.in(site{node: c.Node}) }

// Tracks returns the clip's tracks.
func (c *Clip) Tracks() []Track {
	refs := clipTracks.in(site{node: c.Node})
	out := make([]Track, 0, len(refs))
	for _, r := range refs {
		t := Track{}
		if k, ok := gbx.Find[*game.Chunk03078001](r.Node); ok {
			t.Name = k.Name
			for _, b := range k.Blocks {
				t.Blocks = append(t.Blocks, mediaBlock(b.Node))
			}
		}
		in := site{node: r.Node}
		t.KeepPlaying, t.Cycling = trackKeepsPlaying.in(in).True(), trackCycles.in(in).True()
		out = append(out, t)
	}
	return out
}

// Length returns when the last block of the clip ends, in seconds.
func (c *Clip) Length() float32 {
	var end float32
	for _, t := range c.Tracks() {
		for i := range t.Blocks {
			end = max(end, t.Blocks[i].End)
		}
	}
	return end
}

// GhostsOfClip returns the recorded runs that a clip shows.
func GhostsOfClip(c *Clip) []*Ghost {
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

func mediaBlock(n *gbx.Node) MediaBlock {
	if n == nil {
		return MediaBlock{}
	}
	b := MediaBlock{Node: n, Media: mediaOf(n)}
	class, _ := classid.Lookup(n.Class)
	b.Kind = strings.TrimPrefix(class.Name, "CGameCtnMediaBlock")
	s := &stretch{}
	s.node(n)
	if s.found {
		b.Start, b.End = s.start, s.end
	}
	return b
}

// stretch finds when a block of the media tracker begins and ends. There are
// some sixty kinds of them, which all call their times the same: Start and
// End, or Time in a list of Keys, in their own chunks or in those of an
// Effect. So the names are looked for, not the kinds.
type stretch struct {
	start, end float32
	found      bool
}

func (s *stretch) add(t float32) {
	if t-t != 0 {
		return // not a number
	}
	if !s.found {
		s.start, s.end, s.found = t, t, true
	}
	s.start, s.end = min(s.start, t), max(s.end, t)
}

func (s *stretch) node(n *gbx.Node) {
	for i := range n.Chunks {
		if v := reflect.ValueOf(n.Chunks[i].Body); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
			s.fields(v.Elem())
		}
	}
}

func (s *stretch) fields(v reflect.Value) {
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		switch {
		case !field.IsExported():
		case field.Anonymous && f.Kind() == reflect.Struct:
			s.fields(f)
		case field.Name == "Effect":
			if r, ok := f.Interface().(gbx.Ref); ok && r.Node != nil {
				s.node(r.Node)
			}
		case f.Kind() == reflect.Float32 && (field.Name == "Start" || field.Name == "End"):
			s.add(float32(f.Float()))
		case f.Kind() == reflect.Slice && strings.HasSuffix(field.Name, "Keys"):
			s.keys(f)
		}
	}
}

func (s *stretch) keys(list reflect.Value) {
	for i := range list.Len() {
		k := list.Index(i)
		if k.Kind() != reflect.Struct {
			return
		}
		if t := k.FieldByName("Time"); t.IsValid() && t.Kind() == reflect.Float32 {
			s.add(float32(t.Float()))
		}
	}
}

// Trigger is where and when a clip is played.
type Trigger struct {
	Coords         []gbx.Int3 // in cells of the trigger grid
	Condition      game.CGameCtnMediaClipGroupCondition
	ConditionValue float32
}

// MapClip is a clip of a map.
type MapClip struct {
	Clip
	Use     string   // one of the constants that begin with Clip: ClipIntro
	Trigger *Trigger // in game and at the end of a race
}

// Clips returns what the media tracker plays on the map.
func (m *Map) Clips() []MapClip {
	var out []MapClip
	single := func(use string, r gbx.Ref) {
		if r.Node != nil {
			out = append(out, MapClip{Clip: Clip{r.Node}, Use: use})
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
func groupClips(use string, r gbx.Ref) []MapClip {
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
	var out []MapClip
	for i, clip := range clips {
		if clip.Node == nil {
			continue
		}
		c := MapClip{Clip: Clip{clip.Node}, Use: use}
		if i < len(triggers) {
			c.Trigger = &Trigger{triggers[i].Coords, triggers[i].Condition, triggers[i].ConditionValue}
		}
		out = append(out, c)
	}
	return out
}
