package gbxarchive

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
	"pakbox/codec/zinflate"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo/maps"
)

// Archive is an open GBX file.
type Archive struct {
	*archive.Tree
	file     *gbx.File
	data     []byte
	inHeader int  // number of entries that come from the header; they are first
	salvaged bool // the file is damaged, and only its readable part is here
}

// part is one file in the folder that a GBX file is shown as.
type part struct {
	entry archive.Entry
	open  func() (io.ReadCloser, error)
}

func newArchive(f *gbx.File, data []byte) *Archive {
	a := &Archive{file: f, data: data}
	a.build()
	return a
}

// build makes the tree of the parts.
func (a *Archive) build() {
	parts := a.parts()
	entries := make([]archive.Entry, len(parts))
	for i, p := range parts {
		entries[i] = p.entry
	}
	a.Tree = archive.NewTree(entries, true, func(i int) (io.ReadCloser, error) { return parts[i].open() })
}

// Format is the name of the archive's format.
func (a *Archive) Format() string { return "gbx" }

// File returns the parsed GBX file.
func (a *Archive) File() *gbx.File { return a.file }

// Outer returns the entries without the ones inside body.bin.
func (a *Archive) Outer() []archive.Entry {
	all := a.Entries()
	return append(slices.Clone(all[:a.inHeader]), all[len(all)-1])
}

// content is a part whose bytes are stored uncompressed in the file, so that it has
// random access.
type content struct {
	*bytes.Reader
	data []byte
}

func (content) Close() error    { return nil }
func (c content) Whole() []byte { return c.data } // Whole implements wire.Whole.

// stored returns a part with the given name and bytes.
func stored(name string, data []byte) part {
	return part{
		archive.Entry{Name: name, Size: int64(len(data)), StoredSize: int64(len(data)), Offset: -1, Method: "stored"},
		func() (io.ReadCloser, error) { return content{bytes.NewReader(data), data}, nil },
	}
}

// parts lists the parts that can be extracted from the file.
func (a *Archive) parts() []part {
	var parts []part
	for i := range a.file.Chunks {
		switch c := a.file.Chunks[i].Body.(type) {
		case *game.Header03043005:
			parts = append(parts, stored("header.xml", []byte(c.XML)))
		case *game.Header03093001:
			parts = append(parts, stored("header.xml", []byte(c.XML)))
		case *game.Header03043007:
			if len(c.Thumbnail) > 0 {
				parts = append(parts, stored("thumbnail.jpg", c.Thumbnail))
			}
		case *gamedata.Header2E001004:
			parts = append(parts, iconParts(c)...)
		}
	}
	if a.salvaged {
		if facts, err := a.Facts().MarshalJSON(); err == nil {
			parts = append(parts, stored("facts.json", append(facts, '\n')))
		}
	}
	a.inHeader = len(parts)
	if a.file.Body != nil {
		for i := range a.file.Body.Chunks {
			parts = append(parts, bodyParts(a.file.Body.Chunks[i].Body)...)
		}
	}
	body := a.file.BodyBytes()
	if a.salvaged && len(body) == 0 {
		return parts
	}
	p := stored("body.bin", body)
	p.entry.Compressed = a.file.IsCompressed()
	if packed := a.file.PackedBody(); packed != nil {
		p.entry.StoredSize, p.entry.Method = int64(len(packed)), "lzo1x"
	}
	return append(parts, p)
}

// bodyParts lists the parts in a chunk of the main node.
func bodyParts(body gbx.Body) []part {
	switch c := body.(type) {
	case *game.Chunk03093002:
		if len(c.Map) > 0 {
			return []part{stored("map.Map.Gbx", c.Map)}
		}
	case *game.Chunk03043054:
		return itemParts(c.EmbeddedZip)
	case *game.Chunk0304303D:
		return lightmapParts(&c.Lightmaps)
	case *game.Chunk0304305B:
		return lightmapParts(&c.Lightmaps)
	}
	return nil
}

// iconParts returns a collector's icon: WebP as it is stored, or pixels as PNG.
func iconParts(c *gamedata.Header2E001004) []part {
	switch {
	case len(c.Webp) > 0:
		return []part{stored("icon"+maps.PictureExtension(c.Webp), c.Webp)}
	case len(c.Pixels) > 0:
		png, err := iconPNG(int(c.Width), int(c.Height), c.Pixels)
		if err == nil {
			return []part{stored("icon.png", png)}
		}
	}
	return nil
}

// itemParts lists the embedded items, or the zip file itself if it cannot be read.
func itemParts(data []byte) []part {
	if len(data) == 0 {
		return nil
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return []part{stored("items.zip", data)}
	}
	z.RegisterDecompressor(zip.Deflate, zinflate.NewReader)
	var parts []part
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") || strings.HasSuffix(f.Name, `\`) {
			continue
		}
		name := EmbeddedName(f.Name)
		parts = append(parts, part{
			archive.Entry{
				Name: name, Size: int64(f.UncompressedSize64), StoredSize: int64(f.CompressedSize64), Offset: -1,
				Compressed: f.Method != zip.Store, Encrypted: f.Flags&1 != 0, Method: zipMethod(f.Method),
				Hash: fmt.Sprintf("crc32:%08x", f.CRC32), ModTime: f.Modified,
			},
			func() (io.ReadCloser, error) { return ziparchive.OpenFile(f, name) },
		})
	}
	return parts
}

// EmbeddedName is the name of an embedded file in the archive: with slashes, and without
// the folder Items at its beginning.
func EmbeddedName(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if rest, ok := strings.CutPrefix(name, "Items/"); ok {
		name = rest
	}
	return "items/" + name
}

func zipMethod(m uint16) string {
	switch m {
	case zip.Store:
		return "stored"
	case zip.Deflate:
		return "deflate"
	}
	return fmt.Sprintf("zip method %d", m)
}

// lightmapParts lists the pictures of a lightmap.
func lightmapParts(l *game.CGameCtnChallengeLightmaps) []part {
	var parts []part
	for _, p := range maps.LightmapPictures(l) {
		parts = append(parts, stored("lightmap/"+p.Name, p.Data))
	}
	return parts
}
