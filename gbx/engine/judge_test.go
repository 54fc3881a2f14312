package engine_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// An undecodable region is damage only if real files prove the layout: anything else may
// be a file that a newer game wrote.
func TestJudge(t *testing.T) {
	proved, unproved := &game.Chunk03043040{Version: 4}, &game.Chunk0304302D{}
	newer, absurd := &game.Chunk03043040{Version: 99}, &game.Chunk03043040{Version: 1 << 24}
	short := fault.At(fault.Truncated, 7, "name", "needs 9 bytes, 2 remain")
	for _, k := range []struct {
		name   string
		region gbx.OpaqueRegion
		want   engine.Judgement
		kind   fault.Kind
	}{
		{"a chunk without a sheet", gbx.OpaqueRegion{Chunk: 0x03043FFE, Class: 0x03043000}, engine.Unknown, fault.Unsupported},
		{"a chunk of no engine", gbx.OpaqueRegion{Chunk: 0x00000006, Class: 0x03043000}, engine.Damaged, fault.Corrupt},
		{"a node of no engine", gbx.OpaqueRegion{Chunk: 0x03043011, Class: 0xFF043000}, engine.Damaged, fault.Corrupt},
		{"a proved version", gbx.OpaqueRegion{Chunk: 0x03043040, Class: 0x03043000, Misfit: &gbx.Misfit{Err: short, Body: proved}}, engine.Damaged, fault.Truncated},
		{"a newer version", gbx.OpaqueRegion{Chunk: 0x03043040, Class: 0x03043000, Misfit: &gbx.Misfit{Err: short, Body: newer}}, engine.Newer, fault.UnsupportedVersion},
		{"an impossible version", gbx.OpaqueRegion{Chunk: 0x03043040, Class: 0x03043000, Misfit: &gbx.Misfit{Err: short, Body: absurd}}, engine.Damaged, fault.Corrupt},
		{"a layout without proof", gbx.OpaqueRegion{Chunk: 0x0304302D, Class: 0x03043000, Misfit: &gbx.Misfit{Err: short, Body: unproved}}, engine.Unknown, fault.Unsupported},
		{"no chunk", gbx.OpaqueRegion{Chunk: 0x03043040, Class: 0x03043000, Misfit: &gbx.Misfit{Err: short, At: gbx.InFrame}}, engine.Damaged, fault.Truncated},
		{"unsupported by its sheet", gbx.OpaqueRegion{Chunk: 0x03043040, Class: 0x03043000, Misfit: &gbx.Misfit{Err: fault.New(fault.Unsupported, "x"), Body: proved}}, engine.Unknown, fault.Unsupported},
		{"more than is known", gbx.OpaqueRegion{Chunk: 0x03043040, Class: 0x03043000, Misfit: &gbx.Misfit{Err: fault.New(fault.SizeMismatch, "too long"), At: gbx.BehindLayout, Body: proved}}, engine.Unknown, fault.Unsupported},
	} {
		t.Run(k.name, func(t *testing.T) {
			got, err := engine.Judge(k.region)
			if got != k.want || err.Kind != k.kind {
				t.Errorf("Judge = %v, %v (%s); want %v, %s", got, err, err.Kind, k.want, k.kind)
			}
		})
	}
}

// A text that claims more bytes than follow breaks the node, and the file knows it.
func TestMisfits(t *testing.T) {
	stored, err := os.ReadFile("../../samples/trackmania/Sample.Map.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := gbx.Parse(stored, engine.Registry())
	if err != nil || whole.HasMisfits() {
		t.Fatalf("a sound map has misfits (%v)", err)
	}
	whole.SetCompression(false, 0)
	data, err := whole.Encode()
	if err != nil {
		t.Fatal(err)
	}
	body := len(data) - len(whole.BodyBytes())
	found := 0
	for i := body; i < len(data); i++ {
		name := []byte("Stadium")
		if !bytes.HasPrefix(data[i:], name) || binary.LittleEndian.Uint32(data[i-4:]) != uint32(len(name)) {
			continue
		}
		found++
		damaged := bytes.Clone(data)
		damaged[i-1] = 0x7F // the highest byte of the length
		f, err := gbx.Parse(damaged, engine.Registry())
		if err != nil || !f.HasMisfits() {
			t.Fatalf("byte %d: Parse = %v, without misfits", i, err)
		}
		worst := engine.Unknown
		for _, o := range f.Coverage().Opaque {
			if got, err := engine.Judge(o); got == engine.Damaged {
				worst = got
				if err.Offset <= 0 {
					t.Errorf("byte %d: damage without a place: %v", i, err)
				}
			}
		}
		if worst != engine.Damaged {
			t.Errorf("byte %d: the text is not damage", i)
		}
	}
	if found == 0 {
		t.Fatal("the sample has no text to damage")
	}
}
