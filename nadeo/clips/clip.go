package clips

import (
	"reflect"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/places"
)

// ClassClip is the class ID of clips.
const ClassClip classid.ID = 0x03079000

// Clip is a clip of the MediaTracker: tracks of blocks, such as cameras, texts and
// ghosts, that play at the same time.
type Clip struct {
	Node *gbx.Node
}

// ClipOf returns the clip in a file.
func ClipOf(f *gbx.File) (*Clip, error) {
	if f.Class.Latest() != ClassClip {
		return nil, fault.New(fault.NotFormat, "the file is not a clip")
	}
	return &Clip{f.Body}, nil
}

// Track is a track of a clip.
type Track struct {
	Name        string
	KeepPlaying bool
	Cycling     bool
	Blocks      []Block
}

// Block is a block on a track.
type Block struct {
	Node       *gbx.Node
	Content    Content // nil if [NewBlock] cannot make this kind of block
	Kind       string  // the class without CGameCtnMediaBlock: CameraCustom, Text, Ghost
	Start, End float32 // in seconds; both 0 if the block has no times of its own
}

// The places of a clip's name and tracks, in a different chunk for each game.
var (
	clipName = places.Fact[string]{What: "clip's name", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk0307900D) *string { return &c.Name }),
		places.InBody(func(c *game.Chunk03079005) *string { return &c.Name }),
		places.InBody(func(c *game.Chunk03079003) *string { return &c.Name }),
		places.InBody(func(c *game.Chunk03079002) *string { return &c.Name }),
		places.InBody(func(c *game.Chunk03079001) *string { return &c.Name }),
	}}
	clipTracks = places.Fact[[]gbx.Ref]{Places: []places.Place[[]gbx.Ref]{
		places.InBody(func(c *game.Chunk0307900D) *[]gbx.Ref { return &c.Tracks }),
		places.InBody(func(c *game.Chunk03079005) *[]gbx.Ref { return &c.Tracks }),
		places.InBody(func(c *game.Chunk03079003) *[]gbx.Ref { return &c.Tracks }),
		places.InBody(func(c *game.Chunk03079002) *[]gbx.Ref { return &c.Tracks }),
		places.InBody(func(c *game.Chunk03079001) *[]gbx.Ref { return &c.Tracks }),
		places.InBody(func(c *game.Chunk03079000) *[]gbx.Ref { return &c.Tracks }),
	}}
	trackKeepsPlaying = places.Fact[gbx.Bool]{Places: []places.Place[gbx.Bool]{
		places.InBody(func(c *game.Chunk03078005) *gbx.Bool { return &c.IsKeepPlaying }),
		places.InBody(func(c *game.Chunk03078004) *gbx.Bool { return &c.IsKeepPlaying }),
		places.InBody(func(c *game.Chunk03078002) *gbx.Bool { return &c.IsKeepPlaying }),
	}}
	trackCycles = places.Fact[gbx.Bool]{Places: []places.Place[gbx.Bool]{
		places.InBody(func(c *game.Chunk03078005) *gbx.Bool { return &c.IsCycling }),
	}}
)

// Contradictions lists the facts that a clip states in two different ways.
func Contradictions(f *gbx.File) []string { return places.Contradictions(places.SiteOf(f), &clipName) }

// NameOf returns the name of a clip; false if this file cannot hold a name.
func NameOf(f *gbx.File) (string, bool) { return clipName.Find(places.SiteOf(f)) }

// Name returns the clip's name.
func (c *Clip) Name() string { return clipName.Read(places.Site{Node: c.Node}) }

// Tracks returns the clip's tracks.
func (c *Clip) Tracks() []Track {
	refs := clipTracks.Read(places.Site{Node: c.Node})
	out := make([]Track, 0, len(refs))
	for _, r := range refs {
		t := Track{}
		if k, ok := gbx.Find[*game.Chunk03078001](r.Node); ok {
			t.Name = k.Name
			for _, b := range k.Blocks {
				t.Blocks = append(t.Blocks, mediaBlock(b.Node))
			}
		}
		in := places.Site{Node: r.Node}
		t.KeepPlaying, t.Cycling = trackKeepsPlaying.Read(in).True(), trackCycles.Read(in).True()
		out = append(out, t)
	}
	return out
}

// Length returns the end of the clip's last block, in seconds.
func (c *Clip) Length() float32 {
	var end float32
	for _, t := range c.Tracks() {
		for i := range t.Blocks {
			end = max(end, t.Blocks[i].End)
		}
	}
	return end
}

func mediaBlock(n *gbx.Node) Block {
	if n == nil {
		return Block{}
	}
	b := Block{Node: n, Content: mediaOf(n)}
	class, _ := classid.Lookup(n.Class)
	b.Kind = strings.TrimPrefix(class.Name, "CGameCtnMediaBlock")
	if times := slices.DeleteFunc(timesOf(n), isNaN); len(times) > 0 {
		b.Start, b.End = slices.Min(times), slices.Max(times)
	}
	return b
}

// timesOf lists the times in a MediaTracker block, in the order of the file. All sixty
// kinds of blocks call their times Start and End, or Time in a list Keys, in their own
// chunks or in those of an Effect. So timesOf looks for these names and needs no list of
// kinds.
func timesOf(n *gbx.Node) (times []float32) {
	for i := range n.Chunks {
		if v := reflect.ValueOf(n.Chunks[i].Body); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
			times = append(times, fieldTimes(v.Elem())...)
		}
	}
	return times
}

func fieldTimes(v reflect.Value) (times []float32) {
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		switch {
		case !field.IsExported():
		case field.Anonymous && f.Kind() == reflect.Struct:
			times = append(times, fieldTimes(f)...)
		case field.Name == "Effect":
			if r, ok := f.Interface().(gbx.Ref); ok && r.Node != nil {
				times = append(times, timesOf(r.Node)...)
			}
		case f.Kind() == reflect.Float32 && (field.Name == "Start" || field.Name == "End"):
			times = append(times, float32(f.Float()))
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct && strings.HasSuffix(field.Name, "Keys"):
			for k := range f.Len() {
				if t := f.Index(k).FieldByName("Time"); t.IsValid() && t.Kind() == reflect.Float32 {
					times = append(times, float32(t.Float()))
				}
			}
		}
	}
	return times
}

func isNaN(t float32) bool { return t-t != 0 }
