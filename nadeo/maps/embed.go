package maps

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"path"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/internal/lib/styled"
)

// rezip writes a new zip of embedded files. It copies each file under the name that
// rename returns, drops it if that is "", and then calls more to add files.
func rezip(old []byte, rename func(name string) string, more func(*zip.Writer) error) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if len(old) > 0 {
		z, err := zip.NewReader(bytes.NewReader(old), int64(len(old)))
		if err != nil {
			return nil, fault.Wrap(fault.Corrupt, err, "embedded items")
		}
		for _, f := range z.File {
			name := slashed(f.Name)
			to := rename(name)
			if to == "" {
				continue
			}
			if to != name {
				f.Name = to
			}
			if err := w.Copy(f); err != nil {
				return nil, fault.Wrap(fault.Corrupt, err, "embedded items")
			}
		}
	}
	if more != nil {
		if err := more(w); err != nil {
			return nil, fault.Wrap(fault.Limit, err, "embedded items") // the name is too long
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// slashed returns a name with slashes. The games write slashes and backslashes.
func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// addFile adds a file in the way of the games: compressed, with its sizes in front of it,
// and without a date.
func addFile(w *zip.Writer, name string, data []byte) error {
	var packed bytes.Buffer                                    // writing to memory cannot fail
	f, _ := flate.NewWriter(&packed, flate.DefaultCompression) // the level is valid
	f.Write(data)
	f.Close()
	const utf8Name = 0x800
	h := &zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(data),
		CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(data)),
	}
	if !styled.IsASCII(name) {
		h.Flags = utf8Name
	}
	dst, err := w.CreateRaw(h)
	if err == nil {
		_, err = dst.Write(packed.Bytes())
	}
	return err
}

// embedding returns the chunk with the embedded files.
func (m *Map) embedding() (*game.Chunk03043054, error) {
	if c, ok := find[*game.Chunk03043054](m); ok {
		return c, nil
	}
	return nil, fault.New(fault.Unsupported, "this kind of map cannot embed files")
}

// EmbeddedZip returns the zip of the embedded files, nil if none exist.
func (m *Map) EmbeddedZip() []byte {
	return value(m, func(c *game.Chunk03043054) []byte { return c.EmbeddedZip })
}

// RootedZip is EmbeddedZip with paths relative to a player's folder. Games sometimes
// embed files under their absolute path on the author's computer.
func (m *Map) RootedZip() ([]byte, error) { return rezip(m.EmbeddedZip(), rooted, nil) }

// userFolders are the parts of a player's folder from which maps embed files.
var userFolders = []string{"Items/", "Blocks/", "ClubItems/", "Materials/", "Skins/"}

// rooted removes the part of an absolute path before a player's folder.
func rooted(name string) string {
	if !absolute(name) {
		return name
	}
	lower := strings.ToLower(name)
	for _, folder := range userFolders {
		if i := strings.Index(lower, "/"+strings.ToLower(folder)); i >= 0 {
			return name[i+1:]
		}
	}
	return name
}

// absolute reports whether a path is absolute, on Windows or elsewhere.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

// RemoveEmbedded removes embedded files, by their names as in [EmbeddedFile]. Items on the
// map that use them stay.
func (m *Map) RemoveEmbedded(names ...string) error {
	if len(names) == 0 {
		return nil
	}
	c, err := m.embedding()
	if err != nil {
		return err
	}
	found, models := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		found[name] = false
		models[ModelKey(modelName(name))] = true
	}
	delete(models, "")
	kept := 0
	data, err := rezip(c.EmbeddedZip, func(name string) string {
		if _, doomed := found[name]; doomed {
			found[name] = true // no break: a zip can hold a name twice
			return ""
		}
		kept++
		return name
	}, nil)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !found[name] {
			return fault.New(fault.Unsupported, "the map does not embed %s", name)
		}
	}
	if kept == 0 {
		data = nil
	}
	c.EmbeddedZip = data
	c.EmbeddedItemModels = slices.DeleteFunc(slices.Clone(c.EmbeddedItemModels), func(id gbx.Ident) bool { return models[ModelKey(id.ID.String())] })
	return nil
}

// EmbedName returns the default path of a file in a map: below Items, or below Blocks.
func EmbedName(file string) string {
	folder := "Items/"
	if strings.HasSuffix(strings.ToLower(file), ".block.gbx") {
		folder = "Blocks/"
	}
	return folder + path.Base(file)
}

// registry returns the registry of the map's file, or that of all engines if the file was
// made without one.
func (m *Map) registry() *gbx.Registry {
	if reg := m.File.Registry(); reg != nil {
		return reg
	}
	return engine.Registry()
}

// AddEmbedded embeds a file: an item or block, whose own header names its collection and
// author. name is a path such as Items/Tree.Item.Gbx. It replaces an embedded file whose
// path differs only in case, because the game treats both as one.
func (m *Map) AddEmbedded(name string, item []byte) error {
	c, err := m.embedding()
	if err != nil {
		return err
	}
	model := modelName(name)
	if model == "" {
		return fault.New(fault.Unsupported, "%s is not a path of an item or block", name)
	}
	h, err := gbx.ReadHeader(bytes.NewReader(item), int64(len(item)), m.registry())
	if err != nil {
		return err
	}
	about, ok := gbx.FindHeader[*gamedata.Header2E001003](h)
	if !ok {
		return fault.New(fault.NotFormat, "the file is neither an item nor a block")
	}
	others := func(n string) string {
		if strings.EqualFold(rooted(n), name) {
			return ""
		}
		return n
	}
	data, err := rezip(c.EmbeddedZip, others, func(w *zip.Writer) error { return addFile(w, name, item) })
	if err != nil {
		return err
	}
	c.EmbeddedZip = data
	key := ModelKey(model)
	if !slices.ContainsFunc(c.EmbeddedItemModels, func(id gbx.Ident) bool { return ModelKey(id.ID.String()) == key }) {
		c.EmbeddedItemModels = append(slices.Clip(c.EmbeddedItemModels), gbx.Ident{
			ID: gbx.NewID(strings.ReplaceAll(model, "/", `\`)), Collection: freshID(about.Model.Collection), Author: freshID(about.Model.Author),
		})
	}
	return nil
}

// freshID copies an ID from another file, without that file's numbering.
func freshID(id gbx.ID) gbx.ID {
	if name, ok := id.Name(); ok {
		return gbx.NewID(name)
	}
	return id
}
