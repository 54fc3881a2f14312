package importer_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/trackmania/items/importer"
)

// roughTriangles are the triangles of an item with positions to the millimetre,
// whatever corner they begin with.
func roughTriangles(t *testing.T, f *gbx.File) []string {
	solid := solidOf(t, f)
	var out []string
	for _, g := range solid.ShadedGeoms {
		node := solid.Visuals[g.VisualIndex].Node
		v, _ := gbx.Find[*plug.Chunk0900600F](node)
		stream, _ := gbx.Find[*plug.Chunk09056000](v.VertexStreams[0].Node)
		buffer, _ := gbx.Find[*plug.Chunk0906A001](node)
		index, _ := gbx.Find[*plug.Chunk09057001](buffer.IndexBuffer.Node)
		name, _ := gbx.Find[*plug.Chunk090FD000](solid.CustomMaterials[g.MaterialIndex].UserInst.Node)
		var corners []string
		var at uint16
		for _, d := range index.IndexDeltas {
			at += uint16(d)
			p, uv := stream.VertexData.Columns[0].Vec3s[at], stream.VertexData.Columns[2].Vec2s[at]
			round := func(v float32) float64 { return math.Round(float64(v)*500)/500 + 0 }
			corners = append(corners, fmt.Sprintf("%.3f,%.3f,%.3f/%.3f,%.3f", round(p.X), round(p.Y), round(p.Z), round(uv.X), round(uv.Y)))
		}
		for i := 0; i+2 < len(corners); i += 3 {
			c := corners[i : i+3]
			first := slices.Index(c, slices.Min(c))
			out = append(out, fmt.Sprint(name.MaterialName, g.LodMask, c[first], c[(first+1)%3], c[(first+2)%3]))
		}
	}
	slices.Sort(out)
	return out
}

// One scene in six files of Blender, with other axes, units and forms, gives the same
// item: triangles, start, trigger and light.
func TestSameScene(t *testing.T) {
	var want []string
	var wantSpawn gbx.Vec3
	for _, file := range []string{"plain.fbx", "baked.fbx", "zup.fbx", "one.glb", "beside.gltf", "inside.gltf"} {
		path := filepath.Join("..", "..", "..", "gbx", "mesh", "model", "testdata", file)
		r, err := importer.Create(t.Context(), importer.Part{Mesh: path, Name: "Part", Author: "ada", Waypoint: "Checkpoint"}, importer.Options{})
		if err != nil || r.Model == nil {
			t.Fatalf("%s: %v %v", file, err, r)
		}
		if !slices.ContainsFunc(r.Problems, func(p finding.Finding) bool {
			return strings.Contains(p.Message, "no area in the UV layer Lightmap (texcoord)")
		}) {
			t.Errorf("%s: nothing is said of the faces without a place in the lightmap", file)
		}
		item, _ := gbx.Find[*gamedata.Chunk2E002019](r.Model.File.Body)
		entity, _ := gbx.Find[*gamedata.Chunk2E027000](item.EntityModel.Node)
		trigger, ok := gbx.Find[*plug.Chunk0900C003](entity.TriggerShape.Node)
		if !ok || len(trigger.Surf.MeshSurf.Mesh.Triangles) != 48 {
			t.Errorf("%s: the trigger is %+v", file, trigger)
		}
		if lights := solidOf(t, r.Model.File).LightInsts; len(lights) != 1 {
			t.Errorf("%s: %d lights", file, len(lights))
		}
		got, spawn := roughTriangles(t, r.Model.File), entity.SpawnLocation.T
		if want == nil {
			want, wantSpawn = got, spawn
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d triangles, want %d:\n%s\n%s", file, len(got), len(want), got[0], want[0])
		}
		if d := math.Hypot(float64(spawn.X-wantSpawn.X), float64(spawn.Z-wantSpawn.Z)); d > 1e-3 {
			t.Errorf("%s: cars start at %v, want %v", file, spawn, wantSpawn)
		}
	}
}
