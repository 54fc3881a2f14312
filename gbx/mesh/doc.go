// Package mesh reads the geometry of a GBX file into plain meshes: triangles
// with positions, normals, texture coordinates and colours, materials by
// name, and the places where the meshes stand.
//
// The games have kept geometry in three ways. A CPlugSolid is a tree of
// visuals (all games up to ManiaPlanet); a CPlugSolid2Model is a flat list of
// visuals with materials and levels of detail (ManiaPlanet, Trackmania 2020);
// a CPlugCrystal is what the game's own mesh modeler edits: layers of polygons
// that share their corners. Collision shapes are CPlugSurface. Items, blocks
// and prefabs only hold such nodes. Layouts are those of the sheets in
// gbx/engine; meaning of the parts follows GBX.NET's reading of them.
//
// Coordinates are the engine's own, which are those of glTF too: metres, Y
// up, right-handed, triangles counter-clockwise seen from outside. Texture
// coordinates of the engine run upwards; here, as in glTF, they run downwards
// from the upper edge of a picture.
package mesh
