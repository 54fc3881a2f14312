package trackmania

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
)

// rezip writes the map's embedded files anew: those that keep says, as they
// are stored, and then more.
func rezip(old []byte, keep func(name string) bool, more func(*zip.Writer) error) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if len(old) > 0 {
		z, err := zip.NewReader(bytes.NewReader(old), int64(len(old)))
		if err != nil {
			return nil, fault.Wrap(fault.Corrupt, err, "embedded items")
		}
		for _, f := range z.File {
			if !keep(strings.ReplaceAll(f.Name, `\`, "/")) {
				continue
			}
			if err := w.Copy(f); err != nil {
				return nil, fault.Wrap(fault.Corrupt, err, "embedded items")
			}
		}
	}
	if more != nil {
		if err := more(w); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// embedding returns the chunk that holds embedded files.
func (m *Map) embedding() (*game.Chunk03043054, error) {
	if c, ok := find[*game.Chunk03043054](m); ok {
		return c, nil
	}
	return nil, fault.New(fault.Unsupported, "this kind of map cannot bring files along")
}

// EmbeddedZip returns the zip of the files that the map brings along; nil
// where there are none.
func (m *Map) EmbeddedZip() []byte {
	if c, ok := find[*game.Chunk03043054](m); ok {
		return c.EmbeddedZip
	}
	return nil
}

// RemoveEmbedded takes files out of what the map brings along, by their names
// as in [Embedded]. Items on the map that use them stay.
func (m *Map) RemoveEmbedded(names ...string) error {
	if len(names) == 0 {
		return nil
	}
	c, err := m.embedding()
	if err != nil {
		return err
	}
	doomed, models := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		doomed[name] = true
		models[modelKey(modelName(name))] = true
	}
	delete(models, "")
	kept := 0
	data, err := rezip(c.EmbeddedZip, func(name string) bool {
		if doomed[name] {
			delete(doomed, name)
			return false
		}
		kept++
		return true
	}, nil)
	if err != nil {
		return err
	}
	for name := range doomed {
		return fault.New(fault.Unsupported, "the map does not bring %s along", name)
	}
	if kept == 0 {
		data = nil
	}
	c.EmbeddedZip = data
	c.EmbeddedItemModels = slices.DeleteFunc(slices.Clone(c.EmbeddedItemModels), func(id gbx.Ident) bool { return models[modelKey(id.ID.String())] })
	return nil
}

// AddEmbedded makes the map bring a file along: an item or block, whose own
// header names its collection and author. Name is a path such as
// Items/Tree.Item.Gbx.
func (m *Map) AddEmbedded(name string, item []byte, reg *gbx.Registry) error {
	c, err := m.embedding()
	if err != nil {
		return err
	}
	model := modelName(name)
	if model == "" {
		return fault.New(fault.Unsupported, "%s is no path of an item or block", name)
	}
	h, err := gbx.ReadHeader(bytes.NewReader(item), int64(len(item)), reg)
	if err != nil {
		return err
	}
	about, ok := gbx.FindHeader[*gamedata.Header2E001003](h)
	if !ok {
		return fault.New(fault.NotFormat, "the file is no item and no block")
	}
	data, err := rezip(c.EmbeddedZip, func(n string) bool { return n != name }, func(w *zip.Writer) error {
		dst, err := w.Create(name)
		if err == nil {
			_, err = io.Copy(dst, bytes.NewReader(item))
		}
		return err
	})
	if err != nil {
		return err
	}
	c.EmbeddedZip = data
	key := modelKey(model)
	if !slices.ContainsFunc(c.EmbeddedItemModels, func(id gbx.Ident) bool { return modelKey(id.ID.String()) == key }) {
		c.EmbeddedItemModels = append(slices.Clip(c.EmbeddedItemModels), gbx.Ident{
			ID: gbx.NewId(strings.ReplaceAll(model, "/", `\`)), Collection: freshId(about.Model.Collection), Author: freshId(about.Model.Author),
		})
	}
	return nil
}

// freshId is an Id of another file, to be written in this one.
func freshId(id gbx.Id) gbx.Id {
	if name, ok := id.Name(); ok {
		return gbx.NewId(name)
	}
	return id
}
