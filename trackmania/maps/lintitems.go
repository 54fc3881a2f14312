package maps

import (
	"io"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/trackmania/items"
	"pakbox/trackmania/items/lint"
)

// maxLinted bounds the bytes of all embedded files that lint reads.
const maxLinted = 256 << 20

// lintItems checks the items that the map brings along, and their textures.
func (m *Map) lintItems(e *Embedding) []finding.Finding {
	if !m.is2020() {
		return nil
	}
	var out []finding.Finding
	static := map[*Embedded]bool{}
	left := int64(maxLinted)
	for i := range e.Files {
		f := &e.Files[i]
		name := strings.ToLower(f.Name)
		if !strings.HasSuffix(name, ".gbx") && !strings.HasSuffix(name, ".dds") || f.Size > left {
			continue
		}
		data := f.read(left)
		left -= int64(len(data))
		if strings.HasSuffix(name, ".dds") {
			out = append(out, lint.Texture(f.Name, data)...)
			continue
		}
		file, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		model, err := items.ModelOf(file)
		if err != nil {
			continue
		}
		static[f] = lint.Static(model)
		for _, found := range lint.Item(model, m.Collection()) {
			found.Entry = f.Name
			out = append(out, found)
		}
	}
	said := map[*Embedded]bool{}
	for _, it := range m.Items() {
		if f := e.Model(it.Model.ID.String()); f != nil && static[f] && it.Scale != 1 && !said[f] {
			said[f] = true
			out = append(out, lint.Scaled(f.Name, it.Scale))
		}
	}
	return out
}

// read returns the content of an embedded file, up to a limit; nil if it cannot be
// read.
func (e *Embedded) read(most int64) []byte {
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
