// Package mesh reads the geometry of a GBX file as plain meshes: triangles with
// positions, normals, texture coordinates, colours, materials by name, and places.
//
// The games store geometry in three ways. A CPlugSolid is a tree of visuals (up to
// ManiaPlanet). A CPlugSolid2Model is a list of visuals with materials and levels of
// detail (ManiaPlanet, Trackmania 2020). A CPlugCrystal, of the mesh modeler, has layers
// of polygons. Collision shapes are CPlugSurface. Items, blocks and prefabs hold such
// nodes. The meaning of the parts follows GBX.NET.
//
// Coordinates are those of the engine and of glTF: metres, Y up, right-handed, triangles
// counter-clockwise from outside. Texture coordinates run downwards, as in glTF; the
// engine's run upwards.
package mesh
