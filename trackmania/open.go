package trackmania

import (
	"context"
	"os"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// OpenMap reads the map that is a file of the system. For a map in an archive
// or in memory, give [MapOf] what [gbx.Parse] makes of its bytes.
func OpenMap(ctx context.Context, path string) (*Map, error) { return open(ctx, path, MapOf) }

// OpenReplay reads the replay that is a file of the system.
func OpenReplay(ctx context.Context, path string) (*Replay, error) { return open(ctx, path, ReplayOf) }

// OpenGhost reads the ghost that is a file of the system.
func OpenGhost(ctx context.Context, path string) (*Ghost, error) { return open(ctx, path, GhostOf) }

// OpenItem reads the item that is a file of the system.
func OpenItem(ctx context.Context, path string) (*ItemModel, error) {
	return open(ctx, path, ItemModelOf)
}

// open reads a file and takes it for what it should be. All errors tell the
// path.
func open[T any](ctx context.Context, path string, of func(*gbx.File) (*T, error)) (*T, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fault.System(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fault.System(err)
	}
	f, err := gbx.Open(ctx, in, info.Size(), engine.Registry())
	if err != nil {
		return nil, fault.InFile(err, path)
	}
	v, err := of(f)
	return v, fault.InFile(err, path)
}
