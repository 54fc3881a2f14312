package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/nadeo/items/importer"
)

const gateItem = `<?xml version="1.0"?>
<Item AuthorName="ada" Collection="Stadium" Type="StaticObject">
 <MeshParamsLink File="Gate.MeshParams.xml"/>
 <Waypoint Type="Checkpoint"/>
 <Pivots><Pivot Pos="0 1.5 0"/></Pivots>
 <GridSnap HStep="4" VStep="2"/>
 <Levitation VStep="3"/>
 <PivotSnap Distance="2"/>
 <Options AutoRotation="true"/>
</Item>`

const gateParams = `<?xml version="1.0"?>
<MeshParams MeshType="Static" Collection="Stadium" Scale="1" FbxFile="gate.gltf">
 <Materials>
  <Material Name="Floor" Link="PlatformTech" PhysicsId="Ice" GameplayId="Turbo"/>
 </Materials>
</MeshParams>`

// broken are mistakes: in which file what stands instead of what, the line and the
// object of the message, a part of it, and a part of what to do.
var broken = []struct {
	file, old, new string
	line           int
	object         string
	message, todo  string
	severity       finding.Severity
}{
	{"item", `</Item>`, ``, 10, "", "XML cannot be read", "correct the XML", "error"},
	{"item", `<Item `, `<Itemm `, 10, "", "XML cannot be read", "correct", "error"},
	{"item", gateItem, `<MeshParams/>`, 1, "", "first element is MeshParams, not Item", "first element is Item", "error"},
	{"item", gateItem, ``, 1, "", "first element is nothing", "give the file", "error"},
	{"item", ` Collection="Stadium"`, ``, 2, "Item", "names no Collection", `Collection="Stadium"`, "error"},
	{"item", `"Stadium"`, `"Stadion"`, 2, "Item", `Collection="Stadion" is an invalid value`, "write Stadium", "error"},
	{"item", `"Stadium"`, `"Canyon"`, 1, "Item", "no environment Canyon", `Collection="Stadium"`, "error"},
	{"item", `StaticObject`, `StaticObjct`, 2, "Item", `Type="StaticObjct" is an invalid value`, "write StaticObject", "error"},
	{"item", `StaticObject`, `Character`, 1, "Item", "only static objects", `Type="StaticObject"`, "error"},
	{"item", `AuthorName="ada" `, ``, 2, "Item", "names no AuthorName", "AuthorName=", "warning"},
	{"item", `AuthorName`, `Author`, 2, "Item", "has no attribute Author", "write AuthorName", "warning"},
	{"item", `Gate.MeshParams.xml`, `Other.MeshParams.xml`, 1, "", "file not found in ", "MeshParamsLink", "error"},
	{"item", `Type="Checkpoint"`, `Type="Goal"`, 4, "Waypoint", `Type="Goal" is an invalid value`, "Start, Checkpoint, Finish", "error"},
	{"item", ` <Waypoint Type="Checkpoint"/>`, ``, 1, "", "has a trigger, but the item is not a waypoint", `<Waypoint Type="Checkpoint"/>`, "warning"},
	{"item", `"0 1.5 0"`, `"0 1.5"`, 5, "Pivot", "not three numbers", "three numbers", "error"},
	{"item", `"0 1.5 0"`, `"0 1,5 0 x"`, 5, "Pivot", "not three numbers", "three numbers", "error"},
	{"item", `HStep="4"`, `HStep="four"`, 6, "GridSnap", "is not a number", "with a point", "error"},
	{"item", `HStep="4"`, `HStep="-4"`, 6, "GridSnap", "below 0", "0 for no grid", "error"},
	{"item", `<GridSnap`, `<GridSnapp`, 6, "GridSnapp", "no element GridSnapp", "write GridSnap", "warning"},
	{"item", `Distance="2"`, `Dist="2"`, 8, "PivotSnap", "no attribute Dist", "write Distance", "warning"},
	{"item", `AutoRotation="true"`, `AutoRotation="ja"`, 9, "Options", "neither true nor false", "true or false", "error"},
	{"params", `</MeshParams>`, `</Mesh>`, 6, "", "XML cannot be read", "correct", "error"},
	{"params", `Static"`, `Fixed"`, 2, "MeshParams", `MeshType="Fixed" is an invalid value`, "Static, Dyna", "error"},
	{"params", `Scale="1"`, `Scale="0"`, 2, "MeshParams", "makes nothing", "above 0", "error"},
	{"params", `Scale="1"`, `Scale="1,5"`, 2, "MeshParams", "is not a number", "with a point", "error"},
	{"params", `gate.gltf`, `gate.fbx`, 1, "", "file not found in ", "FbxFile", "error"},
	{"params", `Name="Floor" `, ``, 4, "", "a material has no Name", "called in the mesh", "error"},
	{"params", `Name="Floor"`, `Name="Flor"`, 1, "Wall", "object Wall has the material Floor, which is not described", `<Material Name="Floor"`, "error"},
	{"params", `Link="PlatformTech"`, ``, 4, "Floor", "has no Link", `Link="PlatformTech"`, "error"},
	{"params", `PlatformTech`, `PlatfromTech`, 4, "Floor", "library does not have", "write PlatformTech", "error"},
	{"params", `"Ice"`, `"Icy"`, 4, "Material", `PhysicsId="Icy" is an invalid value`, "write Ice", "error"},
	{"params", `"Turbo"`, `"Turbo3"`, 4, "Material", `GameplayId="Turbo3" is an invalid value`, "write Turbo", "error"},
	{"params", `Link=`, `Color="red" Link=`, 4, "Floor", "is not a colour", `Color="F00"`, "error"},
	{"params", `Link=`, `Color="F00" Link=`, 4, "Floor", "takes no Color", "take Color out", "warning"},
	{"params", `Link=`, `Lnik="x" Link=`, 4, "Material", "no attribute Lnik", "write Link", "warning"},
	{"params", ` </Materials>`, ` </Materials><Lights><Light Name="Lamp" Type="Spot"/></Lights>`, 5, "Lamp", "no light Lamp", "export the light", "error"},
	{"params", ` </Materials>`, `<Material Name="Floor" Link="RoadTech"/></Materials>`, 5, "Floor", "described twice", "keep one", "warning"},
	{"mesh", `{"asset"`, `{"aset"`, 0, "", "the mesh cannot be read", "export the mesh again", "error"},
	{"mesh", `"_socket_start"`, `"socket"`, 0, "_socket_start", "needs one object _socket_start; the mesh has 0", "add one empty", "error"},
	{"mesh", `"_trigger_arch"`, `"arch"`, 0, "_trigger_", "a Checkpoint needs a trigger", "begins with _trigger_", "error"},
	{"mesh", `, "TEXCOORD_1": 3`, ``, 0, "Wall", "object Wall has no UV layer Lightmap, which the material PlatformTech needs (uv layer not found; it has BaseMaterial)", "add a UV layer with the name Lightmap", "error"},
	{"mesh", `"indices": 4, "material": 0`, `"indices": 4`, 0, "Wall", "object Wall has no material on some faces", "give all its faces a material", "error"},
	{"mesh", `"TEXCOORD_1": 3`, `"TEXCOORD_1": 5`, 0, "", "the mesh cannot be read", "export the mesh again", "error"},
	{"mesh", `"Wall"`, `"_trigger_wall"`, 0, "", "no faces that are seen", "export the object itself", "error"},
}

func gateFiles(t *testing.T) map[string]string {
	mesh, err := os.ReadFile(filepath.Join("testdata", "gate.gltf"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"item": gateItem, "params": gateParams, "mesh": string(mesh)}
}

func importGate(t *testing.T, files map[string]string) *importer.Result {
	dir := t.TempDir()
	for key, name := range map[string]string{"item": "Gate.Item.xml", "params": "Gate.MeshParams.xml", "mesh": "gate.gltf"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(files[key]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := importer.Import(t.Context(), filepath.Join(dir, "Gate.Item.xml"), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every mistake is reported with its line, the object and a suggestion. An error prevents the
// item; a warning does not.
func TestBroken(t *testing.T) {
	if r := importGate(t, gateFiles(t)); r.Model == nil || len(r.Problems) > 0 {
		t.Fatalf("the good files: %v", r.Problems)
	}
	for _, b := range broken {
		files := gateFiles(t)
		if !strings.Contains(files[b.file], b.old) {
			t.Errorf("%s: the file has no %s", b.message, b.old)
			continue
		}
		files[b.file] = strings.Replace(files[b.file], b.old, b.new, 1)
		r := importGate(t, files)
		found := false
		for _, p := range r.Problems {
			if p.Severity != finding.Note && p.Suggestion == "" {
				t.Errorf("problem %q has no suggestion", p.Message)
			}
			found = found || strings.Contains(p.Message, b.message) && strings.Contains(p.Suggestion, b.todo) && p.Line == b.line &&
				p.Entry == b.object && p.Severity == b.severity
		}
		if !found {
			t.Errorf("%s=>%s:\nwant line %d %q %s; %s\n got %+v", b.old, b.new, b.line, b.object, b.message, b.todo, r.Problems)
		}
		if failed := b.severity == finding.Error; (r.Model == nil) != failed {
			t.Errorf("%s: item made %v", b.message, r.Model != nil)
		}
	}
}
