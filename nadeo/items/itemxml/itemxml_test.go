package itemxml_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pakbox/finding"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/items/itemxml"
)

func TestDefaults(t *testing.T) {
	i, found := itemxml.ReadItem("Sub/Part.Item.xml", []byte(`<Item Type="StaticObject" Collection="Stadium" AuthorName="ada"/>`))
	want := &itemxml.Item{File: "Sub/Part.Item.xml", Type: "StaticObject", Collection: "Stadium", AuthorName: "ada", PivotSnap: -1}
	if len(found) > 0 || !reflect.DeepEqual(i, want) || i.Name() != "Part" {
		t.Errorf(`i = %+v, found = %v; want len(found) at most 0, i equal to %+v, i.Name() = "Part"`, i, found, want)
	}
	p, found := itemxml.ReadMeshParams("Part.MeshParams.xml", []byte(`<MeshParams MeshType="Static" Collection="Stadium"><Lights><Light Name="L" Type="Spot"/></Lights></MeshParams>`))
	if len(found) > 0 || p.Scale != 1 || p.FbxFile != "" {
		t.Errorf(`p = %+v, found = %v; want len(found) at most 0, p.Scale = 1, p.FbxFile = ""`, p, found)
	}
	light := itemxml.Light{Line: 1, Name: "L", Type: "Spot", Color: [3]float64{1, 1, 1}, Intensity: 1, Distance: 64, SpotInnerAngle: 40, SpotOuterAngle: 60}
	if p.Lights[0] != light {
		t.Errorf("p.Lights[0] = %+v; want %+v", p.Lights[0], light)
	}
}

func TestValues(t *testing.T) {
	i, found := itemxml.ReadItem("A.item.XML", []byte(`<Item Type="StaticObject" Collection="stadium" AuthorName="ada">
		<Waypoint Type="None"/><Pivots><Pivot Pos="1 2 3"/><Pivot Pos="-1,0,0.5"/></Pivots>
		<GridSnap HStep="1" VStep="2" HOffset="3" VOffset="4"/><Levitation VStep="5" VOffset="6" GhostMode="true"/>
		<PivotSnap Distance="0"/><Cube Center="1 1 1" Size="2"/><AddonItemXmlTemplate Name="x"/>
		<Options OneAxisRotation="true" ManualPivotSwitch="1" AutoRotation="TRUE" NotOnItem="true"/></Item>`))
	want := &itemxml.Item{
		File: "A.item.XML", Type: "StaticObject", Collection: "Stadium", AuthorName: "ada", Pivots: [][3]float64{{1, 2, 3}, {-1, 0, 0.5}},
		GridSnap: itemxml.Steps{HStep: 1, VStep: 2, HOffset: 3, VOffset: 4}, Levitation: itemxml.Steps{VStep: 5, VOffset: 6}, GhostMode: true,
		CubeCenter: [3]float64{1, 1, 1}, CubeSize: 2, OneAxisRotation: true, ManualPivotSwitch: true, AutoRotation: true, NotOnItem: true, WaypointLine: 2,
	}
	if len(found) > 0 || !reflect.DeepEqual(i, want) || i.Name() != "A" {
		t.Errorf(`i = %+v, found = %v; want len(found) at most 0, i equal to %+v, i.Name() = "A"`, i, found, want)
	}
	p, found := itemxml.ReadMeshParams("A.xml", []byte(`<MeshParams MeshType="Static" Collection="Stadium" Scale="0.5" FbxFile="x/a.fbx"><Materials>
		<Material Name="M" Link="CustomSnow" Color="F80" PhysicsId="snow" GameplayId="NoBrakes"/></Materials></MeshParams>`))
	color := [3]uint8{0xFF, 0x88, 0}
	material := itemxml.Material{Line: 2, Name: "M", Link: "CustomSnow", Color: &color, PhysicsID: "Snow", GameplayID: "NoBrakes"}
	if len(found) > 0 || p.Scale != 0.5 || p.FbxFile != "x/a.fbx" || !reflect.DeepEqual(p.Materials, []itemxml.Material{material}) {
		t.Errorf(`p = %+v, found = %v; want len(found) at most 0, p.Scale = 0.5, p.FbxFile = "x/a.fbx", p.Materials equal to []itemxml.Material{material}`, p, found)
	}
}

func TestNadeoStairs(t *testing.T) {
	dir := corpus.Dir(t, "importer")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	i, found := itemxml.ReadItem("NadeoStairs.Item.xml", read("NadeoStairs.Item.xml"))
	if len(found) > 0 || i.MeshParamsLink != "NadeoStairs.MeshParams.xml" || i.PivotSnap != 0 || i.AuthorName != "nadeo-freeporter" {
		t.Errorf(`i = %+v, found = %v; want len(found) at most 0, i.MeshParamsLink = "NadeoStairs.MeshParams.xml", i.PivotSnap = 0, i.AuthorName = "nadeo-freeporter"`, i, found)
	}
	p, found := itemxml.ReadMeshParams("NadeoStairs.MeshParams.xml", read("NadeoStairs.MeshParams.xml"))
	if len(found) > 0 || len(p.Materials) != 3 || p.Material("StepIce").PhysicsID != "Ice" || p.Material("None") != nil {
		t.Errorf(`p = %+v, found = %v; want len(found) at most 0, p.Materials of length 3, p.Material("StepIce").PhysicsID = "Ice", p.Material("None") = nil`, p, found)
	}
}

// Any bytes give a result, or an error with a suggestion.
func FuzzXML(f *testing.F) {
	for _, seed := range []string{
		`<Item Type="StaticObject" Collection="Stadium"><Pivots><Pivot Pos="1 2 3"/></Pivots><GridSnap HStep="1e9"/></Item>`,
		`<MeshParams Scale="1" Collection="Stadium"><Materials><Material Name="a" Color="F00"/></Materials><Lights><Light sRGB="123456"/></Lights></MeshParams>`,
		`<?xml version="1.0" encoding="latin1"?><Item/>`, `<a><a><a>`, `<!DOCTYPE a [<!ENTITY b "c">]><Item>&b;</Item>`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		item, found := itemxml.ReadItem("a.Item.xml", data)
		check(t, item == nil, found)
		params, found := itemxml.ReadMeshParams("a.MeshParams.xml", data)
		check(t, params == nil, found)
		if params != nil && !(params.Scale > 0) {
			t.Errorf("a scale of %v", params.Scale)
		}
	})
}

func check(t *testing.T, none bool, found []finding.Finding) {
	if none && finding.Worst(found) != finding.Error {
		t.Error("nothing was read, and nothing was wrong")
	}
	for _, p := range found {
		if p.Message == "" || p.Suggestion == "" || p.Line < 1 {
			t.Errorf("problem %+v lacks a message, a suggestion or a line", p)
		}
	}
}
