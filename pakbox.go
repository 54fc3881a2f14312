// Package pakbox opens, explains, checks, edits and rebuilds the files in
// which games keep their worlds. This package is the front door: the list of
// formats, and opening a file or a path without caring which of them it is.
// Each format has a package of its own with all that is particular to it.
package pakbox

import (
	"context"
	"io"
	"sync"

	"pakbox/archive"
	"pakbox/eterpack"
	"pakbox/folder"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbxarchive"
	"pakbox/metin2proto"
	"pakbox/nadeopak"
	"pakbox/pck"
	"pakbox/simutrans"
	"pakbox/vpk42"
	"pakbox/ziparchive"
)

// Formats returns every format pakbox knows. The first that matches a file
// wins: formats with a signature of their own come before those without.
func Formats() archive.Registry {
	return archive.Registry{
		gbxarchive.Format{},
		vpk42.Format{},
		eterpack.Format{},
		pck.Format{},
		metin2proto.Format{},
		nadeopak.Format{Nodes: walkNodes},
		simutrans.Format{},
		ziparchive.Format{},
		folder.Format{},
	}
}

// walkNodes finds the nodes of encrypted GBX entries in packs.
func walkNodes(r io.Reader, size int64, version uint32, node func(class classid.ID) error) (int64, error) {
	return nodeWalker()(r, size, version, node)
}

// nodeWalker makes the walker, and with it the registry of chunks, when such an
// entry is read first.
var nodeWalker = sync.OnceValue(func() nadeopak.NodeWalker { return nadeopak.GBXNodes(engine.Registry()) })

// Open opens the archive, folder, or archive inside an archive at path. The
// place it returns is an [archive.Archive] and must be closed.
func Open(ctx context.Context, path string, opts archive.Options) (*archive.Place, error) {
	return Formats().Enter(ctx, path, opts)
}
