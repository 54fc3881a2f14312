// Package disk reads and writes GBX files for the packages below nadeo.
package disk

import (
	"context"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// Open reads a GBX file and passes it to the function of, which turns it into a map, a
// ghost or another type. All errors contain the path.
func Open[T any](ctx context.Context, path string, of func(*gbx.File) (*T, error)) (*T, error) {
	f, err := engine.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	v, err := of(f)
	return v, fault.InFile(err, path)
}

// Save writes a GBX file to path. An existing file is replaced in one step, so that after
// a crash either the old or the new file is there. All errors contain the path.
func Save(f *gbx.File, path string) error {
	data, err := f.Encode()
	if err != nil {
		return fault.InFile(err, path)
	}
	stage, err := archive.NewStage(path, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	out, err := stage.File()
	if err != nil {
		return fault.InFile(fault.System(err), path)
	}
	if _, err := out.Write(data); err != nil {
		return fault.InFile(fault.System(err), path)
	}
	return fault.InFile(fault.System(stage.Commit()), path)
}
