package importer_test

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/internal/testkit/peer"
	"pakbox/nadeo/items/importer"
)

// roughTriangle is a triangle with positions to two millimetres, whatever corner it
// begins with.
func roughTriangle(kind string, at []gbx.Vec3, uvs []gbx.Vec2, index []uint32) string {
	round := func(v float32) float64 { return math.Round(float64(v)*500)/500 + 0 }
	var c []string
	for _, i := range index {
		c = append(c, fmt.Sprintf("%.3f,%.3f,%.3f/%.3f,%.3f", round(at[i].X), round(at[i].Y), round(at[i].Z), round(uvs[i].X), round(uvs[i].Y)))
	}
	first := slices.Index(c, slices.Min(c))
	return fmt.Sprint(kind, c[first], c[(first+1)%3], c[(first+2)%3])
}

// roughTriangles are the triangles of a static item.
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
		var list []uint32
		var at uint16
		for _, d := range index.IndexDeltas {
			at += uint16(d)
			list = append(list, uint32(at))
		}
		columns := stream.VertexData.Columns
		for i := 0; i+2 < len(list); i += 3 {
			out = append(out, roughTriangle(fmt.Sprint(name.MaterialName, g.LodMask), columns[0].Vec3s, columns[2].Vec2s, list[i:i+3]))
		}
	}
	slices.Sort(out)
	return out
}

// scenes are one scene in six files of Blender, with other axes, units and forms, and
// in files that assimp makes of two of them.
func scenes(t *testing.T) []string {
	assimp := peer.Program(t, "assimp", "assimp-utils")
	folder := filepath.Join("..", "..", "..", "gbx", "mesh", "model", "testdata")
	var out []string
	for _, file := range []string{"plain.fbx", "baked.fbx", "zup.fbx", "one.glb", "beside.gltf", "inside.gltf"} {
		out = append(out, filepath.Join(folder, file))
	}
	for _, from := range out[:2] {
		to := filepath.Join(t.TempDir(), "assimp-"+filepath.Base(from))
		if text, err := exec.Command(assimp, "export", from, to).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		out = append(out, to)
	}
	return out
}

// One scene in files of Blender and of assimp gives the same item in both forms:
// triangles, start, trigger and light.
func TestSameScene(t *testing.T) {
	for _, crystal := range []bool{false, true} {
		var want []string
		for _, path := range scenes(t) {
			file := filepath.Base(path)
			r, err := importer.Create(t.Context(), importer.Part{Mesh: path, Name: "Part", Author: "ada", Waypoint: "Checkpoint"}, importer.Options{Crystal: crystal})
			if err != nil || r.Model == nil {
				t.Fatalf("%s: err = %v r = %v; want no error, r.Model other than nil", file, err, r)
			}
			if !slices.ContainsFunc(r.Problems, func(p finding.Finding) bool {
				return strings.Contains(p.Message, "no area in the UV layer Lightmap (texcoord)")
			}) {
				t.Errorf("%s: no problem about the faces without an area in the lightmap", file)
			}
			got := sameItem(t, r.Model.File, crystal)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want))-1 && got[i] == want[i] {
					i++
				}
				t.Errorf("%s: %d lines, want %d:\n%s\n%s", file, len(got), len(want), got[i], want[i])
			}
		}
		if len(want) < 12 {
			t.Errorf("only %d lines", len(want))
		}
	}
}

// sameItem lists the parts of the scene's item, to the millimetre.
func sameItem(t *testing.T, f *gbx.File, crystal bool) []string {
	t.Helper()
	if crystal {
		layers, _ := gbx.Find[*plug.Chunk09003005](crystalOf(f))
		var out []string
		for _, l := range layers.Layers.List {
			text := fmt.Sprint(l.Type)
			if l.Trigger != nil {
				text += fmt.Sprint(len(l.Trigger.TriggerShape.Embedded.Geometry.Faces))
			}
			if l.Modifier != nil {
				p := &l.Modifier.Parameters
				text += fmt.Sprintf(" %.3f %.1f %d", p.SpawnPosition, math.Mod(float64(p.HorizontalAngle)+720.001, 360), len(p.Lights))
			}
			out = append(out, text)
		}
		a := takeCrystalApart(t, f)
		for i, n := range a.scene.Nodes {
			if a.kinds[i] == "_trigger_" {
				continue // its texture coordinates go by the order of corners
			}
			for _, p := range n.Mesh.Parts {
				for i := 0; i+2 < len(p.Indices); i += 3 {
					out = append(out, roughTriangle(a.link(p.Material), p.Positions, p.UVs[0], p.Indices[i:i+3]))
				}
			}
		}
		slices.Sort(out)
		return out
	}
	item, _ := gbx.Find[*gamedata.Chunk2E002019](f.Body)
	entity, _ := gbx.Find[*gamedata.Chunk2E027000](item.EntityModel.Node)
	trigger, ok := gbx.Find[*plug.Chunk0900C003](entity.TriggerShape.Node)
	if !ok || len(trigger.Surf.MeshSurf.Mesh.Triangles) != 48 {
		t.Errorf("the trigger is %+v", trigger)
	}
	text := fmt.Sprint(len(solidOf(t, f).LightInsts), " lights; start")
	for _, v := range []gbx.Vec3{entity.SpawnLocation.T, entity.SpawnLocation.Mat3.Y, entity.SpawnLocation.Mat3.Z} {
		text += fmt.Sprintf(" %.3f %.3f %.3f", v.X+1e-5, v.Y+1e-5, v.Z+1e-5)
	}
	return append(roughTriangles(t, f), text)
}
