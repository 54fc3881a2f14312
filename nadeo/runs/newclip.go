package runs

import (
	"cmp"
	"fmt"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/racetime"
	"pakbox/nadeo"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/internal/chunks"
)

// ClipParts choose what a clip of runs shows.
type ClipParts struct {
	Ghosts      bool // the cars, with their models
	Inputs      bool // the inputs of the first driver
	Checkpoints bool // times of the first run at checkpoints, and the gaps to the second run
}

// NewClip makes a clip of runs for the game that they were driven in. The runs are
// put in as they are. All other values are those of real clips:
//
//   - TrackMania Forever: chunk 030E5001 as in the replays 0cb3862132d4 and
//     0bb55f7dda06 of the tests' files
//   - ManiaPlanet 4: chunk 030E5002, version 3, as in the map 4c6acf6dd9cf
//   - Trackmania (2020): chunks 0329F000, version 11, and 0329F002 as in the replay
//     0d89d7e03b56 and the map in 6f6dce8c6dce
//
// Texts are made by [media.NewBlock].
func NewClip(name string, ghosts []*Ghost, parts ClipParts) (*clips.Clip, error) {
	if len(ghosts) == 0 {
		return nil, fault.New(fault.Unsupported, "a clip needs at least one run, got none")
	}
	g, err := generationOf(ghosts)
	if err != nil {
		return nil, err
	}
	var tracks []clips.Track
	if parts.Ghosts {
		for _, ghost := range ghosts {
			b, err := ghost.block(g)
			if err != nil {
				return nil, err
			}
			tracks = append(tracks, clips.Track{Name: "Ghost:" + ghost.Player().Nick, Blocks: []clips.Block{{Node: b}}})
		}
	}
	if parts.Inputs {
		tracks = append(tracks, inputTracks(ghosts[0])...)
	}
	if parts.Checkpoints {
		var other *Ghost
		if len(ghosts) > 1 {
			other = ghosts[1]
		}
		if t := checkpointTrack(ghosts[0], other); len(t.Blocks) > 0 {
			tracks = append(tracks, t)
		}
	}
	if len(tracks) == 0 {
		return nil, fault.New(fault.Unsupported, "there is nothing to show in the clip")
	}
	return clips.NewClip(g, name, tracks...)
}

// generationOf returns the game in which all runs were driven.
func generationOf(ghosts []*Ghost) (nadeo.Generation, error) {
	first := ghosts[0].game()
	for _, g := range ghosts {
		if game := g.game(); game != first {
			return "", fault.New(fault.Unsupported, "runs of several games, %s and %s, cannot be put together", cmp.Or(first, "an unknown one"), cmp.Or(game, "an unknown one"))
		}
	}
	switch g := nadeo.Generation(first); g {
	case nadeo.Forever, nadeo.ManiaPlanet4, nadeo.Trackmania2020:
		return g, nil
	}
	return "", fault.New(fault.Unsupported, "no file shows how %s puts runs together", cmp.Or(first, "the unknown game of the run"))
}

// versionRecord is the version of a ghost's first chunk in Trackmania (2020), which
// stores the record there. ManiaPlanet has version 2.
const versionRecord = 9

// game names the game in which a run was driven, "" if unknown. Two kinds of ghosts do
// not name their program: those in maps of ManiaPlanet 4, which have a chunk that only it
// and Trackmania (2020) write, and those from clips of Trackmania (2020).
func (g *Ghost) game() string {
	if name := g.Origin().Game(); name != "" {
		return name
	}
	if _, ok := gbx.Find[*game.Chunk03092028](g.Node); ok {
		return string(nadeo.ManiaPlanet4)
	}
	if c, ok := gbx.Find[*game.Chunk03092000](g.Node); ok && c.Version >= versionRecord {
		return string(nadeo.Trackmania2020)
	}
	return ""
}

// length returns how long a run is shown, in seconds: until the end of the recording.
func (g *Ghost) length() float32 {
	end := g.Time()
	if lines, err := g.lines(judged); err == nil && len(lines) > 0 {
		if s := lines[0].Samples; len(s) > 0 {
			end = max(end, s[len(s)-1].Time)
		}
	}
	return float32(max(end, 0)) / 1000
}

// block makes the MediaTracker block that shows the run.
func (g *Ghost) block(generation nadeo.Generation) (*gbx.Node, error) {
	node, err := chunks.Copy(g.Node)
	if err != nil {
		return nil, err
	}
	end := g.length()
	switch generation {
	case nadeo.Forever:
		return chunks.Node(&game.Chunk030E5001{End: end, GhostModel: gbx.NewRef(node)}), nil
	case nadeo.ManiaPlanet4:
		return chunks.Node(&game.Chunk030E5002{Version: 3, Keys: []game.CGameCtnMediaBlockGhostKey{{}, {Time: end}}, GhostModel: gbx.NewRef(node)}), nil
	}
	c, ok := gbx.Find[*game.Chunk03092000](node)
	if !ok || c.RecordData.Node == nil {
		return nil, ErrNotRecorded
	}
	key := game.CGameCtnMediaBlockEntityKey{U01: 1, TrailIntensity: 1, SelfIllumIntensity: 1}
	last := key
	last.Time = end
	declared := int32(-1)
	if t := g.Time(); t != gbx.NoTime {
		declared = int32(t)
	}
	colour := gbx.Vec3{X: c.LightTrailColor.R, Y: c.LightTrailColor.G, Z: c.LightTrailColor.B}
	return chunks.Node(
		&game.Chunk0329F000{
			Version: 11, RecordData: gbx.NewRef(c.RecordData.Node), NoticeRecords: c.U03, U02: 1, PlayerModel: c.PlayerModel, U03: colour,
			SkinNames: c.SkinPackDescs, HasBadges: c.HasBadges, Badge: c.Badge, SkinOptions: c.U01,
			Keys: []game.CGameCtnMediaBlockEntityKey{key, last}, GhostName: c.GhostNickname, U05: declared,
		},
		&game.Chunk0329F002{SkinOptions: c.U01}), nil
}

// Places of texts on the screen. Coordinates go from -1 to 1; y grows upwards.
var (
	gasPlace        = gbx.Vec2{X: 0, Y: -0.62}
	brakePlace      = gbx.Vec2{X: 0, Y: -0.78}
	steerPlace      = gbx.Vec2{X: 0, Y: -0.7}
	checkpointPlace = gbx.Vec2{X: 0, Y: 0.6}
)

// shown makes a block with a text on the screen for a period.
func shown(text string, colour gbx.Color, at gbx.Vec2, scale, from, to float32) clips.Block {
	keys := clips.Still(from, to)
	for i := range keys {
		keys[i].Position, keys[i].Scale = at, gbx.Vec2{X: scale, Y: scale}
	}
	return clips.Block{Content: clips.Text{Text: text, Color: colour, Keys: keys}}
}

// inputTracks makes tracks that show the inputs of a driver: gas, brake, and steering in
// five steps to each side.
func inputTracks(g *Ghost) (tracks []clips.Track) {
	inputs, _ := g.Inputs() // the inputs before an error are shown
	end := g.length()
	steer := clips.Track{Name: "Steering"}
	gas, brake := clips.Track{Name: "Gas"}, clips.Track{Name: "Brake"}
	var left, right, analog float64
	held := map[*clips.Track]heldInput{}
	change := func(t *clips.Track, at float32, text string, colour gbx.Color, place gbx.Vec2) {
		before := held[t]
		if before.text == text {
			return
		}
		if before.text != "" && at > before.from {
			t.Blocks = append(t.Blocks, shown(before.text, before.colour, before.place, 0.6, before.from, at))
		}
		held[t] = heldInput{text, colour, place, max(at, 0)}
	}
	pedal := func(t *clips.Track, at float32, pressed bool, text string, colour gbx.Color, place gbx.Vec2) {
		if !pressed {
			text = ""
		}
		change(t, at, text, colour, place)
	}
	green, red, white := gbx.Color{R: 0.3, G: 0.85, B: 0.5}, gbx.Color{R: 1, G: 0.35, B: 0.35}, gbx.Color{R: 1, G: 1, B: 1}
	for _, in := range inputs {
		at, v := float32(in.Time)/1000, float64(in.Value)
		switch in.Name {
		case "Accelerate", "AccelerateReal":
			pedal(&gas, at, v > 0, "GAS", green, gasPlace)
		case "Brake", "BrakeReal":
			pedal(&brake, at, v > 0, "BRAKE", red, brakePlace)
		case "Gas":
			pedal(&gas, at, v > 0, "GAS", green, gasPlace)
			pedal(&brake, at, v < 0, "BRAKE", red, brakePlace)
		case "Steer":
			analog = v / MaxAnalog
		case "SteerLeft":
			left = min(v, 1)
		case "SteerRight":
			right = min(v, 1)
		default:
			continue
		}
		change(&steer, at, steerText(max(-1, min(1, analog+right-left))), white, steerPlace)
	}
	for _, t := range []*clips.Track{&gas, &brake, &steer} {
		change(t, end, "", white, steerPlace)
		if len(t.Blocks) > 0 {
			tracks = append(tracks, *t)
		}
	}
	return tracks
}

// heldInput is the input that a track shows until the next one.
type heldInput struct {
	text   string
	colour gbx.Color
	place  gbx.Vec2
	from   float32
}

// steerText shows a steering value of -1 (left) to 1 as arrows.
func steerText(v float64) string {
	n := int(v*5 + 0.5)
	if v < 0 {
		n = int(v*5 - 0.5)
	}
	switch {
	case n < 0:
		return fmt.Sprintf("%.*s", -n, "<<<<<")
	case n > 0:
		return fmt.Sprintf("%.*s", n, ">>>>>")
	}
	return ""
}

// checkpointTrack makes a track that shows the time at each checkpoint for two seconds
// and, if there is another run, how far ahead of it or behind it the first run is.
func checkpointTrack(g, other *Ghost) clips.Track {
	const stays = 2
	t := clips.Track{Name: "Checkpoints"}
	var theirs []gbx.Time
	if other != nil {
		theirs = other.Checkpoints()
	}
	times := slices.DeleteFunc(slices.Clone(g.Checkpoints()), func(at gbx.Time) bool { return at == gbx.NoTime })
	for i, at := range times {
		text, colour := nadeo.TimeText(at), gbx.Color{R: 1, G: 1, B: 1}
		if i < len(theirs) && theirs[i] != gbx.NoTime {
			gap := int64(at - theirs[i])
			text += "  " + racetime.Gap(gap)
			colour = gbx.Color{R: 1, G: 0.35, B: 0.35}
			if gap <= 0 {
				colour = gbx.Color{R: 0.35, G: 0.6, B: 1}
			}
		}
		from := float32(at) / 1000
		to := from + stays
		if i+1 < len(times) {
			to = min(to, float32(times[i+1])/1000)
		}
		if to > from {
			t.Blocks = append(t.Blocks, shown(text, colour, checkpointPlace, 1, from, to))
		}
	}
	return t
}
