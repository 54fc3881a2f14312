package importer

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo"
	"pakbox/nadeo/items/library"
	"pakbox/nadeo/items/static"
)

// lay writes files below a new folder. A value that begins with @ is a file of testdata.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if from, ok := strings.CutPrefix(text, "@"); ok {
			data, err := os.ReadFile(filepath.Join("testdata", from))
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	plainItem   = `<Item Type="StaticObject" Collection="Stadium" AuthorName="ada"/>`
	plainParams = `<MeshParams MeshType="Static" Collection="Stadium"><Materials><Material Name="Floor" Link="PlatformTech"/></Materials></MeshParams>`
)

// Files that the XML does not name are found by the item's name, the parameters first in
// the folder Mesh. Case and the kind of slash do not matter.
func TestFindFiles(t *testing.T) {
	named := strings.Replace(plainParams, "<MeshParams ", `<MeshParams FbxFile="sub\GATE.gltf" `, 1)
	link := strings.Replace(plainItem, "/>", `><MeshParamsLink File="sub\gate.meshparams.XML"/></Item>`, 1)
	for _, test := range []struct {
		name  string
		files map[string]string
		mesh  string
	}{
		{"beside", map[string]string{"Gate.Item.xml": plainItem, "Gate.MeshParams.xml": plainParams, "Gate.gltf": "@gate.gltf"}, "Gate.gltf"},
		{"in Mesh", map[string]string{"Gate.Item.xml": plainItem, "Mesh/Gate.MeshParams.xml": plainParams, "Mesh/Gate.gltf": "@gate.gltf", "Gate.MeshParams.xml": "broken"}, "Mesh/Gate.gltf"},
		{"fbx first", map[string]string{"Gate.Item.xml": plainItem, "Gate.MeshParams.xml": plainParams, "Gate.gltf": "broken", "Gate.glb": "broken", "Gate.fbx": "@gate.gltf"}, "Gate.fbx"},
		{"glb second", map[string]string{"Gate.Item.xml": plainItem, "Gate.meshparams.XML": plainParams, "Gate.gltf": "broken", "Gate.glb": "@gate.gltf"}, "Gate.glb"},
		{"named", map[string]string{"Gate.Item.xml": plainItem, "Gate.MeshParams.xml": named, "Sub/gate.gltf": "@gate.gltf"}, "Sub/gate.gltf"},
		{"linked", map[string]string{"Gate.Item.xml": link, "Sub/Gate.MeshParams.xml": plainParams, "Sub/Gate.gltf": "@gate.gltf"}, "Sub/Gate.gltf"},
	} {
		dir := lay(t, test.files)
		r, err := Import(t.Context(), filepath.Join(dir, "Gate.Item.xml"), Options{})
		if err != nil || r.Model == nil || r.Mesh != filepath.Join(dir, filepath.FromSlash(test.mesh)) {
			t.Errorf("%s: err = %v, r = %+v; want no error, r.Model other than nil, r.Mesh = filepath.Join(dir, filepath.FromSlash(test.mesh))", test.name, err, r)
		}
	}
}

// A missing file is reported for the file that refers to it, with its folder and name.
func TestMissing(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"item":   {nil, []string{"Gate.Item.xml", "0", "file not found in DIR: Gate.Item.xml", "write the path of a file Name.Item.xml"}},
		"params": {map[string]string{"Gate.Item.xml": plainItem}, []string{"Gate.Item.xml", "1", "file not found in DIR: Gate.MeshParams.xml", `write its name in <MeshParamsLink File="..."/>`}},
		"mesh":   {map[string]string{"Gate.Item.xml": plainItem, "Gate.MeshParams.xml": plainParams}, []string{"Gate.MeshParams.xml", "1", "file not found in DIR: Gate.fbx", `write its name in <MeshParams FbxFile="...">`}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := lay(t, test.files)
			r, err := Import(t.Context(), filepath.Join(dir, "Gate.Item.xml"), Options{})
			if err != nil || r.Model != nil || len(r.Problems) != 1 {
				t.Fatalf("%s: err = %v r = %+v; want no error, r.Model = nil, r.Problems of length 1", name, err, r)
			}
			p := r.Problems[0]
			if got := []string{filepath.Base(p.File), fmt.Sprint(p.Line), strings.ReplaceAll(p.Message, dir, "DIR"), p.Suggestion}; !slices.Equal(got, test.want) {
				t.Errorf("%s: %q, want %q", name, got, test.want)
			}
		})
	}
	if _, err := Import(t.Context(), t.TempDir(), Options{}); err == nil {
		t.Error("a folder was read as an XML file")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	dir := lay(t, map[string]string{"Gate.Item.xml": plainItem, "Gate.MeshParams.xml": plainParams, "Gate.gltf": "@gate.gltf"})
	if _, err := Import(ctx, filepath.Join(dir, "Gate.Item.xml"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled import: %v", err)
	}
	if _, err := Create(ctx, Part{Mesh: filepath.Join(dir, "Gate.gltf")}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled creation: %v", err)
	}
	if _, err := ImportMesh(ctx, filepath.Join(dir, "Gate.gltf"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled import of a mesh: %v", err)
	}
}

// The icon is Icon/NAME.tga, or .png. An unreadable one is reported, and the next is
// used.
func TestIconFile(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	picture.Set(3, 4, color.NRGBA{R: 200, A: 255})
	var b strings.Builder
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	dir := lay(t, map[string]string{"Icon/Gate.tga": "broken", "icon/gate.PNG": "", "Icon/Gate.png": b.String()})
	w := workOf()
	w.item.File = filepath.Join(dir, "Gate.Item.xml")
	if i := w.icon(); i == nil || i.Bounds().Dx() != 64 {
		t.Errorf("the icon is %v", i)
	}
	if len(w.Problems) != 1 || w.Problems[0].File != filepath.Join(dir, "Icon", "Gate.tga") || w.Failed() || !strings.HasPrefix(w.Problems[0].Message, "the icon cannot be read: ") {
		t.Errorf("w.Problems = %+v", w.Problems)
	}
	if w.item.File = filepath.Join(dir, "Other.Item.xml"); w.icon() != nil || len(w.Problems) != 1 {
		t.Error("an item without an icon has one")
	}
}

// Levels of detail come from files of their own. Each keeps to its level; a trigger and a
// start belong to all of them.
func TestCreateLevels(t *testing.T) {
	dir := lay(t, map[string]string{"gate.gltf": "@gate.gltf", "far.gltf": "@gate.gltf", "broken.gltf": "{}"})
	gate, far := filepath.Join(dir, "gate.gltf"), filepath.Join(dir, "far.gltf")
	changed := time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.Chtimes(gate, changed, changed); err != nil {
		t.Fatal(err)
	}
	p := Part{Mesh: gate, Lods: []string{far, far}, Name: "Gate"}
	w := &work{}
	if err := w.readLevels(p); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range w.scene.Nodes {
		names = append(names, n.Name)
	}
	if got := strings.Join(names, " "); got != "Wall_Lod0 _trigger_arch _socket_start Wall_Lod1 _trigger_arch _socket_start Wall_Lod2 _trigger_arch _socket_start" || !w.Time.Equal(changed) {
		t.Errorf("%s at %v", got, w.Time)
	}
	early := changed.Add(-time.Hour)
	if w = (&work{Options: Options{Time: early}}); w.readLevels(Part{Mesh: gate}) != nil || w.Time != early || w.scene.Nodes[0].Name != "Wall" {
		t.Errorf(`w.Time = %v w.scene.Nodes[0].Name = %v; want w.readLevels(Part{Mesh: gate}) = nil, w.Time = %v, w.scene.Nodes[0].Name = "Wall"`, w.Time, w.scene.Nodes[0].Name, early)
	}
	for _, bad := range []string{"none.gltf", "broken.gltf"} {
		_, err := Create(t.Context(), Part{Mesh: gate, Lods: []string{filepath.Join(dir, bad)}, Name: "Gate"}, Options{})
		if err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: err = %v; want an error, err with %q", bad, err, bad)
		}
	}
	var f *fault.Error
	if _, err := Create(t.Context(), Part{Mesh: filepath.Join(dir, "broken.gltf")}, Options{}); !errors.As(err, &f) {
		t.Errorf("a broken mesh: %v", err)
	}
}

// An item made without XML files is in the Stadium unless the caller chooses otherwise, and
// content that the games cannot store is reported.
func TestCreate(t *testing.T) {
	dir := lay(t, map[string]string{"gate.gltf": "@gate.gltf"})
	part := func() Part {
		p := Part{Mesh: filepath.Join(dir, "gate.gltf"), Name: "Gate", Author: "ada", Description: "A gate.", Waypoint: "Checkpoint", FlyStep: 2, Pivots: [][3]float64{{1, 2, 3}}}
		p.GridSnap.HStep, p.GridSnap.VOffset = 4, 1
		return p
	}
	p := part()
	r, err := Create(t.Context(), p, Options{Crystal: true, Game: nadeo.ManiaPlanet4})
	if err != nil || r.Failed() || r.MadeFor != nadeo.ManiaPlanet4 {
		t.Fatalf("err = %v r = %+v; want no error, r.Failed() = false, r.MadeFor = nadeo.ManiaPlanet4", err, r)
	}
	place, _ := r.Model.Placement()
	if place.PivotSnap != -1 || place.FlyStep != 2 || place.GridStep.X != 4 || place.GridOffset.Y != 1 || !place.YawOnly || fmt.Sprint(place.Pivots) != "[{1 2 3}]" {
		t.Errorf("placed as %+v", place)
	}
	if r.Model.Name() != "Gate" || r.Model.Author() != "ada" || r.Model.Description() != "A gate." || !r.Model.HasIcon() || r.Model.Waypoint() != gamedata.CGameItemModelWaypointTypeCheckpoint {
		t.Errorf("%s by %s: %s", r.Model.Name(), r.Model.Author(), r.Model.Description())
	}
	p = part()
	p.Name, p.Description, p.Collection = "a\x00b", "c\x00d", "Canyon"
	if r, err = Create(t.Context(), p, Options{Crystal: true}); err != nil || r.Model != nil {
		t.Fatalf("err = %v r = %+v; want no error, r.Model = nil", err, r)
	}
	bad, environment := 0, false
	for _, f := range r.Problems {
		if f.Suggestion == "write another name" {
			bad++
		}
		environment = environment || strings.Contains(f.Message, "has no environment Canyon")
	}
	if bad != 2 || !environment {
		t.Errorf("r.Problems = %v; want bad = 2, environment = true", r.Problems)
	}
	// A trigger without a waypoint is reported in the words of the command line.
	p = part()
	p.Waypoint = ""
	r, _ = Create(t.Context(), p, Options{Crystal: true})
	if i := slices.IndexFunc(r.Problems, func(f finding.Finding) bool { return f.Suggestion == "say --waypoint Checkpoint" }); i < 0 || r.Model == nil {
		t.Errorf("r.Problems = %v; want i at least 0, r.Model other than nil", r.Problems)
	}
}

const planetItem = `<Item Type="StaticObject" Collection="Stadium" AuthorName="ada">
 <Waypoint Type="Finish"/>
 <Phy><MoveShape Type="mesh" File="Sub/Gate.Shape.gbx"/><TriggerShape Type="mesh" File="Sub/GateTrigger.Shape.gbx"/></Phy>
 <Vis><Mesh File="Sub/Gate.Mesh.gbx"/></Vis>
</Item>`

// An item of ManiaPlanet names its files as Windows does. Without a shape cars pass
// through it, and a finish without a trigger cannot be made.
func TestManiaPlanetItem(t *testing.T) {
	for _, test := range []struct{ old, new, want, told string }{
		{"", "", `[Sub\Gate.Mesh.gbx Sub\Gate.Shape.gbx Sub\GateTrigger.Shape.gbx]`, "[]"},
		{`<MoveShape Type="mesh" File="Sub/Gate.Shape.gbx"/>`, "", `[Sub\Gate.Mesh.gbx Sub\GateTrigger.Shape.gbx]`, "[warning Gate.Item.xml 1 Phy: the item has no shape: cars pass through it]"},
		{`<TriggerShape Type="mesh" File="Sub/GateTrigger.Shape.gbx"/>`, "", "", "[error Gate.Item.xml 2 Phy: a Finish needs a trigger]"},
		{`"Stadium"`, `"Stadium256"`, "", "[error Gate.Item.xml 1 Item: ManiaPlanet4 has no environment Stadium256]"},
		{`"StaticObject"`, `"DynaObject"`, "", "[error Gate.Item.xml 1 Item: only static objects can be made]"},
	} {
		dir := lay(t, map[string]string{"Gate.Item.xml": strings.Replace(planetItem, test.old, test.new, 1)})
		r, err := Import(t.Context(), filepath.Join(dir, "Gate.Item.xml"), Options{})
		if err != nil || r.MadeFor != nadeo.ManiaPlanet4 {
			t.Fatalf("err = %v, r = %v; want no error, r.MadeFor = nadeo.ManiaPlanet4", err, r)
		}
		got := ""
		if r.Model != nil {
			got = fmt.Sprint(r.Model.Files())
		}
		w := work{Result: *r}
		for i := range w.Problems {
			w.Problems[i].File = filepath.Base(w.Problems[i].File)
		}
		if got != test.want || strings.ReplaceAll(fmt.Sprint(w.problemLines()), "ManiaPlanet 4", "ManiaPlanet4") != test.told {
			t.Errorf(`%s: got = %s, w.problemLines() = %v; want got = %s, strings.ReplaceAll(fmt.Sprint(w.problemLines()), "ManiaPlanet 4", "ManiaPlanet4") = %v`, test.old, got, w.problemLines(), test.want, test.told)
		}
	}
	start := strings.NewReplacer(`"Finish"`, `"Start"`, `<TriggerShape Type="mesh" File="Sub/GateTrigger.Shape.gbx"/>`, "").Replace(planetItem)
	dir := lay(t, map[string]string{"Gate.Item.xml": start})
	if r, err := Import(t.Context(), filepath.Join(dir, "Gate.Item.xml"), Options{}); err != nil || r.Model == nil || len(r.Problems) > 0 {
		t.Errorf("a start: %v %v", err, r.Problems)
	}
}

// A material of ManiaPlanet has the surface of real items or of 2020's material of the
// same name, else that of concrete, which is reported. It takes the layers that the mesh has.
func TestManiaPlanetMaterials(t *testing.T) {
	for _, test := range []struct{ link, model, texture, physics, want, told string }{
		{"PlatformTech", "", "", "", "PlatformTech Asphalt 2 1", "[]"},
		{"Unheard", "", "", "", "Unheard Concrete 2 1", "[warning Part.MeshParams.xml 4 PlatformTech: how the material PlatformTech drives is not known: it drives like concrete]"},
		{"Unheard", "", "", "Ice", "Unheard Ice 2 1", "[]"},
		{"", "TDSN", "Own", "Ice", " Ice 2 1", "[]"},
		{"", "TDSN", "", "", "", "[error Part.MeshParams.xml 4 PlatformTech: the material PlatformTech has neither a Link nor a Model with a BaseTexture]"},
		{"", "", "Own", "", "", "[error Part.MeshParams.xml 4 PlatformTech: the material PlatformTech has neither a Link nor a Model with a BaseTexture]"},
	} {
		w := workOf(node("a", mapped(square())))
		m := &w.params.Materials[0]
		w.Game, m.Link, m.Model, m.BaseTexture, m.PhysicsID = nadeo.ManiaPlanet4, test.link, test.model, test.texture, test.physics
		o, got := &static.Item{}, ""
		if w.gather(o); len(o.Solid.Materials) == 1 {
			m := o.Solid.Materials[0]
			got = fmt.Sprint(m.Link, " ", library.SurfaceName(m.Surface), " ", m.UVLayers, m.Lightmap)
		}
		if got != test.want || fmt.Sprint(w.problemLines()) != test.told {
			t.Errorf("%+v: got = %s; w.problemLines() = %v; want got = %s, fmt.Sprint(w.problemLines()) = %v", test, got, w.problemLines(), test.want, test.told)
		}
	}
	w := workOf(node("a", mapped(square())))
	w.Game, w.scene.Nodes[0].Mesh.UVLayers = nadeo.ManiaPlanet4, w.scene.Nodes[0].Mesh.UVLayers[:1]
	o := &static.Item{}
	if w.gather(o); len(o.Solid.Materials) != 1 || o.Solid.Materials[0].UVLayers != 1 || o.Solid.Materials[0].Lightmap != -1 {
		t.Errorf("one layer: %+v", o.Solid.Materials)
	}
}

// The files of a mesh: for ManiaPlanet the shape lists the surfaces of the materials, a
// trigger has a shape of its own, and neither the trigger, nor what cars pass through,
// nor a coarser level is in the shape.
func TestMeshFiles(t *testing.T) {
	for game, want := range map[nadeo.Generation]string{nadeo.ManiaPlanet4: "[3]", nadeo.Trackmania2020: "[]"} {
		w := workOf(node("a_Lod0", mapped(square())), node("a_Lod1", mapped(square())), node("_notcollidable_b", mapped(square())), node("_trigger_c", square()), node("_notvisible_d", mapped(square())), node("e", nil), node("_socket_start", square()))
		w.item, w.Game, w.params.Materials[0].PhysicsID = nil, game, "Ice"
		files := w.meshFiles("Gate")
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
		}
		if fmt.Sprint(names) != "[Gate.Mesh.gbx Gate.Shape.gbx GateTrigger.Shape.gbx]" {
			t.Fatalf(`%s: names = %v w.problemLines() = %v; want fmt.Sprint(names) = "[Gate.Mesh.gbx Gate.Shape.gbx GateTrigger.Shape.gbx]"`, game, names, w.problemLines())
		}
		shape, _ := gbx.Find[*plug.Chunk0900C003](files[1].GBX.Body)
		trigger, _ := gbx.Find[*plug.Chunk0900C003](files[2].GBX.Body)
		var kinds []uint16
		for _, m := range shape.Materials {
			kinds = append(kinds, m.SurfaceID)
		}
		if len(shape.Surf.MeshSurf.Mesh.Triangles) != 4 || len(trigger.Surf.MeshSurf.Mesh.Triangles) != 2 || fmt.Sprint(kinds) != want {
			t.Errorf("%s: %d and %d triangles, surfaces %v", game, len(shape.Surf.MeshSurf.Mesh.Triangles), len(trigger.Surf.MeshSurf.Mesh.Triangles), kinds)
		}
	}
	w := workOf(node("_notvisible_d", mapped(square())))
	if files := w.meshFiles("Gate"); files != nil || !w.Failed() {
		t.Errorf("%v of a mesh that nobody sees: %v", files, w.problemLines())
	}
	if files := (workOf(node("a", mapped(square())))).meshFiles("Gate"); len(files) != 2 {
		t.Errorf("%d files without a trigger", len(files))
	}
	dir := lay(t, map[string]string{"gate.gltf": "@gate.gltf"})
	r, err := ImportMesh(t.Context(), filepath.Join(dir, "gate.gltf"), Options{})
	if err != nil || r.Files != nil || len(r.Problems) != 1 || r.Problems[0].Suggestion != "put it beside the mesh" || r.Problems[0].File != filepath.Join(dir, "gate.gltf") {
		t.Errorf("without parameters: %v %+v", err, r)
	}
}

// The icon of a mesh shows its finest level, in the surface's colour or the material's
// own, on nothing.
func TestDrawnIcon(t *testing.T) {
	w := workOf(node("a_Lod0", mapped(square())))
	o := w.assemble()
	o.Solid.Materials[0].Color = &[3]uint8{250, 0, 0}
	icon, err := drawIcon(t.Context(), &o.Solid)
	if err != nil || icon.Bounds().Dx() != 64 || icon.Bounds().Dy() != 64 {
		t.Fatalf("err = %v, icon = %v; want no error, icon.Bounds().Dx() = 64, icon.Bounds().Dy() = 64", err, icon)
	}
	r, g, b, a := icon.At(32, 32).RGBA()
	if _, _, _, none := icon.At(0, 0).RGBA(); none != 0 || a != 0xFFFF || r < 0x4000 || g > 0x1000 || b > 0x1000 {
		t.Errorf("the middle is %x %x %x %x, the edge %x", r, g, b, a, none)
	}
	o.Solid.Parts[0].Levels = 2
	if icon, err = drawIcon(t.Context(), &o.Solid); err == nil {
		if _, _, _, a = icon.At(32, 32).RGBA(); a != 0 {
			t.Error("the icon shows the coarser level")
		}
	}
}
