package classid

import (
	"sync"

	"pakbox/internal/lib/spell"
)

// Similar returns names that a mistyped class may mean, best first: names that
// contain it, else names with a few other letters.
func Similar(name string, most int) []string { return spell.Near(name, likely(), most) }

// likely are the names to suggest, each once.
var likely = sync.OnceValue(func() []string {
	var all []string
	for _, c := range names().classes {
		if named, _ := ByName(c.Name); named.ID == c.ID {
			all = append(all, c.Name)
		}
	}
	return all
})
