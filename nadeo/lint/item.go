package lint

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/codec/texture"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/meta"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
)

const (
	classPrefab       classid.ID = 0x09145000
	classEffectSystem classid.ID = 0x0915C000
	classEditorHelper classid.ID = 0x0917B000
	classConstraint   classid.ID = 0x2F0CA000

	firstOf2020 = 13 // first version of chunk 2E002019 in Trackmania (2020)
)

// Item looks for parts that make the game crash, or that the game drops. collection is
// that of the map with the item, "" for the item's own. Items of other games get no
// findings.
func Item(m *items.Model, collection string) []finding.Finding {
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if !ok || c.Version < firstOf2020 {
		return nil
	}
	if collection == "" {
		collection = m.Collection()
	}
	l := &linter{collection: collection, waypoint: m.Waypoint(), seen: map[*gbx.Node]bool{}, said: map[string]bool{}}
	l.node(c.EntityModelEdition.Node)
	l.node(c.EntityModel.Node)
	l.overlaps(m)
	l.names()
	return l.found
}

// textureForms checks the textures that are embedded beside items.
func textureForms(c *checked) {
	c.eachFile(func(f *maps.EmbeddedFile) {
		if !c.is2020() || !strings.HasSuffix(strings.ToLower(f.Name), ".dds") {
			return
		}
		if why := badTexture(f.Name, f.Read(maxModel)); why != "" {
			c.say("%s: %s", f.Name, why)
		}
	})
}

// badTexture describes why the game rejects a texture, or returns "".
func badTexture(name string, data []byte) string {
	t, err := texture.Open(name, data)
	switch {
	case err != nil:
		return err.Error()
	case !strings.HasPrefix(t.Format, "BC"):
		return "the texture is " + t.Format + ", not compressed in blocks"
	case t.Levels == 1 && max(t.Width, t.Height) > 1:
		return "the texture has no mipmaps"
	}
	return ""
}

// embeddedItems checks the items that a map embeds.
func (c *checked) embeddedItems() {
	said := map[string]int{}
	c.eachModel(func(f *maps.EmbeddedFile, m *model) {
		for _, found := range m.found {
			if said[found.Rule]++; said[found.Rule] <= most {
				found.Entry = f.Name
				c.found = append(c.found, found)
			}
		}
	})
}

// linter collects the findings about one item.
type linter struct {
	collection string
	waypoint   gamedata.CGameItemModelWaypointType
	seen       map[*gbx.Node]bool
	said       map[string]bool // findings so far: a file often repeats a mistake
	materials  []*plug.Chunk090FD000
	found      []finding.Finding
}

// add records a finding about a part of the item, unless it is recorded already.
func (l *linter) add(r *Rule, part, format string, args ...any) {
	f := finding.New(r.Severity, r.Name, finding.Position{Offset: fault.NoOffset, Field: part}, format, args...)
	if key := fmt.Sprint(r.Name, part, f.Message); !l.said[key] {
		l.said[key] = true
		l.found = append(l.found, f)
	}
}

// node checks a node and the nodes below it, each once.
func (l *linter) node(n *gbx.Node) {
	if n == nil || l.seen[n] {
		return
	}
	l.seen[n] = true
	switch n.Class.Latest() {
	case classEffectSystem:
		l.add(&effectSystem, "prefab", "the item has a system of effects")
	case classEditorHelper:
		l.add(&editorHelper, "prefab", "the item has a helper of the game's editor")
	}
	for i := range n.Chunks {
		switch c := n.Chunks[i].Body.(type) {
		case *gamedata.Chunk2E027000:
			l.entity(c)
		case *gamedata.Chunk2E026000:
			l.node(c.MeshCrystal.Node)
		case *gamedata.Chunk2E025000:
			l.blockItem(c)
		case *meta.Plain2F0BC000:
			for j := range c.Variants {
				l.node(c.Variants[j].EntityModel.Node)
			}
		case *plug.Plain09145000:
			l.prefab(c)
		case *plug.Plain09144000:
			l.node(c.Mesh.Node)
			l.collision(c.DynaShape.Node)
			l.collision(c.StaticShape.Node)
		case *plug.Plain09178000:
			l.trigger(c.TriggerShape.Node)
			if c.NoRespawn.True() {
				l.add(&noRespawn, "waypoint", "the waypoint forbids respawning")
			}
		case *plug.Plain09179000:
			l.trigger(c.TriggerShape.Node)
		case *plug.Plain09159000:
			l.node(c.Mesh.Node)
			l.collision(c.Shape.Node)
		case *plug.Chunk090BB000:
			l.solid(c)
		case *plug.Chunk09003003:
			for j := range c.Materials {
				l.userMaterial(c.Materials[j].UserInst.Node, "")
			}
		case *plug.Chunk09003005:
			l.groups(c)
		}
	}
}

// entity checks a static object with its trigger.
func (l *linter) entity(c *gamedata.Chunk2E027000) {
	if n := c.StaticObject.Node; n != nil && n.Class.Latest() == classPrefab {
		l.add(&prefabInside, "static object", "a prefab stands in the place of the static object")
	}
	l.node(c.StaticObject.Node)
	l.trigger(c.TriggerShape.Node)
	if c.TriggerShape.Node != nil && l.waypoint == gamedata.CGameItemModelWaypointTypeNone {
		l.add(&idleTrigger, "trigger", "the item has a trigger and is not a waypoint")
	}
}

func (l *linter) blockItem(c *gamedata.Chunk2E025000) {
	for i := range c.CustomizedVariants {
		l.node(c.CustomizedVariants[i].Crystal.Node)
	}
	for i := range c.Properties {
		l.node(c.Properties[i].StaticObject.Node)
		l.collision(c.Properties[i].Shape.Node)
	}
}

// prefab checks the entities of a prefab, and the parts that move them.
func (l *linter) prefab(c *plug.Plain09145000) {
	moving := map[int32]bool{}
	constraints := 0
	for i := range c.Ents {
		if d, ok := gbx.Find[*plug.Plain09144000](c.Ents[i].Model.Node); ok {
			moving[int32(i)] = true
			if d.DynaShape.IsNil() {
				l.add(&movingPart, "prefab", "moving part %d has no dynamic shape", i)
			}
		}
	}
	for i := range c.Ents {
		e := &c.Ents[i]
		l.node(e.Model.Node)
		if e.Model.Node == nil || e.Model.Node.Class.Latest() != classConstraint {
			continue
		}
		constraints++
		p, ok := gbx.Find[*meta.Plain2F0C8000](e.Params.Node)
		if !ok {
			continue
		}
		for _, ent := range []int32{p.Ent1, p.Ent2} {
			if ent >= 0 && !moving[ent] {
				l.add(&movingPart, "prefab", "constraint %d binds part %d, which does not move", i, ent)
			}
		}
	}
	if constraints > 0 && constraints != len(moving) {
		l.add(&movingPart, "prefab", "%d constraints for %d moving parts", constraints, len(moving))
	}
}

// groups checks the tree of groups of a crystal.
func (l *linter) groups(c *plug.Chunk09003005) {
	for i := range c.Layers.List {
		layer := &c.Layers.List[i]
		if layer.Geometry == nil {
			continue
		}
		for k, g := range layer.Geometry.Crystal.Groups {
			if int(g.ParentIndex) == k {
				l.add(&endlessGroup, "layer "+layer.LayerName, "group %d, %q, is below itself", k, g.Name)
			}
		}
	}
}

// names compares custom materials that have the same name.
func (l *linter) names() {
	type look struct {
		model, texture string
		textures       int
	}
	looks := map[string][]look{}
	for _, m := range l.materials {
		name := m.MaterialName.String()
		if name == "" || len(m.UserTextures) == 0 {
			continue
		}
		is := look{m.Model.String(), m.BaseTexture, len(m.UserTextures)}
		for _, t := range m.UserTextures {
			is.texture += "\x00" + t.Texture
		}
		if !slices.Contains(looks[name], is) {
			looks[name] = append(looks[name], is)
		}
		if len(looks[name]) == 2 {
			l.add(&sameNames, "material "+name, "materials of this name have different textures")
		}
	}
}
