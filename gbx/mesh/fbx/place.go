package fbx

import (
	"errors"
	"math"

	"pakbox/fault"
	"pakbox/gbx/mesh/model"
)

// settings are the axes and the unit of a file.
type settings struct {
	up, front, coord             float64 // which axis: 0 x, 1 y, 2 z
	upSign, frontSign, coordSign float64
	unit                         float64 // length of the file's unit in centimetres
}

var defaultSettings = settings{up: 1, front: 2, coord: 0, upSign: 1, frontSign: 1, coordSign: 1, unit: 1}

const centimetres = 100 // centimetres in a metre

func (s *settings) set(name string, v [3]float64, _ int) {
	for want, to := range map[string]*float64{
		"UpAxis": &s.up, "UpAxisSign": &s.upSign, "FrontAxis": &s.front, "FrontAxisSign": &s.frontSign,
		"CoordAxis": &s.coord, "CoordAxisSign": &s.coordSign, "UnitScaleFactor": &s.unit,
	} {
		if name == want {
			*to = v[0]
		}
	}
}

// matrix converts points of the file to metres with Y up. The file's side axis becomes X,
// its up axis Y, its front axis Z.
func (s *settings) matrix() (model.Matrix, error) {
	if !(s.unit > 0 && s.unit <= 1e9) {
		return model.Matrix{}, fault.New(fault.Corrupt, "GlobalSettings of the FBX file: a unit of %v cm", s.unit)
	}
	columns, seen := [3]model.Vec3{}, 0
	for to, axis := range [3][2]float64{{s.coord, s.coordSign}, {s.up, s.upSign}, {s.front, s.frontSign}} {
		if i := axis[0]; (i == 0 || i == 1 || i == 2) && (axis[1] == 1 || axis[1] == -1) {
			columns[int(i)][to] = axis[1] * s.unit / centimetres
			seen |= 1 << int(i)
		}
	}
	if seen != 7 {
		return model.Matrix{}, fault.New(fault.Corrupt, "GlobalSettings of the FBX file: axes %v, %v and %v", s.coord, s.up, s.front)
	}
	return model.Matrix{X: columns[0], Y: columns[1], Z: columns[2]}, nil
}

// properties are the properties that determine the place of a node.
type properties struct {
	translation, rotation, scaling                     [3]float64
	rotationOffset, rotationPivot                      [3]float64
	scalingOffset, scalingPivot                        [3]float64
	preRotation, postRotation                          [3]float64
	geometricMove, geometricRotation, geometricScaling [3]float64
	order, inherit, rotationActive                     float64
}

var defaultProperties = properties{scaling: [3]float64{1, 1, 1}, geometricScaling: [3]float64{1, 1, 1}}

func (p *properties) set(name string, v [3]float64, n int) {
	vectors := map[string]*[3]float64{
		"Lcl Translation": &p.translation, "Lcl Rotation": &p.rotation, "Lcl Scaling": &p.scaling,
		"RotationOffset": &p.rotationOffset, "RotationPivot": &p.rotationPivot,
		"ScalingOffset": &p.scalingOffset, "ScalingPivot": &p.scalingPivot,
		"PreRotation": &p.preRotation, "PostRotation": &p.postRotation,
		"GeometricTranslation": &p.geometricMove, "GeometricRotation": &p.geometricRotation, "GeometricScaling": &p.geometricScaling,
	}
	if to := vectors[name]; to != nil && n == 3 {
		*to = v
		return
	}
	switch name {
	case "RotationOrder":
		p.order = v[0]
	case "InheritType":
		p.inherit = v[0]
	case "RotationActive":
		p.rotationActive = v[0]
	}
}

// orders are the orders in which rotations about the three axes are applied.
var orders = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}

// euler is a rotation by three angles in degrees.
func euler(angles [3]float64, order [3]int) model.Matrix {
	out := model.Identity
	for _, axis := range order {
		if angles[axis] == 0 {
			continue // skipping keeps numbers exact
		}
		sin, cos := math.Sincos(angles[axis] * math.Pi / 180)
		if q := angles[axis] / 90; q == math.Trunc(q) { // make quarter turns exact
			sin, cos = math.Round(sin), math.Round(cos)
		}
		a, b := (axis+1)%3, (axis+2)%3
		columns := [3]model.Vec3{}
		columns[axis][axis] = 1
		columns[a][a], columns[a][b] = cos, sin
		columns[b][a], columns[b][b] = -sin, cos
		out = model.Matrix{X: columns[0], Y: columns[1], Z: columns[2]}.Times(out)
	}
	return out
}

func moved(v [3]float64) model.Matrix { m := model.Identity; m.T = v; return m }

func scaled(v [3]float64) model.Matrix {
	return model.Matrix{X: model.Vec3{v[0], 0, 0}, Y: model.Vec3{0, v[1], 0}, Z: model.Vec3{0, 0, v[2]}}
}

func product(list ...model.Matrix) model.Matrix {
	out := list[0]
	for _, m := range list[1:] {
		out = out.Times(m)
	}
	return out
}

// geometric places the mesh within its node. Child nodes are not affected.
func (p *properties) geometric() model.Matrix {
	return product(moved(p.geometricMove), euler(p.geometricRotation, orders[0]), scaled(p.geometricScaling))
}

// turn is the rotation of the node. The order of axes, and the rotations before and
// after, are used only if RotationActive is set. The SDK reportedly does so; no available
// file shows it.
func (p *properties) turn() (model.Matrix, error) {
	order := orders[0]
	pre, post := model.Identity, model.Identity
	if p.rotationActive != 0 {
		if !(p.order >= 0 && int(p.order) < len(orders)) {
			return pre, errors.New("the order of rotations is not known")
		}
		order = orders[int(p.order)]
		pre, post = euler(p.preRotation, orders[0]), inverted(euler(p.postRotation, orders[0]))
	}
	return product(pre, euler(p.rotation, order), post), nil
}

// inverted returns the inverse of a rotation.
func inverted(m model.Matrix) model.Matrix {
	return model.Matrix{
		X: model.Vec3{m.X[0], m.Y[0], m.Z[0]}, Y: model.Vec3{m.X[1], m.Y[1], m.Z[1]}, Z: model.Vec3{m.X[2], m.Y[2], m.Z[2]},
	}
}

func minus(v [3]float64) [3]float64 { return [3]float64{-v[0], -v[1], -v[2]} }

// placement is the place of a node. Rotation and scale are also stored separately,
// because children may inherit only one of them.
type placement struct {
	world  model.Matrix
	parent model.Matrix // the matrix that converts the axes of the file
	turn   model.Matrix // product of all rotations down to the node
	local  [3]float64   // the node's own scaling
	below  bool         // false for the root, where only world and parent are set
}

// place returns the place of a child of a. As in the SDK and in assimp it is a product:
// translation, rotation about a pivot, scaling about a pivot.
func (a placement) place(p *properties) (placement, error) {
	turn, err := p.turn()
	if err != nil {
		return placement{}, err
	}
	local := product(
		moved(p.translation), moved(p.rotationOffset), moved(p.rotationPivot), turn, moved(minus(p.rotationPivot)),
		moved(p.scalingOffset), moved(p.scalingPivot), scaled(p.scaling), moved(minus(p.scalingPivot)))
	out := placement{world: a.world.Times(local), parent: a.parent, turn: turn, local: p.scaling, below: true}
	if !a.below {
		return out, nil
	}
	out.turn = a.turn.Times(turn)
	const ownScale, noParentScale = 0, 2 // FBX calls them eInheritRrSs and eInheritRrs; 1 is the plain product of matrices
	if p.inherit != ownScale && p.inherit != noParentScale {
		return out, nil
	}
	// The parent's scale is its matrix without rotations. With this kind of inheritance
	// it is applied after the node's rotation, along the node's axes.
	scale := inverted(a.turn).Times(linear(inverse(a.parent).Times(a.world)))
	if p.inherit == noParentScale {
		scale = scale.Times(inverse(scaled(a.local)))
	} else if even(scale) {
		return out, nil // the plain product gives the same result exactly
	}
	rest := product(linear(a.parent), a.turn, turn, scale, scaled(p.scaling))
	rest.T = out.world.T
	out.world = rest
	return out, nil
}

// linear is a matrix without its translation.
func linear(m model.Matrix) model.Matrix { m.T = model.Vec3{}; return m }

// even reports whether a matrix scales all directions equally, apart from rounding.
func even(m model.Matrix) bool {
	s := m.X[0]
	near := func(v model.Vec3) bool { return v.Dot(v) <= 1e-24*s*s }
	return near(m.X.Sub(model.Vec3{s, 0, 0})) && near(m.Y.Sub(model.Vec3{0, s, 0})) && near(m.Z.Sub(model.Vec3{0, 0, s}))
}

// inverse is the inverse of a matrix without translation.
func inverse(m model.Matrix) model.Matrix {
	det := m.X.Cross(m.Y).Dot(m.Z)
	return inverted(model.Matrix{X: m.Y.Cross(m.Z).Times(1 / det), Y: m.Z.Cross(m.X).Times(1 / det), Z: m.X.Cross(m.Y).Times(1 / det)})
}
