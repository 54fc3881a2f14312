package runs

import (
	"errors"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/nadeotest/roomtest"
)

// A ghost whose record cannot be unpacked has no line and is suspect; what does
// not need the record is answered all the same.
func TestDamagedRecords(t *testing.T) {
	packed := &game.Chunk0303F006{}
	packed.Samples.Size, packed.Samples.Stored = 100, []byte("no zlib")
	older := &game.Chunk0303F005{}
	older.Samples.Size, older.Samples.Stored = 100, []byte("no zlib")
	record := &plug.Chunk0911F000{Version: versionPacked}
	record.Data.Size, record.Data.Stored = 100, []byte("no zlib")
	recorded := &game.Chunk03092000{RecordData: gbx.NewRef(roomtest.Node(0x0911F000, record))}
	first := &game.Chunk0303F003{Samples: []byte{1, 2, 3}, SampleOffsets: []uint32{0, 1 << 30}}
	for _, body := range []gbx.Body{packed, older, recorded, first} {
		g := ghostWith(&game.Chunk03092005{RaceTime: 3000}, body)
		lines, err := g.Telemetry()
		if lines != nil || !errors.Is(err, fault.Corrupt) {
			t.Errorf("%T: %d lines, %v", body, len(lines), err)
		}
		list := g.Check()
		if stateOf(t, list, "samples") != Suspect || stateOf(t, list, "time") != Unknown || len(list) != 8 {
			t.Errorf(`%T: list = %+v; want stateOf(t, list, "samples") = %v, stateOf(t, list, "time") = %v, list of length 8`, body, list, Suspect, Unknown)
		}
	}
	empty := ghostWith(&game.Chunk03092000{RecordData: gbx.NewRef(roomtest.Node(0x0911F000))})
	if lines, err := empty.Telemetry(); lines != nil || err != ErrNotRecorded || empty.SampleCount() != 0 {
		t.Errorf("lines = %v, err = %v; want lines = nil, err = %v, empty.SampleCount() = 0", lines, err, ErrNotRecorded)
	}
	r := &Replay{roomtest.NodeFile(classReplay, &game.Chunk03093024{RecordData: recorded.RecordData})}
	if lines, err := r.Telemetry(); lines != nil || !errors.Is(err, fault.Corrupt) {
		t.Errorf("lines = %v, err = %v; want lines = nil, err matching fault.Corrupt", lines, err)
	}
	for _, inside := range []string{"", "no map", string(roomtest.Item(t))} {
		if uid, ok := mapInside([]byte(inside)); ok {
			t.Errorf("a map %q in %.10q", uid, inside)
		}
	}
}
