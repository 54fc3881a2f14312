package maps

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"

	"pakbox/codec/zinflate"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/places"
)

// Item is an item on a map.
type Item struct {
	Model        gbx.Ident // file or name, collection, author
	Position     gbx.Vec3  // in metres
	YawPitchRoll gbx.Vec3  // in radians
	// Pivot is the vector from the model's pivot point to its origin. The pivot point
	// stands at Position. Files of items store the opposite vector.
	Pivot    gbx.Vec3
	Scale    float32
	Flags    uint16 // as stored
	Skin     string // path of a picture
	Waypoint string // Spawn, Checkpoint, Goal, …; "" for none
	Order    int    // of the waypoint; linked waypoints have the same order
	Color    int    // -1 if the game has no such colours
}

// Variant returns the number of the model's variant.
func (it *Item) Variant() int { return int(it.Flags>>8) & 15 }

// Items returns the items on the map, as stored.
func (m *Map) Items() []Item {
	c, ok := find[*game.Chunk03043040](m)
	if !ok {
		return nil
	}
	colors := m.colors()
	colors = colors[max(0, len(colors)-len(c.Items)):]
	out := make([]Item, 0, len(c.Items))
	for _, r := range c.Items {
		item := Item{Scale: 1, Color: -1, Model: places.NoIdent}
		if color, ok := take(&colors); ok {
			item.Color = int(color)
		}
		if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
			item.Model, item.Position, item.YawPitchRoll = a.ItemModel, a.AbsolutePositionInMap, a.YawPitchRoll
			item.Pivot, item.Flags, item.Skin = a.PivotPosition, a.Flags, styled.Unmarked(a.PackDesc.Path)
			item.Waypoint, item.Order = waypointOf(a.Waypoint)
			if a.Version >= 6 {
				item.Scale = a.Scale
			}
		}
		out = append(out, item)
	}
	return out
}

// ItemCount returns the number of Items.
func (m *Map) ItemCount() int {
	return value(m, func(c *game.Chunk03043040) int { return len(c.Items) })
}

// EmbeddedFile is a file inside a map: an item, a block, or a file that these need.
type EmbeddedFile struct {
	Name       string // path with slashes, such as Items/Tree.Item.Gbx
	Size       int64
	StoredSize int64
	// Model is the name by which the map's items and blocks refer to the file; "" for
	// files that are not models.
	Model  string
	Listed bool // the file is in the map's own list of embedded models
	Uses   int  // number of items and blocks on the map that use it

	file *zip.File
}

// UserPath returns the path of the file below the player's folder, even if the map stores
// its absolute path on the author's computer.
func (e *EmbeddedFile) UserPath() string { return rooted(e.Name) }

// Open opens the content for reading.
func (e *EmbeddedFile) Open() (io.ReadCloser, error) { return e.file.Open() }

// Read returns the content, at most so many bytes; nil if it cannot be read.
func (e *EmbeddedFile) Read(most int64) []byte {
	in, err := e.Open()
	if err != nil {
		return nil
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return nil
	}
	return data
}

// Embedding compares the files that a map embeds with the models that it uses.
type Embedding struct {
	Files []EmbeddedFile
	// Missing are models that the map uses but does not embed. They have a file name and
	// an author other than Nadeo.
	Missing []string

	models, paths map[string]*EmbeddedFile
}

// Model returns the embedded file of a model, by the name on the map; nil if it is not
// embedded.
func (e *Embedding) Model(name string) *EmbeddedFile { return e.models[ModelKey(name)] }

// Path returns the embedded file at a path below the player's folder, such as
// Items/Tree.Mesh.Gbx; nil if none exists.
func (e *Embedding) Path(path string) *EmbeddedFile { return e.paths[strings.ToLower(path)] }

// index fills the lookup tables. If a game treats two files as one, the first counts.
func (e *Embedding) index() {
	e.models, e.paths = map[string]*EmbeddedFile{}, map[string]*EmbeddedFile{}
	for i := len(e.Files) - 1; i >= 0; i-- {
		f := &e.Files[i]
		e.paths[strings.ToLower(f.UserPath())] = f
		if f.Model != "" {
			e.models[ModelKey(f.Model)] = f
		}
	}
}

// EmbeddedNames returns the paths of the embedded files, relative to the folder Items,
// where nearly all of them are. It returns none if they cannot be read.
func (m *Map) EmbeddedNames() []string {
	names := []string{}
	data := m.EmbeddedZip()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return names
	}
	for _, f := range z.File {
		if name := slashed(f.Name); !strings.HasSuffix(name, "/") {
			names = append(names, strings.TrimPrefix(name, "Items/"))
		}
	}
	return names
}

// modelName returns the name by which a map refers to an embedded file.
func modelName(file string) string {
	name := rooted(slashed(file))
	for _, folder := range []string{"Items/", "Blocks/"} {
		if len(name) > len(folder) && strings.EqualFold(name[:len(folder)], folder) {
			name = name[len(folder):]
			break
		}
	}
	if club, ok := strings.CutPrefix(name, "ClubItems/"); ok {
		name = "club:" + club
	}
	lower := strings.ToLower(name)
	if !strings.HasSuffix(lower, ".item.gbx") && !strings.HasSuffix(lower, ".block.gbx") && !strings.HasSuffix(lower, ".macroblock.gbx") {
		return ""
	}
	return name
}

// ModelKey maps different spellings of a model's name to one key. Maps name an embedded
// block by its file and _CustomBlock.
func ModelKey(name string) string {
	name = slashed(name)
	name = strings.TrimSuffix(name, "_CustomBlock")
	return strings.ToLower(name)
}

// IsOwnModel reports whether a model is a player's file and not part of the game.
func IsOwnModel(name, author string) bool {
	return author != "Nadeo" && (len(name) >= 4 && strings.EqualFold(name[len(name)-4:], ".gbx") || strings.HasSuffix(name, "_CustomBlock"))
}

// usedModels counts how often the map uses each model, and returns the names of the
// models that are not part of the game.
func (m *Map) usedModels() (counts map[string]int, own map[string]string) {
	uses := map[BlockModel]int{}
	for _, it := range m.Items() {
		uses[BlockModel{it.Model.ID.String(), it.Model.Author.String()}]++
	}
	for b := range m.EachBlock() {
		uses[BlockModel{b.Name, b.Author}]++
	}
	for b, n := range m.BakedModels() {
		uses[b] += n
	}
	counts, own = map[string]int{}, map[string]string{}
	for u, n := range uses {
		k := ModelKey(u.Name)
		counts[k] += n
		if IsOwnModel(u.Name, u.Author) && (own[k] == "" || u.Name < own[k]) {
			own[k] = u.Name
		}
	}
	return counts, own
}

// EmbeddedFiles returns the embedded files of the map.
func (m *Map) EmbeddedFiles() (*Embedding, error) {
	out := &Embedding{}
	used, names := m.usedModels()
	have := map[string]bool{}
	if c, ok := find[*game.Chunk03043054](m); ok && len(c.EmbeddedZip) > 0 {
		z, err := zip.NewReader(bytes.NewReader(c.EmbeddedZip), int64(len(c.EmbeddedZip)))
		if err != nil {
			return nil, fault.Wrap(fault.Corrupt, err, "embedded items")
		}
		z.RegisterDecompressor(zip.Deflate, zinflate.NewReader)
		listed := map[string]bool{}
		for _, id := range c.EmbeddedItemModels {
			listed[ModelKey(id.ID.String())] = true
		}
		for _, f := range z.File {
			name := slashed(f.Name)
			if strings.HasSuffix(name, "/") {
				continue
			}
			e := EmbeddedFile{Name: name, Size: int64(f.UncompressedSize64), StoredSize: int64(f.CompressedSize64), Model: modelName(name), file: f}
			if e.Model != "" {
				k := ModelKey(e.Model)
				have[k] = true
				e.Listed, e.Uses = listed[k], used[k]
			}
			out.Files = append(out.Files, e)
		}
	}
	for k, name := range names {
		if !have[k] {
			out.Missing = append(out.Missing, name)
		}
	}
	slices.Sort(out.Missing)
	out.index()
	return out, nil
}

// Models holds the identities of the models that a map uses or embeds.
type Models struct {
	known      map[string]gbx.Ident
	collection gbx.ID
}

// Models returns the identities of the models on the map and in its embedded files.
func (m *Map) Models() *Models {
	s := &Models{known: map[string]gbx.Ident{}, collection: m.Ident().Collection}
	for b := range m.EachBlock() {
		if b.Author != "" && IsOwnModel(b.Name, b.Author) {
			s.known[ModelKey(b.Name)] = gbx.Ident{ID: gbx.NewID(b.Name), Collection: s.collection, Author: gbx.NewID(b.Author)}
		}
	}
	if c, ok := find[*game.Chunk03043054](m); ok {
		for _, id := range c.EmbeddedItemModels {
			s.known[ModelKey(id.ID.String())] = id
		}
	}
	if c, ok := find[*game.Chunk03043040](m); ok {
		for _, r := range c.Items {
			if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
				s.known[ModelKey(a.ItemModel.ID.String())] = a.ItemModel
			}
		}
	}
	return s
}

// Ident returns the identity of a model. A model that the map does not know is taken from
// the game. If the name is that of a file, author must be given; otherwise author may be
// "".
func (s *Models) Ident(name, author string) (gbx.Ident, error) {
	id, ok := s.known[ModelKey(name)]
	if !ok {
		id = gbx.Ident{ID: gbx.NewID(name), Collection: s.collection, Author: gbx.NewID(nadeoAuthor)}
		if author == "" && IsOwnModel(name, "") {
			return id, fault.New(fault.BadEntry, "the map does not embed %s: embed it before, or say its author", name)
		}
	}
	if author != "" {
		id.Author = gbx.NewID(author)
	}
	return id, nil
}

// BlockAuthor returns the author to store for a block. For the game's own blocks maps
// store an author only if there is a skin.
func (s *Models) BlockAuthor(name, author, skin string) (string, error) {
	id, err := s.Ident(name, author)
	if author = id.Author.String(); author == nadeoAuthor && skin == "" {
		author = ""
	}
	return author, err
}
