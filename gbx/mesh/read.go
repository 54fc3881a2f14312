package mesh

import (
	"path"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/plug"
)

// Read returns the geometry of a file. The zero Options read all variants and no
// other files.
func Read(f *gbx.File, o Options) (*Scene, error) {
	r := &reader{
		scene: &Scene{}, Options: o,
		geometries: map[*gbx.Node]*Geometry{}, meshes: map[meshKey]*Mesh{}, materials: map[Material]int{},
		surfaces: map[*plug.CPlugSurfaceMesh]*Mesh{}, inside: map[*gbx.Node]bool{},
	}
	nodes := r.file(f, o.Outside, Drawn)
	if r.err != nil {
		return nil, r.err
	}
	r.scene.Nodes = nodes
	return r.scene, nil
}

// maxSteps limits the visited nodes, because a node may be used in several places.
const maxSteps = 1 << 18

// maxDepth bounds how deep nodes nest.
const maxDepth = 128

// reader collects the geometry of a scene.
type reader struct {
	Options
	scene      *Scene
	geometries map[*gbx.Node]*Geometry // geometries that were read, by visual
	meshes     map[meshKey]*Mesh
	surfaces   map[*plug.CPlugSurfaceMesh]*Mesh
	materials  map[Material]int
	inside     map[*gbx.Node]bool // nodes that are being read
	from       place              // the file that is being read
	number     int                // number of the variant that is being read, as far as it is known
	steps      int
	err        error
}

// meshKey distinguishes the meshes that are made from one node.
type meshKey struct {
	node *gbx.Node
	part int // level or layer
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fault.New(fault.Corrupt, format, args...)
	}
}

func (r *reader) ref(ref gbx.Ref, role Role) []*Node {
	if ref.Node == nil {
		return r.outside(r.path(ref), r.from.up, role)
	}
	return r.node(ref.Node, role)
}

func (r *reader) refs(role Role, refs ...gbx.Ref) []*Node {
	var out []*Node
	for _, ref := range refs {
		out = append(out, r.ref(ref, role)...)
	}
	return out
}

func (r *reader) node(n *gbx.Node, role Role) []*Node {
	if n == nil || r.err != nil || r.inside[n] {
		return nil
	}
	r.steps++
	if r.steps > maxSteps || len(r.inside) > maxDepth {
		r.err = fault.New(fault.Limit, "the parts of the mesh are too many or nest too deep")
		return nil
	}
	r.inside[n] = true
	defer delete(r.inside, n)
	switch n.Class.Latest() {
	case classTree, classTreeLight, classTreeVisualMip:
		return []*Node{r.tree(n, role)}
	case classCrystal:
		return r.crystal(n, role)
	}
	var out []*Node
	for i := range n.Chunks {
		out = append(out, r.chunk(n, n.Chunks[i].Body, role)...)
	}
	return out
}

// Classes whose geometry is in several chunks.
const (
	classTree          classid.ID = 0x0904F000
	classTreeVisualMip classid.ID = 0x09015000
	classTreeLight     classid.ID = 0x09062000
	classCrystal       classid.ID = 0x09003000
)

// chunk reads one chunk that contains geometry, or refers to it.
func (r *reader) chunk(n *gbx.Node, body gbx.Body, role Role) []*Node {
	switch c := body.(type) {
	case *plug.Chunk090BB000: // CPlugSolid2Model
		return r.solid2(n, c, role)
	case *plug.Chunk0900500D: // CPlugSolid
		return r.ref(c.Tree, role)
	case *plug.Chunk09005011:
		return r.ref(c.Tree, role)
	case *plug.Chunk0900C003: // CPlugSurface
		return r.surface(&c.Surf, role)
	case *plug.Chunk0900C000:
		return r.ref(c.Geom, role)
	case *plug.Chunk0900F002: // CPlugSurfaceGeom
		return r.surfaceNode(&c.Mesh, role)
	case *plug.Chunk0900F004:
		return r.surface(&c.Surf, role)
	case *plug.Plain09159000: // CPlugStaticObjectModel
		return append(r.ref(c.Mesh, role), r.ref(c.Shape, Collision)...)
	case *plug.Plain09144000: // CPlugDynaObjectModel
		return append(r.ref(c.Mesh, role), r.refs(Collision, c.StaticShape, c.DynaShape)...)
	case *plug.Chunk0911C000: // CPlugTrainWagonModel
		return append(r.ref(c.Mesh, role), r.ref(c.Shape, Collision)...)
	case *plug.Plain09145000: // CPlugPrefab
		return r.prefab(c, role)
	}
	return r.holder(body, role)
}

func (r *reader) prefab(c *plug.Plain09145000, role Role) []*Node {
	var out []*Node
	for i := range c.Ents {
		e := &c.Ents[i]
		children := r.ref(e.Model, role)
		if len(children) == 0 {
			continue
		}
		out = append(out, &Node{Name: e.Name, Transform: r.location(placed(e.Rotation, e.Position)), Role: role, Children: children})
	}
	return out
}

// location returns the transform. If a number is not finite, it records an error and
// returns Identity.
func (r *reader) location(t Transform) Transform {
	if !t.finite() {
		r.fail("a place that is not a number")
		return Identity
	}
	return t
}

func (r *reader) material(m Material) int {
	if m.Name == "" {
		m.Name = m.Link
	}
	if m.Name == "" {
		return -1
	}
	i, ok := r.materials[m]
	if !ok {
		i = len(r.scene.Materials)
		r.materials[m] = i
		r.scene.Materials = append(r.scene.Materials, m)
	}
	return i
}

// materialOf returns the material of a reference: a user's material, or the game's
// material by file name.
func (r *reader) materialOf(ref gbx.Ref) int {
	c, ok := gbx.Find[*plug.Chunk090FD000](ref.Node)
	if !ok {
		return r.material(Material{Name: baseName(r.path(ref))})
	}
	link := c.Link
	if link == "" {
		link = c.LinkID.String()
	}
	return r.material(Material{Name: c.MaterialName.String(), Link: baseName(link)})
}

func baseName(file string) string {
	name, _, _ := strings.Cut(path.Base(strings.ReplaceAll(file, `\`, "/")), ".")
	return strings.TrimSuffix(name, "/")
}
