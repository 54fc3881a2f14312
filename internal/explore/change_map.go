package explore

import (
	stdmaps "maps"
	"slices"

	"pakbox/internal/answer/track"
	"pakbox/internal/change"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania/maps"
)

// The changes of a map for which the page has forms, as the page sends them. The same
// functions as in the commands make them.

// maxSent limits the size of a change that contains files.
const maxSent = 64 << 20

// renaming gives a map another name.
type renaming struct {
	saving
	Name string `json:"name"`
}

func (r *renaming) apply(m *maps.Map) (*form.Object, error) { return change.RenameMap(m, r.Name) }

// newMedals changes the results required for the medals.
type newMedals struct {
	saving
	Author string `json:"author"`
	Gold   string `json:"gold"`
	Silver string `json:"silver"`
	Bronze string `json:"bronze"`
}

func (n *newMedals) apply(m *maps.Map) (*form.Object, error) {
	return nil, change.SetMedals(m, [4]string{n.Author, n.Gold, n.Silver, n.Bronze})
}

// newThumbnail is another picture for a map, upright.
type newThumbnail struct {
	saving
	Picture []byte `json:"picture"`
}

func (n *newThumbnail) apply(m *maps.Map) (*form.Object, error) {
	if len(n.Picture) == 0 {
		return nil, usage("a picture is needed")
	}
	err := m.SetThumbnail(n.Picture, maps.ThumbnailForm{})
	return new(form.Object).Add("thumbnail_size", len(m.StoredThumbnail())), err
}

// newItems adds and removes embedded files.
type newItems struct {
	saving
	Add []struct {
		Name string `json:"name"`
		File string `json:"file"` // what it is called where it comes from
		Data []byte `json:"data"`
	} `json:"add"`
	Remove []string `json:"remove"`
	Unused bool     `json:"remove_unused"`
}

func (n *newItems) apply(m *maps.Map) (*form.Object, error) {
	change := track.ItemChange{Remove: n.Remove, Unused: n.Unused}
	for _, a := range n.Add {
		name := a.Name
		if name == "" {
			name = track.ItemName(a.File)
		}
		change.Add = append(change.Add, track.NewItem{Name: name, From: a.File, Data: a.Data})
	}
	return change.Apply(m)
}

// newMeta changes values that scripts stored, by name.
type newMeta struct {
	saving
	Set map[string]string `json:"set"`
}

func (n *newMeta) apply(m *maps.Map) (*form.Object, error) {
	set := []string{}
	for _, v := range m.Meta() { // in the order of the map, not of the request
		if value, ok := n.Set[v.Name]; ok {
			if err := m.SetMeta(v.Name, value); err != nil {
				return nil, hint.Usagef("%v", err)
			}
			set = append(set, v.Name+"="+value)
			delete(n.Set, v.Name)
		}
	}
	if len(n.Set) > 0 {
		return nil, usage("the map holds no value %q", slices.Min(slices.Collect(stdmaps.Keys(n.Set))))
	}
	return new(form.Object).Add("set", set), nil
}
