package engine_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/function"
	"pakbox/gbx/engine/motion"
)

// bodyOf is an uncompressed file: words, floats and texts as they come.
func bodyOf(class classid.ID, nodes uint32, values ...any) []byte {
	b := bytes.NewBufferString("GBX\x06\x00BUUR")
	for _, v := range append([]any{uint32(class), uint32(0), nodes, uint32(0)}, values...) {
		if text, ok := v.(string); ok {
			binary.Write(b, binary.LittleEndian, uint32(len(text)))
			b.WriteString(text)
		} else if n, ok := v.(int); ok {
			binary.Write(b, binary.LittleEndian, uint32(n))
		} else {
			binary.Write(b, binary.LittleEndian, v)
		}
	}
	return b.Bytes()
}

// understood parses a file of which nothing may stay opaque.
func understood(t *testing.T, data []byte) *gbx.File {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, t.Name(), data, f, false)
	return f
}

const endOfNode = 0xFACADE01

// skeleton is a node with two bones.
var skeleton = []any{1, 0x05005000, 0x05005002, 2, 3, 0x40000000, "arm", 0x40000000, "leg", endOfNode}

// Poses have as many bones as the skeleton beside them, which is a node of its
// own.
func TestPosesHaveTheBonesOfTheirSkeleton(t *testing.T) {
	var bones [2 * 2 * 7]float32
	for i := range bones {
		bones[i] = float32(i)
	}
	values := append([]any{0x05006000}, skeleton...)
	values = append(values, 0x05006001, 2, bones[:], endOfNode)
	f := understood(t, bodyOf(0x05006000, 2, values...))
	c, ok := gbx.Find[*function.Chunk05006001](f.Body)
	if !ok || len(c.Bones) != 4 || c.Bones[3].Position != (gbx.Vec3{X: 25, Y: 26, Z: 27}) {
		t.Errorf("bones %+v", c)
	}

	values = append([]any{0x05007000}, skeleton...)
	values = append(values, bones[:14], endOfNode)
	f = understood(t, bodyOf(0x05007000, 2, values...))
	one, ok := gbx.Find[*function.Chunk05007000](f.Body)
	if !ok || len(one.Bones) != 2 || one.Bones[1].Rotation != (gbx.Quat{W: 7, X: 8, Y: 9, Z: 10}) {
		t.Errorf("bones %+v", one)
	}
}

// One chunk ID has two layouts; the class of the node decides which one applies.
func TestLeavesHaveTwoLayouts(t *testing.T) {
	manager := understood(t, bodyOf(0x0804D000, 1, 0x0804C000, -1, endOfNode))
	emitter := understood(t, bodyOf(0x0804C000, 1, 0x0804C000, -1, float32(1), float32(2), float32(3), float32(4), endOfNode))
	m, _ := gbx.Find[*motion.Chunk0804C000](manager.Body)
	e, _ := gbx.Find[*motion.Chunk0804C000](emitter.Body)
	if m == nil || e == nil || m.Radius != 0 || e.Position != (gbx.Vec3{X: 1, Y: 2, Z: 3}) || e.Radius != 4 {
		t.Errorf("manager %+v, emitter %+v", m, e)
	}
}
