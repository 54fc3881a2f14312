package importer_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/importer"
	"pakbox/nadeo/items/library"
)

// staticItems are the items at hand in the form of the importer.
func staticItems(t *testing.T) []string {
	out := []string{filepath.Join(corpus.Dir(t, "importer"), "NadeoStairs.Item.Gbx")}
	for _, name := range []string{"1575086d7ea8", "28a58976dd26", "bbb93eea18c3", "ccb2d559a026", "d0045323a1db", "e5e1584ebb66"} {
		out = append(out, filepath.Join(corpus.Dir(t, "gbx"), "2e002000", name+".Item.Gbx"))
	}
	return out
}

// takeApart writes an item as a glTF file and the importer's two XML files.
func takeApart(t *testing.T, m *items.Model, dir string) string {
	t.Helper()
	scene, err := m.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	var glb bytes.Buffer
	if err := gltf.Write(&glb, scene, "part"); err != nil {
		t.Fatal(err)
	}
	var params strings.Builder
	params.WriteString(`<MeshParams MeshType="Static" Collection="Stadium" FbxFile="part.glb"><Materials>`)
	for _, v := range materialsOf(t, m.File) {
		fmt.Fprintf(&params, `<Material Name=%q Link=%q PhysicsId=%q`, v.MaterialName.String(), v.LinkID.String(), library.SurfaceName(v.SurfacePhysicID))
		if len(v.Color) == 3 {
			fmt.Fprintf(&params, ` Color="%02X%02X%02X"`, v.Color[0], v.Color[1], v.Color[2])
		}
		params.WriteString("/>")
	}
	params.WriteString("</Materials></MeshParams>")
	p, _ := m.Placement()
	waypoint := ""
	if w := m.Waypoint().String(); w != "None" {
		waypoint = fmt.Sprintf("<Waypoint Type=%q/>", w)
	}
	xml := fmt.Sprintf(`<Item Type="StaticObject" Collection="Stadium" AuthorName=%q><MeshParamsLink File="part.MeshParams.xml"/>%s
		<GridSnap HStep="%g" VStep="%g" HOffset="%g" VOffset="%g"/><Levitation VStep="%g" VOffset="%g"/><PivotSnap Distance="%g"/>
		<Options NotOnItem="%t" AutoRotation="%t" ManualPivotSwitch="%t"/></Item>`, m.Author(), waypoint, p.GridStep.X, p.GridStep.Y,
		p.GridOffset.X, p.GridOffset.Y, p.FlyStep, p.FlyOffset, p.PivotSnap, p.NotOnObject, p.AutoRotation, p.SwitchPivotManually)
	path := filepath.Join(dir, m.Name()+".Item.xml")
	for name, data := range map[string]string{"part.glb": glb.String(), "part.MeshParams.xml": params.String(), filepath.Base(path): xml} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func materialsOf(t *testing.T, f *gbx.File) []*plug.Chunk090FD000 {
	var out []*plug.Chunk090FD000
	for _, m := range solidOf(t, f).CustomMaterials {
		c, ok := gbx.Find[*plug.Chunk090FD000](m.UserInst.Node)
		if !ok {
			t.Fatal("a material has no values")
		}
		out = append(out, c)
	}
	return out
}

// trianglesOf are the triangles of an item as texts, sorted: material, levels, and
// three corners with positions and texture coordinates.
func trianglesOf(t *testing.T, f *gbx.File) []string {
	solid := solidOf(t, f)
	var out []string
	for _, g := range solid.ShadedGeoms {
		node := solid.Visuals[g.VisualIndex].Node
		v, _ := gbx.Find[*plug.Chunk0900600F](node)
		stream, _ := gbx.Find[*plug.Chunk09056000](v.VertexStreams[0].Node)
		buffer, _ := gbx.Find[*plug.Chunk0906A001](node)
		var index []uint16
		if c, ok := gbx.Find[*plug.Chunk09057001](buffer.IndexBuffer.Node); ok {
			var at uint16
			for _, d := range c.IndexDeltas {
				at += uint16(d)
				index = append(index, at)
			}
		} else if c, ok := gbx.Find[*plug.Chunk09057000](buffer.IndexBuffer.Node); ok {
			index = c.Indices
		}
		for i := 0; i+2 < len(index); i += 3 {
			text := fmt.Sprint(g.MaterialIndex, " ", g.LodMask)
			for _, k := range index[i : i+3] {
				p := stream.VertexData.Columns[0].Vec3s[k]
				text += fmt.Sprintf(" %.6g,%.6g,%.6g", p.X+0, p.Y+0, p.Z+0)
				for _, c := range stream.VertexData.Columns {
					if len(c.Vec2s) > 0 {
						text += fmt.Sprintf("/%.4f,%.4f", c.Vec2s[k].X+0, c.Vec2s[k].Y+0)
					}
				}
			}
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return out
}

// All static items at hand, taken apart to glTF and XML and built again, have the
// same triangles, materials, surfaces, levels, waypoint and placement.
func TestRebuild(t *testing.T) {
	for _, path := range staticItems(t) {
		m, err := items.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := importer.Import(context.Background(), takeApart(t, m, t.TempDir()), importer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Model == nil {
			t.Fatalf("%s: r.Problems = %v; want r.Model other than nil", path, r.Problems)
		}
		if got, want := trianglesOf(t, r.Model.File), trianglesOf(t, m.File); !slices.Equal(got, want) {
			t.Errorf("%s: %d triangles, want %d\n%v\n%v", path, len(got), len(want), got[:2], want[:2])
		}
		got, want := materialsOf(t, r.Model.File), materialsOf(t, m.File)
		for i := range want {
			if i >= len(got) || got[i].MaterialName.String() != want[i].MaterialName.String() || got[i].LinkID.String() != want[i].LinkID.String() ||
				got[i].SurfacePhysicID != want[i].SurfacePhysicID || !slices.Equal(got[i].Color, want[i].Color) {
				t.Errorf("%s: material %d is %+v, want %+v", path, i, got[i], want[i])
			}
		}
		gotPlace, _ := r.Model.Placement()
		wantPlace, _ := m.Placement()
		if !reflect.DeepEqual(gotPlace, wantPlace) || r.Model.Waypoint() != m.Waypoint() {
			t.Errorf("%s: placed as %+v, want %+v", path, gotPlace, wantPlace)
		}
	}
}

// The items of 2020 have an older generation's chunks. All others are those of
// NadeoStairs: numbers, versions and order.
func TestStructure(t *testing.T) {
	list := staticItems(t)
	var want []string
	for _, path := range list {
		m, err := items.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := importer.Import(t.Context(), takeApart(t, m, t.TempDir()), importer.Options{})
		if err != nil || r.Model == nil {
			t.Fatalf("err = %v, r.Problems = %v; want no error, r.Model other than nil", err, r.Problems)
		}
		var got []string
		for _, c := range r.Model.File.Body.Chunks {
			got = append(got, fmt.Sprintf("%08X %v", uint32(c.ID), c.Skip))
		}
		if want == nil {
			for _, c := range m.File.Body.Chunks {
				want = append(want, fmt.Sprintf("%08X %v", uint32(c.ID), c.Skip))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: chunks %v, want %v", path, got, want)
		}
	}
}
