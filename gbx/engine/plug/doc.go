// Package plug holds the chunks of the Plug engine (09): solids, materials,
// textures, vehicles and other building blocks of a scene.
package plug
