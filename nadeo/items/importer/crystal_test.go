package importer_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/importer"
	"pakbox/nadeo/items/library"
)

// crystalOf is the crystal of an item, nil if it has none.
func crystalOf(f *gbx.File) *gbx.Node {
	c, ok := gbx.Find[*gamedata.Chunk2E002019](f.Body)
	if !ok {
		return nil
	}
	e, ok := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node)
	if !ok {
		return nil
	}
	return e.MeshCrystal.Node
}

// apart is an item taken apart: its scene, whose materials are m0, m1 and so on, and
// what these are. Equal materials are one.
type apart struct {
	scene     *mesh.Scene
	materials []*plug.Chunk090FD000
	kinds     []string // of the scene's nodes: what their names begin with
}

func takeCrystalApart(t *testing.T, f *gbx.File) (a apart) {
	t.Helper()
	crystal := crystalOf(f)
	list, _ := gbx.Find[*plug.Chunk09003003](crystal)
	var keys []string
	for _, m := range list.Materials {
		c, _ := gbx.Find[*plug.Chunk090FD000](m.UserInst.Node)
		key := fmt.Sprint(c.Link, c.SurfacePhysicID, c.SurfaceGameplayID, c.Color)
		i := slices.Index(keys, key)
		if i < 0 {
			i = len(keys)
			keys, a.materials = append(keys, key), append(a.materials, c)
		}
		c.MaterialName = gbx.NewID(fmt.Sprint("m", i))
	}
	var err error
	if a.scene, err = mesh.Read(f, mesh.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range a.scene.Materials {
		a.scene.Materials[i].Link = ""
	}
	layers, _ := gbx.Find[*plug.Chunk09003005](crystal)
	for _, l := range layers.Layers.List {
		g := l.Geometry
		switch {
		case l.Trigger != nil:
			a.kinds = append(a.kinds, "_trigger_")
		case g == nil || len(g.Crystal.Embedded.Geometry.Faces) == 0:
		case !g.IsVisible.True():
			a.kinds = append(a.kinds, "_notvisible_")
		case !g.IsCollidable.True():
			a.kinds = append(a.kinds, "_notcollidable_")
		default:
			a.kinds = append(a.kinds, "part_")
		}
	}
	if len(a.kinds) != len(a.scene.Nodes) {
		t.Fatalf("%d layers and %d nodes", len(a.kinds), len(a.scene.Nodes))
	}
	return a
}

// material describes a material of the scene.
func (a apart) material(index int) *plug.Chunk090FD000 {
	i := 0
	fmt.Sscanf(a.scene.Materials[index].Name, "m%d", &i)
	return a.materials[i]
}

func (a apart) link(index int) string { return a.material(index).Link }

// triangles are the triangles as texts, sorted: how they are seen and run into, the
// material, places and texture coordinates.
func (a apart) triangles() []string {
	var out []string
	for _, n := range a.scene.Nodes {
		for _, p := range n.Mesh.Parts {
			c := a.material(p.Material)
			for k := 0; k+2 < len(p.Indices); k += 3 {
				text := fmt.Sprint(n.Name, c.Link, c.SurfacePhysicID, c.SurfaceGameplayID, c.Color)
				at := [3]gbx.Vec3{}
				for j, v := range p.Indices[k : k+3] {
					at[j] = p.Positions[v]
					text += fmt.Sprintf(" %.7g,%.7g,%.7g", at[j].X+0, at[j].Y+0, at[j].Z+0)
					for _, uv := range p.UVs {
						text += fmt.Sprintf("/%.3f,%.3f", uv[v].X+1e-6, uv[v].Y+1e-6)
					}
				}
				if at[0] != at[1] && at[1] != at[2] && at[2] != at[0] {
					out = append(out, strings.ReplaceAll(text, "-0.000", "0.000"))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// write writes the item as a glTF file, the importer's two XML files and an icon.
func (a apart) write(t *testing.T, m *items.Model, dir string) string {
	t.Helper()
	for i, n := range a.scene.Nodes {
		n.Name = fmt.Sprint(a.kinds[i], i)
	}
	var glb, params strings.Builder
	if err := gltf.Write(&glb, a.scene, "part"); err != nil {
		t.Fatal(err)
	}
	for i, n := range a.scene.Nodes {
		n.Name = a.kinds[i]
	}
	params.WriteString(`<MeshParams MeshType="Static" Collection="Stadium" FbxFile="part.glb"><Materials>`)
	for i, c := range a.materials {
		fmt.Fprintf(&params, `<Material Name="m%d" Link="%s" PhysicsId="%s"`, i, c.Link, library.SurfaceName(c.SurfacePhysicID))
		if len(c.Color) == 3 {
			fmt.Fprintf(&params, ` Color="%02X%02X%02X"`, c.Color[0], c.Color[1], c.Color[2])
		}
		params.WriteString("/>")
	}
	params.WriteString("</Materials></MeshParams>")
	path := filepath.Join(dir, strings.TrimPrefix(m.Name(), "\ufeff")+".Item.xml")
	files := map[string]string{"part.glb": glb.String(), "part.MeshParams.xml": params.String(), filepath.Base(path): itemXML(m)}
	if h, ok := gbx.FindHeader[*gamedata.Header2E001004](&m.File.Header); ok {
		icon, err := webp.Decode(bytes.NewReader(h.Webp))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, icon); err != nil {
			t.Fatal(err)
		}
		files["Icon/"+strings.TrimSuffix(filepath.Base(path), ".Item.xml")+".png"] = b.String()
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// itemXML is the importer's file about an item.
func itemXML(m *items.Model) string {
	p, _ := m.Placement()
	waypoint, pivots := "", ""
	if w := m.Waypoint().String(); w != "None" {
		waypoint = fmt.Sprintf("<Waypoint Type=%q/>", w)
	}
	for _, v := range p.Pivots {
		pivots += fmt.Sprintf(`<Pivot Pos="%g %g %g"/>`, v.X, v.Y, v.Z)
	}
	var author bytes.Buffer
	xml.EscapeText(&author, []byte(m.Author()))
	return fmt.Sprintf(`<Item Type="StaticObject" Collection="Stadium" AuthorName="%s"><MeshParamsLink File="part.MeshParams.xml"/>%s<Pivots>%s</Pivots>
		<GridSnap HStep="%g" VStep="%g" HOffset="%g" VOffset="%g"/><Levitation VStep="%g" VOffset="%g" GhostMode="%t"/><PivotSnap Distance="%g"/>
		<Options NotOnItem="%t" AutoRotation="%t" ManualPivotSwitch="%t"/></Item>`, author.String(), waypoint, pivots, p.GridStep.X, p.GridStep.Y,
		p.GridOffset.X, p.GridOffset.Y, p.FlyStep, p.FlyOffset, p.GhostMode, p.PivotSnap, p.NotOnObject, p.AutoRotation, p.SwitchPivotManually)
}

// crystalStructure is the chunks of an item, of its edition, placement and crystal and
// of its materials, with their versions, in their order. Equal lines of materials
// stand once.
func crystalStructure(f *gbx.File) (out []string) {
	for _, h := range f.Chunks {
		out = append(out, fmt.Sprintf("header %08X %v", uint32(h.ID), h.Heavy))
	}
	add := func(what string, n *gbx.Node) {
		text := what
		for _, c := range n.Chunks {
			v, _ := chunks.ChunkVersion(c.Body)
			text += fmt.Sprintf(" %08X.%d %v", uint32(c.ID), v, c.Skip)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	add("item", f.Body)
	c, _ := gbx.Find[*gamedata.Chunk2E002019](f.Body)
	add("edition", c.EntityModelEdition.Node)
	p, _ := gbx.Find[*gamedata.Chunk2E00201C](f.Body)
	add("placement", p.DefaultPlacement.Node)
	class, _ := gbx.Find[*gamedata.Chunk2E020005](p.DefaultPlacement.Node)
	add("class", class.PlacementClass.Node)
	crystal := crystalOf(f)
	add("crystal", crystal)
	materials, _ := gbx.Find[*plug.Chunk09003003](crystal)
	for _, m := range materials.Materials {
		add("material", m.UserInst.Node)
	}
	layers, _ := gbx.Find[*plug.Chunk09003005](crystal)
	for _, l := range layers.Layers.List {
		if l.Geometry != nil {
			text := fmt.Sprint("layer ", l.Type, l.Version, l.TypeVersion, " ", l.Geometry.Crystal.Version)
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// All crystals of the present generation, taken apart to glTF and XML and built
// again as crystals, have the same chunks, triangles, materials, surfaces, waypoint,
// placement and icon.
func TestRebuildCrystals(t *testing.T) {
	items40, triangles := 0, 0
	for path, data := range corpus.GBX(t, "2e002000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		m, err := items.ModelOf(f)
		if err != nil || crystalOf(f) == nil {
			continue
		}
		if c, _ := gbx.Find[*gamedata.Chunk2E00201F](f.Body); c.Version != 12 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := takeCrystalApart(t, f)
			r, err := importer.Import(t.Context(), want.write(t, m, t.TempDir()), importer.Options{Crystal: true})
			if err != nil || r.Model == nil {
				t.Fatalf("err = %v, r.Problems = %v; want no error, r.Model other than nil", err, r.Problems)
			}
			out, err := r.Model.File.Encode()
			if err != nil {
				t.Fatal(err)
			}
			again, err := gbx.Parse(out, engine.Registry())
			if err != nil {
				t.Fatal(err)
			}
			if got, want := crystalStructure(again), crystalStructure(f); !slices.Equal(got, want) {
				t.Errorf("chunks:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			made := takeCrystalApart(t, again)
			for i, n := range made.scene.Nodes {
				n.Name = made.kinds[i]
			}
			got, all := made.triangles(), want.triangles()
			if !slices.Equal(got, all) {
				i := 0
				for i < min(len(got), len(all))-1 && got[i] == all[i] {
					i++
				}
				t.Errorf("%d triangles, want %d:\n%s\n%s", len(got), len(all), got[i], all[i])
			}
			model, _ := items.ModelOf(again)
			gotPlace, _ := model.Placement()
			wantPlace, _ := m.Placement()
			if !reflect.DeepEqual(gotPlace, wantPlace) || model.Waypoint() != m.Waypoint() || model.Author() != m.Author() || model.HasIcon() != m.HasIcon() {
				t.Errorf("placed as %+v, want %+v", gotPlace, wantPlace)
			}
			items40++
			triangles += len(all)
		})
	}
	if items40 < 40 || triangles < 50000 {
		t.Errorf("only %d items with %d triangles", items40, triangles)
	}
	t.Log(items40, "items,", triangles, "triangles")
}
