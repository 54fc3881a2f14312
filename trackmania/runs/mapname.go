package runs

import (
	"bytes"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/trackmania/internal/places"
	"pakbox/trackmania/maps"
)

// replayMapName is the name of the map in the header's XML of a replay.
var replayMapName = places.InXML("map", "name")

// MapName returns the name of the map, from the header's XML or from the header
// of the map inside; "" if neither states it.
func (r *Replay) MapName() string {
	if name, ok := replayMapName.Get(places.SiteOf(r.File)); ok && name != "" {
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
	return maps.NameIn(h)
}
