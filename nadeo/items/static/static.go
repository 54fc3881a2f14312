// Package static makes items in the form of Nadeo's importer for Trackmania (2020): a
// static object whose triangles are ready to draw. Chunks, versions, order and constant
// values are those of a real item, NadeoStairs, and of two meshes of the importer. "Not
// seen" marks values that no known file confirms.
package static

import (
	"cmp"
	"image"
	"time"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/items"
)

// Waypoint is the effect of an item on a car that passes it.
type Waypoint = gamedata.CGameItemModelWaypointType

// Item describes a new item.
type Item struct {
	Name, Author string
	Description  string // "No Description" if empty
	Collection   gbx.ID // the environment
	Solid        Solid
	// Hull is the shape that stops cars. If it is nil, the solid does.
	Hull      *Surface
	Waypoint  Waypoint
	Trigger   *Surface  // a car that crosses its faces fires the waypoint
	Spawn     *gbx.Iso4 // where a car starts, nil for the item's origin
	Placement items.Placement
	Icon      image.Image // scaled to 64 by 64 pixels; nil for none
}

// Solid is the visible mesh.
type Solid struct {
	Materials []Material
	Parts     []Part
	// LodDistances are the distances in metres at which the next level of detail begins.
	LodDistances []float32
	Lights       []Light
	Folder       string    // folder of the materials: Stadium\Media\Material\
	Source       string    // the command that made the item
	Time         time.Time // when the item was made
}

// Material describes how the item uses one of the game's materials.
type Material struct {
	Name     string // name in the mesh file
	Link     string // a name in Folder, or a whole path with backslashes
	Surface  uint8  // physics of the surface
	Gameplay uint8  // effect on a car
	Color    *[3]uint8
	UVLayers int  // number of layers, 0 to 2; it decides the form of the vertices
	Lightmap int  // index of the lightmap's layer, -1 for none
	Whole    bool // Link is a whole path
	// Model and BaseTexture define a material of ManiaPlanet without a Link.
	Model, BaseTexture string
}

// Part holds the triangles of one material.
type Part struct {
	Material int
	Levels   uint32   // a bit for each level of detail that shows the part
	Hidden   bool     // solid but invisible; static objects have a Hull for this
	Passable bool     // visible but not solid
	Corners  []Vertex // three for each triangle
}

// Vertex is a corner of a triangle.
type Vertex struct {
	Position, Normal gbx.Vec3
	UVs              [2]gbx.Vec2 // in the order of the material's layers
}

// Light is a light of the item.
type Light struct {
	Name  string // name in the mesh file; only stored for ManiaPlanet
	Model plug.Chunk090F9000
	Place gbx.Iso4
}

const (
	classItem      classid.ID = 0x2E002000
	classPlacement classid.ID = 0x09187000
)

// New makes the item's file.
func New(o Item) (*items.Model, error) {
	solid, err := o.Solid.node(trackmania2020)
	if err != nil {
		return nil, err
	}
	f := gbx.New(&gbx.Node{Class: classItem, Chunks: o.body(solid)}, engine.Registry())
	f.RawUserData = nil
	f.Chunks = o.header()
	return items.ModelOf(f)
}

// itemPage is the folder of the editor's list that shows the item.
const itemPage = "Items"

func (o *Item) ident() gbx.Ident {
	return gbx.Ident{ID: gbx.NoID, Collection: o.Collection, Author: gbx.NewID(o.Author)}
}

func (o *Item) header() []gbx.HeaderChunk {
	const flags = 8 // the importer's value; items saved by the editor have 16
	list := []gbx.HeaderChunk{{ID: 0x2E001003, IDVersion: chunks.IDVersion, Body: &gamedata.Header2E001003{
		Model: o.ident(), Version: 8, PageName: itemPage, ParentCollectorID: gbx.NoID, Flags: flags, CatalogPosition: 1,
		Name: styled.Marked(o.Name), ProdState: gamedata.CGameCtnCollectorProdStateRelease,
	}}}
	if o.Icon != nil {
		list = append(list, items.IconHeader(o.Icon))
	}
	return append(list,
		chunks.Header(&gamedata.Header2E001006{}, false),
		chunks.Header(&gamedata.Header2E002000{ItemType: gamedata.CGameItemModelItemTypeOrnament}, false),
		chunks.Header(&gamedata.Header2E002001{}, false))
}

func (o *Item) body(solid *gbx.Node) []gbx.Chunk {
	var l chunks.Chunks
	l.Add(
		&gamedata.Chunk2E001009{PageName: itemPage, ParentCollectorID: gbx.NoID},
		&gamedata.Chunk2E00100B{Model: o.ident()}, &gamedata.Chunk2E00100C{Name: styled.Marked(o.Name)},
		&gamedata.Chunk2E00100D{Description: styled.Marked(cmp.Or(o.Description, "No Description"))},
		&gamedata.Chunk2E001010{Version: 3},
		&gamedata.Chunk2E001011{Version: 1, CatalogPosition: 1, ProdState: gamedata.CGameCtnCollectorProdStateRelease},
		&gamedata.Chunk2E001012{IconUseAutoRender: gbx.True},
		&gamedata.Chunk2E002008{NadeoSkinFids: make([]gbx.Ref, 7)},
		&gamedata.Chunk2E002009{CamerasListVersion: chunks.ListVersion}, &gamedata.Chunk2E00200C{},
		&gamedata.Chunk2E002012{OrbitalRadiusBase: -1, OrbitalPreviewAngle: 0.15},
		&gamedata.Chunk2E002015{ItemType: gamedata.CGameItemModelItemTypeOrnament},
		&gamedata.Chunk2E002019{Version: 15, DefaultWeaponName: gbx.NoID, EntityModel: gbx.NewRef(o.entity(solid))},
		&gamedata.Chunk2E00201A{}, &gamedata.Chunk2E00201C{Version: 5, DefaultPlacement: gbx.NewRef(o.placement(true))},
		&gamedata.Chunk2E00201E{Version: 7, U01: -1},
		&gamedata.Chunk2E00201F{Version: 12, WaypointType: o.Waypoint, U08: 1, U09: -1, U10: -1},
		&gamedata.Chunk2E002020{Version: 3})
	l.Skippable(&gamedata.Chunk2E002025{}, &gamedata.Chunk2E002026{}, &gamedata.Chunk2E002027{})
	return l
}

// entity makes the node of the object, with its trigger and the place where cars start.
// No real item with a trigger in this form was seen.
func (o *Item) entity(solid *gbx.Node) *gbx.Node {
	identity := gbx.Iso4(mesh.Identity)
	object := &plug.Plain09159000{Version: 3, Mesh: gbx.NewRef(solid), IsMeshCollidable: 1}
	if o.Hull != nil {
		object.IsMeshCollidable, object.Shape = 0, o.Hull.ref()
	}
	c := &gamedata.Chunk2E027000{
		Version: 4, StaticObject: gbx.NewRef(plain(object)), TriggerShape: o.Trigger.ref(),
		SpawnLocation: identity, SoundLocPermanent: identity,
	}
	if o.Spawn != nil {
		c.SpawnLocation = *o.Spawn
	}
	return chunks.Node(c)
}

// plain makes a node without a chunk number.
func plain(b gbx.Body) *gbx.Node {
	id := chunks.ChunkID(b)
	return &gbx.Node{Class: id, Chunks: []gbx.Chunk{{ID: id, Body: b}}}
}

// placement makes the node with the editor's rules for placing the item.
func (o *Item) placement(is2020 bool) *gbx.Node {
	values, pivots := o.Placement.Chunks()
	var l chunks.Chunks
	l.Skippable(values, pivots)
	if is2020 {
		class := &plug.Plain09187000{Version: 10, SizeGroup: gbx.NoID, AlignToInterior: gbx.True, WorldDir: gbx.Vec3{Z: 1}}
		l.Skippable(&gamedata.Chunk2E020003{Version: 3, PlacementClass: gbx.NewRef(plain(class))}, &gamedata.Chunk2E020004{})
	}
	return &gbx.Node{Class: 0x2E020000, Chunks: l}
}

// errNoTriangles is the error for a solid without triangles.
func errNoTriangles() error {
	return fault.New(fault.Unsupported, "the mesh has no triangles to draw")
}
