package maps

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/items"
)

// Personal is a text in a file that reveals something about a person, other than the
// author's name on the map.
type Personal struct {
	Kind  string `json:"kind"`  // path: on somebody's computer; login: of an item's author, or of a driver
	Where string `json:"where"` // the part of the file that contains it
	Value string `json:"value"`
	// New is the text that replaces it in a scrubbed map.
	New string `json:"new"`
}

// anonymous is the login that replaces a removed one. It is not empty, because games take
// items without an author for their own.
const anonymous = "anonymous"

// Personal lists the texts that reveal something about people: paths on their computers,
// and the logins of the authors of embedded items.
func (m *Map) Personal() ([]Personal, error) {
	s := scrubber{m: m}
	err := s.run()
	return s.found, err
}

// Scrub replaces the texts that [Map.Personal] lists.
func (m *Map) Scrub() ([]Personal, error) {
	s := scrubber{m: m, change: true}
	err := s.run()
	return s.found, err
}

// scrubber searches a map for personal texts.
type scrubber struct {
	m      *Map
	change bool
	found  []Personal
	seen   map[Personal]bool
	// brought are the models that the map embeds. Other models keep their authors,
	// because a game needs them to find the files on a player's disk.
	brought map[string]bool
}

func (s *scrubber) add(p Personal) {
	if s.seen == nil {
		s.seen = map[Personal]bool{}
	}
	if !s.seen[p] {
		s.seen[p] = true
		s.found = append(s.found, p)
	}
}

func (s *scrubber) run() error {
	e, err := s.m.EmbeddedFiles()
	if err != nil {
		return err
	}
	s.brought = map[string]bool{}
	for i := range e.Files {
		if model := modelName(e.Files[i].Name); model != "" {
			s.brought[ModelKey(model)] = true
		}
	}
	s.m.fileRefs(func(kind string, f *gbx.FileRef) { s.path(kind, &f.Path) })
	if c, ok := find[*game.Chunk0304301F](s.m); ok {
		s.blocks(c)
	}
	if c, ok := find[*game.Chunk03043040](s.m); ok {
		for _, r := range c.Items {
			if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
				s.ident(&a.ItemModel)
			}
		}
	}
	c, ok := find[*game.Chunk03043054](s.m)
	if !ok {
		return nil
	}
	for i := range c.EmbeddedItemModels {
		s.ident(&c.EmbeddedItemModels[i])
	}
	return s.embedded(c)
}

// blocks checks the authors of blocks and their skins.
func (s *scrubber) blocks(c *game.Chunk0304301F) {
	before := len(s.found)
	list := c.Blocks.Unpack()
	for i := range list {
		if custom := list[i].Custom; custom != nil && s.brought[ModelKey(list[i].Name.String())] {
			s.login("block "+list[i].Name.String(), &custom.Author)
		}
	}
	if s.change && len(s.found) > before {
		c.Blocks.Blocks = game.PackBlocks(list)
	}
}

// path checks a path, and shortens it to the part below a player's folder.
func (s *scrubber) path(where string, p *string) {
	if !IsPrivate(*p) {
		return
	}
	new := withoutHome(*p)
	s.add(Personal{"path", where, *p, new})
	if s.change {
		*p = new
	}
}

// withoutHome returns the part of a path below a player's folder.
func withoutHome(p string) string {
	if !IsPrivate(p) {
		return p
	}
	slashes := slashed(p)
	lower := strings.ToLower(slashes)
	for _, folder := range append([]string{"Music/", "Maps/", "Media/"}, userFolders...) {
		if i := strings.Index(lower, "/"+strings.ToLower(folder)); i >= 0 {
			return p[i+1:]
		}
	}
	return p[len(p)-len(path.Base(slashes)):]
}

func (s *scrubber) login(where string, author *gbx.ID) {
	name := author.String()
	if author.IsEmpty() || name == "" || name == "Nadeo" || name == anonymous {
		return
	}
	s.add(Personal{"login", where, name, anonymous})
	if s.change {
		*author = gbx.NewID(anonymous)
	}
}

// ident checks the name and author of an item's model.
func (s *scrubber) ident(id *gbx.Ident) {
	name := id.ID.String()
	if !IsOwnModel(name, id.Author.String()) {
		return
	}
	brought := s.brought[ModelKey(name)] || s.brought[ModelKey(modelName(name))]
	clean := name
	s.path("item", &clean)
	if s.change && clean != name {
		id.ID = gbx.NewID(clean)
	}
	if brought {
		s.login("item "+withoutHome(clean), &id.Author)
	}
}

// embedded checks the names of the embedded files, and the authors in them.
func (s *scrubber) embedded(c *game.Chunk03043054) error {
	if len(c.EmbeddedZip) == 0 {
		return nil
	}
	z, err := zip.NewReader(bytes.NewReader(c.EmbeddedZip), int64(len(c.EmbeddedZip)))
	if err != nil {
		return fault.Wrap(fault.Corrupt, err, "embedded items")
	}
	rewritten := map[string][]byte{}
	for _, f := range z.File {
		name := slashed(f.Name)
		if IsPrivate(name) {
			s.add(Personal{"path", "embedded file", name, embeddedName(name)})
		}
		if modelName(name) == "" {
			continue
		}
		if data := s.item(f, withoutHome(name)); data != nil {
			rewritten[name] = data
		}
	}
	if !s.change || len(s.found) == 0 {
		return nil
	}
	data, err := rezip(c.EmbeddedZip, func(name string) string {
		if rewritten[name] != nil {
			return ""
		}
		return embeddedName(name)
	}, func(w *zip.Writer) error {
		for _, f := range z.File { // in the order of the zip
			name := slashed(f.Name)
			if data := rewritten[name]; data != nil {
				delete(rewritten, name)
				if err := addFile(w, embeddedName(name), data); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		c.EmbeddedZip = data
	}
	return err
}

// embeddedName returns the name of an embedded file without its path on a computer.
func embeddedName(name string) string {
	if !IsPrivate(name) {
		return name
	}
	if short := withoutHome(name); strings.Contains(short, "/") {
		return short
	}
	return "Items/" + path.Base(name)
}

// item checks the author in an embedded item. It returns the file with another author, or
// nil if nothing changes or the file cannot be read.
func (s *scrubber) item(f *zip.File, name string) []byte {
	r, err := f.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	const most = 256 << 20
	data, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil || len(data) == most {
		return nil
	}
	file, err := gbx.Parse(data, s.m.registry())
	if err != nil {
		return nil
	}
	item := items.Collector{File: file}
	author := item.AuthorID()
	before := author
	s.login("embedded "+name, &author)
	if !s.change || author == before {
		return nil
	}
	item.SetAuthor(author)
	data, err = file.Encode()
	if err != nil {
		return nil
	}
	return data
}

// IsPrivate reports whether a path reveals something about its author's computer.
func IsPrivate(path string) bool {
	p := strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	return strings.Contains(p, ":/") && !strings.Contains(p, "://") || strings.Contains(p, "/users/") || strings.Contains(p, "/home/")
}
