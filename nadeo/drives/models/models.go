// Package models finds the models of items and blocks on the drives of a game.
package models

import (
	"io"
	"path"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/drives"
)

// Models finds the models of items and blocks on a game's drives, by the names that maps
// use.
type Models struct {
	game   *drives.Game
	byName map[string][]*drives.File // by file name in lower case
	blocks map[string]*drives.File   // blocks of the game, by name in lower case
	items  map[string]*drives.File
}

// Of collects the models on a game's drives.
func Of(g *drives.Game) *Models {
	m := &Models{game: g, byName: map[string][]*drives.File{}, blocks: map[string]*drives.File{}, items: map[string]*drives.File{}}
	first := func(to map[string]*drives.File, name string, f *drives.File) {
		if to[name] == nil {
			to[name] = f
		}
	}
	for _, drive := range drives.DriveNames {
		for _, f := range g.Drive(drive).Files() {
			base := strings.ToLower(path.Base(f.Path))
			name, kind, ok := strings.Cut(strings.TrimSuffix(base, ".gbx"), ".")
			if !ok {
				continue
			}
			m.byName[base] = append(m.byName[base], f)
			switch {
			// Extensions such as EDClassic, EDRoad and TMEDClip: a block of the map
			// editor.
			case strings.HasPrefix(strings.TrimPrefix(kind, "tm"), "ed"):
				first(m.blocks, name, f)
			case kind == "item" || kind == "objectinfo":
				first(m.items, name, f)
			}
		}
	}
	return m
}

// ForMap returns the models for one map. It keeps every model that it has read.
func (m *Models) ForMap() *MapModels {
	return &MapModels{Models: m, files: map[*drives.File]*gbx.File{}, left: maxModels}
}

// MapModels reads the models of one map. It is a library for mapmesh.
type MapModels struct {
	*Models
	files map[*drives.File]*gbx.File
	left  int64 // bytes that may still be read
}

// maxModels limits the bytes that are read for one map.
const maxModels = 512 << 20

func (m *MapModels) Item(name string) (*gbx.File, mesh.Opener)  { return m.find(name, m.items) }
func (m *MapModels) Block(name string) (*gbx.File, mesh.Opener) { return m.find(name, m.blocks) }

// find returns the model with a name. A name that ends in .gbx is a path below any folder
// of models.
func (m *MapModels) find(name string, known map[string]*drives.File) (*gbx.File, mesh.Opener) {
	name = strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(name, "_CustomBlock"), `\`, "/"))
	if !strings.HasSuffix(name, ".gbx") {
		return m.open(known[name])
	}
	for _, f := range m.byName[path.Base(name)] {
		if strings.HasSuffix("/"+strings.ToLower(f.Path), "/"+name) {
			return m.open(f)
		}
	}
	return nil, nil
}

// open reads a file; it returns nil if f is nil.
func (m *MapModels) open(f *drives.File) (*gbx.File, mesh.Opener) {
	if f == nil {
		return nil, nil
	}
	parsed, ok := m.files[f]
	if !ok {
		parsed = m.parse(f)
		m.files[f] = parsed
	}
	if parsed == nil {
		return nil, nil
	}
	return parsed, func(name string) (*gbx.File, mesh.Opener) { return m.refer(f, name) }
}

// parse reads a file. It returns nil if the file cannot be read, or is too large for the
// bytes left.
func (m *MapModels) parse(f *drives.File) *gbx.File {
	in, err := f.Open()
	if err != nil {
		return nil
	}
	defer in.Close()
	if f.Size > m.left {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(in, m.left+1))
	if m.left -= int64(len(data)); err != nil || m.left < 0 {
		return nil
	}
	parsed, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	return parsed
}

// refer opens a file that another file refers to: on the same drive, or in the player's
// folder if name begins with a slash.
func (m *MapModels) refer(from *drives.File, name string) (*gbx.File, mesh.Opener) {
	drive := m.game.Drive(from.Drive)
	if rest, ok := strings.CutPrefix(name, "/"); ok {
		drive, name = m.game.Drive(drives.Personal), rest
	} else {
		name = path.Join(path.Dir(from.Path), name)
	}
	f, ok := drive.Lookup(name)
	if !ok {
		return nil, nil
	}
	return m.open(f)
}
