// Package replay has the questions about recorded runs: ghosts, replays, and clips that
// show them.
package replay

import "pakbox/internal/question"

// Questions lists the questions of this package.
func Questions() []*question.Question {
	return []*question.Question{
		Animate.Asked(), MakeBoard.Asked(), boardPicture.Asked(), Check.Asked(), MakeClip.Asked(),
		Compare.Asked(), Create.Asked(), Ghosts.Asked(), Info.Asked(), ListInputs.Asked(),
		Draw.Asked(), ListTelemetry.Asked(), telemetryFile.Asked(),
		ClipCombine.Asked(), ClipList.Asked(),
	}
}
