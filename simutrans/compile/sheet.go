package compile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"pakbox/internal/lib/regular"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/img"
)

const (
	minCell = 16
	maxCell = 32765
)

func cellSizeOK(n int) bool { return n >= minCell && n <= maxCell }

// sheet is a source picture as pixel words.
type sheet struct {
	img.Bitmap
	path    string // path of the file; its letter case may differ from the reference
	warning string
	err     *imageError

	once sync.Once
	used int64 // time of the last use
	held int64 // pixels that count towards the limit; 0 while the file is read, and for a picture without a file, which is never evicted
}

// imageError is why an image cannot be loaded.
type imageError struct {
	message, suggestion string
	picture             bool // the error concerns the whole picture, not one image of it
}

// loadedImage is an image cut out of a sheet.
type loadedImage struct {
	img.Image
	path    string // path of the picture
	warning string
}

// sheets is a cache of pictures, because the images of neighbouring objects come from few
// pictures.
type sheets struct {
	mu    sync.Mutex
	byID  map[string]*sheet
	clock int64
	total int64 // pixels in the cache
	limit int64
}

// maxPixels limits the pixels in the cache, without the pictures in use. Objects that
// share a picture are near each other, so a few pictures are enough.
const maxPixels = 8 << 20

func newSheets() *sheets { return &sheets{byID: map[string]*sheet{}, limit: maxPixels} }

// get returns the sheet of a file, and reads it if it is not cached.
func (s *sheets) get(path string) *sheet {
	s.mu.Lock()
	sh := s.byID[path]
	if sh == nil {
		sh = &sheet{}
		s.byID[path] = sh
	}
	s.clock++
	sh.used = s.clock
	s.mu.Unlock()

	sh.once.Do(func() {
		sh.read(path)
		s.mu.Lock()
		sh.held = int64(len(sh.Pix))
		s.total += sh.held
		s.evict(sh)
		s.mu.Unlock()
	})
	return sh
}

// evict removes the least recently used sheets from the cache. Code that still uses such
// a sheet can keep it.
func (s *sheets) evict(keep *sheet) {
	for s.total > s.limit {
		oldest := ""
		for path, sh := range s.byID {
			if sh != keep && sh.held > 0 && (oldest == "" || sh.used < s.byID[oldest].used) {
				oldest = path
			}
		}
		if oldest == "" {
			return
		}
		s.total -= s.byID[oldest].held
		delete(s.byID, oldest)
	}
}

// put adds a picture that is not in a file, or not yet.
func (s *sheets) put(path string, b *img.Bitmap) {
	sh := &sheet{Bitmap: *b, path: path}
	sh.once.Do(func() {})
	s.mu.Lock()
	s.byID[path] = sh
	s.mu.Unlock()
}

// cell finds the cell of a reference: the sheet, and the corner of the cell.
func (s *sheets) cell(path string, ref reference, cell int) (sh *sheet, at image.Point, err *imageError) {
	if ref.noNumber {
		return nil, at, &imageError{message: fmt.Sprintf("the reference to %s has no image number", filepath.Base(path)), suggestion: "write name.row.column"}
	}
	sh = s.get(path)
	if sh.err != nil {
		return sh, at, sh.err
	}
	if sh.W%cell != 0 || sh.H%cell != 0 {
		return sh, at, &imageError{
			message:    fmt.Sprintf("%s is %d × %d pixels, which %d does not divide", filepath.Base(path), sh.W, sh.H, cell),
			suggestion: cellHint(path, sh.W, sh.H),
			picture:    true,
		}
	}
	columns, rows := sh.W/cell, sh.H/cell
	row, col := ref.row, ref.col
	if ref.single {
		col, row = ref.row%columns, ref.row/columns
		if ref.byRows {
			row = ref.row / rows
		}
	}
	if row < 0 || col < 0 || row >= rows || col >= columns {
		return sh, at, &imageError{
			message:    fmt.Sprintf("%s has %d rows of %d images, but the source refers to %d.%d", filepath.Base(path), rows, columns, row, col),
			suggestion: "rows and columns count from 0",
		}
	}
	return sh, image.Pt(col*cell, row*cell), nil
}

// image cuts the image of a reference out of a picture.
func (s *sheets) image(path string, ref reference, cell, version int) (loaded loadedImage, err *imageError) {
	sh, at, err := s.cell(path, ref, cell)
	loaded.path = path
	if sh != nil {
		loaded.path, loaded.warning = sh.path, sh.warning
	}
	if err != nil {
		return loaded, err
	}
	if version < 2 {
		m, ok := img.EncodeCell1(&sh.Bitmap, at.X, at.Y, cell, ref.dx, ref.dy)
		if !ok {
			return loaded, &imageError{message: "the image is too large or translucent for images of version 1", suggestion: "choose a newer version"}
		}
		loaded.Image = *m
		return loaded, nil
	}
	loaded.Image = *img.EncodeCell(&sh.Bitmap, at.X, at.Y, cell, ref.dx, ref.dy)
	return loaded, nil
}

func (sh *sheet) read(path string) {
	data, found, err := readPicture(path)
	sh.path = found
	if err != nil {
		message := fmt.Sprintf("%s cannot be read: %v", filepath.Base(path), err)
		suggestion := ""
		if errors.Is(err, fs.ErrNotExist) {
			message = fmt.Sprintf("picture %s not found", filepath.Base(path))
			suggestion = nearestFile(path)
		}
		sh.err = &imageError{message, suggestion, true}
		return
	}
	if err := sh.decode(data); err != nil {
		sh.err = &imageError{fmt.Sprintf("%s is not a picture that can be read: %v", filepath.Base(path), err), "save it as PNG", true}
	}
}

// cellHint suggests a cell size for a picture. Authors who mix sizes often put the size
// at the end of a folder's name: boats192.
func cellHint(path string, w, h int) string {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		name := filepath.Base(dir)
		size, err := strconv.Atoi(name[len(strings.TrimRight(name, "0123456789")):])
		if err == nil && cellSizeOK(size) && w%size == 0 && h%size == 0 {
			return fmt.Sprintf("the folder %s is named for a cell size of %d: choose this cell size, or set cell_size=%d", name, size, size)
		}
	}
	return "choose the cell size of the pakset, or set cell_size"
}

// maxFile limits the size of a source, and of a file that a source names.
const maxFile = 256 << 20

// readPicture reads a file. The letter case of its name may differ from the source,
// because many authors work on systems that ignore case.
func readPicture(path string) (data []byte, found string, err error) {
	data, err = regular.Read(path, maxFile)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, path, err
	}
	found = inAnyCase(path)
	data, err = regular.Read(found, maxFile)
	return data, found, err
}

// inAnyCase returns the path of an existing file that differs from path only in letter
// case, also in its folders; path if none exists.
func inAnyCase(path string) string {
	if _, err := os.Lstat(path); err == nil {
		return path
	}
	dir, base := filepath.Split(path)
	if base == "" {
		return path
	}
	dir = inAnyCase(filepath.Clean(dir))
	names, err := os.ReadDir(dir)
	if err != nil {
		return path
	}
	for _, name := range names {
		if strings.EqualFold(name.Name(), base) {
			return filepath.Join(dir, name.Name())
		}
	}
	return path
}

// nearestFile suggests a file with a similar name in the same folder.
func nearestFile(path string) string {
	names, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.png"))
	if err != nil {
		return ""
	}
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	if near := dat.Nearest(filepath.Base(path), names); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// ihdrAt is the offset of the width in a PNG. Height, bit depth and colour type follow.
const ihdrAt = 16

func (sh *sheet) decode(data []byte) error {
	if len(data) < ihdrAt+10 {
		return errors.New("it is too short")
	}
	w, h := binary.BigEndian.Uint32(data[ihdrAt:]), binary.BigEndian.Uint32(data[ihdrAt+4:])
	depth, colourType := data[ihdrAt+8], data[ihdrAt+9]
	// Deflate expands a byte to at most 1032 bytes, and a byte has at most 8 pixels. A
	// picture that claims more is damaged.
	if uint64(w)*uint64(h) > 8*1032*uint64(len(data)) {
		return fmt.Errorf("%d bytes cannot hold %d × %d pixels", len(data), w, h)
	}
	if b, ok := decodeFast(data); ok {
		sh.Bitmap = *b
		return nil
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if g, ok := m.(*image.Gray); ok && depth < 8 {
		darken(g, depth)
		sh.warning = "the picture has few shades of grey, which makeobj reads as black; save it with 8 bits"
	}
	if colourType == grayAlpha {
		sh.warning = "the picture is grey with transparency, of which the transparency is lost"
	}
	sh.Bitmap = *pixels(m, colourType == grayAlpha || colourType == gray)
	return nil
}

// darken undoes the scaling of grey values to eight bits, which makeobj does not do.
func darken(m *image.Gray, depth uint8) {
	shades := 1<<depth - 1
	for i, v := range m.Pix {
		m.Pix[i] = uint8(int(v) * shades / 255)
	}
}

// pixels converts a picture to pixel words.
func pixels(m image.Image, opaque bool) *img.Bitmap {
	r := m.Bounds()
	b := &img.Bitmap{W: r.Dx(), H: r.Dy(), Pix: make([]uint16, r.Dx()*r.Dy())}
	switch m := m.(type) {
	case *image.Paletted:
		var words [256]uint16
		for i, c := range m.Palette {
			words[i] = img.FromColor(color.NRGBAModel.Convert(c).(color.NRGBA))
		}
		for y := range b.H {
			for x, p := range m.Pix[y*m.Stride : y*m.Stride+b.W] {
				b.Pix[y*b.W+x] = words[p]
			}
		}
	case *image.NRGBA:
		fromBytes(b, m.Pix, m.Stride, opaque)
	case *image.RGBA: // has no transparency, so its colours are not premultiplied
		fromBytes(b, m.Pix, m.Stride, opaque)
	default:
		for y := range b.H {
			for x := range b.W {
				b.Pix[y*b.W+x] = img.FromColor(highBytes(m.At(r.Min.X+x, r.Min.Y+y), opaque))
			}
		}
	}
	return b
}

func fromBytes(b *img.Bitmap, pix []uint8, stride int, opaque bool) {
	for y := range b.H {
		row := pix[y*stride : y*stride+4*b.W]
		out := b.Pix[y*b.W : (y+1)*b.W]
		var last color.NRGBA
		var word uint16 = img.FromColor(last)
		for x := range out {
			c := color.NRGBA{row[4*x], row[4*x+1], row[4*x+2], row[4*x+3]}
			if opaque {
				c.A = 0xFF
			}
			if c != last { // neighbours are often equal
				last, word = c, img.FromColor(c)
			}
			out[x] = word
		}
	}
}

// highBytes takes the upper byte of 16-bit colours, without rounding.
func highBytes(c color.Color, opaque bool) (n color.NRGBA) {
	switch c := c.(type) {
	case color.NRGBA64:
		n = color.NRGBA{uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8), uint8(c.A >> 8)}
	case color.RGBA64:
		n = color.NRGBA{uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8), 0xFF}
	case color.Gray16:
		n = color.NRGBA{uint8(c.Y >> 8), uint8(c.Y >> 8), uint8(c.Y >> 8), 0xFF}
	default:
		n = color.NRGBAModel.Convert(c).(color.NRGBA)
	}
	if opaque {
		n.A = 0xFF
	}
	return n
}
