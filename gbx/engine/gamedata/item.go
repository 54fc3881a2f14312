package gamedata

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// customModelsUntil returns a version of chunk 2E002019. From that version on, an item of
// this type has its models in the entity model. The type is in an earlier chunk.
func customModelsUntil(x *gbx.Coder) int {
	c, ok := code.Sibling[*Chunk2E002015](x)
	if !ok {
		return 12
	}
	switch c.ItemType {
	case CGameItemModelItemTypeOrnament, CGameItemModelItemTypePickUp, CGameItemModelItemTypeSpot:
		return 9
	case CGameItemModelItemTypeVehicle:
		return 10
	case CGameItemModelItemTypeBlock:
		return 0
	}
	return 12
}

// customizedVariantCount is the number of variants, from chunk 003 of the block.
func customizedVariantCount(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk2E025000](x); ok {
		return len(c.CustomizedVariants)
	}
	return 0
}
