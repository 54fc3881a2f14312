package nadeo

import (
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
	"pakbox/nadeo/maps"
)

// ItemChange lists the files to embed in a map, and those to remove.
type ItemChange struct {
	Add    []NewItem
	Remove []string // names, or patterns such as Items/Old/*
	Unused bool     // also remove files that the map does not use
}

// NewItem is an item or block to embed.
type NewItem struct {
	Name string // in the map, such as Items/Tree.Item.Gbx
	From string // path of the source file
	Data []byte
}

// ItemParams are a change of embedded files as askers give it.
type ItemParams struct {
	Add    []question.Content `json:"add" value:"FILE" doc:"embed a FILE, or NAME=FILE"`
	Remove []string           `json:"remove" value:"NAME" doc:"take out the embedded file NAME"`
	Unused bool               `json:"remove_unused" doc:"take out the items that the map does not use"`
}

// Empty reports whether nothing is to be changed.
func (p *ItemParams) Empty() bool { return len(p.Add)+len(p.Remove) == 0 && !p.Unused }

// ItemsChanged is the report about a change of embedded files.
type ItemsChanged struct {
	Added   []string `json:"added" doc:"names of files that were embedded"`
	Removed []string `json:"removed" doc:"names of files that were taken out"`
}

// ChangeMapItems is the change of the files that are embedded in a map.
var ChangeMapItems = changeMap("map.items.change", "embeds items and blocks in a map, or takes them out", func(m *maps.Map, p ItemParams, _ *question.Revision) (*ItemsChanged, error) {
	if p.Empty() {
		return nil, fault.Usagef("nothing is to be changed").Hint("name files to add or remove")
	}
	change := ItemChange{Remove: p.Remove, Unused: p.Unused}
	for _, a := range p.Add {
		name := source.Slashed(a.As)
		if a.As == "" {
			name = ItemName(a.Name)
		}
		change.Add = append(change.Add, NewItem{Name: name, From: a.Name, Data: a.Data})
	}
	return change.Apply(m)
}).Labelled("Items")

// ItemName returns the default name of a file in a map.
func ItemName(file string) string { return maps.EmbedName(source.Slashed(file)) }

// Apply makes the change, and returns what was added and removed.
func (c *ItemChange) Apply(m *maps.Map) (*ItemsChanged, error) {
	removed, err := c.doomed(m)
	if err != nil {
		return nil, err
	}
	if err := m.RemoveEmbedded(removed...); err != nil {
		return nil, err
	}
	added := []string{}
	for _, n := range c.Add {
		if err := pathname.Check(n.Name); err != nil {
			return nil, fault.Usagef("%v", err)
		}
		if err := m.AddEmbedded(n.Name, n.Data); err != nil {
			return nil, fault.InFile(err, n.From)
		}
		added = append(added, n.Name)
	}
	return &ItemsChanged{added, removed}, nil
}

// doomed lists the embedded files to remove.
func (c *ItemChange) doomed(m *maps.Map) ([]string, error) {
	names := []string{}
	e, err := m.EmbeddedFiles()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, pattern := range c.Remove {
		found := false
		for i := range e.Files {
			name := e.Files[i].Name
			if name != pattern && !source.MatchPath(pattern, name) {
				continue
			}
			found = true
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		if !found {
			return nil, fault.Usagef("the map does not embed %s", pattern).Hint("'pakbox map items MAP' lists what it does")
		}
	}
	for i := range e.Files {
		if f := &e.Files[i]; c.Unused && f.Model != "" && f.Uses == 0 && !seen[f.Name] {
			names = append(names, f.Name)
		}
	}
	return names, nil
}
