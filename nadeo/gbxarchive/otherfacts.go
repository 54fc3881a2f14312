package gbxarchive

import (
	"cmp"
	"fmt"
	stdmaps "maps"
	"slices"
	"strings"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/mw"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo"
	"pakbox/nadeo/campaigns"
	"pakbox/nadeo/clips"
)

// other is a file of a class without a card of its own.
type other struct {
	file      *gbx.File
	name      string
	clip      *clips.Clip
	campaign  *campaigns.Campaign
	material  *plug.Chunk090FD000
	tunings   *plug.Chunk090EC000
	elements  *mw.Chunk01026000
	collector *game.Header03033001
	nodes     map[string]int // number of nodes by class; nil if the body cannot be read
}

// newOther collects the chunks that the card needs.
func newOther(f *gbx.File) *other {
	o := &other{file: f, nodes: countNodes(f)}
	o.name, _ = NameOf(f)
	if clip, err := clips.ClipOf(f); err == nil {
		o.clip = clip
	}
	if campaign, err := campaigns.Of(f); err == nil {
		o.campaign = campaign
	}
	o.material, _ = gbx.Find[*plug.Chunk090FD000](f.Body)
	o.tunings, _ = gbx.Find[*plug.Chunk090EC000](f.Body)
	o.elements, _ = gbx.Find[*mw.Chunk01026000](f.Body)
	o.collector, _ = gbx.FindHeader[*game.Header03033001](&f.Header)
	return o
}

// otherFacts are the facts of all other classes: names, and the nodes in the file.
var otherFacts = fact.NewTable("other", "A GBX file of another class.", []fact.Row[*other]{
	{Name: "name", Label: "Called", Kind: fact.Styled, Doc: "name that the file states", Omit: true, Get: func(o *other) any { return fact.Known(o.name, o.name != "") }},
	{Name: "track_count", Label: "Tracks", Kind: fact.Count, Doc: "number of tracks of a clip", Omit: true, Get: func(o *other) any {
		if o.clip == nil {
			return nil
		}
		return len(o.clip.Tracks())
	}},
	{Name: "group_count", Label: "Groups", Kind: fact.Count, Doc: "number of groups of a campaign", Omit: true, Get: func(o *other) any {
		if o.campaign == nil {
			return nil
		}
		return len(o.campaign.Groups)
	}},
	{Name: "link", Label: "Material", Kind: fact.ID, Doc: "material of the game that a material links to", Omit: true, Get: func(o *other) any {
		if o.material == nil {
			return nil
		}
		return cmp.Or(o.material.Link, nameOf(o.material.LinkID))
	}},
	{Name: "model", Label: "Model", Kind: fact.ID, Doc: "shader model of a material", Omit: true, Get: func(o *other) any {
		if o.material == nil {
			return nil
		}
		return nameOf(o.material.Model)
	}},
	{Name: "textures", Label: "Textures", Kind: fact.List, Doc: "textures of a material", Omit: true, Get: func(o *other) any { return fact.Known(o.textures(), o.material != nil) },
		Shown: func(o *other) bool { return len(o.textures()) > 0 }},
	{Name: "tuning_count", Label: "Tunings", Kind: fact.Count, Doc: "number of tunings of a vehicle", Omit: true, Get: func(o *other) any {
		if o.tunings == nil {
			return nil
		}
		return len(o.tunings.Tunings)
	}},
	{Name: "element_count", Label: "Elements", Kind: fact.Count, Doc: "number of nodes in a list", Omit: true,
		Get: func(o *other) any {
			if o.elements == nil {
				return nil
			}
			return len(o.elements.Nods)
		},
		Words: func(o *other) string {
			return fmt.Sprintf("%d of %s", len(o.elements.Nods), engine.Registry().ClassName(o.elements.NodClassID))
		}},
	{Name: "collection", Kind: fact.ID, Doc: "environment as stored: a name or a number", Omit: true, Get: func(o *other) any {
		if o.collector == nil {
			return nil
		}
		return nadeo.IDValue(o.collector.Collection)
	}},
	{Name: "collection_name", Label: "Environment", Kind: fact.Text, Doc: "environment by name", Also: []fact.Word{fact.Environment}, Omit: true, Get: func(o *other) any {
		if o.collector == nil {
			return nil
		}
		return nadeo.EnvironmentName(nadeo.CollectionName(o.collector.Collection))
	}},
	{Name: "nodes", Label: "Made of", Kind: fact.Object, Doc: "number of nodes inside, by class", Omit: true,
		Get: func(o *other) any { return fact.Known(o.nodes, o.nodes != nil) }, Words: func(o *other) string { return nodeWords(o.nodes) },
		Shown: func(o *other) bool { return len(o.nodes) > 0 }},
})

// textures lists the textures of a material, the base texture first.
func (o *other) textures() []string {
	list := []string{}
	if o.material == nil {
		return list
	}
	for _, t := range append([]plug.CPlugMaterialUserInstUserTexture{{Texture: o.material.BaseTexture}}, o.material.UserTextures...) {
		if t.Texture != "" {
			list = append(list, t.Texture)
		}
	}
	return list
}

// nameOf is the text of an ID, "" if it is not a text.
func nameOf(id gbx.ID) string {
	name, _ := id.Name()
	return name
}

// mostClasses is how many classes of nodes a card names.
const mostClasses = 6

// countNodes counts the nodes in the body by class, or returns nil.
func countNodes(f *gbx.File) map[string]int {
	c := &nodeCounter{count: map[string]int{}}
	if err := f.Outline(c); err != nil {
		return nil // verify reports the error
	}
	return c.count
}

// nodeWords names the most frequent classes of nodes.
func nodeWords(count map[string]int) string {
	names := slices.SortedFunc(stdmaps.Keys(count), func(x, y string) int {
		return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y))
	})
	var parts []string
	for i, name := range names {
		if i == mostClasses {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", count[name], name))
	}
	return strings.Join(parts, ", ")
}

// nodeCounter is a visitor that counts all nodes except the main node.
type nodeCounter struct {
	count map[string]int
	main  bool
}

func (c *nodeCounter) Begin(_ string, p any, _ int64) {
	n, ok := p.(*gbx.Node)
	if !ok {
		return
	}
	if !c.main {
		c.main = true
		return
	}
	c.count[engine.Registry().ClassName(n.Class)]++
}

func (c *nodeCounter) Value(string, any)               {}
func (c *nodeCounter) Coded(string, any, int64, int64) {}
func (c *nodeCounter) End(int64)                       {}
