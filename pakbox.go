// Package pakbox opens, explains, checks, edits and rebuilds the files of games. It has
// the list of formats, and opens a file or a path of any of them. Each format has a
// package of its own.
package pakbox

import (
	"context"
	"io"
	"sync"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/pack"
	"pakbox/archive/ziparchive"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/metin2/eterpack"
	"pakbox/metin2/pck"
	"pakbox/metin2/proto"
	"pakbox/metin2/vpk42"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/pak"
	"pakbox/simutrans"
)

// Formats returns every format that pakbox knows. The first match wins: formats with a
// signature of their own come before formats without one.
func Formats() archive.Registry {
	return archive.Registry{
		gbxarchive.Format{},
		vpk42.Format{},
		eterpack.Format{},
		pck.Format{},
		proto.Format{},
		pak.Format{Nodes: walkNodes},
		simutrans.Format{},
		ziparchive.Format{},
		folder.Format{},
	}
}

// walkNodes finds the nodes of an encrypted GBX entry in a pack.
func walkNodes(r io.Reader, size int64, version uint32, node func(class classid.ID) error) (int64, error) {
	return nodeWalker()(r, size, version, node)
}

// nodeWalker is made when such an entry is read for the first time, because it needs the
// registry of chunks.
var nodeWalker = sync.OnceValue(func() pak.NodeWalker { return pak.GBXNodes(engine.Registry()) })

// Open opens the archive, the folder, or the archive inside an archive at path. The
// returned place is an [archive.Archive] and must be closed.
func Open(ctx context.Context, path string, opts archive.Options) (*archive.Location, error) {
	return Formats().Enter(ctx, path, opts)
}

// CreateOptions say how [Create] makes an archive. The zero value works.
type CreateOptions = pack.Options

// Create makes a new archive at out from files, folders and parts of archives, under the
// names that games look for. [pack.Create] lists these names.
func Create(ctx context.Context, out string, inputs []string, opts CreateOptions) (*pack.Result, error) {
	return pack.Create(ctx, Formats(), out, inputs, opts)
}
