package engine_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/code"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/plug"
	"pakbox/internal/testkit/corpus"
)

// Values that another implementation read from the same ghosts.
type (
	oracleFile struct {
		SHA256 string
		Ok     bool
		Ghost  *oracleGhost
		Replay *struct{ Ghosts []oracleGhost }
		Map    *struct {
			Ghost *oracleGhost `json:"validation_ghost"`
		}
	}
	oracleGhost struct {
		RaceTime    *int32 `json:"race_time"`
		Respawns    *int32
		Checkpoints [][2]int32
		Login       *string
		Samples     *struct {
			Class       string
			Version     int
			Count       int
			First, Last struct {
				T   int32
				Pos [3]float64
			}
			MaxSpeed        float64  `json:"max_speed_kmh"`
			MaxSpeedForward *float64 `json:"max_speed_forward_kmh"`
		}
		RecordData *struct {
			Version int
			Start   int32
			End     int32
			Ents    []oracleEntity
		} `json:"record_data"`
		PlayerInputs []struct {
			Version int
			Ticks   int
			Inputs  struct {
				ByType map[string]int `json:"by_type"`
				SHA256 string
			}
		} `json:"player_inputs"`
	}
	oracleEntity struct {
		Class      string
		Samples    int
		Samples2   int
		SampleSize int         `json:"sample_size"`
		FirstT     int32       `json:"first_t"`
		LastT      int32       `json:"last_t"`
		FirstPos   *[3]float64 `json:"first_pos"`
		LastPos    *[3]float64 `json:"last_pos"`
		MaxSpeed   *float64    `json:"max_speed_kmh"`
		SHA256     string      `json:"data_sha256"`
	}
)

func (f *oracleFile) ghosts() []oracleGhost {
	switch {
	case f.Ghost != nil:
		return []oracleGhost{*f.Ghost}
	case f.Replay != nil:
		return f.Replay.Ghosts
	case f.Map != nil && f.Map.Ghost != nil:
		return []oracleGhost{*f.Map.Ghost}
	}
	return nil
}

// ghosts calls test with every ghost of the corpus that the other
// implementation read too, and with what it read.
func ghosts(t *testing.T, test func(name string, n *gbx.Node, want oracleGhost)) {
	t.Helper()
	known := corpus.Oracle[oracleFile](t)
	seen := 0
	files(t, func(path string, data []byte) {
		want := known[corpus.Name(path)]
		wanted := want.ghosts()
		if !want.Ok || len(wanted) == 0 {
			return
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		got := ghostsOf(f)
		if len(got) != len(wanted) {
			t.Errorf("%s: %d ghosts, want %d", path, len(got), len(wanted))
			return
		}
		for i := range got {
			test(fmt.Sprintf("%s, ghost %d", path, i), got[i], wanted[i])
			seen++
		}
	})
	if seen < 100 {
		t.Errorf("only %d ghosts were compared", seen)
	}
}

// ghostsOf returns the ghosts of a replay, the validation ghost of a map, or
// the ghost itself.
func ghostsOf(f *gbx.File) []*gbx.Node {
	var refs []gbx.Ref
	if c, ok := gbx.Find[*game.Chunk03093014](f.Body); ok {
		refs = c.Ghosts
	} else if c, ok := gbx.Find[*game.Chunk03093004](f.Body); ok {
		refs = c.Ghosts
	} else if c, ok := gbx.Find[*game.Chunk03043011](f.Body); ok {
		params := c.ChallengeParameters.Node
		if c, ok := gbx.Find[*game.Chunk0305B00D](params); ok && c.RaceValidateGhost.Node != nil {
			refs = append(refs, c.RaceValidateGhost)
		} else if c, ok := gbx.Find[*game.Chunk0305B00F](params); ok && c.RaceValidateGhost.Node != nil {
			refs = append(refs, c.RaceValidateGhost)
		}
	} else {
		return []*gbx.Node{f.Body}
	}
	var out []*gbx.Node
	for _, r := range refs {
		out = append(out, r.Node)
	}
	return out
}

func TestGhostValues(t *testing.T) {
	ghosts(t, func(name string, n *gbx.Node, want oracleGhost) {
		if c, ok := gbx.Find[*game.Chunk03092005](n); ok && want.RaceTime != nil && int32(c.RaceTime) != *want.RaceTime {
			t.Errorf("%s: race time %d, want %d", name, c.RaceTime, *want.RaceTime)
		}
		if c, ok := gbx.Find[*game.Chunk03092008](n); ok && want.Respawns != nil && c.Respawns != *want.Respawns {
			t.Errorf("%s: %d respawns, want %d", name, c.Respawns, *want.Respawns)
		}
		if c, ok := gbx.Find[*game.Chunk0309200F](n); ok && want.Login != nil && c.GhostLogin != *want.Login {
			t.Errorf("%s: login %q, want %q", name, c.GhostLogin, *want.Login)
		}
		if c, ok := gbx.Find[*game.Chunk0309200B](n); ok {
			if len(c.Checkpoints) != len(want.Checkpoints) {
				t.Errorf("%s: %d checkpoints, want %d", name, len(c.Checkpoints), len(want.Checkpoints))
				return
			}
			for i, p := range c.Checkpoints {
				if p.Time == gbx.NoTime {
					p.Time = 0 // as the other implementation has it
				}
				if int32(p.Time) != want.Checkpoints[i][0] {
					t.Errorf("%s: checkpoint %d at %d, want %d", name, i, p.Time, want.Checkpoints[i][0])
				}
			}
		}
	})
}

func samplesOf(n *gbx.Node) ([]game.GhostSample, error) {
	if c, ok := gbx.Find[*game.Chunk0303F003](n); ok {
		return c.Decode()
	}
	zlib, ok := gbx.Find[*game.Chunk0303F005](n)
	if c, is := gbx.Find[*game.Chunk0303F006](n); is {
		zlib, ok = &c.Chunk0303F005, true
	}
	if !ok {
		return nil, nil
	}
	content, err := zlib.Samples.Content()
	if err != nil {
		return nil, err
	}
	return content.Decode()
}

func near(a float32, b float64) bool { return math.Abs(float64(a)-b) <= 0.0011 }

func nearVec(v gbx.Vec3, w [3]float64) bool {
	return near(v.X, w[0]) && near(v.Y, w[1]) && near(v.Z, w[2])
}

func kmh(v gbx.Vec3) float64 {
	return 3.6 * math.Sqrt(float64(v.X)*float64(v.X)+float64(v.Y)*float64(v.Y)+float64(v.Z)*float64(v.Z))
}

// Samples are where the other implementation sees them, as fast, and coded
// back to the bytes they came from.
func TestGhostSamples(t *testing.T) {
	compared := 0
	ghosts(t, func(name string, n *gbx.Node, want oracleGhost) {
		got, err := samplesOf(n)
		if errors.Is(err, fault.Unsupported) {
			return // as they went over the network
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if want.Samples == nil || want.Samples.Count == 0 {
			return
		}
		if len(got) != want.Samples.Count {
			t.Errorf("%s: %d samples, want %d", name, len(got), want.Samples.Count)
			return
		}
		first, last := &got[0], &got[len(got)-1]
		if want.Samples.Version >= 7 && (!nearVec(first.Position, want.Samples.First.Pos) || !nearVec(last.Position, want.Samples.Last.Pos)) {
			t.Errorf("%s: from %v to %v, want %v to %v", name, first.Position, last.Position, want.Samples.First.Pos, want.Samples.Last.Pos)
		}
		if int32(last.Time) != want.Samples.Last.T {
			t.Errorf("%s: last sample at %d, want %d", name, last.Time, want.Samples.Last.T)
		}
		top, forward := 0.0, math.Inf(-1)
		for i := range got {
			top = max(top, kmh(got[i].Velocity()))
			forward = max(forward, 3.6*got[i].ForwardSpeed())
		}
		if want.Samples.Version >= 7 && math.Abs(top-want.Samples.MaxSpeed) > 0.01 {
			t.Errorf("%s: %.3f km/h, want %.3f", name, top, want.Samples.MaxSpeed)
		}
		if f := want.Samples.MaxSpeedForward; f != nil && math.Abs(forward-*f) > 0.01 {
			t.Errorf("%s: %.3f km/h forwards, want %.3f", name, forward, *f)
		}
		compared++
	})
	if compared < 50 {
		t.Errorf("samples of only %d ghosts were compared", compared)
	}
}

func TestGhostSamplesCodeBack(t *testing.T) {
	ghosts(t, func(name string, n *gbx.Node, _ oracleGhost) {
		got, err := samplesOf(n)
		if errors.Is(err, fault.Unsupported) {
			return // as they went over the network
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var all []byte
		for i := range got {
			b, err := gbx.EncodeRecord(&got[i])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b...)
		}
		if c, ok := gbx.Find[*game.Chunk0303F003](n); ok && !bytes.Equal(all, c.Samples) {
			t.Errorf("%s: samples are coded differently", name)
		}
		if c, ok := gbx.Find[*game.Chunk0303F005](n); ok {
			content, _ := c.Samples.Content()
			if !bytes.Equal(all, content.SampleData) {
				t.Errorf("%s: samples are coded differently", name)
			}
		}
	})
}

func TestRecordedEntities(t *testing.T) {
	compared := 0
	ghosts(t, func(name string, n *gbx.Node, want oracleGhost) {
		c, ok := gbx.Find[*game.Chunk03092000](n)
		if !ok || c.RecordData.Node == nil || want.RecordData == nil {
			return
		}
		data, ok := gbx.Find[*plug.Chunk0911F000](c.RecordData.Node)
		if !ok {
			t.Errorf("%s: no recorded entities", name)
			return
		}
		content, err := data.Data.Content()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		r := &content.Records
		if len(r.Entities.Entities) != len(want.RecordData.Ents) {
			t.Errorf("%s: %d entities, want %d", name, len(r.Entities.Entities), len(want.RecordData.Ents))
			return
		}
		for i := range r.Entities.Entities {
			e := &r.Entities.Entities[i]
			checkEntity(t, fmt.Sprintf("%s, entity %d", name, i), r, e, want.RecordData.Ents[i])
			compared++
		}
	})
	if compared < 100 {
		t.Errorf("only %d entities were compared", compared)
	}
}

func checkEntity(t *testing.T, name string, r *plug.CPlugEntRecordDataRecords, e *plug.RecordedEntity, want oracleEntity) {
	t.Helper()
	samples := e.Entity.DecodedSamples()
	if len(samples) != want.Samples || len(e.Notices) != want.Samples2 {
		t.Errorf("%s: %d samples and %d notices, want %d and %d", name, len(samples), len(e.Notices), want.Samples, want.Samples2)
		return
	}
	h := sha256.New()
	for _, s := range samples {
		h.Write(s.Data)
	}
	if got := hex.EncodeToString(h.Sum(nil)); len(samples) > 0 && got != want.SHA256 {
		t.Errorf("%s: other bytes", name)
	}
	if e.Entity.SampleCount > 0 {
		again := e.Entity
		again.SetSamples(samples)
		if !bytes.Equal(again.Columns, e.Entity.Columns) {
			t.Errorf("%s: columns are coded differently", name)
		}
	}
	class := r.EntRecordDescs[e.Entity.Type].ClassID
	if class.String() != want.Class {
		t.Errorf("%s: class %v, want %s", name, class, want.Class)
	}
	if class == plug.ClassVehicleVis && len(samples) > 0 {
		checkVehicle(t, name, samples, want)
	}
}

// carAt is the position and the velocity in a sample of a car.
func carAt(data []byte) (position, velocity gbx.Vec3) {
	word := func(at int) uint16 { return binary.LittleEndian.Uint16(data[at:]) }
	coordinate := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[at:])) }
	return gbx.Vec3{X: coordinate(47), Y: coordinate(51), Z: coordinate(55)}, code.UnpackVelocity(int16(word(65)), int8(data[67]), int8(data[68]))
}

func checkVehicle(t *testing.T, name string, samples []plug.CPlugEntRecordDataSample, want oracleEntity) {
	t.Helper()
	top := 0.0
	for _, s := range samples {
		_, velocity := carAt(s.Data)
		top = max(top, kmh(velocity))
	}
	first, last := samples[0], samples[len(samples)-1]
	from, _ := carAt(first.Data)
	to, _ := carAt(last.Data)
	if want.FirstPos != nil && (!nearVec(from, *want.FirstPos) || !nearVec(to, *want.LastPos)) {
		t.Errorf("%s: from %v to %v, want %v to %v", name, from, to, *want.FirstPos, *want.LastPos)
	}
	if int32(first.Time) != want.FirstT || int32(last.Time) != want.LastT {
		t.Errorf("%s: from %d to %d ms, want %d to %d", name, first.Time, last.Time, want.FirstT, want.LastT)
	}
	if want.MaxSpeed != nil && math.Abs(top-*want.MaxSpeed) > 0.01 {
		t.Errorf("%s: %.3f km/h, want %.3f", name, top, *want.MaxSpeed)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
