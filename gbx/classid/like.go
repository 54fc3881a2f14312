package classid

import "pakbox/internal/lib/spell"

// Like returns the names of classes that someone who typed this one may have
// meant, best first: those that contain it, else those that differ in a few
// letters.
func Like(name string, most int) []string {
	var all []string
	for _, c := range names().classes {
		if named, _ := ByName(c.Name); named.ID == c.ID { // a name that moved is told once
			all = append(all, c.Name)
		}
	}
	return spell.Near(name, all, most)
}
