// Package answer has the questions about any file. The packages below it have questions
// about the files of one family of games.
// Each question is one function. Commands, the web page and all other interfaces ask the
// same questions. A question returns values and never prints.
package answer

import (
	"slices"
	"strings"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/question"
)

// room lists the questions of this package: question.New adds each.
var room question.Room

// Questions lists all questions, sorted by name, for commands, the web page, and programs
// in other languages.
func Questions() []*question.Question {
	all := slices.Concat(room, nadeo.Questions(), simutrans.Questions())
	slices.SortFunc(all, func(a, b *question.Question) int { return strings.Compare(a.Name, b.Name) })
	return all
}
