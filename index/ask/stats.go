package ask

import (
	"cmp"
	"context"
	"slices"

	"pakbox/index/sqlite"
)

// Share is the number of files with one value of a section, and their bytes.
type Share struct {
	Name  string `json:"name" doc:"value of the property"`
	Files int64  `json:"files" doc:"number of files"`
	Bytes int64  `json:"bytes" doc:"size of these files"`
}

// Section counts files by the values of one property, such as kind or year.
type Section struct {
	Name   string  `json:"by" doc:"property by which files are counted"`
	Shares []Share `json:"shares" doc:"number of files for each value, the largest first"`
}

// Stats counts the files by kind, format, game, environment, year, size and so on. A
// missing value has the name "". Empty sections are left out. The year is that of the
// local day.
func (x *Index) Stats(ctx context.Context) ([]Section, error) {
	shares, err := sqlite.Shares(ctx, x.db)
	if err != nil {
		return nil, mistake(ctx, err)
	}
	var out []Section
	for _, name := range sqlite.Sections {
		section := Section{Name: name}
		for _, s := range shares {
			if s.Section != name {
				continue
			}
			if name == "year" {
				s.Name = sqlite.YearOf(s.Name)
				if i := slices.IndexFunc(section.Shares, func(o Share) bool { return o.Name == s.Name }); i >= 0 {
					section.Shares[i].Files += s.Files
					section.Shares[i].Bytes += s.Bytes
					continue
				}
			}
			section.Shares = append(section.Shares, Share{s.Name, s.Files, s.Bytes})
		}
		switch name { // all others are sorted by the number of files
		case "year":
			slices.SortFunc(section.Shares, func(a, b Share) int { return cmp.Compare(a.Name, b.Name) })
		case "size":
			slices.SortFunc(section.Shares, func(a, b Share) int { return cmp.Compare(sqlite.SizeClass(a.Name), sqlite.SizeClass(b.Name)) })
		}
		if len(section.Shares) > 0 {
			out = append(out, section)
		}
	}
	return out, nil
}
