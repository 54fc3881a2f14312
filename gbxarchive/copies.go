package gbxarchive

import (
	"slices"

	"pakbox/gbx"
	"pakbox/trackmania/files"
)

// newContradictions lists those that an edit has made: who changes one place
// of a fact should know of the others.
func newContradictions(before, after *gbx.File) []string {
	old := files.Contradictions(before)
	return slices.DeleteFunc(files.Contradictions(after), func(s string) bool { return slices.Contains(old, s) })
}
