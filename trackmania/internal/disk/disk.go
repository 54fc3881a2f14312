// Package disk reads files of the system for the rooms of trackmania.
package disk

import (
	"context"
	"os"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// Open reads a GBX file and hands it to the function of, which makes a map, a
// ghost or another thing of it. All errors hold the path.
func Open[T any](ctx context.Context, path string, of func(*gbx.File) (*T, error)) (*T, error) {
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
