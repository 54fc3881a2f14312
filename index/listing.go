package index

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/zeebo/blake3"
)

// Fingerprint identifies the list of files that an index is made from: their number, and a
// hash of their paths and sizes that does not depend on their order. All parts of an
// index have the same fingerprint. The zero value is the empty list.
type Fingerprint struct {
	Files int64
	sum   [4]uint64
}

// Add adds a file.
func (l *Fingerprint) Add(path string, size int64) {
	hash := blake3.Sum256([]byte(path + "\x00" + strconv.FormatInt(size, 10)))
	l.Files++
	for i := range l.sum {
		l.sum[i] += binary.LittleEndian.Uint64(hash[8*i:])
	}
}

// Hash returns the hash as hex digits.
func (l *Fingerprint) Hash() string {
	var b []byte
	for _, n := range l.sum {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return hex.EncodeToString(b)
}
