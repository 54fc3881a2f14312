package gbxarchive

import (
	"slices"

	"pakbox/gbx"
)

// newContradictions lists the contradictions that an edit has introduced. A contradiction
// is a fact that two places of a file state differently.
func newContradictions(before, after *gbx.File) []string {
	old := Contradictions(before)
	return slices.DeleteFunc(Contradictions(after), func(s string) bool { return slices.Contains(old, s) })
}
