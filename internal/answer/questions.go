// Package answer has the questions about any file. The packages below it have questions
// about one kind of file: track about maps, replay about runs, pakset about Simutrans.
// Each question is one function. Commands, the web page and all other interfaces ask the
// same questions. A question returns values and never prints.
package answer

import (
	"slices"

	"pakbox/internal/answer/pakset"
	"pakbox/internal/answer/replay"
	"pakbox/internal/answer/track"
	"pakbox/internal/question"
)

// Questions lists all questions, for commands, the web page, and programs in other
// languages.
func Questions() []*question.Question {
	anyFile := []*question.Question{
		FileInfo.Asked(), FileList.Asked(), FileVerify.Asked(), FileDiff.Asked(), FileDump.Asked(), FileGet.Asked(),
		FileQuery.Asked(), FileGrep.Asked(), FileMesh.Asked(), meshFile.Asked(), FileConvert.Asked(), MeshPicture.Asked(),
		ClassInfo.Asked(), ClassMember.Asked(), KnownFormats.Asked(),
	}
	return slices.Concat(anyFile, track.Questions(), replay.Questions(), pakset.Questions())
}
