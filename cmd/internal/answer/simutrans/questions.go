// Package simutrans has the questions about Simutrans' objects and their sources.
package simutrans

import "pakbox/cmd/internal/question"

// room lists the questions of this package: question.New adds each.
var room question.Room

// Questions lists the questions of this package.
func Questions() []*question.Question { return room }
