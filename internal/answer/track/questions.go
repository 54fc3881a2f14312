// Package track has the questions about maps and their parts: blocks, items and
// materials.
package track

import "pakbox/internal/question"

// room lists the questions of this package: question.New adds each.
var room question.Room

// Questions lists the questions of this package.
func Questions() []*question.Question { return room }
