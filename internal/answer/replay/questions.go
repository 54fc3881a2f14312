// Package replay has the questions about recorded runs: ghosts, replays, and clips that
// show them.
package replay

import "pakbox/internal/question"

// room lists the questions of this package: question.New adds each.
var room question.Room

// Questions lists the questions of this package.
func Questions() []*question.Question { return room }
