package blocks

import (
	"slices"
	"testing"

	"pakbox/gbx"
)

// Every entry of the catalogue can be read and is consistent: the mirror image of a
// block exists, and mirrors the block again; ends lie on the box.
func TestCatalogue(t *testing.T) {
	n, ends := 0, 0
	for _, environment := range Environments() {
		for b := range All(environment) {
			n++
			ends += len(b.Ends)
			if b.Confidence == 0 || b.Family == "" {
				t.Errorf(`environment = %s b.Name = %s: b = %+v; want b.Confidence other than 0, b.Family not empty`, environment, b.Name, b)
			}
			if b.Mirror != "" && !b.ByVariant {
				image := Find(environment, b.Mirror)
				if image == nil || image.Mirror != b.Name {
					t.Errorf("%s %s is the image of %s, but not the other way round", environment, b.Mirror, b.Name)
				} else if (image.MirrorTurn-b.MirrorTurn)%4 != 0 {
					t.Errorf("%s %s: %d and %d", environment, b.Name, b.MirrorTurn, image.MirrorTurn)
				}
			}
			for _, e := range b.Ends {
				along := b.Ground.Size.X
				if e.Side == East || e.Side == West {
					along = b.Ground.Size.Z
				}
				if e.Cell < 0 || e.Cell >= int(along) {
					t.Errorf("%s %s: an end at %v %d", environment, b.Name, e.Side, e.Cell)
				}
			}
		}
	}
	if n < 6500 || ends < 5000 || len(catalogue) > 300<<10 {
		t.Errorf("%d blocks, %d ends, %d bytes", n, ends, len(catalogue))
	}
}

// Known values of a few blocks, as in the tables of facts.
func TestFind(t *testing.T) {
	curve := Find("Stadium2020", "RoadTechCurve3")
	if curve == nil || curve.Ground.Size != (gbx.Int3{X: 3, Y: 1, Z: 3}) || curve.Ground.Has(0, 0, 2) || !curve.Ground.Has(2, 0, 2) || curve.Ground.Has(0, -1, 0) || curve.Ground.Has(3, 0, 0) {
		t.Fatalf("curve = %+v", curve)
	}
	if n := len(slices.Collect(curve.Ground.List())); n != 8 || curve.Radius != 3 || curve.MirrorTurn != 3 || curve.Mirror != curve.Name {
		t.Errorf("%d cells, %+v", n, curve)
	}
	slope := Find("BlueBay", "RoadTechSlopeBase") // of Stadium, as all vistas use them
	if slope == nil || !slices.Equal(slope.Ends, []End{{North, 0, 10, 10, 0}, {South, 0, 2, 2, 0}}) {
		t.Errorf("slope = %+v; want slope other than nil, slope.Ends equal to []End{{North, 0, 10, 10, 0}, {South, 0, 2, 2, 0}}", slope)
	}
	if cp := Find("Stadium2020", "RoadTechCheckpoint"); cp.Role != Checkpoint || cp.Role.Waypoint() != "Checkpoint" {
		t.Errorf(`cp = %+v; want cp.Role = %v, cp.Role.Waypoint() = "Checkpoint"`, cp, Checkpoint)
	}
	if cp := Find("Speed", "SpeedClassicCheckpoint"); cp == nil || cp.Role != Checkpoint || cp.Environment != "Desert" {
		t.Errorf(`cp = %+v; want cp other than nil, cp.Role = %v, cp.Environment = "Desert"`, cp, Checkpoint)
	}
	if Find("Stadium2020", "NoSuchBlock") != nil || Find("Nowhere", "RoadTechCurve3") != nil || Knows("Nowhere") || !Knows("Alpine") {
		t.Error("what is not there was found")
	}
	road := Find("Stadium", "StadiumRoadMain")
	for variant, turn := range map[uint32]int{0: 0, 2: 3, 4: 2, 5: 0} {
		if image, ok := road.ImageOf(variant | 1<<12); !ok || image.Turn != turn || image.Name != road.Name || image.Flags != variant|1<<12 {
			t.Errorf("variant %d: %+v", variant, image)
		}
	}
	if _, ok := road.ImageOf(40); ok {
		t.Error("the image of a variant that there is not")
	}
	if image, ok := Find("Stadium", "StadiumDirtHill").ImageOf(6); !ok || image.Flags != 7 {
		t.Errorf("image = %+v; want ok = true, image.Flags = 7", image)
	}
}

// A block that is turned four times takes its cells again, and on the way the
// cells of the turned box.
func TestTurned(t *testing.T) {
	size, at := gbx.Int3{X: 3, Y: 2, Z: 4}, gbx.Int3{X: 2, Y: 1, Z: 3}
	c, s := at, size
	for range 4 {
		c = TurnCell(c, s, 1)
		s.X, s.Z = s.Z, s.X
		if c.X < 0 || c.X >= s.X || c.Z < 0 || c.Z >= s.Z {
			t.Errorf("%v is outside of %v", c, s)
		}
	}
	if c != at {
		t.Errorf("turned four times: %v", c)
	}
	for d, want := range []gbx.Int3{{X: 2, Y: 1, Z: 3}, {X: 0, Y: 1, Z: 2}, {X: 0, Y: 1, Z: 0}, {X: 3, Y: 1, Z: 0}} {
		if got := TurnCell(at, size, d); got != want {
			t.Errorf("direction %d: %v, want %v", d, got, want)
		}
	}
}
