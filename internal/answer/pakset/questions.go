// Package pakset has the questions about Simutrans' objects and their sources.
package pakset

import (
	"pakbox/internal/question"
	"pakbox/simutrans"
)

// Questions lists the questions of this package.
func Questions() []*question.Question {
	list := []*question.Question{SimutransCheck.Asked(), SimutransPicture.Asked()}
	for _, t := range simutrans.Tables {
		list = append(list, TableQuestions[t.Name].Asked())
	}
	return list
}
