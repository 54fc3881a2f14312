package answer

import "pakbox/internal/question"

// Questions lists the questions that every face of pakbox asks: commands, the
// page, and programs in other languages.
func Questions() []*question.Question {
	return []*question.Question{
		FileInfo.Asked(), FileList.Asked(), FileVerify.Asked(),
		MapBlocks.Asked(), MapDeps.Asked(), MapItems.Asked(), MapLightmap.Asked(), MapLint.Asked(), MapMedals.Asked(), MapMeta.Asked(), MapValidation.Asked(),
		MapPassword.Asked(), MapSize.Asked(),
		ReplayCheck.Asked(), ReplayInfo.Asked(), ReplayInputs.Asked(),
	}
}
