package game

import (
	"bytes"
	"testing"

	"pakbox/gbx"
)

// octree is a tree as a record of its own.
type octree struct {
	BlockOctree
	version int
}

func (o *octree) Code(x *gbx.Coder) { o.BlockOctree.Code(x, o.version) }

// A root of two blocks' size with one leaf.
func TestBlockOctree(t *testing.T) {
	word := func(n uint32) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)} }
	for version := range 2 {
		data := bytes.Join([][]byte{
			word(2), word(2), word(2), word(2), word(2),
			word(0xFFFFFFFF), word(1), bytes.Repeat(word(0xFFFFFFFF), 7),
			word(0), {7},
		}, nil)
		if version == 0 {
			data = append(data, word(9)...)
		}
		o := octree{version: version}
		if err := gbx.DecodeRecord(data, &o); err != nil {
			t.Errorf("version %d: %v", version, err)
			continue
		}
		if n := o.Nodes; len(n) != 2 || n[0].Children == nil || n[0].Children[0] != 1 || n[1].Children != nil || n[1].Value != 7 {
			t.Errorf("version %d: %+v", version, o.Nodes)
		}
		if again, err := gbx.EncodeRecord(&o); err != nil || !bytes.Equal(again, data) {
			t.Errorf("version %d: coded as % x (%v)", version, again, err)
		}
	}
}
