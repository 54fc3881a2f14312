package gbxarchive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/mw"
	"pakbox/gbx/engine/plug"
	"pakbox/trackmania"
	"pakbox/trackmania/files"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/media"
)

// otherFacts describe files of classes that have no card of their own: what
// they are called, and which nodes they are made of.
func (a *Archive) otherFacts(f *facts) {
	if name, ok := files.NameOf(a.file); ok && !f.has("name") {
		f.text("name", "Called", name)
	}
	if clip, err := media.ClipOf(a.file); err == nil {
		f.add("track_count", "Tracks", len(clip.Tracks()), "")
	}
	if campaign, err := maps.CampaignOf(a.file); err == nil {
		f.add("group_count", "Groups", len(campaign.Groups), "")
	}
	if a.file.Body != nil {
		for i := range a.file.Body.Chunks {
			chunkFacts(f, a.file.Body.Chunks[i].Body)
		}
	}
	if h, ok := gbx.FindHeader[*game.Header03033001](&a.file.Header); ok {
		f.collection(trackmania.IDValue(h.Collection), trackmania.EnvironmentName(trackmania.CollectionName(h.Collection)))
	}
	a.nodeFacts(f)
}

// chunkFacts tell what one chunk says about the whole file.
func chunkFacts(f *facts, body gbx.Body) {
	switch c := body.(type) {
	case *plug.Chunk090FD000:
		f.add("link", "Material", cmp.Or(c.Link, nameOf(c.LinkID)), "")
		f.add("model", "Model", nameOf(c.Model), "")
		textures := []string{}
		for _, t := range append([]plug.CPlugMaterialUserInstUserTexture{{Texture: c.BaseTexture}}, c.UserTextures...) {
			if t.Texture != "" {
				textures = append(textures, t.Texture)
			}
		}
		f.add("textures", shown("Textures", len(textures) > 0), textures, strings.Join(textures, ", "))
	case *plug.Chunk090EC000:
		f.add("tuning_count", "Tunings", len(c.Tunings), "")
	case *mw.Chunk01026000:
		f.add("element_count", "Elements", len(c.Nods), fmt.Sprintf("%d of %s", len(c.Nods), engine.Registry().ClassName(c.NodClassID)))
	}
}

// nameOf is the text of an ID, "" if it has none.
func nameOf(id gbx.ID) string {
	name, _ := id.Name()
	return name
}

// mostClasses is how many classes of nodes a card names.
const mostClasses = 6

// nodeFacts count the nodes in the body by class.
func (a *Archive) nodeFacts(f *facts) {
	c := &nodeCounter{count: map[string]int{}}
	if err := a.file.Outline(c); err != nil {
		return // verify tells
	}
	names := make([]string, 0, len(c.count))
	for name := range c.count {
		names = append(names, name)
	}
	if len(names) == 0 {
		f.add("nodes", "", c.count, "")
		return
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(c.count[y], c.count[x]), cmp.Compare(x, y))
	})
	var parts []string
	for i, name := range names {
		if i == mostClasses {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", c.count[name], name))
	}
	f.add("nodes", "Made of", c.count, strings.Join(parts, ", "))
}

// nodeCounter is a visitor that counts the nodes inside the main one.
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
