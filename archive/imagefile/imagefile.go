// Package imagefile decodes pictures of all kinds that games store.
package imagefile

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // pictures that files hold
	_ "image/jpeg"
	"image/png"
	"io"
	"path"
	"strings"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/webp"

	"pakbox/archive"
	"pakbox/codec/texture"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// MaxBytes limits the file of a picture, maxMemory its pixels in memory.
const (
	MaxBytes  = 128 << 20
	maxMemory = 256 << 20
)

// IsTexture reports whether a file has the name of a picture that other programs rarely
// show: DDS or TGA.
func IsTexture(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".dds" || ext == ".tga"
}

// Is reports whether a file is a picture, by its name and its first bytes.
func Is(name string, head []byte) bool {
	if texture.Is(name, head) {
		return true
	}
	_, _, err := image.DecodeConfig(bytes.NewReader(head))
	return err == nil || bytes.HasPrefix(head, []byte("\xff\xd8\xff")) || len(head) > 12 && string(head[8:12]) == "WEBP"
}

// Format is the name of the format of a single picture. It is not in the registry of
// formats, because a picture contains no files.
const Format = "picture"

// HeadSize is how many bytes are enough to recognise a picture.
const HeadSize = 4096

// Described has the facts about a picture.
type Described struct {
	kind          string
	width, height int
	texture       *texture.Texture // nil for pictures that are not DDS or TGA
	size          int64
}

// Facts are the facts of a single picture.
var Facts = fact.NewTable("picture", "A picture: DDS, TGA, PNG, JPEG, WebP, GIF, BMP.", []fact.Row[*Described]{
	{Name: "picture", Label: "Picture", Kind: fact.Text, Doc: "how the pixels are stored, such as BC1, TGA, PNG", Get: func(p *Described) any { return p.kind }},
	{Name: "width", Kind: fact.Count, Doc: "width in pixels", Get: func(p *Described) any { return p.width }},
	{Name: "height", Kind: fact.Count, Doc: "height in pixels", Get: func(p *Described) any { return p.height }},
	{Label: "Size", Kind: fact.Group, Words: func(p *Described) string { return fmt.Sprintf("%d x %d pixels", p.width, p.height) }},
	{Name: "levels", Label: "Levels", Kind: fact.Count, Doc: "number of levels of detail, each half as large as the one before", Omit: true,
		Get: func(p *Described) any { return fact.Known(p.levels(), p.texture != nil) }},
	{Name: "layers", Label: "Layers", Kind: fact.Count, Doc: "number of faces of a cube, pictures of an array, slices of a volume", Omit: true,
		Get:   func(p *Described) any { return fact.Known(p.layers(), p.texture != nil) },
		Shown: func(p *Described) bool { return p.layers() > 1 }},
	{Name: "cube", Label: "Cube", Kind: fact.Flag, Doc: "whether the layers are the faces of cubes", Omit: true,
		Get:   func(p *Described) any { return fact.Known(p.isCube(), p.texture != nil) },
		Shown: func(p *Described) bool { return p.isCube() }},
	{Name: "file_size", Label: "File size", Storage: true, Kind: fact.Bytes, Doc: "size of the file itself", Get: func(p *Described) any { return p.size }},
})

func (p *Described) levels() int {
	if p.texture == nil {
		return 1
	}
	return p.texture.Levels
}

func (p *Described) layers() int {
	if p.texture == nil {
		return 1
	}
	return p.texture.Layers
}

func (p *Described) isCube() bool { return p.texture != nil && p.texture.Cube }

// Describe reads the facts about a picture. Textures are read completely, because the
// header is compared with the size of the file.
func Describe(in archive.Input) (*Described, error) {
	p := &Described{size: in.Size}
	if !texture.Is(in.Name, in.Prefix(HeadSize)) {
		config, kind, err := image.DecodeConfig(io.NewSectionReader(in, 0, in.Size))
		if err != nil {
			return nil, fault.Wrap(fault.Corrupt, err, "the picture")
		}
		p.kind, p.width, p.height = strings.ToUpper(kind), config.Width, config.Height
		return p, nil
	}
	if in.Size > MaxBytes {
		return nil, fault.New(fault.Limit, "the picture exceeds the limit of %s", fact.SizeText(MaxBytes))
	}
	data, err := wire.ReadAt(in, in.Size, 0, in.Size, "picture")
	if err != nil {
		return nil, err
	}
	if p.texture, err = texture.Open(in.Name, data); err != nil {
		return nil, err
	}
	p.kind, p.width, p.height = p.texture.Format, p.texture.Width, p.texture.Height
	return p, nil
}

// DescribeHead reads the facts from the first bytes of a picture.
func DescribeHead(name string, head []byte) (*Described, error) {
	p := &Described{}
	if !texture.Is(name, head) {
		config, kind, err := image.DecodeConfig(bytes.NewReader(head))
		if err != nil {
			return nil, fault.Wrap(fault.NotFormat, err, "the picture")
		}
		p.kind, p.width, p.height = strings.ToUpper(kind), config.Width, config.Height
		return p, nil
	}
	t, err := texture.Header(name, head)
	if err != nil {
		return nil, err
	}
	p.texture, p.kind, p.width, p.height = t, t.Format, t.Width, t.Height
	return p, nil
}

// Memory returns how many bytes the pixels of a picture take in memory.
func Memory(name string, data []byte) (int64, error) {
	if texture.Is(name, data) {
		t, err := texture.Open(name, data)
		if err != nil {
			return 0, err
		}
		return 4 * int64(t.Width) * int64(t.Height), nil
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, fault.Wrap(fault.Unsupported, err, "no picture that can be shown")
	}
	pixel := int64(4)
	if config.ColorModel == color.RGBA64Model || config.ColorModel == color.NRGBA64Model {
		pixel = 8
	}
	return pixel * int64(config.Width) * int64(config.Height), nil
}

// Decode decodes a picture of any known kind. Its pixels may take at most so many bytes.
func Decode(name string, r io.Reader, memory int64) (image.Image, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBytes {
		return nil, fault.New(fault.Limit, "the picture exceeds the limit of %s", fact.SizeText(MaxBytes))
	}
	need, err := Memory(name, data)
	if err != nil {
		return nil, err
	}
	if need > memory {
		return nil, fault.New(fault.Limit, "a picture of %s of pixels, more than %s", fact.SizeText(need), fact.SizeText(memory))
	}
	if texture.Is(name, data) {
		t, err := texture.Open(name, data)
		if err != nil {
			return nil, err
		}
		return t.Image(0, 0)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "the picture")
	}
	return m, nil
}

// WritePNG writes a picture of any kind as PNG.
func WritePNG(w io.Writer, name string, r io.Reader) error {
	m, err := Decode(name, r, maxMemory)
	if err != nil {
		return err
	}
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, m)
}
