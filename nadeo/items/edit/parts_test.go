package edit

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/items/library"
)

// A box is closed, has its front faces outside, and is exactly around the bounds.
func TestBoxAround(t *testing.T) {
	b := mesh.Bounds{Min: gbx.Vec3{X: -1, Y: 2, Z: 5}, Max: gbx.Vec3{X: 3, Y: 4, Z: 11}}
	box := boxAround(b)
	if len(box.Points) != 8 || len(box.Triangles) != 12 || len(box.Kinds) != 12 {
		t.Fatalf("%d points, %d triangles, %d kinds", len(box.Points), len(box.Triangles), len(box.Kinds))
	}
	edges := map[[2]int32]int{}
	volume := 0.0
	for _, tri := range box.Triangles {
		for i := range tri {
			edges[[2]int32{tri[i], tri[(i+1)%3]}]++
		}
		p, q, r := box.Points[tri[0]], box.Points[tri[1]], box.Points[tri[2]]
		// The volume below a triangle, seen from the origin, is positive if it faces outside.
		volume += float64(p.X*(q.Y*r.Z-q.Z*r.Y)-p.Y*(q.X*r.Z-q.Z*r.X)+p.Z*(q.X*r.Y-q.Y*r.X)) / 6
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
			t.Errorf("the edge %v is there %d times, and %d times back", e, n, edges[[2]int32{e[1], e[0]}])
		}
	}
	if math.Abs(volume-4*2*6) > 1e-4 {
		t.Errorf("the volume is %g, want 48", volume)
	}
	seen := map[gbx.Vec3]bool{}
	for _, p := range box.Points {
		seen[p] = true
		if p.X != b.Min.X && p.X != b.Max.X || p.Y != b.Min.Y && p.Y != b.Max.Y || p.Z != b.Min.Z && p.Z != b.Max.Z {
			t.Errorf("%v is not a corner", p)
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d corners", len(seen))
	}
}

func material(surface, effect uint8, shape *plug.Chunk0900C003) used {
	u := used{Chunk090FD000: &plug.Chunk090FD000{Version: 11, SurfacePhysicID: surface, SurfaceGameplayID: effect}, shape: shape}
	u.MaterialName, u.LinkID = gbx.NoID, gbx.NewID("RoadTech")
	u.folder = `Stadium\Media\Material\`
	return u
}

// The collision shape gets the new surface and effect where it had the old ones, and
// nowhere else. If two materials drive alike, the shape does not say which is meant.
func TestHull(t *testing.T) {
	shape := &plug.Chunk0900C003{SurfaceIDs: []uint16{16, 6, 16, 16 | 1<<8}}
	shape.Materials = make([]plug.CPlugSurfaceSurfMaterial, 2)
	shape.Materials[0].SurfaceID, shape.Materials[1].SurfaceID = 6, 16
	road, dirt := material(16, 0, shape), material(6, 0, shape)
	all := []used{road, dirt}
	ice, turbo := uint8(3), uint8(1)
	if err := road.set(Material{Surface: &ice, Gameplay: &turbo}, all); err != nil {
		t.Fatal(err)
	}
	const want = 3 | 1<<8
	if got := shape.SurfaceIDs; got[0] != want || got[1] != 6 || got[2] != want || got[3] != 16|1<<8 {
		t.Errorf("got = %x; want got[0] = %v, got[1] = 6, got[2] = %v, got[3] = 16 | 1<<8", got, want, want)
	}
	if shape.Materials[0].SurfaceID != 6 || shape.Materials[1].SurfaceID != want {
		t.Errorf("shape.Materials = %+v; want shape.Materials[0].SurfaceID = 6, shape.Materials[1].SurfaceID = %v", shape.Materials, want)
	}
	same := material(6, 0, shape)
	if err := dirt.set(Material{Surface: &ice}, append(all, same)); fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), "drives alike") {
		t.Errorf("two materials that drive alike: %v", err)
	}
	elsewhere := material(9, 0, &plug.Chunk0900C003{})
	alone := material(9, 0, shape)
	if err := alone.set(Material{Surface: &ice}, []used{elsewhere, alone}); err != nil {
		t.Errorf("in another shape: %v", err)
	}
	old := material(16, 0, nil)
	old.Version = 9
	if err := old.set(Material{Gameplay: &turbo}, nil); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("an effect in an old game: %v", err)
	}
	first := material(16, 0, nil)
	if first.Version = 10; first.set(Material{Gameplay: &turbo}, nil) != nil || first.SurfaceGameplayID != 1 || first.SurfacePhysicID != 16 {
		t.Errorf("an effect in the first game with effects: %+v", first.Chunk090FD000)
	}
}

// A link is stored as its game stores it: a whole path, or a name in the folder of the
// item. The surface follows the material unless another is asked for.
func TestLink(t *testing.T) {
	const dirt = `Stadium\Media\Material\RoadDirt`
	number, _ := library.SurfaceOf(dirt)
	for name, test := range map[string]struct {
		change func(u *used)
		link   string
		want   func(u *used) bool
	}{
		"name in the folder": {func(*used) {}, "RoadDirt", func(u *used) bool { return u.LinkID.String() == "RoadDirt" && u.Link == "" }},
		"with slashes":       {func(*used) {}, "Stadium/Media/Material/RoadDirt", func(u *used) bool { return u.LinkID.String() == "RoadDirt" && u.Link == "" }},
		"whole path":         {func(u *used) { u.IsUsingGameMaterial = 1 }, "RoadDirt", func(u *used) bool { return u.Link == dirt }},
		"version 9":          {func(u *used) { u.Version = 9 }, "RoadDirt", func(u *used) bool { return u.Link == dirt }},
		"version 10":         {func(u *used) { u.Version = 10 }, "RoadDirt", func(u *used) bool { return u.Link == dirt }},
		"another folder": {func(u *used) { u.folder = `Other\` }, "RoadDirt", func(u *used) bool {
			return u.Link == dirt && u.IsUsingGameMaterial == 1 && u.LinkID == gbx.NoID
		}},
		"another folder, old": {func(u *used) { u.folder, u.Version = `Other\`, 8 }, "RoadDirt", func(u *used) bool { return u.LinkID.String() == dirt && u.Link == "" }},
	} {
		u := material(16, 0, nil)
		test.change(&u)
		if err := u.set(Material{Link: test.link}, nil); err != nil || !test.want(&u) || u.path() != dirt || u.SurfacePhysicID != number {
			t.Errorf("%s: %v, %q and %q, surface %d, want %d", name, err, u.Link, u.LinkID, u.SurfacePhysicID, number)
		}
		if !u.called("*") || !u.called("roaddirt") || !u.called(strings.ToUpper(dirt)) || u.called("RoadTech") || u.called("Dirt") {
			t.Errorf("%s: it is called otherwise", name)
		}
	}
	ice := uint8(3)
	u := material(16, 0, nil)
	if err := u.set(Material{Link: "RoadDirt", Surface: &ice}, nil); err != nil || u.SurfacePhysicID != 3 {
		t.Errorf("surface %d, %v", u.SurfacePhysicID, err)
	}
	for link, near := range map[string]string{"RoadDrt": "RoadDirt", "qqqqqqqqqqqqqqq": ""} {
		u := material(16, 0, nil)
		err := u.set(Material{Link: link}, nil)
		var usage *fault.Error
		if !errors.As(err, &usage) || usage.Kind != fault.Usage || !strings.Contains(strings.Join(fault.Hints(usage), ""), near) || near == "" && len(fault.Hints(usage)) > 0 || u.LinkID.String() != "RoadTech" {
			t.Errorf("%s: err = %v", link, err)
		}
	}
	named := material(16, 0, nil)
	named.MaterialName = gbx.NewID("Mine")
	if named.name() != "Mine" || !named.called("mine") || !named.called("RoadTech") {
		t.Errorf("it is called %s", named.name())
	}
}
