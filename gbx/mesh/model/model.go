// Package model has a scene in the form of 3D programs: nodes with names, polygons with
// any number of corners, texture coordinates in named layers, lights. Readers of FBX and
// glTF fill it. Numbers and order are those of the file.
package model

import "strings"

// Scene is the content of a 3D file.
type Scene struct {
	// Nodes are in the order of a walk through the tree: a node, then the nodes below it.
	// A parent comes before its children.
	Nodes     []Node
	Materials []string // names, in the order of the file
	// Links are the games' materials, one for each material, "" for none. Only glTF files
	// from pakbox name them; for other files the list is empty.
	Links []string
	// Unit is the length of the file's unit in metres: 0.01 for centimetres. World of the
	// nodes already includes it.
	Unit float64
}

// Node is a place in the scene.
type Node struct {
	Name   string
	Parent int // index of the parent, -1 for none
	// World converts points of the mesh to metres, with Y up and right-handed axes.
	World Matrix
	// Mesh is nil for a node without faces, such as an empty. Nodes may share a mesh.
	Mesh  *Mesh
	Light *Light // nil for none
}

// Mesh has polygons. A corner is an element of Corners. Normals, Colors and the layers of
// texture coordinates have one value for each corner, or are empty.
type Mesh struct {
	Name      string
	Positions []Vec3
	Corners   []int32 // for each corner the index of its position
	Normals   []Vec3  // as in the file; their length may differ from 1
	Colors    [][4]float64
	UVLayers  []UVLayer
	Polygons  []Polygon
}

// Polygon is a range of corners. Seen from the front they are counter-clockwise.
type Polygon struct {
	First, Count int32 // range in Corners
	Material     int32 // index in the scene's materials, -1 for none
}

// UVLayer is a named set of texture coordinates.
type UVLayer struct {
	Name string
	UVs  []Vec2 // V points up, as in FBX
}

// Names of the layers that the games use. A glTF file does not name its sets: they get
// these names in this order.
const (
	BaseMaterial = "BaseMaterial"
	Lightmap     = "Lightmap"
)

// Light is a light at the origin of its node. A spot light shines along -Z.
type Light struct {
	Kind      LightKind
	Color     [3]float64
	Intensity float64 // as in the file; programs use different units
	// Inner and Outer are the full angles of a spot light's cone, in degrees.
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

// LayerNames are the names for layers that a file does not name, in order.
var LayerNames = []string{BaseMaterial, Lightmap}

// UVLayer returns the layer with one of the names, nil if none exists. Letter case is
// ignored: people write both Lightmap and LightMap.
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
