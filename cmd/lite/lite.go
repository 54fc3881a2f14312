// Package lite reads the facts and the thumbnail of a map, for web pages that need
// nothing else. It knows only the classes in maps, so its program is a third of the size
// of the whole.
package lite

import (
	"slices"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
)

// Map is a map that was read.
type Map struct{ *maps.Map }

// Open reads a map.
func Open(data []byte) (*Map, error) {
	f, err := gbx.Parse(data, classes)
	if err != nil {
		return nil, err
	}
	m, err := maps.Of(f)
	if err != nil {
		return nil, err
	}
	return &Map{m}, nil
}

// fileFacts are the general facts of a file, such as its game, which the header of a map
// contains.
var fileFacts = nadeo.FileFacts(func(f *gbx.File) string { return nadeo.OriginOf(&f.Header).Game() })

// Facts returns the facts that the command info shows of a map, without those about its
// compression and storage.
func (m *Map) Facts() fact.Record {
	return slices.Concat(fileFacts.Of(m.File), maps.Facts.Of(m.Map), nadeo.ContainerFacts.Of(m.File))
}

// IsPartial reports whether a part of the map could not be read, so that facts are
// missing. The whole of pakbox may be able to read it.
func (m *Map) IsPartial() bool {
	return m.File.Body.Tail != nil || slices.ContainsFunc(m.File.Body.Chunks, func(c gbx.Chunk) bool {
		_, unread := c.Body.(*gbx.Opaque)
		return unread
	})
}

// Thumbnail returns the picture of the map, an upright JPEG.
func (m *Map) Thumbnail() ([]byte, error) {
	data, err := m.Map.Thumbnail(maps.ThumbnailForm{})
	if err == nil && data == nil {
		err = fault.New(fault.Unsupported, "the map has no thumbnail")
	}
	return data, err
}
