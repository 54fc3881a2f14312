package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// evidence lists the classes of recorded runs, which pakbox never changes.
var evidence = map[classid.ID]bool{
	0x03093000: true, // CGameCtnReplayRecord
	0x03092000: true, // CGameCtnGhost
	0x0303F000: true, // CGameGhost
	0x0911F000: true, // CPlugEntRecordData
}

func isEvidence(class classid.ID) bool { return evidence[class.Class().Latest()] }

// recordedRuns returns a digest of the values of all replays and ghosts in a file; "" if
// without one. A document contains it, so that [ReadJSON] notices a changed run.
// Indices of IDs and nodes are left out, because they may change with the rest of a map.
func recordedRuns(f *gbx.File) (string, error) {
	v := &runVisitor{newCursor(), newRunDigest(f)}
	err := f.Walk(v)
	return v.digest.sum(), err
}

// runVisitor is the visitor of recordedRuns.
type runVisitor struct {
	cursor
	digest *runDigest
}

func (r *runVisitor) Coded(name string, p any, offset, length int64) {
	if v := r.leaf(name, p, offset, length); v != nil {
		r.digest.value(v)
	}
}

func (r *runVisitor) Begin(name string, p any, offset int64) {
	f := r.open(name, p, offset)
	switch {
	case f.shared:
		r.digest.node(&r.stack[len(r.stack)-2].Value, len(r.stack))
	case f.node != nil:
		r.digest.node(&f.Value, len(r.stack))
	default:
		r.digest.value(&f.Value)
	}
}

func (r *runVisitor) End(offset int64) {
	r.close(offset)
	r.digest.closed(len(r.stack))
}

// runDigest hashes recorded runs during a walk. A nil runDigest does nothing.
type runDigest struct {
	h     hash.Hash
	buf   []byte
	any   bool // the file contains a run
	depth int  // the number of open groups at the beginning of the run; 0 outside of runs
}

// newRunDigest returns a digest. If the file itself is a run, it includes the header.
func newRunDigest(f *gbx.File) *runDigest {
	d := &runDigest{h: sha256.New()}
	if isEvidence(f.Class) {
		d.depth = 1
		d.value(&Value{Name: "header", Kind: Group})
	}
	return d
}

// sum returns the digest, "" without a run.
func (d *runDigest) sum() string {
	if d == nil || !d.any {
		return ""
	}
	return hex.EncodeToString(d.h.Sum(nil))
}

// value adds a value, or the beginning of a group, if it belongs to a run.
func (d *runDigest) value(v *Value) {
	if d != nil && d.depth > 0 {
		d.add(v)
	}
}

func (d *runDigest) add(v *Value) {
	d.buf = append(append(d.buf[:0], v.Name...), byte(v.Kind))
	if v.Kind == Leaf {
		d.buf = appendJSON(d.buf, v.p, false)
	}
	d.h.Write(append(d.buf, 0))
}

// node marks the beginning of the node at v. open is the number of open groups.
func (d *runDigest) node(v *Value, open int) {
	if d == nil {
		return
	}
	_, inside := v.p.(*gbx.Ref)
	if !inside {
		d.depth = 0 // the header has ended
	}
	if d.depth == 0 && isEvidence(v.node.Class) {
		d.any, d.depth = true, open
		d.value(v)
	}
}

// closed marks the end of a group. open is the number of groups that are still open.
func (d *runDigest) closed(open int) {
	if d != nil && d.depth > open {
		d.depth = 0
	}
}
