// Package model holds a scene as 3D programs write it: nodes with names, polygons
// with any number of corners, texture coordinates in named layers, lights. Readers
// of FBX and glTF fill it. Numbers and order are those of the file.
package model

import "strings"

// Scene is what a file of a 3D program holds.
type Scene struct {
	// Nodes are in the order of a walk through the tree: a node, then the nodes
	// below it. A parent always stands before its children.
	Nodes     []Node
	Materials []string // names, in the order of the file
	// Links are the games' materials that pakbox names in the glTF files it writes,
	// one for each material, "" for none. Other files have no such list.
	Links []string
	// Unit is the length of the file's unit in metres: 0.01 for centimetres.
	// World of the nodes has it already.
	Unit float64
}

// Node is a place in the scene.
type Node struct {
	Name   string
	Parent int // index of the node above, -1 for none
	// World takes points of the mesh to metres, with Y up and right-handed axes.
	World Matrix
	// Mesh is nil for a node without faces, such as an empty. Nodes may share one.
	Mesh  *Mesh
	Light *Light // nil for none
}

// Mesh is polygons. A corner is a place in Corners. Normals, Colors and the
// layers of texture coordinates have one value for each corner, or none at all.
type Mesh struct {
	Name      string
	Positions []Vec3
	Corners   []int32 // the position of each corner, as an index
	Normals   []Vec3  // as the file has them, not always of length 1
	Colors    [][4]float64
	UVLayers  []UVLayer
	Polygons  []Polygon
}

// Polygon is some corners that follow each other. They are counter-clockwise if
// seen from the front.
type Polygon struct {
	First, Count int32 // in Corners
	Material     int32 // index in the scene's materials, -1 for none
}

// UVLayer is a named set of texture coordinates.
type UVLayer struct {
	Name string
	UVs  []Vec2 // V points up, as in FBX
}

// Names of the layers that the games use. A glTF file does not name its sets: the
// first gets the first name, the second the second.
const (
	BaseMaterial = "BaseMaterial"
	Lightmap     = "Lightmap"
)

// Light is a light of the file, at the origin of its node. A spot shines along -Z.
type Light struct {
	Kind      LightKind
	Color     [3]float64
	Intensity float64 // as the file has it; programs do not agree on its unit
	// Inner and Outer are the angles of a spot's cone in degrees, from side to side.
	Inner, Outer float64
}

// LightKind is the form of a light.
type LightKind int

// The kinds of lights.
const (
	PointLight LightKind = iota
	DirectionalLight
	SpotLight
	AreaLight
)

// CornersOf returns the positions of a polygon's corners as indexes.
func (m *Mesh) CornersOf(p Polygon) []int32 { return m.Corners[p.First : p.First+p.Count] }

// LayerNames are the names of the layers that a file does not name, in their order.
var LayerNames = []string{BaseMaterial, Lightmap}

// UVLayer returns the layer with one of the names, nil if there is none. Case does
// not count: people write both Lightmap and LightMap.
func (m *Mesh) UVLayer(names ...string) *UVLayer {
	for _, name := range names {
		for i := range m.UVLayers {
			if strings.EqualFold(m.UVLayers[i].Name, name) {
				return &m.UVLayers[i]
			}
		}
	}
	return nil
}
