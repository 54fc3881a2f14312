// Package nadeo has the questions about the files of Nadeo's games: maps, blocks, items
// and materials; ghosts, replays and clips. It also makes the changes of maps that
// commands and the page offer.
package nadeo

import "pakbox/cmd/internal/question"

// room lists the questions of this package: question.New adds each.
var room question.Room

// Questions lists the questions of this package.
func Questions() []*question.Question { return room }
