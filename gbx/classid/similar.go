package classid

import (
	"sync"

	"pakbox/internal/lib/spell"
)

// Similar returns the names of classes that someone who typed this one may have
// meant, best first: those that contain it, else those that differ in a few
// letters.
func Similar(name string, most int) []string { return spell.Near(name, likely(), most) }

// likely are the names to choose from: one that moved to another number is told
// once.
var likely = sync.OnceValue(func() []string {
	var all []string
	for _, c := range names().classes {
		if named, _ := ByName(c.Name); named.ID == c.ID {
			all = append(all, c.Name)
		}
	}
	return all
})
