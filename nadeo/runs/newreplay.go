package runs

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/maps"
)

// AssemblyMark is the mark of replays that [NewReplay] made. It is in the XML of the
// header and, if the game has a place for it, in a note of the author.
const AssemblyMark = "put together by pakbox"

// NewReplay makes a replay from runs and their map, which it copies unchanged. The replay
// is marked as put together, so that games do not accept it as proof of a time.
//
// Chunks, versions and order are those of real replays among the test files: for
// TrackMania Forever 9f772edd4754, for ManiaPlanet 4 39fede7f47ab and ee9c3b997572, for
// Trackmania (2020) 6672a2c4ecb4 and 0d89d7e03b56.
func NewReplay(mapFile []byte, ghosts []*Ghost) ([]byte, error) {
	inside, err := gbx.Parse(mapFile, engine.Registry())
	if err != nil {
		return nil, err
	}
	m, err := maps.Of(inside)
	if err != nil {
		return nil, err
	}
	if len(ghosts) == 0 {
		return nil, fault.New(fault.Unsupported, "a replay needs at least one run, got none")
	}
	g, err := generationOf(ghosts)
	if err != nil {
		return nil, err
	}
	refs := make([]gbx.Ref, 0, len(ghosts))
	for _, ghost := range ghosts {
		if uid := ghost.MapUID(); uid != "" && uid != m.UID() {
			return nil, fault.New(fault.Unsupported, "a run was driven on the map %s, and the map is %s", uid, m.UID())
		}
		node, err := chunks.Copy(ghost.Node)
		if err != nil {
			return nil, err
		}
		refs = append(refs, gbx.NewRef(node))
	}
	var list chunks.Chunks
	list.Add(&game.Chunk03093002{Map: mapFile})
	runs := &game.Chunk03093014{Ghosts: refs, GhostsListVersion: chunks.ListVersion}
	switch g {
	case nadeo.Forever:
		list.Skippable(&game.Chunk03093007{U01: 0xFFFFFFFF})
		list.Add(runs, &game.Chunk03093015{})
	case nadeo.ManiaPlanet4, nadeo.Trackmania2020:
		list.Add(runs, &game.Chunk03093015{})
		addLater(&list, g, m)
	default:
		return nil, fault.New(fault.Unsupported, "replays of %s cannot be put together", g)
	}
	f := gbx.New(&gbx.Node{Class: classReplay, Chunks: list}, engine.Registry())
	f.Chunks, f.RawUserData = replayHeader(g, m, ghosts[0]), nil
	return f.Encode()
}

// addLater adds the chunks that ManiaPlanet 4 and Trackmania (2020) write after the
// ghosts.
func addLater(list *chunks.Chunks, g nadeo.Generation, m *maps.Map) {
	list.Skippable(&game.Chunk03093018{TitleID: gbx.NewID(titleOf(m)), AuthorNick: AssemblyMark, AuthorExtraInfo: AssemblyMark},
		&game.Chunk0309301A{}, &game.Chunk0309301B{}, &game.Chunk0309301C{}, &game.Chunk0309301D{}, &game.Chunk0309301E{Version: 2},
		&game.Chunk0309301F{Version: 1}, &game.Chunk03093020{Version: 1}, &game.Chunk03093021{})
	if g == nadeo.ManiaPlanet4 {
		list.Skippable(&game.Chunk03093022{}, &game.Chunk03093023{})
		list.Add(&game.Chunk03093024{Version: 1})
		list.Skippable(&game.Chunk03093025{U01: -1}, &game.Chunk03093026{})
		return
	}
	list.Add(&game.Chunk03093024{Version: 1})
	list.Skippable(&game.Chunk03093025{U01: -1}, &game.Chunk03093026{Version: 1}, &game.Chunk03093027{Version: 1}, &game.Chunk03093028{})
}

func titleOf(m *maps.Map) string { return cmp.Or(m.Title(), "TMStadium") }

// replayHeader makes the chunks of the header, from the facts of the first run.
func replayHeader(g nadeo.Generation, m *maps.Map, first *Ghost) []gbx.HeaderChunk {
	who := first.Player()
	about := &game.Header03093000{Version: 7, MapInfo: m.Ident(), Time: first.Time(), PlayerNickname: who.Nick, PlayerLogin: who.Login}
	best := int64(first.Time())
	if first.Time() == gbx.NoTime {
		best = 0
	}
	made := fmt.Sprintf(` made="%s"`, AssemblyMark)
	times := fmt.Sprintf(`<times best="%d" respawns="%d" stuntscore="%d" validable="0"/>`, best, first.Respawns(), first.StuntScore())
	o := first.Origin()
	if g == nadeo.Forever {
		text := fmt.Sprintf(`<header type="replay" version="TMr.7" exever="%s"%s><challenge uid="%s"/>%s</header>`, escaped(o.Version), made, escaped(m.UID()), times)
		return []gbx.HeaderChunk{chunks.Header(about, false), chunks.Header(&game.Header03093001{XML: text}, true)}
	}
	about.Version, about.U01, about.TitleID = 8, 1, gbx.NewID(titleOf(m))
	author := m.Author()
	text := fmt.Sprintf(`<header type="replay" exever="%s" exebuild="%s" title="%s"%s><map uid="%s" name="%s" author="%s" authorzone="%s"/>`+
		`<playermodel id="%s"/>%s<checkpoints cur="%d" /></header>`, escaped(o.Version), escaped(o.Build), escaped(titleOf(m)), made,
		escaped(m.UID()), escaped(m.Name()), escaped(author.Login), escaped(author.Zone), escaped(first.Car().ID.String()), times, len(first.Checkpoints()))
	return []gbx.HeaderChunk{
		chunks.Header(about, false), chunks.Header(&game.Header03093001{XML: text}, true),
		chunks.Header(&game.Header03093002{Version: 1, AuthorNick: AssemblyMark, AuthorExtraInfo: AssemblyMark}, false),
	}
}

// escaped escapes a text for an attribute of XML.
func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s))
	return b.String()
}
