// Package answer has the questions about any file. Its rooms have those about one
// kind of file: track about maps, replay about runs, pakset about Simutrans. Every
// question is one function; commands, the page and every other face ask it. It
// returns values and never prints.
package answer

import (
	"slices"

	"pakbox/internal/answer/pakset"
	"pakbox/internal/answer/replay"
	"pakbox/internal/answer/track"
	"pakbox/internal/question"
)

// Questions lists the questions that every face of pakbox asks: commands, the
// page, and programs in other languages.
func Questions() []*question.Question {
	anyFile := []*question.Question{
		FileInfo.Asked(), FileList.Asked(), FileVerify.Asked(), FileDiff.Asked(), FileDump.Asked(), FileGet.Asked(),
		FileQuery.Asked(), FileGrep.Asked(), FileMesh.Asked(), meshFile.Asked(), FileConvert.Asked(), MeshPicture.Asked(),
		ClassInfo.Asked(), ClassMember.Asked(), KnownFormats.Asked(),
	}
	return slices.Concat(anyFile, track.Questions(), replay.Questions(), pakset.Questions())
}
