// Package replay has the questions about recorded runs: ghosts, replays, and clips
// that show them.
package replay

import "pakbox/internal/question"

// Questions lists the questions of this room.
func Questions() []*question.Question {
	return []*question.Question{
		ReplayAnimate.Asked(), ReplayBoard.Asked(), boardPicture.Asked(), ReplayCheck.Asked(), ReplayClip.Asked(),
		ReplayCompare.Asked(), ReplayCreate.Asked(), ReplayGhosts.Asked(), ReplayInfo.Asked(), ReplayInputs.Asked(),
		ReplayPicture.Asked(), ReplayTelemetry.Asked(), telemetryFile.Asked(),
		ClipCombine.Asked(), ClipList.Asked(),
	}
}
