package trackmania

import (
	"os"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// OpenMap reads the map that is a file of the system. For a map in an archive
// or in memory, give [MapOf] what [gbx.Parse] makes of its bytes.
func OpenMap(path string) (*Map, error) { return open(path, MapOf) }

// OpenReplay reads the replay that is a file of the system.
func OpenReplay(path string) (*Replay, error) { return open(path, ReplayOf) }

// OpenGhost reads the ghost that is a file of the system.
func OpenGhost(path string) (*Ghost, error) { return open(path, GhostOf) }

// OpenItem reads the item that is a file of the system.
func OpenItem(path string) (*ItemModel, error) { return open(path, ItemModelOf) }

// open reads a file and takes it for what it should be. All errors tell the
// path.
func open[T any](path string, of func(*gbx.File) (*T, error)) (*T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.System(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, fault.InFile(err, path)
	}
	v, err := of(f)
	return v, fault.InFile(err, path)
}
