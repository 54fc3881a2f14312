package gbxarchive

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/trackmania"
)

// facts gathers what a card says.
type facts struct{ list []archive.Fact }

// add adds a fact; an empty text is left out of the card, not of JSON.
func (f *facts) add(name, label string, value any, text string) {
	f.list = append(f.list, archive.Fact{Name: name, Label: label, Value: value, Text: text})
}

// has reports whether a fact is there.
func (f *facts) has(name string) bool {
	return slices.ContainsFunc(f.list, func(fact archive.Fact) bool { return fact.Name == name })
}

// text adds a text with the games' colour codes, which people do not see.
func (f *facts) text(name, label, s string) { f.add(name, label, s, trackmania.Plain(s)) }

// login adds the login of a player; those of Trackmania (2020) stand for an
// account, which people know by its ID.
func (f *facts) login(name, label, login string) {
	text := login
	if id, ok := trackmania.AccountID(login); ok {
		text = fmt.Sprintf("%s (account %s)", login, id)
	}
	f.add(name, label, login, text)
}

// collection adds an environment: as stored, a name or a number, and by name.
func (f *facts) collection(stored any, name string) {
	f.add("collection", "", stored, "")
	f.add("collection_name", "Environment", name, "")
}

func (f *facts) time(name, label string, t gbx.Time) {
	if t == gbx.NoTime {
		f.add(name, label, nil, "none")
		return
	}
	f.add(name, label, int64(t), trackmania.TimeText(t))
}

// Facts describe the file, most interesting first.
func (a *Archive) Facts() []archive.Fact {
	f := &facts{}
	class := a.file.Class
	f.add("class", "Class", class.String(), fmt.Sprintf("%s (%v)", engine.Registry().ClassName(class), class))
	f.add("class_name", "", engine.Registry().ClassName(class), "")
	if g := a.Game(); g != "" {
		f.add("game", "Game", g, "")
	} else {
		f.add("game", "", nil, "")
	}
	switch class.Latest() {
	case classMap:
		a.mapFacts(f)
	case classReplay:
		a.replayFacts(f)
	case classGhost:
		a.ghostFacts(f)
	default:
		a.collectorFacts(f)
		a.meshFacts(f)
		a.otherFacts(f)
	}
	a.containerFacts(f)
	return f.list
}

// Classes that a card has more to say about.
const (
	classMap    classid.ID = 0x03043000
	classReplay classid.ID = 0x03093000
	classGhost  classid.ID = 0x03092000
	classItem   classid.ID = 0x2E002000
)

// Game names the game that made the file; "" if that cannot be told.
func (a *Archive) Game() string { return trackmania.GameOf(a.file) }

// containerFacts are those that every file has.
func (a *Archive) containerFacts(f *facts) {
	h := &a.file.Header
	format, body := "binary", "uncompressed"
	if h.IsText() {
		format = "text"
	}
	if h.IsCompressed() {
		body = "compressed"
	}
	f.add("version", "", h.Version, "")
	f.add("encoding", "Stored as", format, fmt.Sprintf("GBX version %d, %s, body %s", h.Version, format, body))
	f.add("compressed", "", h.IsCompressed(), "")
	f.add("body_size", "Body", len(a.file.BodyBytes()), fmt.Sprintf("%d bytes", len(a.file.BodyBytes())))
	f.add("node_count", "Nodes", h.NumNodes, "")
	refs := a.References()
	label := ""
	if len(refs) > 0 {
		label = "Refers to"
	}
	f.add("references", label, refs, strings.Join(refs, ", "))
}

// References lists the files outside that the header names.
func (a *Archive) References() []string { return references(&a.file.Header.Refs) }

func references(t *gbx.RefTable) []string {
	refs := t.Paths()
	for i := range refs {
		if e := &t.External[i]; e.IsResource() {
			refs[i] = fmt.Sprintf("resource %d", e.ResourceIndex)
		}
	}
	return refs
}

// collectorFacts describe items, blocks and the like.
func (a *Archive) collectorFacts(f *facts) {
	c, ok := trackmania.CollectorOf(a.file)
	if !ok {
		return
	}
	i := c.Info()
	f.text("name", "Called", i.Name)
	f.login("author_login", "Author", i.AuthorLogin)
	f.collection(i.Collection, i.CollectionName)
	f.add("page", "Page", i.Page, "")
	if i.ItemType != nil {
		f.add("item_type", "Item type", *i.ItemType, "")
	}
	if m, err := trackmania.ItemModelOf(a.file); err == nil {
		files := m.Files()
		f.add("files", shown("Uses", len(files) > 0), files, strings.Join(files, ", "))
	}
}

// meshFacts tell how much geometry the file stores, if it is of a class that
// may.
func (a *Archive) meshFacts(f *facts) {
	s, err := mesh.Read(a.file)
	if err != nil || len(s.Nodes) == 0 && a.file.Class.Latest() != classItem {
		return
	}
	vertices, triangles := s.Count()
	collision := s.CollisionTriangles()
	f.add("vertex_count", shown("Mesh", vertices > 0 || collision == 0), vertices, fmt.Sprintf("%d vertices, %d triangles", vertices, triangles))
	f.add("triangle_count", "", triangles, "")
	f.add("collision_triangle_count", shown("Collision", collision > 0), collision, fmt.Sprintf("%d triangles", collision))
}
