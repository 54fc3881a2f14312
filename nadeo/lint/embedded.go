package lint

import (
	"archive/zip"
	"bytes"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
)

const embedAnew = "Take it out and embed it anew."

// embeddedRules are rules about the files that a map embeds.
var embeddedRules = []Rule{
	{Name: "embedded_zip", Severity: finding.Error, Evidence: Measured, check: embeddedZip,
		Means: "The zip with the embedded items cannot be read.",
		Mend:  "Save the map in the editor of the game."},
	{Name: "missing_embed", Severity: finding.Warning, Evidence: Measured, check: missingEmbeds,
		Means: "The map uses an item or block that it does not embed: who does not have it sees nothing there.",
		Mend:  "Embed it; or open and save the map in the editor of the game."},
	{Name: "unsafe_path", Severity: finding.Error, Evidence: Measured, check: unsafePaths,
		Means: "An embedded file has a name that leads out of the player's folder.",
		Mend:  "Take it out."},
	{Name: "absolute_embed", Fact: "E01", Severity: finding.Warning, Evidence: Tested, check: absoluteNames,
		Means: "An embedded file has a name that begins at the root of a drive. Trackmania (2020) drops all embedded files of such a map.",
		Mend:  embedAnew},
	{Name: "embed_form", Fact: "E02", Severity: finding.Note, Evidence: Tested, check: zipForm,
		Means: "The zip of the embedded files is written in another way than by the game: with backslashes, entries for folders, extra fields, or another compression.",
		Mend:  "Save the map in the editor of the game."},
	{Name: "embed_twice", Fact: "E03", Severity: finding.Warning, Evidence: Guess, check: zipTwice,
		Means: "Two embedded files have one name, in the same or another case. It is unknown which of them the game takes.",
		Mend:  embedAnew},
	{Name: "embed_ident", Fact: "E04", Severity: finding.Warning, Evidence: Tested, check: embedIdents,
		Means: "The map, its list of embedded files and the file itself name the author or the collection of an item differently. The game leaves such an item out.",
		Mend:  embedAnew},
	{Name: "embed_author", Fact: "E05", Severity: finding.Warning, Evidence: Tested, check: embedAuthors,
		Means: "The author of an embedded file is not a name. The game loads the item, and does not draw it.",
		Mend:  "Write the item anew, with an author."},
	{Name: "embed_references", Fact: "E07", Severity: finding.Warning, Evidence: Tested, check: embedReferences,
		Means: "An embedded item refers to other files, which the game does not load for embedded items.",
		Mend:  "Make the item with everything in one file."},
	{Name: "block_as_item", Fact: "E08", Severity: finding.Warning, Evidence: Tested, check: blocksAsItems,
		Means: "A custom block is embedded below Items. The game crashes; custom blocks belong below Blocks.",
		Mend:  embedAnew},
	{Name: "loose_texture", Fact: "E09", Severity: finding.Note, Evidence: Tested, check: looseTextures,
		Means: "A texture is embedded beside the items. It loads; saving the map in the editor drops it.",
		Mend:  "Keep a copy of the file."},
}

// embedded returns the files that the map embeds, nil if they cannot be read.
func (c *checked) embedded() *maps.Embedding {
	if c.embedding == nil {
		c.embedding, _ = c.EmbeddedFiles()
	}
	return c.embedding
}

func embeddedZip(c *checked) {
	if _, err := c.EmbeddedFiles(); err != nil {
		c.say("%v", err)
	}
}

func missingEmbeds(c *checked) {
	e := c.embedded()
	if e == nil {
		return
	}
	unless := ""
	if title := c.Title(); ownTitle(title) {
		unless = ", unless the title " + title + " brings it"
	}
	for _, name := range e.Missing {
		c.say("%s is used but not embedded%s", name, unless)
	}
}

func unsafePaths(c *checked) {
	c.eachFile(func(f *maps.EmbeddedFile) {
		for part := range strings.SplitSeq(f.Name, "/") {
			if part == ".." {
				c.say("embedded %s leads out of the player's folder", f.Name)
				return
			}
		}
	})
}

func (c *checked) eachFile(visit func(f *maps.EmbeddedFile)) {
	if e := c.embedded(); e != nil {
		for i := range e.Files {
			visit(&e.Files[i])
		}
	}
}

func absoluteNames(c *checked) {
	c.eachFile(func(f *maps.EmbeddedFile) {
		onDrive := len(f.Name) > 2 && f.Name[1:3] == ":/" // also where no folder of the player follows
		if f.UserPath() != f.Name || strings.HasPrefix(f.Name, "/") || onDrive {
			c.say("embedded %s begins at the root of a drive", f.Name)
		}
	})
}

// eachEntry visits the entries of the zip with the embedded files.
func (c *checked) eachEntry(visit func(f *zip.File)) {
	data := c.EmbeddedZip()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	for _, f := range z.File {
		visit(f)
	}
}

func zipForm(c *checked) {
	count := map[string]int{}
	c.eachEntry(func(f *zip.File) {
		switch {
		case strings.HasSuffix(f.Name, "/"):
			count["entries for folders"]++
		case strings.Contains(f.Name, `\`):
			count["names with backslashes"]++
		case len(f.Extra) > 0:
			count["entries with extra fields"]++
		case f.Method != zip.Deflate && f.Method != zip.Store:
			count["entries with an unusual compression"]++
		}
	})
	for _, n := range counted(count) {
		c.say("the zip has %s (%d)", n.name, n.count)
	}
}

func zipTwice(c *checked) {
	const sizesBehind = 1 << 3
	seen, streamed := map[string]bool{}, 0
	c.eachEntry(func(f *zip.File) {
		key := strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))
		if seen[key] {
			c.say("embedded %s is duplicated", f.Name)
		}
		seen[key] = true
		if f.Flags&sizesBehind != 0 {
			streamed++
		}
	})
	if streamed > 0 {
		c.sayAs(finding.Note, "%d entries of the zip have their sizes behind their content", streamed)
	}
}

// model holds the facts about an embedded item or block that the rules need.
type model struct {
	ident    gbx.Ident // in the header
	body     gbx.Ident // in the body
	hasBody  bool
	external int
	crystal  bool // made in the mesh modeler, or a custom block
	block    bool // a custom block
	skinned  bool // can have skins
	found    []finding.Finding
}

// maxModel limits the size of embedded files that are examined.
const maxModel = 16 << 20

// model reads the file of an embedded item or block. It returns nil if the map does not
// embed it, or if it cannot be read.
func (c *checked) model(name string) *model {
	if c.models == nil {
		c.models = map[string]*model{}
	}
	if m, seen := c.models[name]; seen {
		return m
	}
	c.models[name] = nil
	if e := c.embedded(); e != nil {
		if f := e.Model(name); f != nil {
			c.models[name] = c.readModel(f)
		}
	}
	return c.models[name]
}

func (c *checked) readModel(f *maps.EmbeddedFile) *model {
	if f.Size > maxModel {
		return nil
	}
	file, err := gbx.Parse(f.Read(maxModel), engine.Registry())
	if err != nil {
		return nil
	}
	head, ok := gbx.FindHeader[*gamedata.Header2E001003](&file.Header)
	if !ok {
		return nil
	}
	m := &model{ident: head.Model, external: len(file.Refs.External)}
	if b, ok := gbx.Find[*gamedata.Chunk2E00100B](file.Body); ok {
		m.body, m.hasBody = b.Model, true
	}
	const skins, crystals, blockItem classid.ID = 0x090F4000, 0x2E026000, 0x2E025000
	for i := range file.Chunks {
		m.skinned = m.skinned || file.Chunks[i].ID == skins
	}
	if e, ok := gbx.Find[*gamedata.Chunk2E002019](file.Body); ok && e.EntityModelEdition.Node != nil {
		class := e.EntityModelEdition.Node.Class.Latest()
		m.block, m.crystal = class == blockItem, class == crystals || class == blockItem
	}
	if item, err := items.ModelOf(file); err == nil && c.is2020() {
		m.found = Item(item, c.environment())
	}
	return m
}

// eachModel visits the embedded items and blocks that the map uses.
func (c *checked) eachModel(visit func(f *maps.EmbeddedFile, m *model)) {
	c.eachFile(func(f *maps.EmbeddedFile) {
		if f.Model != "" && f.Uses > 0 {
			if m := c.model(f.Model); m != nil {
				visit(f, m)
			}
		}
	})
}

func sameID(a, b gbx.ID) bool { return a.String() == b.String() }

func embedIdents(c *checked) {
	if !c.is2020() {
		return
	}
	listed := map[string]gbx.Ident{}
	if e, ok := gbx.Find[*game.Chunk03043054](c.File.Body); ok {
		for _, id := range e.EmbeddedItemModels {
			listed[maps.ModelKey(id.ID.String())] = id
		}
	}
	c.eachModel(func(f *maps.EmbeddedFile, m *model) {
		row, ok := listed[maps.ModelKey(f.Model)]
		switch {
		case !ok:
			c.say("embedded %s is not in the map's list", f.Name)
		case !sameID(row.Author, m.ident.Author):
			c.say("embedded %s: its author is %s in the map's list and %s in the file", f.Name, row.Author, m.ident.Author)
		case !sameID(row.Collection, m.ident.Collection):
			c.say("embedded %s: its collection is %s in the map's list and %s in the file", f.Name, row.Collection, m.ident.Collection)
		case m.hasBody && (!sameID(m.body.Author, m.ident.Author) || !sameID(m.body.Collection, m.ident.Collection)):
			c.say("embedded %s: header and body of the file name different authors or collections", f.Name)
		}
	})
}

func embedAuthors(c *checked) {
	c.eachModel(func(f *maps.EmbeddedFile, m *model) {
		if name, ok := m.ident.Author.Name(); !ok && !m.ident.Author.IsEmpty() || strings.HasPrefix(name, "#") {
			c.say("embedded %s: its author is %s", f.Name, m.ident.Author)
		}
	})
}

func embedReferences(c *checked) {
	if !c.is2020() {
		return
	}
	c.eachModel(func(f *maps.EmbeddedFile, m *model) {
		if m.external > 0 {
			c.say("embedded %s refers to %d other files", f.Name, m.external)
		}
	})
}

func blocksAsItems(c *checked) {
	if !c.is2020() {
		return // ManiaPlanet accepts such maps
	}
	c.eachModel(func(f *maps.EmbeddedFile, m *model) {
		if m.block && strings.HasPrefix(strings.ToLower(f.UserPath()), "items/") {
			c.say("embedded %s is a custom block", f.Name)
		}
	})
}

func looseTextures(c *checked) {
	n := 0
	c.eachFile(func(f *maps.EmbeddedFile) {
		if strings.HasSuffix(strings.ToLower(f.Name), ".dds") {
			n++
		}
	})
	if n > 0 {
		c.say("%d textures are embedded beside the items", n)
	}
}
