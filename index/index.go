// Package index turns files into rows of typed tables for a database: what a file is,
// what it contains and what it needs. [Indexer.File] makes the rows of one file and of
// everything in it that pakbox can open. The rows depend only on the bytes of the file,
// so that every machine makes the same rows.
//
// The tables are declared in tables.go. Most of their columns are facts (package fact),
// which the packages of formats and subjects declare: a new fact becomes a column here.
// The tables of package index/sqlite, the files of package index/parquet, the words of
// package index/ask and the documentation are made from these declarations.
package index

import (
	"encoding/binary"

	"github.com/zeebo/blake3"
)

// Version is the version of the rows. It is raised whenever the rows of the same file
// change.
const Version = 8

// Key is the key of the file at a path: the first eight bytes of the path's BLAKE3. It is
// the same on every machine, so that parts of an index can be merged without renumbering.
func Key(path string) int64 {
	sum := blake3.Sum256([]byte(path))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// Shard returns which of n parts a path belongs to, from 0. It depends only on the path
// and not on a position in a list, so that new and removed files do not move others to
// another part.
func Shard(path string, n int) int {
	sum := blake3.Sum256([]byte(path))
	return int(binary.BigEndian.Uint64(sum[8:16]) % uint64(n))
}

// Hash is a BLAKE3 or SHA-256, stored as its bytes.
type Hash [32]byte

func hashOf(data []byte) Hash { return blake3.Sum256(data) }
