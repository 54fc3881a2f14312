package itemxml

import (
	"path"
	"slices"
	"strings"

	"pakbox/finding"
)

// Item holds the content of Name.Item.xml: how the editor and the game treat an item.
type Item struct {
	File           string
	Type           string // StaticObject; ManiaPlanet also DynaObject, Character
	Collection     string
	AuthorName     string
	MeshParamsLink string // file of mesh parameters, relative to this file
	Waypoint       string // Start, Checkpoint, Finish, StartFinish; "" for none
	MoveShape      string // only ManiaPlanet
	TriggerShape   string // only ManiaPlanet
	Mesh           string // only ManiaPlanet
	Pivots         [][3]float64
	GridSnap       Steps
	Levitation     Steps
	GhostMode      bool
	PivotSnap      float64 // metres; negative for the environment's default, 0 for none
	CubeCenter     [3]float64
	CubeSize       float64

	OneAxisRotation, ManualPivotSwitch, AutoRotation, NotOnItem bool
	WaypointLine                                                int
}

// Steps are the spacing and offset of a grid in metres: H to the sides, V upwards.
type Steps struct{ HStep, VStep, HOffset, VOffset float64 }

// Name returns the name of the item, which comes from its file name.
func (i *Item) Name() string {
	name := path.Base(strings.ReplaceAll(i.File, `\`, "/"))
	if cut := len(name) - len(".Item.xml"); cut > 0 && strings.EqualFold(name[cut:], ".Item.xml") {
		return name[:cut]
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// itemElements are the elements that Name.Item.xml may have.
var itemElements = []string{
	"MeshParamsLink", "Waypoint", "Phy", "Vis", "Pivots", "GridSnap", "Levitation", "PivotSnap", "Cube", "Options",
	"AddonItemXmlTemplate", // of Blender's add-on, for itself
}

// ReadItem reads a Name.Item.xml. The result is nil if the XML itself is broken.
func ReadItem(name string, data []byte) (*Item, []finding.Finding) {
	f := &file{name: name}
	root := f.parse(data, "Item")
	if root == nil {
		return nil, f.found
	}
	i := &Item{File: name, PivotSnap: -1}
	i.Type = f.one(root, "Type", "StaticObject", []string{"StaticObject", "DynaObject", "Character"})
	i.Collection = f.collection(root)
	if i.AuthorName, _ = root.text("AuthorName"); i.AuthorName == "" {
		f.say(finding.Warning, root.line, "Item", "AuthorName", `write AuthorName="your login"`, "the item names no AuthorName")
	}
	for _, name := range []string{"Archetype", "DefaultSkin", "SkinFolder"} {
		root.text(name) // only for characters; read so that finish does not warn
	}
	f.finish(root)
	i.MeshParamsLink, _ = root.child("MeshParamsLink").text("File")
	if e := root.child("Waypoint"); e != nil {
		i.WaypointLine = e.line
		if text, ok := e.text("Type"); ok && !strings.EqualFold(text, "None") {
			i.Waypoint = f.one(e, "Type", "", []string{"Start", "Checkpoint", "Finish", "StartFinish"})
		}
		f.finish(e)
	}
	phy, vis := root.child("Phy"), root.child("Vis")
	i.MoveShape, _ = phy.child("MoveShape").text("File")
	i.TriggerShape, _ = phy.child("TriggerShape").text("File")
	i.Mesh, _ = vis.child("Mesh").text("File")
	for _, e := range root.child("Pivots").all("Pivot") {
		if at, ok := f.vector(e, "Pos"); ok {
			i.Pivots = append(i.Pivots, at)
		}
	}
	f.placement(i, root)
	for _, e := range root.children {
		if near := meant(e.name, itemElements, ""); !slices.Contains(itemElements, e.name) && near != "" {
			f.say(finding.Warning, e.line, e.name, "", near, "Item has no element %s: it is left out", e.name)
		}
	}
	return i, f.found
}

// placement reads the elements about the item's placement.
func (f *file) placement(i *Item, root *element) {
	i.GridSnap = f.steps(root.child("GridSnap"))
	if e := root.child("Levitation"); e != nil {
		i.GhostMode = f.flag(e, "GhostMode")
		i.Levitation = f.steps(e)
	}
	if e := root.child("PivotSnap"); e != nil {
		i.PivotSnap = f.number(e, "Distance", -1)
		f.finish(e)
	}
	if e := root.child("Cube"); e != nil {
		i.CubeCenter, _ = f.vector(e, "Center")
		i.CubeSize = f.number(e, "Size", 0)
		f.finish(e)
	}
	if e := root.child("Options"); e != nil {
		i.OneAxisRotation, i.ManualPivotSwitch = f.flag(e, "OneAxisRotation"), f.flag(e, "ManualPivotSwitch")
		i.AutoRotation, i.NotOnItem = f.flag(e, "AutoRotation"), f.flag(e, "NotOnItem")
		f.finish(e)
	}
}

func (f *file) steps(e *element) (s Steps) {
	s.HOffset, s.VOffset = f.number(e, "HOffset", 0), f.number(e, "VOffset", 0)
	s.HStep, s.VStep = f.step(e, "HStep"), f.step(e, "VStep")
	f.finish(e)
	return s
}

func (f *file) step(e *element, name string) float64 {
	v := f.number(e, name, 0)
	if v < 0 {
		f.say(finding.Error, e.line, e.name, name, "write 0 for no grid, or the step in metres", "%s=%g is below 0", name, v)
		return 0
	}
	return v
}
