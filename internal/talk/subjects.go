package talk

import (
	"pakbox/archive"
	"pakbox/fact"
	"pakbox/internal/answer"
)

// Subjects lists the facts of all formats, and those that every archive has.
func Subjects(formats archive.Registry) (list []*fact.Subject) {
	for _, f := range formats {
		if d, ok := f.(interface{ Subjects() []*fact.Subject }); ok {
			list = append(list, d.Subjects()...)
		}
	}
	return append(list, answer.CommonFacts()...)
}
