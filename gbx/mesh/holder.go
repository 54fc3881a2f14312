package mesh

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/hms"
	"pakbox/gbx/engine/meta"
	"pakbox/gbx/engine/scene"
)

// holder reads a chunk of an item or a block that contains nodes with geometry.
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
		out := append(r.outsides(role, c.SolidRef), r.refs(role, c.MeshCrystal, c.Solid, c.U02)...)
		out = append(out, r.refs(Collision, c.CustomMoveShapeCrystal, c.CustomHitShapeCrystal)...)
		return append(out, r.ref(c.CustomTriggerShapeCrystal, Trigger)...)
	case *gamedata.Chunk2E025000: // CGameBlockItem
		return r.blockItem(c, role)
	case *meta.Plain2F0BC000: // NPlugItem_SVariantList
		return r.variants(c, role)
	case *gamedata.Chunk2E007000: // CGameObjectVisModel
		return r.ref(c.MeshShaded, role)
	case *gamedata.Chunk2E007001:
		return append(r.outsides(role, c.Mesh, c.SolidRef), r.refs(role, c.U04, c.MeshShaded, c.MeshShadedFid, c.Solid)...)
	case *gamedata.Chunk2E006001: // CGameObjectPhyModel
		out := append(r.outsides(Collision, c.MoveShape, c.HitShape), r.outsides(Trigger, c.TriggerShape)...)
		out = append(out, r.outsides(Collision, c.Solid)...)
		out = append(out, r.refs(Collision, c.MoveShapeFid, c.U02, c.HitShapeFid, c.SolidFid)...)
		return append(out, r.ref(c.TriggerShapeFid, Trigger)...)
	case *scene.Chunk0A011005: // CSceneMobil
		return r.ref(c.Item, role)
	case *hms.Chunk06003001: // CHmsItem
		return r.ref(c.Solid, role)
	}
	return r.block(body, role)
}

func (r *reader) group(c *gamedata.Chunk2E002021, role Role) []*Node {
	var out []*Node
	for i := range c.ItemGroupElements {
		e := &c.ItemGroupElements[i]
		if children := append(r.outsides(role, e.ItemRef), r.ref(e.Item, role)...); len(children) > 0 {
			out = append(out, &Node{Transform: r.location(fromIso4(e.Location)), Role: role, Children: children})
		}
	}
	return out
}
