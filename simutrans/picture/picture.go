// Package picture draws an object for its author: all images on one sheet, each with its
// name, in the player's colours, by day or by night.
package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"pakbox/fault"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// Options say how to show an object. The zero value shows it by day in the
// colours of its source.
type Options struct {
	Player1 *color.NRGBA // the player's first colour; nil leaves it blue
	Player2 *color.NRGBA // the second; nil leaves it yellow
	Night   bool
	Scale   int // screen pixels for each image pixel; 0 means 1
	Columns int // images in a row of a sheet; 0 means 8
	Cell    int // size of a tile in pixels, for sprites of several tiles; 0 finds it from the images
}

// maxPixels limits every sheet; room also limits sheets with few images.
const maxPixels = 64 << 20

// room is the largest number of pixels of a sheet: enough for this many images in paksets
// with the largest cells, with a name below each. Without this limit two images far
// apart, which take only a few bytes, would need all the space between them.
func room(images, scale int) int64 {
	return min(maxPixels, 4<<20+int64(images)*512*512*int64(scale)*int64(scale))
}

const (
	margin     = 6
	gap        = 12 // gap between images, which keeps their labels apart
	lineHeight = 18
	letterSize = 12
)

// cell is one image on the sheet.
type cell struct {
	label  string
	x, y   int // position of the image in the cell
	bitmap *img.Bitmap
}

// Sheet draws the contact sheet of an object.
func Sheet(n *node.Node, opts Options) (*image.NRGBA, error) {
	opts.Scale, opts.Columns = max(opts.Scale, 1), max(opts.Columns, 0)
	if opts.Columns == 0 {
		opts.Columns = 8
	}
	rows, box, err := arrange(n, opts.Columns)
	if err != nil {
		return nil, err
	}
	return draws(n, rows, box, opts)
}

// row is a line of cells; a title begins a section.
type row struct {
	title string
	cells []cell
}

// arrange puts the images into rows, and finds the box that contains every image at its
// position.
func arrange(n *node.Node, columns int) (rows []row, box image.Rectangle, err error) {
	section, group := "", ""
	for _, named := range decompile.Images(n) {
		m, err := img.Parse(named.Node.Body, named.Node.BodyOffset())
		if err != nil {
			return nil, box, fault.InEntry(err, named.Key)
		}
		if len(m.Words) == 0 {
			continue
		}
		b, err := m.Bitmap()
		if err != nil {
			return nil, box, fault.InEntry(err, named.Key)
		}
		box = box.Union(image.Rect(m.X, m.Y, m.X+m.W, m.Y+m.H))
		stem, indices := splitKey(named.Key)
		last := len(rows) - 1
		switch {
		case stem != section:
			rows = append(rows, row{title: stem})
		case groupOf(indices) != group || len(rows[last].cells) == columns:
			rows = append(rows, row{})
		}
		section, group = stem, groupOf(indices)
		last = len(rows) - 1
		rows[last].cells = append(rows[last].cells, cell{strings.Join(indices, " "), m.X, m.Y, b})
	}
	return rows, box, nil
}

// splitKey splits a key: image[n][0] is image, n and 0.
func splitKey(key string) (stem string, indices []string) {
	stem, rest, _ := strings.Cut(key, "[")
	if rest == "" {
		return stem, nil
	}
	return stem, strings.Split(strings.TrimSuffix(rest, "]"), "][")
}

// groupOf is the first index, such as a layout, an age or a kind of freight. When it
// changes, a new row begins.
func groupOf(indices []string) string {
	if len(indices) > 1 && indices[0] != "" && indices[0][0] >= '0' && indices[0][0] <= '9' {
		return indices[0]
	}
	return ""
}

func draws(n *node.Node, rows []row, box image.Rectangle, opts Options) (*image.NRGBA, error) {
	width, height := box.Dx()*opts.Scale, box.Dy()*opts.Scale
	pitch := max(width, labelWidth(rows)) + gap
	title := fmt.Sprintf("%s %s", n.Type.Name(), n.Name())
	if c := n.Copyright(); c != "" {
		title += " by " + c
	}
	columns, titles, images := 1, 0, 0
	for _, r := range rows {
		images += len(r.cells)
		columns = max(columns, len(r.cells))
		if r.title != "" {
			titles++
		}
	}
	w := max(margin+columns*pitch, 2*margin+textWidth(title))
	h := 2*margin + lineHeight*(1+titles) + len(rows)*(height+lineHeight+margin)
	if int64(w)*int64(h) > room(images, min(opts.Scale, 16)) {
		return nil, fault.New(fault.Limit, "a sheet of %d × %d pixels is too large", w, h)
	}
	s := &canvas{NRGBA: image.NewNRGBA(image.Rect(0, 0, w, h)), palette: newPalette(opts), scale: opts.Scale}
	s.fill(opts.Night)
	s.text(margin, margin, title)
	y := margin + lineHeight
	for _, r := range rows {
		if r.title != "" {
			s.text(margin, y, r.title)
			y += lineHeight
		}
		for i, c := range r.cells {
			x := margin + i*pitch
			s.frame(image.Rect(x, y, x+width, y+height))
			s.image(x+(c.x-box.Min.X)*opts.Scale, y+(c.y-box.Min.Y)*opts.Scale, c.bitmap)
			s.text(x, y+height, c.label)
		}
		y += height + lineHeight + margin
	}
	return s.NRGBA, nil
}

func labelWidth(rows []row) (width int) {
	for _, r := range rows {
		for _, c := range r.cells {
			width = max(width, textWidth(c.label))
		}
	}
	return width
}

// canvas is a sheet that is being drawn.
type canvas struct {
	*image.NRGBA
	palette *palette
	scale   int
	ink     color.NRGBA
	ground  color.NRGBA
}

func (s *canvas) fill(night bool) {
	s.ink, s.ground = color.NRGBA{40, 40, 40, 255}, color.NRGBA{200, 200, 200, 255}
	if night {
		s.ink, s.ground = color.NRGBA{190, 190, 190, 255}, color.NRGBA{28, 30, 40, 255}
	}
	draw.Draw(s, s.Bounds(), image.NewUniform(s.ground), image.Point{}, draw.Src)
}

// frame draws the frame of a cell.
func (s *canvas) frame(r image.Rectangle) {
	shade := color.NRGBA{s.ground.R - s.ground.R/8, s.ground.G - s.ground.G/8, s.ground.B - s.ground.B/8, 255}
	draw.Draw(s, r, image.NewUniform(shade), image.Point{}, draw.Src)
}

func (s *canvas) text(x, y int, text string) {
	d := font.Drawer{Dst: s, Src: image.NewUniform(s.ink), Face: letters(), Dot: fixed.P(x, y+lineHeight-5)}
	d.DrawString(text)
}

// textWidth is the width of a text in pixels.
func textWidth(text string) int { return font.MeasureString(letters(), text).Ceil() }

// typeface is parsed when the first text is drawn. It is part of the program, so parsing
// cannot fail.
var typeface = sync.OnceValue(func() *opentype.Font {
	f, _ := opentype.Parse(goregular.TTF)
	return f
})

// letters returns a new face. It must not be shared, because a face caches glyphs.
func letters() font.Face {
	face, _ := opentype.NewFace(typeface(), &opentype.FaceOptions{Size: letterSize, DPI: 72, Hinting: font.HintingFull})
	return face
}

// image draws a bitmap, and mixes translucent pixels with what is below.
func (s *canvas) image(x, y int, b *img.Bitmap) {
	for by := range b.H {
		for bx, p := range b.Pix[by*b.W : (by+1)*b.W] {
			if p == img.Transparent {
				continue
			}
			s.dot(x+bx*s.scale, y+by*s.scale, s.palette.Color(p))
		}
	}
}

// dot draws one pixel of an image in the size of the scale.
func (s *canvas) dot(x, y int, c color.NRGBA) {
	for dy := range s.scale {
		for dx := range s.scale {
			s.SetNRGBA(x+dx, y+dy, over(c, s.NRGBAAt(x+dx, y+dy)))
		}
	}
}

// over mixes a colour with the colour below it, which may be transparent.
func over(c, under color.NRGBA) color.NRGBA {
	through := int(under.A) * (255 - int(c.A)) / 255
	alpha := int(c.A) + through
	if alpha == 0 {
		return color.NRGBA{}
	}
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(c.A) + int(b)*through) / alpha) }
	return color.NRGBA{mix(c.R, under.R), mix(c.G, under.G), mix(c.B, under.B), uint8(alpha)}
}
