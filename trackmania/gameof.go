package trackmania

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
)

// GameOf names the game that made a file: as its header says, or the run that
// it is. Items, meshes, shapes and materials do not say; of those the version
// of a chunk tells, which each game raised. "" if nothing tells.
func GameOf(f *gbx.File) string {
	if g := OriginOf(&f.Header).Game(); g != "" {
		return g
	}
	if run, err := GhostOf(f); err == nil {
		return run.Origin().Game()
	}
	if c, ok := gbx.Find[*gamedata.Chunk2E002019](f.Body); ok {
		return gameSince(c.Version, 13)
	}
	if c, ok := gbx.Find[*plug.Chunk090BB000](f.Body); ok {
		return gameSince(c.Version, 30)
	}
	if c, ok := gbx.Find[*plug.Chunk0900C003](f.Body); ok {
		return gameSince(c.Version, 3)
	}
	if c, ok := gbx.Find[*plug.Chunk090FD000](f.Body); ok {
		return gameSince(c.Version, 10)
	}
	return ""
}

// gameSince tells the two games apart that have such files, by the first
// version that only Trackmania (2020) was seen to write.
func gameSince(version, latest uint32) string {
	if version >= latest {
		return "Trackmania (2020)"
	}
	return "ManiaPlanet"
}
