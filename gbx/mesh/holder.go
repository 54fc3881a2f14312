package mesh

import (
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/hms"
	"pakbox/gbx/engine/meta"
	"pakbox/gbx/engine/scene"
)

// holder reads a chunk of an item, a block or the like: something that has no
// geometry itself but holds nodes that do.
func (r *reader) holder(body gbx.Body, role Role) []*Node {
	switch c := body.(type) {
	case *gamedata.Chunk2E002003: // CGameItemModel: a vehicle of the older games
		return r.ref(c.LowQualitySolid, role)
	case *gamedata.Chunk2E002019:
		out := r.refs(role, c.EntityModelEdition, c.EntityModel, c.VisModel, c.VisModelCustom, c.VisModelStatic)
		return append(out, r.refs(Collision, c.PhyModel, c.PhyModelCustom)...)
	case *gamedata.Chunk2E002021:
		return r.group(c, role)
	case *gamedata.Chunk2E027000: // CGameCommonItemEntityModel
		out := r.refs(role, c.StaticObject, c.VisModel)
		out = append(out, r.ref(c.PhyModel, Collision)...)
		return append(out, r.ref(c.TriggerShape, Trigger)...)
	case *gamedata.Chunk2E026000: // CGameCommonItemEntityModelEdition
		r.outside(c.SolidRef)
		out := r.refs(role, c.MeshCrystal, c.Solid, c.U02)
		out = append(out, r.refs(Collision, c.CustomMoveShapeCrystal, c.CustomHitShapeCrystal)...)
		return append(out, r.ref(c.CustomTriggerShapeCrystal, Trigger)...)
	case *gamedata.Chunk2E025000: // CGameBlockItem
		return r.blockItem(c, role)
	case *meta.Plain2F0BC000: // NPlugItem_SVariantList
		return r.variants(c, role)
	case *gamedata.Chunk2E007000: // CGameObjectVisModel
		return r.ref(c.MeshShaded, role)
	case *gamedata.Chunk2E007001:
		r.outside(c.Mesh)
		r.outside(c.SolidRef)
		return r.refs(role, c.U04, c.MeshShaded, c.MeshShadedFid, c.Solid)
	case *gamedata.Chunk2E006001: // CGameObjectPhyModel
		for _, name := range []string{c.MoveShape, c.HitShape, c.TriggerShape, c.Solid} {
			r.outside(name)
		}
		out := r.refs(Collision, c.MoveShapeFid, c.U02, c.HitShapeFid, c.SolidFid)
		return append(out, r.ref(c.TriggerShapeFid, Trigger)...)
	case *scene.Chunk0A011005: // CSceneMobil
		return r.ref(c.Item, role)
	case *hms.Chunk06003001: // CHmsItem
		return r.ref(c.Solid, role)
	}
	return r.block(body, role)
}

// variants reads items of which one is placed: all of them, each in a node.
func (r *reader) variants(c *meta.Plain2F0BC000, role Role) []*Node {
	var out []*Node
	for i := range c.Variants {
		if children := r.ref(c.Variants[i].EntityModel, role); len(children) > 0 {
			out = append(out, &Node{Name: "Variant" + strconv.Itoa(i), Transform: Identity, Role: role, Children: children})
		}
	}
	return out
}

// group reads items that form one item.
func (r *reader) group(c *gamedata.Chunk2E002021, role Role) []*Node {
	var out []*Node
	for i := range c.ItemGroupElements {
		e := &c.ItemGroupElements[i]
		r.outside(e.ItemRef)
		if children := r.ref(e.Item, role); len(children) > 0 {
			out = append(out, &Node{Transform: r.location(fromIso4(e.Location)), Role: role, Children: children})
		}
	}
	return out
}

// blockItem reads a custom block. Where the game's mesh stands beside the
// crystal that it was made from, the mesh is what is drawn.
func (r *reader) blockItem(c *gamedata.Chunk2E025000, role Role) []*Node {
	var out []*Node
	for i := range c.CustomizedVariants {
		var made []*Node
		if i < len(c.Properties) {
			made = r.ref(c.Properties[i].StaticObject, role)
			out = append(append(out, made...), r.ref(c.Properties[i].Shape, Collision)...)
		}
		if made == nil {
			out = append(out, r.ref(c.CustomizedVariants[i].Crystal, role)...)
		}
	}
	return out
}

// block reads a chunk of a block of the game.
func (r *reader) block(body gbx.Body, role Role) []*Node {
	var out []*Node
	switch c := body.(type) {
	case *game.Chunk0304E005: // CGameCtnBlockInfo, up to TrackMania Forever
		for _, list := range [][]game.CGameCtnBlockInfoMobils{c.GroundMobils, c.AirMobils} {
			for i := range list {
				out = append(out, r.refs(role, list[i].Mobils...)...)
			}
		}
	case *game.Chunk0304E023:
		return r.refs(role, c.VariantBaseGround, c.VariantBaseAir)
	case *game.Chunk0304E027:
		return r.refs(role, c.AdditionalVariantsGround...)
	case *game.Chunk0304E02C:
		return r.refs(role, c.AdditionalVariantsAir...)
	case *game.Chunk0315B005: // CGameCtnBlockInfoVariant
		for i := range c.Mobils {
			out = append(out, r.refs(role, c.Mobils[i].Mobils...)...)
		}
	case *game.Chunk03122003: // CGameCtnBlockInfoMobil
		return r.refs(role, c.SolidFid, c.PrefabFid, c.OldMobil)
	}
	return out
}
