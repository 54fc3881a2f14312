package maps

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/places"
)

// ListedDependencies returns the external files that the header's XML lists, in their
// order. A server makes players download these before the map.
func ListedDependencies(h *gbx.Header) (list []Dependency) {
	x := places.HeaderXML(h)
	if x == nil {
		return nil
	}
	text := *x
	for {
		at := strings.Index(text, "<dep ")
		if at < 0 {
			return list
		}
		text = text[at:]
		d := Dependency{Kind: "listed", Uses: 1}
		element := text
		if end := strings.IndexByte(text, '>'); end > 0 {
			element = text[:end+1]
		}
		if from, to, ok := places.XMLAttribute(element, "dep", "file"); ok {
			d.Path = places.UnescapeXML(element[from:to], *x)
		}
		if from, to, ok := places.XMLAttribute(element, "dep", "url"); ok {
			d.URL = places.UnescapeXML(element[from:to], *x)
		}
		if d.Path != "" || d.URL != "" {
			list = append(list, d)
		}
		text = text[len("<dep "):]
	}
}

// Picture is an image of a lightmap.
type Picture struct {
	// Name is 0.webp or 0-2.jpg: number of the frame, then of the picture in it.
	Name string `json:"name" doc:"number of the frame, then of the picture in it"`
	Data []byte `json:"-"`
}

// lightmap returns the stored lightmap, with or without images; nil if this map cannot
// hold one.
func (m *Map) lightmap() *game.CGameCtnChallengeLightmaps {
	if c, ok := find[*game.Chunk0304305B](m); ok && c.HasLightmaps.True() {
		return &c.Lightmaps
	}
	if c, ok := find[*game.Chunk0304303D](m); ok && c.HasLightmaps.True() {
		return &c.Lightmaps
	}
	return nil
}

// HasLightmap reports whether shadows have been computed.
func (m *Map) HasLightmap() bool {
	l := m.lightmap()
	return l != nil && (l.OldCache.Node != nil || slices.ContainsFunc(lightmapFrames(l), func(f game.CGameCtnChallengeLightmapFrame) bool {
		return len(f.Image1)+len(f.Image2)+len(f.Image3) > 0
	}))
}

// lightmapFrames returns the frames of a lightmap. The first versions have one frame.
func lightmapFrames(l *game.CGameCtnChallengeLightmaps) []game.CGameCtnChallengeLightmapFrame {
	if l.Version < 5 {
		return []game.CGameCtnChallengeLightmapFrame{l.Frame}
	}
	return l.Frames
}

// Lightmap returns the images with the computed light.
func (m *Map) Lightmap() []Picture {
	if l := m.lightmap(); l != nil {
		return LightmapPictures(l)
	}
	return nil
}

// LightmapPictures returns the images of a lightmap. One buffer may hold several WebP
// images in a row.
func LightmapPictures(l *game.CGameCtnChallengeLightmaps) []Picture {
	frames := lightmapFrames(l)
	var out []Picture
	for i := range frames {
		f := &frames[i]
		for k, data := range [][]byte{f.Image1, f.Image2, f.Image3} {
			for n, picture := range splitPictures(data) {
				name := fmt.Sprint(i)
				if k > 0 || n > 0 {
					name += fmt.Sprintf("-%d", k+1)
				}
				if n > 0 {
					name += fmt.Sprintf("-%d", n+1)
				}
				out = append(out, Picture{name + PictureExtension(picture), picture})
			}
		}
	}
	return out
}

// splitPictures splits a buffer with several WebP images.
func splitPictures(data []byte) [][]byte {
	var out [][]byte
	for len(data) > 0 {
		size := len(data)
		if PictureExtension(data) == ".webp" {
			n := int64(binary.LittleEndian.Uint32(data[4:]))
			size = int(min(int64(size), 8+n+n&1))
		}
		out = append(out, data[:size])
		data = data[size:]
	}
	return out
}

// PictureExtension returns the file extension for an image, by its first bytes.
func PictureExtension(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return ".jpg"
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return ".webp"
	case bytes.HasPrefix(b, []byte("\x89PNG")):
		return ".png"
	}
	return ".bin"
}

// Dependency is an external file that the map uses: a skin, a mod, music.
type Dependency struct {
	Kind string // mod, music, skin, foreground; listed, if only the header's XML names it
	Path string
	URL  string // download address; "" for a file of the game
	Uses int
}

// Dependencies returns the external files that the map uses, each once, in the order of
// the file.
func (m *Map) Dependencies() []Dependency {
	var out []Dependency
	at := map[Dependency]int{}
	m.fileRefs(func(kind string, f *gbx.FileRef) {
		d := Dependency{Kind: kind, Path: styled.Unmarked(f.Path), URL: styled.Unmarked(f.Locator)}
		i, ok := at[d]
		if !ok {
			i = len(out)
			at[d] = i
			out = append(out, d)
		}
		out[i].Uses++
	})
	return out
}

// Outside returns the external files that the map uses, and then those that only its
// header lists, such as the cars that drive in its clips.
func (m *Map) Outside() []Dependency {
	list := m.Dependencies()
	known := map[string]bool{}
	for _, d := range list {
		known[strings.ToLower(d.Path)] = true
	}
	for _, d := range ListedDependencies(&m.File.Header) {
		if path := strings.ToLower(d.Path); !known[path] {
			known[path] = true
			list = append(list, d)
		}
	}
	return list
}

// fileRefs calls visit for each reference to an external file.
func (m *Map) fileRefs(visit func(kind string, f *gbx.FileRef)) {
	add := func(kind string, f *gbx.FileRef) {
		if f != nil && (f.Path != "" || f.Locator != "") {
			visit(kind, f)
		}
	}
	if c, ok := find[*game.Chunk03043019](m); ok {
		add("mod", &c.ModPackDesc)
	}
	if c, ok := find[*game.Chunk03043024](m); ok {
		add("music", &c.CustomMusicPackDesc)
	}
	if c, ok := find[*game.Chunk0304301F](m); ok {
		for e := range c.Blocks.Customs() {
			add("skin", skinFile(e.Skin.Node))
			if s, ok := gbx.Find[*game.Chunk03059003](e.Skin.Node); ok {
				add("foreground", &s.SecondaryPackDesc)
			}
		}
	}
	if c, ok := find[*game.Chunk03043040](m); ok {
		for _, r := range c.Items {
			if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
				add("skin", &a.PackDesc)
			}
		}
	}
	if c, ok := find[*game.Chunk03043065](m); ok {
		for i := range c.Foregrounds {
			if c.Foregrounds[i].Has != 0 {
				add("foreground", &c.Foregrounds[i].PackDesc)
			}
		}
	}
}

// StripLightmap removes the computed shadows; the game computes them again. It reports
// whether there were any.
func (m *Map) StripLightmap() bool {
	if !m.HasLightmap() {
		return false
	}
	if c, ok := find[*game.Chunk0304305B](m); ok {
		c.Lightmaps = noLight(c.Lightmaps.Version)
	}
	if c, ok := find[*game.Chunk0304303D](m); ok {
		c.Lightmaps = noLight(c.Lightmaps.Version)
	}
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 9 {
		c.LightmapVersion = 0
		m.setXML("header", "lightmap", "0")
	}
	return true
}

// noLight makes the lightmap of a map without computed shadows. As in every real map, the
// chunk has the flag of a lightmap, with no frames and no images.
func noLight(version uint32) game.CGameCtnChallengeLightmaps {
	return game.CGameCtnChallengeLightmaps{Version: version}
}
