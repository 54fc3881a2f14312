package shapes

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

var update = flag.Bool("update", false, "write testdata/surfaces.txt anew; look at its rows before it is committed")

// sums describes surfaces: slabs, their area in square metres, their lowest and highest
// point, the middle of the area, and where it faces.
type sums struct {
	blocks, slabs       int
	area, low, high     float64
	x, y, z             float64
	upX, upY, upZ, edge float64
}

func (s *sums) add(list []Slab) {
	s.blocks++
	for _, q := range list {
		s.slabs++
		area := q.Wide * q.Long
		s.area += area
		for _, corner := range []float32{-1, 1} {
			for _, side := range []float32{-1, 1} {
				h := float64(q.Top.Y + q.Along.Y*corner*float32(q.Long/2) + q.Right.Y*side*float32(q.Wide/2))
				s.low, s.high = min(s.low, h), max(s.high, h)
			}
		}
		s.x, s.y, s.z = s.x+area*float64(q.Top.X), s.y+area*float64(q.Top.Y), s.z+area*float64(q.Top.Z)
		s.upX, s.upY, s.upZ = s.upX+area*float64(q.Normal.X), s.upY+area*float64(q.Normal.Y), s.upZ+area*float64(q.Normal.Z)
		s.edge += q.Edge * (1 + float64(q.Along.Z))
	}
}

func newSums() *sums { return &sums{low: math.Inf(1), high: math.Inf(-1)} }

func (s *sums) row() string {
	mean := func(v float64) float64 { return v / max(s.area, 1e-9) }
	return fmt.Sprintf("%d\t%d\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.3f\t%.3f\t%.3f\t%.2f", s.blocks, s.slabs, s.area, s.low, s.high,
		mean(s.x), mean(s.y), mean(s.z), mean(s.upX), mean(s.upY), mean(s.upZ), s.edge/max(float64(s.slabs), 1))
}

// lookedAt are blocks of every way in which a surface is made.
var lookedAt = []struct{ environment, names string }{
	{"Stadium2020", `RoadTechStraight RoadTechCurve1 RoadTechCurve2 RoadTechCurve3 RoadTechSlopeBase RoadTechSlopeStraight RoadTechSlopeStart2x1 RoadTechSlopeEnd2x1 RoadTechTiltStraight RoadTechTiltTransition1UpLeft
		RoadTechChicaneX2Left RoadTechDiagLeftStraightX2 RoadTechDiagLeftLoop11X RoadTechDiagRightLoop11X RoadBumpStraight RoadBumpDiagLeftStraightX2 RoadDirtStraight RoadDirtCurve2 RoadWaterCurve4 RoadIceDiagRightStraightX2
		PlatformTechBase PlatformTechSlope2Straight PlatformTechSlope2UTop PlatformTechLoopStart PlatformTechLoopEnd PlatformTechWallCurve1 RoadTechDipX2 RoadTechCrest TrackWallCurve2`},
	{"Stadium", `StadiumCircuitBase StadiumRoadMain StadiumRoadMainSlopeStraight StadiumRoadMainGTCurve3 StadiumRoadDirtHighGTCurve2 StadiumTubeCurve2 StadiumLoopLeft StadiumLoopRight StadiumPlatformLoopStart StadiumPlatformLoopEnd
		StadiumPlatformWallBorder StadiumPlatformWallPub2 StadiumPlatformGTCurve2Wall2 StadiumPlatformGTCurve3Wall4 StadiumGrass StadiumRoadMainSlopeBase`},
	{"Canyon", `ArenaWallRideStraight ArenaWallRideTopStraight ArenaWallRideStartStraight ArenaWallRideLoopStart ArenaWallRideLoopEnd RoadMainStraight RoadMainSlopeStraight Cliff12RoadMedBase1 RoadMainGTCurve2`},
	{"Valley", "Road4WayFreeLoopStart Road4WayFreeLoopStraight RoadMainSlopeStraight"},
	{"Bay", "BayHarbor BayRoadGTCurve2 BayTunnelGTCurve3 BayPlatformBase"}, {"Coast", "CoastRoadGTCurve3 CoastTunnelGTCurve3"}, {"Island", "IslandHighWayGTCurve2 IslandHighWayTiltGTCurve3"},
	{"Snow", "AlpineIceRoadGTCurve2"}, {"Desert", "SpeedClassicGtCurve"}, {"Rally", "RallyTunnelGTCurve2"}, {"Speed", "SpeedRoad"},
}

// standing are the ways in which blocks of an environment stand: those of Canyon have
// another height in the air. Other blocks differ in their cells at most.
func standing(environment string) []bool {
	if environment == "Canyon" {
		return []bool{false, true}
	}
	return []bool{true}
}

// surfaces are the rows: one for each block that was looked at, one for all blocks of an
// environment in each form.
func surfaces(t *testing.T) (rows []string) {
	cellOf := func(environment string) gbx.Vec3 {
		if environment == "Canyon" || environment == "Island" {
			return gbx.Vec3{X: 64, Y: 16, Z: 64}
		}
		return cell
	}
	for _, e := range lookedAt {
		for name := range strings.FieldsSeq(e.names) {
			kind := blocks.Find(e.environment, name)
			if kind == nil {
				if kind = Substitute(e.environment, name); kind == nil {
					continue
				}
			}
			for _, ground := range standing(e.environment) {
				s := newSums()
				s.add(Of(Key{Kind: kind, Ground: ground}, cellOf(e.environment)))
				rows = append(rows, fmt.Sprintf("%s\t%s\t%t\t%s", e.environment, name, ground, s.row()))
			}
		}
	}
	for _, environment := range blocks.Environments() {
		for variant := range uint32(4) {
			for _, ground := range standing(environment) {
				s := newSums()
				for b := range blocks.All(environment) {
					if b.Cells(ground).Known() && (variant == 0 || b.ByVariant) {
						s.add(Of(Key{Kind: b, Ground: ground, Variant: variant}, cellOf(environment)))
					}
				}
				if s.blocks > 0 {
					rows = append(rows, fmt.Sprintf("%s\tall, form %d\t%t\t%s", environment, variant, ground, s.row()))
				}
			}
		}
	}
	return rows
}

// The surfaces of blocks are those that a person has looked at. Numbers may differ in
// the last place, because processors round differently.
func TestSurfacesOfGolden(t *testing.T) {
	const head = "environment\tblock\ton the ground\tblocks\tslabs\tarea\tlow\thigh\tx\ty\tz\tup x\tup y\tup z\tedge"
	rows := surfaces(t)
	if *update {
		if err := os.WriteFile("testdata/surfaces.txt", []byte(head+"\n"+strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile("testdata/surfaces.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	if len(rows) != len(want) || len(rows) < 130 {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i := range rows {
		got, golden := strings.Split(rows[i], "\t"), strings.Split(want[i], "\t")
		for k := range golden {
			a, err := strconv.ParseFloat(got[k], 64)
			b, err2 := strconv.ParseFloat(golden[k], 64)
			if err != nil || err2 != nil {
				if got[k] != golden[k] {
					t.Errorf("%s\nwant %s", rows[i], want[i])
					break
				}
			} else if math.Abs(a-b) > 0.011+1e-6*math.Abs(b) {
				t.Errorf("%s\nwant %s", rows[i], want[i])
				break
			}
		}
	}
}
