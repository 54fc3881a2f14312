package track

import (
	"pakbox/fault"
	"pakbox/gbx/engine"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
)

// ItemChange says which files to embed in a map, and which to remove.
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

// ItemName returns the default name of a file in a map.
func ItemName(file string) string { return maps.EmbedName(source.Slashed(file)) }

// Apply makes the change, and returns what was added and removed.
func (c *ItemChange) Apply(m *maps.Map) (*form.Object, error) {
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
			return nil, hint.Usagef("%v", err)
		}
		if err := m.AddEmbedded(n.Name, n.Data, engine.Registry()); err != nil {
			return nil, fault.InFile(err, n.From)
		}
		added = append(added, n.Name)
	}
	return new(form.Object).Add("added", added).Add("removed", removed), nil
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
			return nil, hint.Usagef("the map does not bring %s along", pattern).Hint("'pakbox map items MAP' lists what it does")
		}
	}
	for i := range e.Files {
		if f := &e.Files[i]; c.Unused && f.Model != "" && f.Used == 0 && !seen[f.Name] {
			names = append(names, f.Name)
		}
	}
	return names, nil
}
