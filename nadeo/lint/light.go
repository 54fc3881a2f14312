package lint

import (
	"fmt"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/hms"
	"pakbox/nadeo/internal/places"
)

// lightRules are rules about the computed shadows that are stored in the map.
var lightRules = []Rule{
	{Name: "light_objects", Fact: "L01 L02", Severity: finding.Warning, Evidence: Tested, check: lightObjects,
		Means: "The shadows were computed for other blocks or items than the map has: it was changed since. The game throws them away and computes coarse ones.",
		Mend:  "Compute the shadows in the editor, or take them out."},
	{Name: "light_version", Fact: "L03", Severity: finding.Note, Evidence: Guess, check: lightVersion,
		Means: "The header's XML states another version of the shadows than the shadows themselves.",
		Mend:  "Compute the shadows in the editor."},
}

// lightCache returns the node with the stored shadows, nil if none exists.
func (c *checked) lightCache() *gbx.Node {
	var l *game.CGameCtnChallengeLightmaps
	if k, ok := gbx.Find[*game.Chunk0304305B](c.File.Body); ok && k.HasLightmaps.True() {
		l = &k.Lightmaps
	} else if k, ok := gbx.Find[*game.Chunk0304303D](c.File.Body); ok && k.HasLightmaps.True() {
		l = &k.Lightmaps
	}
	if l == nil {
		return nil
	}
	cache, err := l.Cache.Content()
	if err != nil {
		return nil
	}
	return cache.Cache.Node
}

func lightVersion(c *checked) {
	stored, ok := gbx.Find[*hms.Chunk06022016](c.lightCache())
	said, has := places.InXML("header", "lightmap").Get(places.SiteOf(c.File))
	if ok && has && said != fmt.Sprint(uint32(stored.Version)) {
		c.say("the header's XML declares version %s, but the shadows have version %d", said, stored.Version)
	}
}

func lightObjects(c *checked) {
	cache, ok := gbx.Find[*hms.Chunk0602201A](c.lightCache())
	if !ok || !c.is2020() {
		return
	}
	coords, err := cache.Mapping.Coords.Content()
	if err != nil {
		return
	}
	highest := -1
	for i := range coords.Coords {
		q := &coords.Coords[i]
		highest = max(highest, int(uint32(uint16(q.Z))|uint32(uint16(q.W))<<16)/4)
	}
	things := len(c.blocks) + c.BakedBlockCount() + len(c.items)
	first := 0
	switch {
	case c.environment() == "Stadium2020" && !strings.HasPrefix(c.Decoration().ID.String(), "NoStadium"):
		first = 16384 // shadows numbered below this belong to the stadium itself
	case len(c.blocks) == 0:
		first = 4096 // shadows numbered below this belong to the cells of the ground
	}
	switch {
	case highest < 0:
	case highest >= first+things:
		c.say("the shadows are those of %d blocks and items, and the map has %d", highest-first+1, things)
	case highest < first+things-1:
		c.sayAs(finding.Note, "the last of the map's %d blocks and items have no shadows: there are those of %d", things, max(0, highest-first+1))
	}
}
