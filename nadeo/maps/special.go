package maps

import (
	"reflect"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/internal/lib/styled"
)

// A skin, and the data of a waypoint, are separate nodes, because only some blocks and
// items have them.

// Classes of these nodes.
const (
	classWaypoint classid.ID = 0x2E009000
	classSkin     classid.ID = 0x03059000
	classOldSkin  classid.ID = 0x2403A000 // in games before TrackMania Forever
)

// skinOf returns the path of a block's skin.
func skinOf(r gbx.Ref) string {
	if f := skinFile(r.Node); f != nil {
		return styled.Unmarked(f.Path)
	}
	return ""
}

func skinFile(n *gbx.Node) *gbx.FileRef {
	if c, ok := gbx.Find[*game.Chunk03059002](n); ok {
		return &c.PackDesc
	}
	if c, ok := gbx.Find[*game.Chunk03059001](n); ok {
		return &c.PackDesc
	}
	return nil
}

// fileRef makes a reference to a file in the player's folder, in the version of the map's
// other references. The checksum of the file is unknown.
func (m *Map) fileRef(path string) gbx.FileRef {
	version := uint8(3)
	if c, ok := find[*game.Chunk03043019](m); ok {
		version = c.ModPackDesc.Version
	}
	return gbx.FileRef{Version: version, Path: path}
}

// skinWith returns a block's skin with another picture.
func (m *Map) skinWith(old gbx.Ref, path string) gbx.Ref {
	if path == "" {
		return gbx.Ref{}
	}
	if old.Node != nil {
		n := copyNode(old.Node)
		if f := skinFile(n); f != nil {
			*f = m.fileRef(path)
			return gbx.NewRef(n)
		}
	}
	class := classSkin
	if m.File.Class != classMap {
		class = classOldSkin
	}
	n := &gbx.Node{Class: class, Chunks: []gbx.Chunk{
		{ID: class | 2, Body: &game.Chunk03059002{PackDesc: m.fileRef(path), ParentPackDesc: m.fileRef("")}},
	}}
	if _, ok := find[*game.Chunk0304305F](m); ok { // Trackmania has one more chunk
		n.Chunks = append(n.Chunks, gbx.Chunk{ID: class | 3, Body: &game.Chunk03059003{SecondaryPackDesc: m.fileRef("")}})
	}
	return gbx.NewRef(n)
}

// oldWaypoints are the kinds of waypoints, for the version that stores them as numbers.
var oldWaypoints = []string{"Spawn", "Goal", "Checkpoint", "", "StartFinish"}

// waypointOf returns the kind of waypoint that a block or item is, and its order.
func waypointOf(r gbx.Ref) (tag string, order int) {
	c, ok := gbx.Find[*gamedata.Chunk2E009000](r.Node)
	switch {
	case !ok:
		return "", 0
	case c.Version == 2:
		return c.Tag, int(c.Order)
	case c.Version == 1 && int64(c.Spawn) < int64(len(oldWaypoints)):
		return oldWaypoints[c.Spawn], int(c.Order)
	}
	return "", 0
}

// waypointWith changes the waypoint of a block or item. Other values of the old waypoint
// stay.
func waypointWith(old gbx.Ref, tag string, order int) (gbx.Ref, error) {
	if tag == "" && order == 0 {
		return gbx.Ref{}, nil
	}
	if tag == "" {
		return gbx.Ref{}, fault.New(fault.Unsupported, "only a waypoint has an order")
	}
	if order < 0 || int64(order) > 1<<31-1 {
		return gbx.Ref{}, fault.New(fault.Limit, "a waypoint cannot have the order %d", order)
	}
	if old.Node != nil {
		n := copyNode(old.Node)
		if c, ok := gbx.Find[*gamedata.Chunk2E009000](n); ok {
			c.Version, c.Spawn, c.Tag, c.Order = 2, 0, tag, uint32(order)
			return gbx.NewRef(n), nil
		}
	}
	return gbx.NewRef(&gbx.Node{Class: classWaypoint, Chunks: []gbx.Chunk{
		{ID: classWaypoint, Body: &gamedata.Chunk2E009000{Version: 2, Tag: tag, Order: uint32(order)}},
		{ID: classWaypoint | 1, Skip: true, Body: &gamedata.Chunk2E009001{}},
	}}), nil
}

// copyRef makes a reference to a copy of the node.
func copyRef(r gbx.Ref) gbx.Ref {
	if r.Node == nil {
		return r
	}
	return gbx.NewRef(copyNode(r.Node))
}

// copyNode copies a node and its chunks. It does not copy the nodes that these refer to.
func copyNode(n *gbx.Node) *gbx.Node {
	out := *n
	out.Chunks = slices.Clone(n.Chunks)
	for i := range out.Chunks {
		old := reflect.ValueOf(out.Chunks[i].Body)
		if old.Kind() != reflect.Pointer || old.IsNil() {
			continue
		}
		body := reflect.New(old.Type().Elem())
		body.Elem().Set(old.Elem())
		out.Chunks[i].Body = body.Interface().(gbx.Body)
	}
	return &out
}
