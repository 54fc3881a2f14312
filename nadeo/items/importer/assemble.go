package importer

import (
	"fmt"
	"image"
	"path/filepath"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh/model"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/scenery"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/static"
)

// assemble makes the description of the item from the files that were read.
func (w *work) assemble() *static.Item {
	o := &static.Item{Name: w.item.Name(), Author: w.item.AuthorName, Waypoint: waypoints[w.item.Waypoint]}
	w.checkNames(o.Name, o.Author)
	w.environment(o, w.game())
	if w.item.Type != "StaticObject" || w.params.MeshType != "Static" {
		w.say(finding.Error, w.item.File, 1, "Item", `write Type="StaticObject" and MeshType="Static"`, "only static objects can be made")
	}
	o.Placement = w.placement()
	o.Icon = w.icon()
	w.checkWaypoint(w.gather(o))
	return o
}

// checkNames reports names with characters that the games cannot store.
func (w *work) checkNames(list ...string) {
	for _, text := range list {
		if err := nadeo.CheckName(text); err != nil {
			w.say(finding.Error, w.item.File, 1, "", "write another name", "%v", err)
		}
	}
}

// environment finds the number of the item's environment.
func (w *work) environment(o *static.Item, game nadeo.Generation) {
	for _, s := range scenery.All[game] {
		if strings.EqualFold(s.Name, w.item.Collection) {
			w.item.Collection, o.Collection = s.Name, s.Collection
			return
		}
	}
	w.say(finding.Error, w.item.File, 1, "Item", `write Collection="Stadium"`, "%s has no environment %s", game, w.item.Collection)
}

// gather fills the item with the meshes, lights and starts of the scene.
func (w *work) gather(o *static.Item) *pieces {
	if w.item != nil && strings.EqualFold(w.params.Collection, w.item.Collection) {
		w.params.Collection = w.item.Collection // in the spelling of the game
	}
	o.Solid = static.Solid{Folder: w.params.Collection + `\Media\Material\`, Source: w.Source, Time: w.Time}
	p := &pieces{work: w, made: o, uses: map[int]int{}, kinds: map[int]uint16{}, told: map[string]bool{}}
	p.gather()
	return p
}

var waypoints = map[string]static.Waypoint{
	"":            gamedata.CGameItemModelWaypointTypeNone,
	"Start":       gamedata.CGameItemModelWaypointTypeStart,
	"Checkpoint":  gamedata.CGameItemModelWaypointTypeCheckpoint,
	"Finish":      gamedata.CGameItemModelWaypointTypeFinish,
	"StartFinish": gamedata.CGameItemModelWaypointTypeStartFinish,
}

func (w *work) placement() items.Placement {
	i := w.item
	// The importer sets the flag YawOnly in all items, regardless of OneAxisRotation.
	vec2 := func(x, y float64) gbx.Vec2 { return gbx.Vec2{X: float32(x), Y: float32(y)} }
	p := items.Placement{
		YawOnly: true, NotOnObject: i.NotOnItem, AutoRotation: i.AutoRotation, SwitchPivotManually: i.ManualPivotSwitch,
		GridStep: vec2(i.GridSnap.HStep, i.GridSnap.VStep), GridOffset: vec2(i.GridSnap.HOffset, i.GridSnap.VOffset),
		FlyStep: float32(i.Levitation.VStep), FlyOffset: float32(i.Levitation.VOffset), PivotSnap: float32(i.PivotSnap),
		GhostMode: i.GhostMode,
	}
	for _, at := range i.Pivots {
		p.Pivots = append(p.Pivots, short(model.Vec3(at)))
	}
	return p
}

func short(v model.Vec3) gbx.Vec3 {
	return gbx.Vec3{X: float32(v[0]), Y: float32(v[1]), Z: float32(v[2])}
}

// checkWaypoint reports what a waypoint lacks, such as a trigger.
func (w *work) checkWaypoint(p *pieces) {
	i := w.item
	if i.Waypoint == "" {
		if p.made.Trigger != nil {
			todo := `add <Waypoint Type="Checkpoint"/>`
			if i.File == w.Mesh {
				todo = "say --waypoint Checkpoint"
			}
			w.say(finding.Warning, i.File, 1, "", todo, "the mesh has a trigger, but the item is not a waypoint")
		}
		return
	}
	// A finish made in the game's editor has neither start nor trigger.
	severity := finding.Error
	if w.Crystal {
		severity = finding.Warning
	}
	if p.sockets != 1 {
		w.say(severity, w.Mesh, 0, socketStart, "add one empty with this name where cars start, 1 cm above the road, its z axis ahead",
			"a waypoint needs one object %s; the mesh has %d", socketStart, p.sockets)
	}
	if i.Waypoint != "Start" && p.made.Trigger == nil {
		w.say(severity, w.Mesh, 0, prefixTrigger, "add an object whose name begins with "+prefixTrigger+" across the road",
			"a %s needs a trigger", i.Waypoint)
	}
}

// start sets the place where cars start. Blender without Apply Transform exports empties
// with the z axis up and the y axis backwards. Cars never start upwards, so start
// corrects the axes.
func (p *pieces) start(n *model.Node) {
	const steep = 0.9
	at := n.World
	if at.Z.Unit()[1] > steep {
		at.Y, at.Z = at.Z, at.Y.Times(-1)
		p.say(finding.Note, p.Mesh, 0, n.Name, "", "the z axis of %s points up, as Blender exports it without Apply Transform: cars look along its -y axis", n.Name)
	}
	place := p.place(at)
	p.made.Spawn = &place
}

// light adds a light of the mesh, with the properties from the mesh parameters.
func (p *pieces) light(n *model.Node) {
	var said *itemxml.Light
	for i := range p.params.Lights {
		if p.params.Lights[i].Name == n.Name {
			said = &p.params.Lights[i]
		}
	}
	if said == nil {
		p.say(finding.Warning, p.params.File, 1, n.Name, fmt.Sprintf(`add <Light Name="%s" Type="Point"/> to Lights`, n.Name),
			"the light %s is not described: it is left out", n.Name)
		return
	}
	p.lit = append(p.lit, n.Name)
	m := plug.Chunk090F9000{
		Version: 1, Color: gbx.Color{R: float32(said.Color[0]), G: float32(said.Color[1]), B: float32(said.Color[2])},
		Intensity: float32(said.Intensity), Distance: float32(said.Distance), PointEmissionRadius: float32(said.PointEmissionRadius),
		PointEmissionLength: float32(said.PointEmissionLength), SpotInnerAngle: float32(said.SpotInnerAngle),
		SpotOuterAngle: float32(said.SpotOuterAngle), SpotEmissionSizeX: float32(said.SpotEmissionSizeX), SpotEmissionSizeY: float32(said.SpotEmissionSizeY),
	}
	if said.NightOnly {
		m.NightOnly = gbx.True
	}
	if said.Type == "Spot" {
		m.U01 = 1 // not seen: all known real lights are point lights and have 0
	}
	p.made.Solid.Lights = append(p.made.Solid.Lights, static.Light{Name: n.Name, Model: m, Place: p.place(n.World)})
}

// place converts a matrix to the form of GBX files, with axes of length 1.
func (p *pieces) place(m model.Matrix) gbx.Iso4 {
	return gbx.Iso4{
		Mat3: gbx.Mat3{X: short(m.X.Unit()), Y: short(m.Y.Unit()), Z: short(m.Z.Unit())}, T: short(m.T.Times(p.params.Scale)),
	}
}

// icon reads the picture of the item: Icon/NAME.tga or .png beside the XML file.
func (w *work) icon() image.Image {
	for _, ext := range []string{".tga", ".png"} {
		path := beside(filepath.Dir(w.item.File), "Icon/"+w.item.Name()+ext)
		data, err := readIfThere(path)
		if err != nil || data == nil {
			continue
		}
		picture, err := items.ReadIcon(data)
		if err != nil {
			w.say(finding.Warning, path, 0, "", "save the icon as TGA or PNG with 64 by 64 pixels", "the icon cannot be read: %v", err)
			continue
		}
		return picture
	}
	return nil
}

// level returns the level of detail at the end of a name such as _Lod1. found is false
// for a name without one.
func level(name string) (n int, found bool) {
	at := strings.LastIndex(strings.ToLower(name), "_lod")
	if at < 0 || at+4 >= len(name) {
		return 0, false
	}
	n = int(name[at+4]) - '0'
	rest := name[at+5:]
	return n, n >= 0 && n <= 3 && (rest == "" || rest[0] == '.' || rest[0] == '_')
}
