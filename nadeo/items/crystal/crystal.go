// Package crystal makes items that the games' item editor can edit: the mesh is a
// crystal, with layers of faces. Chunks, versions, order and constant values are those of
// real items: 42 of Trackmania (2020) since April 2022, and 29 of ManiaPlanet 4. The
// items have not been tried in a game.
package crystal

import (
	"bytes"
	"cmp"
	"encoding/binary"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/static"
)

// New makes an item for Trackmania2020 or ManiaPlanet4. Every material has two layers of
// texture coordinates, the second for the lightmap, and is named by its whole path. A
// crystal has no normals: the game computes them. Triangles without area are dropped.
// Only the finest level of detail is used.
func New(o static.Item, game nadeo.Generation) (*items.Model, error) {
	if game != nadeo.Trackmania2020 && game != nadeo.ManiaPlanet4 {
		return nil, fault.New(fault.Unsupported, "new items of %s cannot be made", game)
	}
	p := &plan{Item: o, is2020: game == nadeo.Trackmania2020}
	crystal, err := p.crystal()
	if err != nil {
		return nil, err
	}
	f := gbx.New(&gbx.Node{Class: 0x2E002000, Chunks: p.body(crystal)}, engine.Registry())
	f.RawUserData = nil
	if f.Chunks, err = p.header(); err != nil {
		return nil, err
	}
	return items.ModelOf(f)
}

// plan holds the description of a new item while its nodes are made.
type plan struct {
	static.Item
	is2020 bool
}

// either chooses a version: the first for ManiaPlanet 4, the second for Trackmania
// (2020).
func (p *plan) either(mp4, tm2020 uint32) uint32 {
	if p.is2020 {
		return tm2020
	}
	return mp4
}

const (
	itemPage     = "Items" // of the editor's list
	itemPosition = 1
)

func (p *plan) ident() gbx.Ident {
	return gbx.Ident{ID: gbx.NoID, Collection: p.Collection, Author: gbx.NewID(p.Author)}
}

// header makes the chunks of the header. Icons are WebP in Trackmania, pixels in
// ManiaPlanet.
func (p *plan) header() ([]gbx.HeaderChunk, error) {
	const flags = 0x10 // the value in all items that players saved
	list := []gbx.HeaderChunk{{ID: 0x2E001003, IDVersion: chunks.IDVersion, Body: &gamedata.Header2E001003{
		Model: p.ident(), Version: 8, PageName: itemPage, ParentCollectorID: gbx.NoID, Flags: flags, CatalogPosition: itemPosition,
		Name: styled.Marked(p.Name), ProdState: gamedata.CGameCtnCollectorProdStateRelease,
	}}}
	if p.Icon != nil && p.is2020 {
		icon, err := items.WebPIconHeader(p.Icon)
		if err != nil {
			return nil, err
		}
		list = append(list, icon)
	} else if p.Icon != nil {
		list = append(list, items.IconHeader(p.Icon))
	}
	return append(list,
		chunks.Header(&gamedata.Header2E001006{}, false),
		chunks.Header(&gamedata.Header2E002000{ItemType: gamedata.CGameItemModelItemTypeOrnament}, false),
		chunks.Header(&gamedata.Header2E002001{}, false)), nil
}

// body makes the chunks of the item, in the order of the games.
func (p *plan) body(crystal *gbx.Node) []gbx.Chunk {
	var l chunks.Chunks
	ornament := gamedata.CGameItemModelItemTypeOrnament
	l.Add(
		&gamedata.Chunk2E001009{PageName: itemPage, ParentCollectorID: gbx.NoID},
		&gamedata.Chunk2E00100B{Model: p.ident()}, &gamedata.Chunk2E00100C{Name: styled.Marked(p.Name)},
		&gamedata.Chunk2E00100D{Description: styled.Marked(cmp.Or(p.Description, "No Description"))})
	if !p.is2020 {
		l.Add(&gamedata.Chunk2E00100E{IconUseAutoRender: gbx.True})
	}
	l.Add(&gamedata.Chunk2E001010{Version: p.either(2, 4)},
		&gamedata.Chunk2E001011{Version: 1, CatalogPosition: itemPosition, ProdState: gamedata.CGameCtnCollectorProdStateRelease})
	if p.is2020 {
		l.Add(&gamedata.Chunk2E001012{IconUseAutoRender: gbx.True})
	}
	l.Add(&gamedata.Chunk2E002008{NadeoSkinFids: make([]gbx.Ref, 7)},
		&gamedata.Chunk2E002009{CamerasListVersion: chunks.ListVersion}, &gamedata.Chunk2E00200C{},
		&gamedata.Chunk2E002012{OrbitalRadiusBase: -1, OrbitalPreviewAngle: 0.15})
	if !p.is2020 {
		l.Add(&gamedata.Chunk2E002013{})
	}
	l.Add(&gamedata.Chunk2E002015{ItemType: ornament},
		&gamedata.Chunk2E002019{
			Version: p.either(12, 15), DefaultWeaponName: gbx.NoID, EntityModelEdition: gbx.NewRef(p.edition(crystal)),
		},
		&gamedata.Chunk2E00201A{}, &gamedata.Chunk2E00201C{Version: 5, DefaultPlacement: gbx.NewRef(p.placement())})
	waypoint := &gamedata.Chunk2E00201F{Version: p.either(8, 12), WaypointType: p.Waypoint}
	if !p.is2020 {
		l.Add(&gamedata.Chunk2E00201E{Version: 6}, waypoint, &gamedata.Chunk2E002020{Version: 3, U01: 1},
			&gamedata.Chunk2E002021{}, &gamedata.Chunk2E002023{})
		l.Skippable(&gamedata.Chunk2E002024{})
		return l
	}
	waypoint.U09, waypoint.U10 = -1, -1
	l.Add(&gamedata.Chunk2E00201E{Version: 7, U01: -1}, waypoint, &gamedata.Chunk2E002020{Version: 3, U01: 1})
	l.Skippable(&gamedata.Chunk2E002025{}, &gamedata.Chunk2E002026{}, &gamedata.Chunk2E002027{})
	return l
}

// edition makes the node that the item editor edits.
func (p *plan) edition(crystal *gbx.Node) *gbx.Node {
	var l chunks.Chunks
	l.Add(&gamedata.Chunk2E026000{
		Version: p.either(5, 8), ItemType: gamedata.CGameItemModelItemTypeOrnament, MeshCrystal: gbx.NewRef(crystal),
		SoundLocPermanent: gbx.Iso4(mesh.Identity), UseMeshAsHitShape: gbx.True, InventoryOccupation: 1000,
	})
	if p.is2020 {
		l.Skippable(&gamedata.Chunk2E026001{})
	}
	return &gbx.Node{Class: 0x2E026000, Chunks: l}
}

// placement makes the node with the editor's rules for placing the item.
func (p *plan) placement() *gbx.Node {
	values, pivots := p.Placement.Chunks()
	var l chunks.Chunks
	l.Skippable(values, pivots)
	if p.is2020 {
		const classPlacement classid.ID = 0x09187000
		class := &gbx.Node{Class: classPlacement, Chunks: []gbx.Chunk{{ID: classPlacement, Body: &plug.Plain09187000{
			Version: 10, SizeGroup: gbx.NoID, AlignToInterior: gbx.True, WorldDir: gbx.Vec3{Z: 1},
		}}}}
		l.Skippable(&gamedata.Chunk2E020004{}, &gamedata.Chunk2E020005{PlacementClass: gbx.NewRef(class)})
	}
	return &gbx.Node{Class: 0x2E020000, Chunks: l}
}

// editorData makes the settings that the mesh modeler stores beside a mesh. They are the
// same in all real items: the selected layer, a number of 16 bytes, and an empty node of
// the class for script values.
func (p *plan) editorData() []byte {
	const classTraits, nodeEnd = 0x11002000, 0xFACADE01
	layer := layerID(0)
	var b bytes.Buffer
	words := func(list ...uint32) {
		for _, v := range list {
			b.Write(binary.LittleEndian.AppendUint32(nil, v))
		}
	}
	words(0, 1, 0, 1, 1, uint32(len(layer)))
	b.WriteString(layer)
	words(0, 1, 0)
	words(0x3FC966BF, 0x4BD549FB, 0x6869E4BB, 0x190893C9)
	words(0, classTraits, p.either(5, 6))
	b.Write([]byte{0, 0}) // no types, no values
	words(nodeEnd, 0)
	return b.Bytes()
}
