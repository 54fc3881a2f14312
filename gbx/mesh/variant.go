package mesh

import (
	"slices"
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/meta"
)

// Parts of the number of a block's variant: ten million for each form (straight, curve),
// a million for a block in the air, a thousand for each unusual ground, one for each mesh
// that the game chooses at random.
const (
	perForm   = 10_000_000
	inAir     = 1_000_000
	perGround = 1_000
)

// BlockVariant returns the number of the variant of a block on a map.
func BlockVariant(form int, air bool, ground, chance int) int {
	n := form*perForm + ground*perGround + chance
	if air {
		n += inAir
	}
	return n
}

// wants reports whether a variant is to be read, and adds it to the scene's Variants.
func (r *reader) wants(number int) bool {
	if r.Variant == nil {
		return true
	}
	if !r.Variant(number) {
		return false
	}
	if !slices.Contains(r.scene.Variants, number) && len(r.scene.Variants) < maxVariants {
		r.scene.Variants = append(r.scene.Variants, number)
	}
	return true
}

// maxVariants is more than are ever asked for.
const maxVariants = 1000

// variants reads the variants of an item, each into a node. A map uses one of them.
func (r *reader) variants(c *meta.Plain2F0BC000, role Role) []*Node {
	var out []*Node
	for i := range c.Variants {
		if !r.wants(i) {
			continue
		}
		if children := r.ref(c.Variants[i].EntityModel, role); len(children) > 0 {
			out = append(out, &Node{Name: "Variant" + strconv.Itoa(i), Transform: Identity, Role: role, Children: children})
		}
	}
	return out
}

// blockItem reads a custom block. It uses the mesh for the game, or the crystal if there
// is no such mesh.
func (r *reader) blockItem(c *gamedata.Chunk2E025000, role Role) []*Node {
	var out []*Node
	for i := range c.CustomizedVariants {
		if !r.wants(int(c.CustomizedVariants[i].ID)) {
			continue
		}
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
	switch c := body.(type) {
	case *game.Chunk0304E005: // CGameCtnBlockInfo, up to TrackMania Forever
		out := r.oldForms(0, c.GroundMobils, role)
		return append(out, r.oldForms(inAir, c.AirMobils, role)...)
	case *game.Chunk0304E023:
		return append(r.numbered(0, c.VariantBaseGround, role), r.numbered(inAir, c.VariantBaseAir, role)...)
	case *game.Chunk0304E027:
		return r.grounds(0, c.AdditionalVariantsGround, role)
	case *game.Chunk0304E02C:
		return r.grounds(inAir, c.AdditionalVariantsAir, role)
	case *game.Chunk0315B005: // CGameCtnBlockInfoVariant
		var out []*Node
		for form := range c.Mobils {
			out = append(out, r.form(form, c.Mobils[form].Mobils, role)...)
		}
		return out
	case *game.Chunk03122003: // CGameCtnBlockInfoMobil
		return r.refs(role, c.SolidFid, c.PrefabFid, c.OldMobil)
	}
	return nil
}

func (r *reader) oldForms(number int, list []game.CGameCtnBlockInfoMobils, role Role) []*Node {
	before := r.number
	defer func() { r.number = before }()
	r.number += number
	var out []*Node
	for form := range list {
		out = append(out, r.form(form, list[form].Mobils, role)...)
	}
	return out
}

// form reads the meshes of one form of a block. The game draws one of them at random.
func (r *reader) form(form int, mobils []gbx.Ref, role Role) []*Node {
	var out []*Node
	for chance, ref := range mobils {
		if r.wants(r.number + form*perForm + chance) {
			out = append(out, r.ref(ref, role)...)
		}
	}
	return out
}

// grounds reads the variants of a block for unusual grounds.
func (r *reader) grounds(number int, list []gbx.Ref, role Role) []*Node {
	var out []*Node
	for i, ref := range list {
		out = append(out, r.numbered(number+(i+1)*perGround, ref, role)...)
	}
	return out
}

// numbered reads a node. number is added to the variant numbers of the nodes inside.
func (r *reader) numbered(number int, ref gbx.Ref, role Role) []*Node {
	before := r.number
	defer func() { r.number = before }()
	r.number += number
	return r.ref(ref, role)
}
