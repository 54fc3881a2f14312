package answer

import "pakbox/archive"

// Format is a format that pakbox knows.
type Format struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Extensions  []string `json:"extensions"`
	Write       bool     `json:"write"`
	Settings    []string `json:"settings"`
}

// Formats lists the formats of a registry.
func Formats(known archive.Registry) []Format {
	var all []Format
	for _, f := range known {
		j := Format{f.Name(), f.Description(), append([]string{}, f.Extensions()...), false, []string{}}
		if c, ok := f.(archive.Creator); ok {
			j.Write = true
			for _, p := range c.Params() {
				j.Settings = append(j.Settings, p.Name)
			}
		}
		all = append(all, j)
	}
	return all
}
