package game_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
)

// stateSize is that of a state of versions 4 and 7, as others count it too.
var stateSize = map[uint32]int{4: 664, 7: 663}

// Launched checkpoints with several states: the bytes of a real file with one are
// put together to three, in the order that is known from others' files, and read.
func TestLaunchedCheckpoints(t *testing.T) {
	dir := corpus.Dir(t, "gbx-hard")
	for _, name := range []string{"c3e3cdb73f78e416.Map.Gbx", "15c97963ce802b7e.Map.Gbx", "ce27debb61a69ee7.Map.Gbx"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		in, ok := gbx.Find[*game.Chunk03043067](f.Body)
		if !ok || in.LaunchedCheckpoints.Node == nil {
			t.Fatalf("%s: no launched checkpoints", name)
		}
		c, ok := gbx.Find[*game.Chunk03262000](in.LaunchedCheckpoints.Node)
		if !ok || len(c.States) != 1 {
			t.Fatalf("%s: c = %+v; want ok = true, c.States of length 1", name, c)
		}
		s := &c.States[0]
		if int(c.SampleCounts[0]) != len(c.Samples) || s.Waypoint > 1000 || s.StartWaypoint > 1000 || s.Time <= 0 || s.Class != 0x0A020000 {
			t.Errorf("%s: %d samples of %d, waypoints %d and %d at %d", name, c.SampleCounts[0], len(c.Samples), s.Waypoint, s.StartWaypoint, s.Time)
		}
		for _, w := range s.Wheels {
			if w.SteerAngle < -0.55 || w.SteerAngle > 0.55 {
				t.Errorf("%s: a wheel steers by %g rad", name, w.SteerAngle)
			}
		}
		checkSeveral(t, name, c, in.LaunchedCheckpoints.Node)
	}
}

func checkSeveral(t *testing.T, name string, c *game.Chunk03262000, node *gbx.Node) {
	t.Helper()
	file := gbx.New(node, engine.Registry())
	file.SetCompression(false, 0)
	one, err := file.Encode()
	if err != nil {
		t.Fatal(err)
	}
	// The chunk begins behind its number, with version, version of samples and count.
	at := bytes.Index(one, []byte{0x00, 0x20, 0x26, 0x03, byte(c.Version), 0, 0, 0}) + 4
	at = at + bytes.Index(one[at:], []byte{byte(c.Version), 0, 0, 0, byte(c.SampleVersion), 0, 0, 0, 1, 0, 0, 0})
	size := stateSize[c.Version]
	state := one[at+12 : at+12+size]
	sample := map[uint32]int{31: 107, 33: 116}[c.SampleVersion] + 4
	samples := one[at+12+size : at+12+size+4+len(c.Samples)*sample]
	end := one[at+12+size+len(samples):]
	const n = 3
	three := slices.Clone(one[:at+8])
	three = binary.LittleEndian.AppendUint32(three, n)
	for i := range n {
		k := slices.Clone(state)
		binary.LittleEndian.PutUint32(k, uint32(10+i))        // the waypoint
		binary.LittleEndian.PutUint32(k[0x1C:], uint32(20+i)) // where to start
		three = append(three, k...)
	}
	three = append(three, samples...)
	for i := range n {
		three = binary.LittleEndian.AppendUint32(three, uint32(i))
	}
	end = end[4:]
	if c.Version >= 7 {
		vehicle := end[:len(end)-4] // up to the end of the node
		end = end[len(end)-4:]
		three = append(three, vehicle...)
		for range n - 1 { // the names are known by now: collection, and their numbers
			three = append(three, vehicle[:4]...)
			three = binary.LittleEndian.AppendUint32(three, 0x40000001)
			three = append(three, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF)
		}
	}
	three = append(three, end...)
	f, err := gbx.Parse(three, engine.Registry())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, ok := gbx.Find[*game.Chunk03262000](f.Body)
	if cover := f.Coverage(); !ok || len(cover.Opaque) > 0 || len(cover.Inexact) > 0 {
		t.Fatalf("%s: cover = %+v; want ok = true, len(cover.Opaque) at most 0, len(cover.Inexact) at most 0", name, cover)
	}
	for i := range got.States {
		if s := &got.States[i]; s.Waypoint != uint32(10+i) || s.StartWaypoint != uint32(20+i) || s.Position != c.States[0].Position || got.SampleCounts[i] != uint32(i) {
			t.Errorf("%s: state %d is of waypoint %d", name, i, s.Waypoint)
		}
	}
	if c.Version >= 7 && (len(got.Vehicles) != n || got.Vehicles[2].Vehicle.ID.String() != c.Vehicles[0].Vehicle.ID.String()) {
		t.Errorf("%s: vehicles %+v", name, got.Vehicles)
	}
	if len(got.States) != n || len(got.Samples) != len(c.Samples) {
		t.Errorf("%s: %d states, %d samples", name, len(got.States), len(got.Samples))
	}
}
