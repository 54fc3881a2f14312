package fbx

import (
	"pakbox/fault"
	"pakbox/gbx/mesh/model"
)

// build makes the scene from the objects and their connections.
func (f *file) build() (*model.Scene, error) {
	outer, err := f.settings.matrix()
	if err != nil {
		return nil, err
	}
	f.scene.Unit = f.settings.unit / centimetres
	const root = 0
	err = f.nodes(root, -1, placement{world: outer, parent: outer}, 0)
	return f.scene, err
}

// nodes adds the nodes below the object with an ID, in the order of connections.
func (f *file) nodes(id int64, parent int, above placement, depth int) error {
	if depth > maxDepth {
		return fault.New(fault.Limit, "nodes of the FBX file that nest deeper than %d", maxDepth)
	}
	for _, child := range f.children[id] {
		o := f.objects[child]
		if o == nil || o.kind != "Model" || o.placed {
			continue
		}
		o.placed = true
		if err := f.node(child, o, parent, above, depth); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) node(id int64, o *object, parent int, above placement, depth int) error {
	p := f.template
	if err := o.record.table(p.set); err != nil {
		return err
	}
	at, err := above.place(&p)
	if err != nil {
		return fault.InEntry(fault.At(fault.Corrupt, o.record.offset, "Properties70", "%v", err), o.name)
	}
	n := model.Node{Name: o.name, Parent: parent, World: at.world}
	var materials []int32
	var geometry *object
	for _, child := range f.children[id] {
		c := f.objects[child]
		switch {
		case c == nil:
		case c.kind == "Material":
			materials = append(materials, f.materialIndex(c.name))
		case c.kind == "Geometry" && c.class == "Mesh" && geometry == nil:
			geometry = c
		case c.kind == "NodeAttribute" && c.class == "Light" && n.Light == nil:
			if n.Light, err = light(c.record); err != nil {
				return err
			}
			n.World = n.World.Times(lightAxes)
		}
	}
	if geometry != nil {
		if n.Mesh, err = f.mesh(geometry, materials); err != nil {
			return fault.InEntry(err, o.name)
		}
		n.World = n.World.Times(p.geometric())
	}
	if !finite(n.World) {
		return fault.InEntry(fault.At(fault.Corrupt, o.record.offset, "Properties70", "the node is at no place"), o.name)
	}
	index := len(f.scene.Nodes)
	f.scene.Nodes = append(f.scene.Nodes, n)
	return f.nodes(id, index, at, depth+1)
}

func finite(m model.Matrix) bool {
	sum := 0.0
	for _, v := range [][3]float64{m.X, m.Y, m.Z, m.T} {
		sum += v[0] - v[0] + v[1] - v[1] + v[2] - v[2]
	}
	return sum == 0
}

// lightAxes rotates the node of a light so that the light shines along -Z, as in glTF. In
// FBX it shines along -Y.
var lightAxes = model.Matrix{X: model.Vec3{1, 0, 0}, Y: model.Vec3{0, 0, -1}, Z: model.Vec3{0, 1, 0}}

func light(r *record) (*model.Light, error) {
	out := &model.Light{Color: [3]float64{1, 1, 1}, Intensity: 1, Outer: 45}
	err := r.table(func(name string, v [3]float64, n int) {
		switch {
		case name == "LightType" && v[0] >= 0 && v[0] <= float64(model.AreaLight):
			out.Kind = model.LightKind(v[0])
		case name == "Color" && n == 3:
			out.Color = v
		case name == "Intensity": // in percent
			out.Intensity = v[0] / 100
		case name == "InnerAngle":
			out.Inner = v[0]
		case name == "OuterAngle":
			out.Outer = v[0]
		}
	})
	return out, err
}
