package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"pakbox/gbx/classid"
)

// A recorded run is evidence: its values are shown and carried along, never
// set. The classes of replays, of ghosts and of what they recorded:
var evidence = map[classid.ID]bool{
	0x03093000: true, // CGameCtnReplayRecord
	0x03092000: true, // CGameCtnGhost
	0x0303F000: true, // CGameGhost
	0x0911F000: true, // CPlugEntRecordData
}

func isEvidence(class classid.ID) bool { return evidence[class.Class().Latest()] }

// recordedRuns returns a digest of all values of the replays and ghosts in the file,
// "" if there are none. A document carries it, so that a changed run is
// noticed when the document comes back. It does not depend on how Ids and
// nodes are numbered, which may change with the rest of a map.
func (t *Tree) recordedRuns() string {
	d := &runDigest{h: sha256.New()}
	if isEvidence(t.File.Class) {
		d.value(&t.Header)
	}
	d.find(&t.Body)
	if !d.any {
		return ""
	}
	return hex.EncodeToString(d.h.Sum(nil))
}

type runDigest struct {
	h   hash.Hash
	buf []byte
	any bool
}

// find looks for replays and ghosts below v.
func (d *runDigest) find(v *Value) {
	if v.node != nil && isEvidence(v.node.Class) {
		d.any = true
		d.value(v)
		return
	}
	for i := range v.Children {
		d.find(&v.Children[i])
	}
}

// value takes in a value with all below it.
func (d *runDigest) value(v *Value) {
	d.buf = append(append(d.buf[:0], v.Name...), byte(v.Kind))
	if v.Kind == Leaf {
		d.buf = appendJSON(d.buf, v.p, false)
	}
	d.h.Write(append(d.buf, 0))
	for i := range v.Children {
		d.value(&v.Children[i])
	}
}
