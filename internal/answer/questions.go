// Package answer is what pakbox says about files, one function for each
// question. A command, a page and every other face call the same function; it
// returns values and never prints.
package answer

import (
	"pakbox/internal/question"
	"pakbox/simutrans"
)

// Questions lists the questions that every face of pakbox asks: commands, the
// page, and programs in other languages.
func Questions() []*question.Question {
	list := []*question.Question{
		FileInfo.Asked(), FileList.Asked(), FileVerify.Asked(), FileDiff.Asked(), FileDump.Asked(), FileGet.Asked(), FileQuery.Asked(), FileGrep.Asked(),
		FileMesh.Asked(), meshFile.Asked(),
		MapBlocks.Asked(), MapCut.Asked(), MapDeps.Asked(), MapItems.Asked(), MapLightmap.Asked(), MapLint.Asked(), MapMedals.Asked(), MapMeta.Asked(),
		MapPassword.Asked(), MapPicture.Asked(), MapScrub.Asked(), MapShrink.Asked(), MapSize.Asked(), MapThumbnail.Asked(), MapValidation.Asked(), CampaignList.Asked(),
		ClipCombine.Asked(), ClipList.Asked(), ReplayAnimate.Asked(), ReplayBoard.Asked(), boardPicture.Asked(), ReplayCheck.Asked(), ReplayClip.Asked(), ReplayCompare.Asked(), ReplayCreate.Asked(),
		ReplayGhosts.Asked(), ReplayInfo.Asked(), ReplayInputs.Asked(), ReplayPicture.Asked(),
		ReplayTelemetry.Asked(), telemetryFile.Asked(),
		SimutransCheck.Asked(), SimutransPicture.Asked(),
		BlockInfo.Asked(), ItemLint.Asked(), ItemMaterials.Asked(), ClassInfo.Asked(), ClassMember.Asked(), KnownFormats.Asked(),
	}
	for _, t := range simutrans.Tables {
		list = append(list, TableQuestions[t.Name].Asked())
	}
	return list
}
