package gltf_test

import (
	"bytes"
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
)

// A scene of one triangle becomes a binary glTF file.
func ExampleWrite() {
	triangle := &mesh.Geometry{Positions: []gbx.Vec3{{}, {X: 1}, {Y: 1}}, Indices: []uint32{0, 1, 2}}
	part := mesh.Part{Material: -1, Geometry: triangle}
	scene := &mesh.Scene{Nodes: []*mesh.Node{{Name: "Flag", Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{part}}}}}
	var glb bytes.Buffer
	if err := gltf.Write(&glb, scene, "Flag"); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %v\n", glb.Bytes()[:4], bytes.Contains(glb.Bytes(), []byte(`"name":"Flag"`)))
	// Output: glTF, true
}
