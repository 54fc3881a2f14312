package maps

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"slices"
	"strings"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Saving is a way to make a map's file smaller.
type Saving struct {
	Way      string `json:"way"` // compression, embedded, unused, lightmap, thumbnail
	Means    string `json:"means"`
	Lossless bool   `json:"lossless"` // the map is the same in all that it holds
	Saved    int64  `json:"saved"`    // bytes saved by this way alone
	Size     int64  `json:"size"`     // of the file after this way and all ways before it in the list
}

// shrinkQuality is the JPEG quality of a reduced thumbnail. At 75 the picture looks the
// same on the small squares of games and web sites.
const shrinkQuality = 75

// way is one way to shrink a map. do reports whether it changed anything.
type way struct {
	Saving
	do func(m *Map) (bool, error)
}

var ways = []way{
	{Saving{Way: "compression", Means: "the body is compressed as well as LZO can", Lossless: true}, (*Map).compressBest},
	{Saving{Way: "embedded", Means: "the embedded files are compressed as well as a zip can", Lossless: true}, (*Map).repack},
	{Saving{Way: "unused", Means: "embedded items and blocks go that do not stand on the map"}, (*Map).removeUnused},
	{Saving{Way: "lightmap", Means: "the computed shadows go; the game computes them again"}, func(m *Map) (bool, error) { return m.StripLightmap(), nil }},
	{Saving{Way: "thumbnail", Means: "the thumbnail becomes a JPEG of quality 75"}, (*Map).shrinkThumbnail},
}

// ShrinkWays returns the names of all ways to shrink a map, and of those without loss.
func ShrinkWays() (all, lossless []string) {
	for _, w := range ways {
		all = append(all, w.Way)
		if w.Lossless {
			lossless = append(lossless, w.Way)
		}
	}
	return all, lossless
}

// ShrinkWay returns the name of a way for a name that people use for it.
func ShrinkWay(name string) string {
	if name == "shadows" {
		return "lightmap"
	}
	return name
}

// Savings measures what each way saves, on a copy of the map. Lossless ways come first,
// then those that save most. Ways that save nothing are omitted.
func (m *Map) Savings() (list []Saving, err error) {
	now, err := m.File.Encode()
	if err != nil {
		return nil, err
	}
	for i := range ways {
		data, err := m.shrunk(now, ways[i].Way)
		if err != nil {
			return nil, err
		}
		if saved := int64(len(now) - len(data)); saved > 0 {
			s := ways[i].Saving
			s.Saved = saved
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b Saving) int {
		if a.Lossless != b.Lossless {
			if a.Lossless {
				return -1
			}
			return 1
		}
		return int(b.Saved - a.Saved)
	})
	var names []string
	for i := range list {
		names = append(names, list[i].Way)
		data, err := m.shrunk(now, names...)
		if err != nil {
			return nil, err
		}
		list[i].Size = int64(len(data))
	}
	return list, nil
}

// shrunk returns the file of a map after these ways were applied.
func (m *Map) shrunk(data []byte, names ...string) ([]byte, error) {
	f, err := gbx.Parse(data, m.File.Registry())
	if err != nil {
		return nil, err
	}
	copied, err := Of(f)
	if err != nil {
		return nil, err
	}
	if _, err := copied.Shrink(names...); err != nil {
		return nil, err
	}
	return copied.File.Encode()
}

// Shrink applies ways to make the file smaller, and returns those that had an effect. The
// blocks and items on the map stay the same.
func (m *Map) Shrink(names ...string) (done []string, err error) {
	all, _ := ShrinkWays()
	names = slices.Clone(names)
	for i, name := range names {
		name = ShrinkWay(name)
		names[i] = name
		if !slices.Contains(all, name) {
			return nil, fault.New(fault.Unsupported, "unknown way %q to shrink a map; expected one of %s", name, strings.Join(all, ", "))
		}
	}
	// The compression of the body comes last, because it depends on the content.
	for i := len(ways) - 1; i >= 0; i-- {
		if !slices.Contains(names, ways[i].Way) {
			continue
		}
		did, err := ways[i].do(m)
		if err != nil {
			return done, err
		}
		if did {
			done = append(done, ways[i].Way)
		}
	}
	slices.Reverse(done)
	return done, nil
}

// compressBest compresses the body as well as possible, if that makes it smaller.
func (m *Map) compressBest() (bool, error) {
	before, err := m.File.Encode()
	if err != nil || m.File.IsText() {
		return false, err
	}
	f, err := gbx.Parse(before, m.File.Registry())
	if err != nil {
		return false, err
	}
	f.SetCompression(true, lzo1x.Best)
	after, err := f.Encode()
	if err != nil || len(after) >= len(before) {
		return false, err
	}
	m.File.SetCompression(true, lzo1x.Best)
	return true, nil
}

// repack compresses the embedded files again, if that makes them smaller.
func (m *Map) repack() (bool, error) {
	c, ok := find[*game.Chunk03043054](m)
	if !ok || len(c.EmbeddedZip) == 0 {
		return false, nil
	}
	z, err := zip.NewReader(bytes.NewReader(c.EmbeddedZip), int64(len(c.EmbeddedZip)))
	if err != nil {
		return false, fault.Wrap(fault.Corrupt, err, "embedded items")
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		if err := repackFile(w, f); err != nil {
			return false, fault.Wrap(fault.Corrupt, err, "embedded %s", slashed(f.Name))
		}
	}
	if err := w.Close(); err != nil || out.Len() >= len(c.EmbeddedZip) {
		return false, err
	}
	c.EmbeddedZip = out.Bytes()
	return true, nil
}

// repackFile copies a file of a zip, and compresses it better if possible.
func repackFile(w *zip.Writer, f *zip.File) error {
	if f.UncompressedSize64 > maxEmbedded || f.FileInfo().IsDir() {
		return w.Copy(f)
	}
	in, err := f.Open()
	if err != nil {
		return w.Copy(f) // unknown compression method: copy unchanged
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxEmbedded+1))
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	deflate, _ := flate.NewWriter(&packed, flate.BestCompression) // the level is valid
	deflate.Write(data)                                           // writing to memory cannot fail
	deflate.Close()
	if uint64(packed.Len()) >= f.CompressedSize64 {
		return w.Copy(f)
	}
	h := f.FileHeader
	h.Method, h.CompressedSize64, h.UncompressedSize64 = zip.Deflate, uint64(packed.Len()), uint64(len(data))
	to, err := w.CreateRaw(&h)
	if err == nil {
		_, err = to.Write(packed.Bytes())
	}
	return err
}

// removeUnused removes the embedded models that nothing on the map uses.
func (m *Map) removeUnused() (bool, error) {
	if _, ok := find[*game.Chunk03043054](m); !ok {
		return false, nil
	}
	e, err := m.EmbeddedFiles()
	if err != nil {
		return false, err
	}
	var names []string
	for i := range e.Files {
		if f := &e.Files[i]; f.Model != "" && f.Uses == 0 {
			names = append(names, f.Name)
		}
	}
	return len(names) > 0, m.RemoveEmbedded(names...)
}

// shrinkThumbnail encodes the thumbnail with less quality, if that makes it smaller.
func (m *Map) shrinkThumbnail() (bool, error) {
	stored := m.StoredThumbnail()
	upright, err := m.Thumbnail(ThumbnailForm{Format: "png"})
	if err != nil || upright == nil {
		return false, nil // an unreadable picture stays unchanged
	}
	c, _ := head[*game.Header03043007](m)
	was := *c
	if err := m.SetThumbnail(upright, ThumbnailForm{Quality: shrinkQuality}); err != nil {
		return false, err
	}
	if len(c.Thumbnail) >= len(stored) {
		*c = was
		return false, nil
	}
	return true, nil
}
