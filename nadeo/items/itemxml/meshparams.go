package itemxml

import (
	"strconv"
	"strings"

	"pakbox/finding"
	"pakbox/nadeo/items/library"
)

// MeshParams holds the content of Name.MeshParams.xml: the materials and lights of the
// game for those of a mesh.
type MeshParams struct {
	File       string
	MeshType   string // Static; ManiaPlanet also has Dyna
	Collection string
	Scale      float64
	FbxFile    string // "" for the file of the same name beside the XML
	Materials  []Material
	Lights     []Light
}

// Material states which material of the game replaces a material of the mesh.
type Material struct {
	Line        int
	Name        string // in the mesh
	Link        string // in the game
	Color       *[3]uint8
	PhysicsID   string // "" for the surface of the game's material
	GameplayID  string // "" for none
	Model       string // ManiaPlanet: TDSN and others
	BaseTexture string // only ManiaPlanet
	Textures    []Texture
}

// Texture is an image of a ManiaPlanet material.
type Texture struct{ Layer, Ref string }

// Light gives the properties in the game for a light of the mesh. Angles are in degrees.
type Light struct {
	Line                                     int
	Name, Type                               string
	Color                                    [3]float64 // from 0 to 1
	Intensity, Distance                      float64
	NightOnly                                bool
	PointEmissionRadius, PointEmissionLength float64
	SpotInnerAngle, SpotOuterAngle           float64
	SpotEmissionSizeX, SpotEmissionSizeY     float64
}

// Material returns the entry for a material of the mesh, nil if none exists.
func (p *MeshParams) Material(name string) *Material {
	for i := range p.Materials {
		if p.Materials[i].Name == name {
			return &p.Materials[i]
		}
	}
	return nil
}

// ReadMeshParams reads a Name.MeshParams.xml. The result is nil if the XML itself is
// broken.
func ReadMeshParams(name string, data []byte) (*MeshParams, []finding.Finding) {
	f := &file{name: name}
	root := f.parse(data, "MeshParams")
	if root == nil {
		return nil, f.found
	}
	p := &MeshParams{File: name}
	p.MeshType = f.one(root, "MeshType", "Static", []string{"Static", "Dyna"})
	p.Collection = f.collection(root)
	if p.Scale = f.number(root, "Scale", 1); p.Scale <= 0 {
		f.say(finding.Error, root.line, root.name, "Scale", "write a number above 0; 1 is the size of the mesh", "Scale=%g makes nothing", p.Scale)
		p.Scale = 1
	}
	p.FbxFile, _ = root.text("FbxFile")
	root.text("SkelSpacing") // written by 3ds Max scripts; read so that finish does not warn
	f.finish(root)
	for _, e := range root.child("Materials").all("Material") {
		m := f.material(e)
		if m.Name != "" && p.Material(m.Name) != nil {
			f.say(finding.Warning, e.line, m.Name, "Name", "keep one of them", "the material %s is described twice: the first one counts", m.Name)
			continue
		}
		p.Materials = append(p.Materials, m)
	}
	for _, e := range root.child("Lights").all("Light") {
		p.Lights = append(p.Lights, f.light(e))
	}
	return p, f.found
}

// collections are the environments that the importers of both games know.
var collections = []string{"Stadium", "Canyon", "Valley", "Lagoon", "Storm", "Stadium256"}

func (f *file) collection(e *element) string {
	if _, ok := e.text("Collection"); !ok {
		f.say(finding.Error, e.line, e.name, "Collection", `write Collection="Stadium"`, "%s names no Collection", e.name)
		return "Stadium"
	}
	return f.one(e, "Collection", "Stadium", collections)
}

func (f *file) material(e *element) (m Material) {
	m.Line = e.line
	if m.Name, _ = e.text("Name"); m.Name == "" {
		f.say(finding.Error, e.line, "", "Name", `write Name="..." as the material is called in the mesh`, "a material has no Name")
	}
	m.Link, _ = e.text("Link")
	m.PhysicsID = f.one(e, "PhysicsId", "", library.Importable)
	m.GameplayID = f.one(e, "GameplayId", "", library.Gameplays)
	m.Model, _ = e.text("Model")
	m.BaseTexture, _ = e.text("BaseTexture")
	if text, ok := e.text("Color"); ok && text != "" {
		if c, ok := hexColor(text); ok {
			m.Color = &c
		} else {
			f.say(finding.Error, e.line, m.Name, "Color", `write Color="F00" or Color="FF0000"`, "Color=%q is not a colour", text)
		}
	}
	f.finish(e)
	for _, t := range e.child("Textures").all("Texture") {
		layer, _ := t.text("Layer")
		ref, _ := t.text("Ref")
		m.Textures = append(m.Textures, Texture{layer, ref})
	}
	return m
}

// hexColor reads F00 or FF0000.
func hexColor(text string) (c [3]uint8, ok bool) {
	text = strings.TrimPrefix(text, "#")
	if len(text) == 3 {
		text = string([]byte{text[0], text[0], text[1], text[1], text[2], text[2]})
	}
	n, err := strconv.ParseUint(text, 16, 24)
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil && len(text) == 6
}

func (f *file) light(e *element) (l Light) {
	l.Line = e.line
	if l.Name, _ = e.text("Name"); l.Name == "" {
		f.say(finding.Error, e.line, "", "Name", `write Name="..." as the light is called in the mesh`, "a light has no Name")
	}
	l.Type = f.one(e, "Type", "Point", []string{"Point", "Spot"})
	l.Color = [3]float64{1, 1, 1}
	if text, ok := e.text("sRGB"); ok {
		c, ok := hexColor(text)
		if !ok {
			f.say(finding.Error, e.line, l.Name, "sRGB", `write sRGB="FF8000"`, "sRGB=%q is not a colour", text)
		}
		for i := range c {
			l.Color[i] = float64(c[i]) / 255
		}
	}
	l.Intensity, l.Distance = f.number(e, "Intensity", 1), f.number(e, "Distance", 64)
	l.NightOnly = f.flag(e, "NightOnly")
	l.PointEmissionRadius, l.PointEmissionLength = f.number(e, "PointEmissionRadius", 0), f.number(e, "PointEmissionLength", 0)
	l.SpotInnerAngle, l.SpotOuterAngle = f.number(e, "SpotInnerAngle", 40), f.number(e, "SpotOuterAngle", 60)
	l.SpotEmissionSizeX, l.SpotEmissionSizeY = f.number(e, "SpotEmissionSizeX", 0), f.number(e, "SpotEmissionSizeY", 0)
	f.finish(e)
	return l
}
