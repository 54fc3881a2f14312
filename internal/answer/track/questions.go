// Package track has the questions about maps and their parts: blocks, items and
// materials.
package track

import "pakbox/internal/question"

// Questions lists the questions of this package.
func Questions() []*question.Question {
	return []*question.Question{
		MapBlocks.Asked(), MapCut.Asked(), MapDeps.Asked(), MapItems.Asked(), MapLightmap.Asked(), MapLint.Asked(), MapMedals.Asked(),
		MapMesh.Asked(), MapMeta.Asked(), MapPassword.Asked(), MapPicture.Asked(), MapScrub.Asked(), MapShrink.Asked(), MapSize.Asked(), MapThumbnail.Asked(),
		MapValidation.Asked(), CampaignList.Asked(), BlockInfo.Asked(), ItemLint.Asked(), ItemMaterials.Asked(),
	}
}
