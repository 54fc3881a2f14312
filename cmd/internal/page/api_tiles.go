package page

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/url"
	"path"
	"slices"
	"strings"

	"pakbox/archive/imagefile"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/view"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
	"pakbox/simutrans"
)

// Limits of tiles: how many in one request, the width of their pictures, and how many
// bytes are read for a picture.
const (
	maxTiles    = 24
	tileWidth   = 240
	tileHeight  = 180
	maxTileRead = 8 << 20
	linePoints  = 160
)

// tiles returns the tiles of several files in one answer: what each file is, and its
// picture in the size of a tile. Otherwise a folder of a hundred maps would need two
// hundred requests.
func (s *Explorer) tiles(c *call) (any, error) {
	paths := c.Params["path"]
	if len(paths) == 0 || len(paths) > maxTiles {
		return nil, usage("path: 1 to %d are needed", maxTiles)
	}
	list := []*question.Object{}
	for _, name := range paths {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if c.param("bare") != "" { // what the file is, and no picture
			list = append(list, s.bareTile(c, name))
			continue
		}
		o, done, err := s.tileShelf.get(name, func() (*question.Object, int64, error) { return s.tile(c, name) })
		if err != nil {
			list = append(list, new(question.Object).Add("path", name).Add("error", question.ErrorAbout(err, name)))
			continue
		}
		done()
		list = append(list, o)
	}
	return new(question.Object).Add("tiles", list), nil
}

// newTileShelf keeps tiles, so that a folder is there at once for those who come back.
func newTileShelf(o *source.Opener) shelf[*question.Object] {
	return shelf[*question.Object]{stamp: stampOf(o), close: func(*question.Object) {}, most: 2000, bytes: 32 << 20}
}

// bareTile has the kind and title of a file, for searches by name.
func (s *Explorer) bareTile(c *call, name string) *question.Object {
	o := new(question.Object).Add("path", name)
	what, err := s.what(&call{ctx: c.ctx, asker: c.asker, Request: Request{Name: "what", Params: url.Values{"path": {name}}}})
	if err != nil {
		return o.Add("error", question.ErrorAbout(err, name))
	}
	return o.Add("what", what)
}

// tile makes a tile, and returns its size in bytes.
func (s *Explorer) tile(c *call, name string) (*question.Object, int64, error) {
	one := &call{ctx: c.ctx, asker: c.asker, Request: Request{Name: "what", Params: url.Values{"path": {name}}}}
	o := new(question.Object).Add("path", name)
	what, err := s.what(one)
	if err != nil {
		return nil, 0, err
	}
	o.Add("what", what)
	s.tilePicture(one, o, name)
	if err := c.ctx.Err(); err != nil { // it may lack its picture
		return nil, 0, err
	}
	data, err := question.Marshal(o)
	return o, int64(len(data)), err
}

// tilePicture adds the picture of a file, or the line of a run, if there is one. For
// other files the page draws a symbol.
func (s *Explorer) tilePicture(c *call, o *question.Object, name string) {
	if info, err := s.files.Stat(name); err == nil && info.IsDir() {
		return
	}
	if slices.Contains(pictureEndings, strings.ToLower(path.Ext(name))) {
		if k, err := s.openContent(c.ctx, name); err == nil {
			defer k.done()
			if k.size <= maxTileRead {
				s.addContent(c, o, name, k)
			}
			return
		}
	}
	if a, err := s.thumbnail(c); err == nil {
		addPicture(o, a)
		return
	}
	f, done, err := s.open.look(c.ctx, name)
	if err != nil {
		return
	}
	defer done()
	switch file := f.gbx(); {
	case f.damage != nil:
	case file != nil:
		if _, err := maps.Of(file); err == nil {
			s.tilePlan(c, o)
		} else if line := tileLine(file); line != nil {
			o.Add("line", line)
		} else if m := tileMesh(c.ctx, file); m != nil {
			o.Add("picture", pictureOf(m))
		} else if info, err := f.Stat("map.Map.Gbx"); err == nil && !info.IsDir() {
			s.tileMapInside(c, o, name+"/map.Map.Gbx")
		}
	case f.Format() == "simutrans":
		s.tileObject(c, o, f)
	case f.Whole:
		s.tileInside(c, o, name, f)
	}
}

// tileMapInside shows the map of a run whose line is not recorded.
func (s *Explorer) tileMapInside(c *call, o *question.Object, name string) {
	inside := *c
	inside.Params = url.Values{"path": {name}}
	if a, err := s.thumbnail(&inside); err == nil {
		addPicture(o, a)
		return
	}
	s.tilePlan(&inside, o)
}

// tilePlan draws a map without a thumbnail from above. It cuts off the margins, where
// nadeo/picture puts title and legend.
func (s *Explorer) tilePlan(c *call, o *question.Object) {
	at := s.at(c.param("path"))
	reply, err := declared()["map.picture"].AskWith(c.ctx, at, question.Texts(url.Values{}))
	if err != nil {
		return
	}
	f, ok := reply.Answer.(*question.File)
	if !ok {
		return
	}
	m, err := imagefile.Decode("", bytes.NewReader(f.Data), maxPixels)
	if err != nil {
		return
	}
	whole, isCut := m.(interface {
		SubImage(r image.Rectangle) image.Image
	})
	if b := m.Bounds(); isCut && b.Dx() > 300 && b.Dy() > 300 {
		m = whole.SubImage(image.Rect(b.Min.X+32, b.Min.Y+92, b.Max.X-32, b.Max.Y-56))
	}
	o.Add("picture", pictureOf(shrunk(m, tileWidth)))
}

// tileObject draws the first object of a Simutrans file, assembled from its images.
func (s *Explorer) tileObject(c *call, o *question.Object, f *openFile) {
	file, ok := f.Place.Archive.(*simutrans.Archive)
	if !ok {
		return
	}
	objects := file.Objects()
	o.Add("objects", len(objects))
	if len(objects) == 0 {
		return
	}
	said := new(question.Object)
	for _, f := range simutrans.ObjectFacts(objects[0].Node) {
		said.Add(f.Name, f.Text())
	}
	o.Add("facts", said)
	at := s.at(c.param("path"))
	for _, sprite := range []string{"true", ""} { // if it cannot be assembled, its images are shown
		reply, err := declared()["simutrans.picture"].AskWith(c.ctx, at, question.Texts(url.Values{"object": {objects[0].Folder}, "sprite": {sprite}, "columns": {"4"}}))
		if err != nil {
			continue
		}
		if file, ok := reply.Answer.(*question.File); ok {
			if picture := trimmed(file.Data); picture != nil {
				o.Add("picture", picture)
				return
			}
		}
	}
}

// trimmed cuts the empty margins off a picture of an object. It returns nil if nothing is
// to be seen: some objects have no images, or none in the direction that is drawn.
func trimmed(data []byte) *tileFile {
	m, err := imagefile.Decode("", bytes.NewReader(data), maxPixels)
	if err != nil {
		return nil
	}
	var seen image.Rectangle
	for b, y := m.Bounds(), m.Bounds().Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if _, _, _, alpha := m.At(x, y).RGBA(); alpha > 0 {
				seen = seen.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	whole, ok := m.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if seen.Empty() || !ok {
		return nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, whole.SubImage(seen)); err != nil {
		return nil
	}
	return &tileFile{"image/png", b.Bytes()}
}

// maxCells limits how many files of an archive its tile shows.
const maxCells = 60

// cell is a file of an archive, with its stored size.
type cell struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// cellsOf returns the largest files of an archive.
func cellsOf(f *openFile) []cell {
	list := []cell{}
	for _, e := range f.Entries() {
		list = append(list, cell{path.Base(e.Name), max(e.StoredSize, 1)})
	}
	slices.SortStableFunc(list, func(a, b cell) int { return cmp.Compare(b.Size, a.Size) })
	return list[:min(len(list), maxCells)]
}

// tileInside adds a picture from inside an archive: one whose name suggests a preview,
// otherwise the first.
func (s *Explorer) tileInside(c *call, o *question.Object, name string, f *openFile) {
	best, score := "", 0
	for _, e := range f.Entries() {
		if e.Encrypted || e.Problem != nil || e.Size > maxTileRead || !slices.Contains(pictureEndings, strings.ToLower(path.Ext(e.Name))) {
			continue
		}
		n := 1
		for _, word := range []string{"packimage", "thumbnail", "preview", "loading", "icon", "diffuse"} {
			if strings.Contains(strings.ToLower(e.Name), word) {
				n = 2
			}
		}
		if n > score {
			best, score = e.Name, n
		}
	}
	if best == "" {
		o.Add("cells", cellsOf(f))
		return
	}
	if k, err := s.openContent(c.ctx, name+"/"+best); err == nil {
		defer k.done()
		s.addContent(c, o, best, k)
	}
}

var pictureEndings = []string{".png", ".jpg", ".jpeg", ".webp", ".dds", ".tga"}

func (s *Explorer) addContent(c *call, o *question.Object, name string, k *content) {
	data, err := k.all(c.ctx, maxTileRead)
	if err != nil {
		return
	}
	if a, err := s.writePicture(c, name, data); err == nil {
		addPicture(o, a)
	}
}

// addPicture adds a picture in the size of a tile.
func addPicture(o *question.Object, value any) {
	a, ok := value.(*Response)
	if !ok {
		return
	}
	data, err := a.Read()
	if err != nil {
		return
	}
	if m, err := imagefile.Decode("", bytes.NewReader(data), maxPixels); err == nil {
		o.Add("picture", pictureOf(shrunk(inView(m), tileWidth)))
	}
}

// inView is the part of a large opaque picture that a tile shows: its middle, in the shape
// of a tile.
func inView(m image.Image) image.Image {
	b := m.Bounds()
	over := b.Dy() - b.Dx()*tileHeight/tileWidth
	whole, ok := m.(interface {
		SubImage(r image.Rectangle) image.Image
		Opaque() bool
	})
	if !ok || over <= 0 || b.Dx() < tileWidth || !whole.Opaque() {
		return m
	}
	return whole.SubImage(image.Rect(b.Min.X, b.Min.Y+over/2, b.Max.X, b.Max.Y-(over-over/2)))
}

// tileFile is an encoded picture for the page.
type tileFile struct {
	Type string `json:"type"`
	Data []byte `json:"data"`
}

// pictureOf encodes a picture: as JPEG if it is opaque, otherwise as PNG.
func pictureOf(m image.Image) *tileFile {
	var b bytes.Buffer
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		if jpeg.Encode(&b, m, &jpeg.Options{Quality: 50}) == nil {
			return &tileFile{"image/jpeg", b.Bytes()}
		}
		b.Reset()
	}
	if png.Encode(&b, m) != nil {
		return nil
	}
	return &tileFile{"image/png", b.Bytes()}
}

// shrunk scales a picture down to a width. Each pixel is the mean of the pixels it
// replaces. A smaller picture stays unchanged.
func shrunk(m image.Image, width int) image.Image {
	b := m.Bounds()
	if b.Dx() <= width {
		return m
	}
	height := max(1, b.Dy()*width/b.Dx())
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		y0, y1 := b.Min.Y+y*b.Dy()/height, b.Min.Y+max(y*b.Dy()/height+1, (y+1)*b.Dy()/height)
		for x := range width {
			x0, x1 := b.Min.X+x*b.Dx()/width, b.Min.X+max(x*b.Dx()/width+1, (x+1)*b.Dx()/width)
			var sum [4]uint64
			for py := y0; py < y1; py++ {
				for px := x0; px < x1; px++ {
					r, g, bl, a := m.At(px, py).RGBA()
					sum[0], sum[1], sum[2], sum[3] = sum[0]+uint64(r), sum[1]+uint64(g), sum[2]+uint64(bl), sum[3]+uint64(a)
				}
			}
			n := uint64((y1 - y0) * (x1 - x0))
			out.Set(x, y, color.RGBA64{uint16(sum[0] / n), uint16(sum[1] / n), uint16(sum[2] / n), uint16(sum[3] / n)})
		}
	}
	return out
}

// tileLine returns some points of the first car's line, seen from above: x, z and speed.
// It is nil for files without a run.
func tileLine(f *gbx.File) [][3]float64 {
	for _, g := range runs.GhostsOf(f) {
		lines, err := g.Telemetry()
		if err != nil || len(lines[0].Samples) < 2 {
			continue
		}
		samples := lines[0].Samples
		step := max(1, len(samples)/linePoints)
		out := [][3]float64{}
		for i := 0; i < len(samples); i += step {
			p := samples[i]
			out = append(out, [3]float64{float64(int(p.Position.X*10)) / 10, float64(int(p.Position.Z*10)) / 10, float64(int(p.Speed*10)) / 10})
		}
		return out
	}
	return nil
}

// tileMesh draws the meshes in a file. It returns nil for a file without meshes.
func tileMesh(ctx context.Context, f *gbx.File) image.Image {
	all, err := mesh.Read(f, mesh.Options{})
	if err != nil {
		return nil
	}
	look := answer.Look(all)
	if _, n := look.Count(); n == 0 {
		return nil
	}
	drawn, err := view.Draw(ctx, look, view.Options{Size: image.Pt(tileWidth, tileHeight), Tilt: 30})
	if err != nil {
		return nil // nobody waits for it any more
	}
	return drawn
}
