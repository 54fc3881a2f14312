package maps

import (
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/internal/places"
)

// body makes the chunks of a new map, in the order of the games.
func (n *mapPlan) body() []gbx.Chunk {
	var list chunks.Chunks
	switch n.Game {
	case nadeo.Forever:
		n.foreverBody(&list)
	default:
		n.sharedBody(&list)
		if n.Game == nadeo.Trackmania2020 {
			n.body2020(&list)
		}
	}
	return list
}

// beginning adds the first chunks, which are the same in maps of all generations.
func (n *mapPlan) beginning(l *chunks.Chunks, checkpoints bool, fileRef gbx.FileRef) {
	l.Add(&game.Chunk0304300D{PlayerModel: places.NoIdent})
	l.Add(&game.Chunk03043011{
		BlockStock:          gbx.NewRef(&gbx.Node{Class: 0x0301B000, Chunks: []gbx.Chunk{{ID: 0x0301B000, Body: &game.Chunk0301B000{}}}}),
		ChallengeParameters: gbx.NewRef(n.parameters()),
		Kind:                game.CGameCtnChallengeMapKindInProgress,
	})
	if checkpoints {
		l.Skippable(&game.Chunk03043017{})
	}
	l.Skippable(&game.Chunk03043018{NbLaps: 3}, &game.Chunk03043019{ModPackDesc: fileRef})
}

// parameters makes the node of medals. A map that nobody has driven has none.
func (n *mapPlan) parameters() *gbx.Node {
	const minute gbx.Time = 60_000
	var l chunks.Chunks
	l.Add(
		&game.Chunk0305B001{},
		&game.Chunk0305B004{BronzeTime: gbx.NoTime, SilverTime: gbx.NoTime, GoldTime: gbx.NoTime, AuthorTime: gbx.NoTime},
		&game.Chunk0305B008{TimeLimit: minute, AuthorScore: noScore(n.Game)})
	if n.Game != nadeo.Forever {
		l.Skippable(&game.Chunk0305B00A{
			BronzeTime: gbx.NoTime, SilverTime: gbx.NoTime, GoldTime: gbx.NoTime, AuthorTime: gbx.NoTime, TimeLimit: minute, AuthorScore: noScore(n.Game),
		})
		l.Add(&game.Chunk0305B00D{})
		l.Skippable(&game.Chunk0305B00E{MapType: n.Type})
	}
	return &gbx.Node{Class: 0x0305B000, Chunks: l}
}

// blocks makes the chunk with an empty list of blocks.
func (n *mapPlan) blocks(version uint32) *game.Chunk0304301F {
	return &game.Chunk0304301F{
		MapInfo: n.ident, MapName: styled.Marked(n.Name), Decoration: n.decorationIdent(), Size: n.base.Size, Version: version,
	}
}

func (n *mapPlan) password() *game.Chunk03043029 {
	return &game.Chunk03043029{CRC32: passwordCRC(gbx.Hash128{}, n.UID)}
}

func (n *mapPlan) foreverBody(l *chunks.Chunks) {
	none := gbx.FileRef{Version: 2}
	n.beginning(l, true, none)
	l.Skippable(&game.Chunk0304301C{Mode: n.mode()})
	l.Add(
		n.blocks(1), &game.Chunk03043021{}, &game.Chunk03043022{PhysicsVersion: 1},
		&game.Chunk03043024{CustomMusicPackDesc: none}, &game.Chunk03043025{}, &game.Chunk03043026{},
		&game.Chunk03043028{})
	l.Skippable(n.password())
	l.Add(&game.Chunk0304302A{})
}

// sharedBody adds the chunks of ManiaPlanet 4. Trackmania (2020) has all of them but two,
// and adds more.
func (n *mapPlan) sharedBody(l *chunks.Chunks) {
	none := gbx.FileRef{Version: 3}
	n.beginning(l, false, none)
	l.Add(
		n.blocks(6), &game.Chunk03043022{PhysicsVersion: 1}, &game.Chunk03043024{CustomMusicPackDesc: none},
		&game.Chunk03043025{}, &game.Chunk03043026{}, &game.Chunk03043028{})
	l.Skippable(n.password())
	l.Add(&game.Chunk0304302A{})
	l.Skippable(&game.Chunk03043034{}, &game.Chunk03043036{Chunk0304302D: n.camera()}, &game.Chunk03043038{})
	if n.Game == nadeo.ManiaPlanet4 {
		l.Skippable(&game.Chunk0304303D{HasLightmaps: gbx.True, Lightmaps: noLight(8)})
	}
	l.Skippable(
		&game.Chunk0304303E{CarMarksListVersion: chunks.ListVersion},
		&game.Chunk03043040{Version: n.either(4, 7), ItemsListVersion: chunks.ListVersion})
	l.Skippable(&game.Chunk03043042{
		Version: 1, AuthorLogin: n.Author.Login, AuthorNick: styled.Marked(n.Author.Nick), AuthorZone: styled.Marked(n.Author.Zone),
	})
	l.Skippable(
		n.zones(), &game.Chunk03043044{ScriptMetadata: gbx.NewRef(n.metadata())},
		&game.Chunk03043048{BlocksVersion: 6, BakedBlocks: n.groundBlocks()})
	l.Add(&game.Chunk03043049{Version: 2, ClipTriggerSize: gbx.Int3{X: 3, Y: 1, Z: 3}})
	l.Skippable(
		&game.Chunk0304304B{}, &game.Chunk0304304F{Version: 3},
		&game.Chunk03043050{OffzoneTriggerSize: gbx.Int3{X: 3, Y: 1, Z: 3}},
		&game.Chunk03043051{TitleID: gbx.NewID(n.Title), BuildVersion: n.program()},
		&game.Chunk03043052{DecoBaseHeightOffset: n.scenery.Ground.Offset}, &game.Chunk03043053{Version: 3},
		&game.Chunk03043054{Version: 1}, &game.Chunk03043055{},
		&game.Chunk03043056{Version: 3, DayTime: noDayTime, DayDuration: 300_000},
		&game.Chunk03043057{Version: n.either(3, 5)})
	if n.Game == nadeo.ManiaPlanet4 {
		l.Skippable(&game.Chunk03043058{Version: 1})
	}
	distortion := &game.Chunk03043059{Version: n.either(2, 3)}
	if distortion.Version >= 3 {
		distortion.U02, distortion.U03 = 20, 3
	}
	l.Skippable(distortion)
}

// body2020 adds the chunks that only Trackmania (2020) writes.
func (n *mapPlan) body2020(l *chunks.Chunks) {
	cells := int(n.base.Size.X) * int(n.base.Size.Z)
	l.Skippable(
		&game.Chunk0304305A{}, &game.Chunk0304305B{HasLightmaps: gbx.True, Lightmaps: noLight(8)},
		&game.Chunk0304305C{}, &game.Chunk0304305D{Version: 1}, &game.Chunk0304305E{Version: 1},
		&game.Chunk0304305F{}, &game.Chunk03043060{}, &game.Chunk03043061{Version: 1},
		&game.Chunk03043062{Colors: make([]byte, cells)}, &game.Chunk03043063{}, &game.Chunk03043064{},
		&game.Chunk03043065{}, &game.Chunk03043067{},
		&game.Chunk03043068{Version: 1, LightmapQualities: make([]byte, cells)}, &game.Chunk03043069{})
}

// noDayTime means the time of day of the decoration.
const noDayTime = 0xFFFFFFFF

// either chooses a version: the first for ManiaPlanet 4, the second for Trackmania
// (2020).
func (n *mapPlan) either(mp4, tm2020 uint32) uint32 {
	if n.Game == nadeo.ManiaPlanet4 {
		return mp4
	}
	return tm2020
}

// camera makes the editor's camera, which looks down at the middle of the map, as in real
// empty maps.
func (n *mapPlan) camera() game.Chunk0304302D {
	const away = 128
	cell := cellSize(n.scenery.Name)
	return game.Chunk0304302D{
		ThumbnailPosition: gbx.Vec3{
			X: float32(n.base.Size.X)*cell.X/2 - away, Y: away * math.Sqrt2, Z: float32(n.base.Size.Z)*cell.Z/2 - away,
		},
		ThumbnailPitchYawRoll: gbx.Vec3{X: math.Pi / 4, Y: math.Pi / 4}, ThumbnailFov: 90, U01: 10,
		ThumbnailNearClipPlane: -1, ThumbnailFarClipPlane: -1,
	}
}

// zones lists the kind of ground of each cell.
func (n *mapPlan) zones() *game.Chunk03043043 {
	g := n.scenery.Ground
	ids := make([]gbx.ID, len(g.Zones))
	for i, name := range g.Zones {
		ids[i] = gbx.NewID(name)
	}
	zone := gbx.NewRef(&gbx.Node{Class: 0x0311D000, Chunks: []gbx.Chunk{{ID: 0x0311D002, Body: &game.Chunk0311D002{
		ZoneIDs: ids, CurrentZoneID: gbx.NewID(g.Current),
	}}}})
	list := slices.Repeat([]gbx.Ref{zone}, int(n.base.Size.X)*int(n.base.Size.Z))
	return &game.Chunk03043043{ZoneGenealogies: game.PackGenealogies(list)}
}

// groundBlocks makes the blocks that the games add by themselves: one for each cell, from
// the corner on. Stored coordinates begin with 1.
func (n *mapPlan) groundBlocks() game.Blocks {
	b := game.CGameCtnChallengeBlock{Name: gbx.NewID(n.scenery.Ground.Block), Flags: game.CGameCtnChallengeBlockFlagsIsGround}
	if n.Game == nadeo.ManiaPlanet4 {
		b.Flags |= game.CGameCtnChallengeBlockFlagsHasDecal
		b.Extra = &game.CGameCtnChallengeBlockExtra{DecalID: gbx.NewID("Unassigned1"), DecalIntensity: 1, DecalVariant: -1}
	}
	var list []game.CGameCtnChallengeBlock
	for x := range uint8(n.base.Size.X) {
		for z := range uint8(n.base.Size.Z) {
			b.Coord = gbx.Byte3{X: x + 1, Y: n.scenery.Ground.Level, Z: z + 1}
			list = append(list, b)
		}
	}
	return game.PackBlocks(list)
}

// metadata makes the values that the script of the map's type stores in the map. In
// Trackmania (2020) the script states from the beginning that nobody has driven the map.
func (n *mapPlan) metadata() *gbx.Node {
	c := &script.Chunk11002000{Version: n.either(5, 6)}
	if n.Game == nadeo.Trackmania2020 {
		number := script.Type{Kind: script.Integer}
		times := script.Type{Kind: script.Array, Key: &script.Type{Kind: script.Void}, Value: &number}
		c.Traits = script.Traits{
			Types: []script.Type{number, times},
			Traits: []script.Trait{
				{Name: "LibMapType_MapTypeVersion", TypeIndex: 0, Type: &number, Value: script.Value{Int: 1}},
				{Name: "Race_AuthorRaceWaypointTimes", TypeIndex: 1, Type: &times},
			},
		}
	}
	return &gbx.Node{Class: 0x11002000, Chunks: []gbx.Chunk{{ID: 0x11002000, Body: c}}}
}
