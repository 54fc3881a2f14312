package mesh_test

import (
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
)

// shape is a file with a collision shape of two triangles.
func shape() *gbx.File {
	corners := plug.CPlugSurfaceMesh{
		Version:   7,
		Vertices:  []gbx.Vec3{{}, {X: 16}, {X: 16, Z: 16}, {Z: 16}},
		Triangles: []plug.CPlugSurfaceTriangle{{Indices: gbx.Int3{X: 0, Y: 1, Z: 2}}, {Indices: gbx.Int3{X: 0, Y: 2, Z: 3}}},
	}
	surf := plug.CPlugSurfaceSurf{Type: 7, MeshSurf: &plug.CPlugSurfaceSurfMeshSurf{Mesh: corners}}
	body := &gbx.Node{Class: 0x0900C000, Chunks: []gbx.Chunk{{ID: 0x0900C003, Body: &plug.Chunk0900C003{Surf: surf}}}}
	return gbx.New(body, engine.Registry())
}

// Read gathers the geometry of a file, wherever its class keeps it.
func ExampleRead() {
	scene, err := mesh.Read(shape(), mesh.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range scene.Nodes {
		fmt.Println(n.Name, n.Role, n.Mesh.Kind, n.Mesh.Triangles())
	}
	// Output: Surface collision surface 2
}
