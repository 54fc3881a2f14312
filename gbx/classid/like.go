package classid

import "pakbox/internal/lib/spell"

// Like returns the names of classes that someone who typed this one may have
// meant, best first: those that contain it, else those that differ in a few
// letters.
func Like(name string, most int) []string {
	classes := names().classes
	all := make([]string, len(classes))
	for i, c := range classes {
		all[i] = c.Name
	}
	return spell.Near(name, all, most)
}
