// Package index turns files into rows: what a file is, what stands in it and
// what it needs, as typed tables that can be put into a database and asked.
// [Indexer.File] makes the rows of one file and of everything in it that pakbox
// can open. It looks at nothing but the bytes it is given, so that one machine
// and a thousand give the same rows.
//
// The tables are declared in tables.go. Most of their columns are facts, which
// the rooms of formats and subjects declare (package fact): a fact that is added
// there is a column here. The tables of package index/sqlite, the files of package
// index/parquet, the words of package index/ask and the documentation are made
// from these declarations.
package index

import (
	"encoding/binary"

	"github.com/zeebo/blake3"
)

// Version is the version of the rows. It is raised whenever the same file gives
// other rows than before.
const Version = 5

// Key is the key of the file at a path: the first eight bytes of the path's
// BLAKE3. It is the same on every machine, so that parts of an index can be put
// together without renumbering.
func Key(path string) int64 {
	sum := blake3.Sum256([]byte(path))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// Shard tells which of n parts a path belongs to, from 0. It goes by the path
// and not by its place in a list, so that files that come and go do not move
// others from part to part.
func Shard(path string, n int) int {
	sum := blake3.Sum256([]byte(path))
	return int(binary.BigEndian.Uint64(sum[8:16]) % uint64(n))
}

// Hash is a BLAKE3 or SHA-256, stored as its bytes.
type Hash [32]byte

func hashOf(data []byte) Hash { return blake3.Sum256(data) }
