package trackmania

import (
	"bytes"
	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// replayMapName is the name of the map in the header's XML of a replay.
var replayMapName = inXML("map", "name")

// MapName returns the name of the map, from the header's XML or from the header
// of the map inside; "" if neither states it.
func (r *Replay) MapName() string {
	if name, ok := replayMapName.get(siteOf(r.File)); ok && name != "" {
		return name
	}
	data := r.MapFile()
	if len(data) == 0 {
		return ""
	}
	h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), engine.Registry())
	if err != nil {
		return ""
	}
	return mapName.in(site{header: h})
}

// EmbeddedNames returns the paths of the files that the map brings along, below
// the folder Items; none if they cannot be read.
func (m *Map) EmbeddedNames() []string { return m.embeddedNames() }
