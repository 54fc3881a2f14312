package trackmania

import (
	"testing"

	"pakbox/gbx"
)

// itemFolders are the folders of items, by the class IDs that files have.
var itemFolders = []string{"2e002000", "0301c000"}

func TestItemModelsAgainstOracle(t *testing.T) {
	items, compared, meshes, placed := 0, 0, 0, 0
	eachFile(t, itemFolders, func(c corpusFile) {
		m, err := ItemModelOf(c.file)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			return
		}
		s, err := m.Mesh()
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			return
		}
		if p, ok := m.Placement(); ok {
			placed++
			if !(p.GridStep.X >= 0 && p.GridStep.X < 1000) || len(p.Pivots) > 1000 {
				t.Errorf("%s: placement %+v", c.path, p)
			}
		}
		if c.oracle["ok"] != true {
			return
		}
		items++
		check := func(what string, got, want any) { same(t, c.path, what, got, want, &compared) }
		o, _ := c.oracle["collector"].(map[string]any)
		check("name", m.Name(), o["name"])
		check("page", m.Page(), o["page"])
		check("description", m.Description(), o["description"])
		checkIdent(check, m.Ident(), o)
		if m.HasIcon() != (o["icon"] != nil) {
			t.Errorf("%s: icon %v, want %v", c.path, m.HasIcon(), o["icon"])
		}
		o, _ = c.oracle["item"].(map[string]any)
		check("type", uint32(m.Type()), part(o, "item_type_e", "v"))
		check("waypoint", uint32(m.Waypoint()), part(o, "waypoint_type", "v"))
		check("model", m.Model(), o["entity_model_edition"])
		if o["entity_model_edition"] == nil {
			check("model", m.Model(), o["entity_model"])
		}
		o, _ = c.oracle["mesh"].(map[string]any)
		vertices, triangles := s.Count()
		check("vertices", vertices, sum(part(o, "visual", "vertices"), part(o, "crystal", "positions")))
		check("triangles", triangles, sum(part(o, "visual", "triangles"), part(o, "crystal", "triangles")))
		if triangles > 0 {
			meshes++
		}
	})
	if items < 100 || meshes < 80 || placed < 80 {
		t.Errorf("only %d items, %d with meshes, %d with a placement", items, meshes, placed)
	}
	t.Logf("%d values of %d items, %d of them with meshes, %d with a placement", compared, items, meshes, placed)
}

// checkIdent compares what an item or a macroblock is known by.
func checkIdent(check func(what string, got, want any), got gbx.Ident, collector map[string]any) {
	want, _ := collector["ident"].([]any)
	if len(want) != 3 {
		return
	}
	check("ident", got.ID.String(), want[0])
	if n, ok := got.Collection.Number(); ok {
		check("collection", n, want[1])
	} else {
		check("collection", CollectionName(got.Collection), want[1])
	}
	check("author", got.Author.String(), want[2])
}

// part returns a member of a member, or nil.
func part(o map[string]any, name, key string) any {
	m, _ := o[name].(map[string]any)
	return m[key]
}

func sum(values ...any) float64 {
	total := 0.0
	for _, v := range values {
		n, _ := v.(float64)
		total += n
	}
	return total
}
