package page

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io/fs"
	"path"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/korean"

	"pakbox/archive/imagefile"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo/maps"
)

// Limits for content that is unpacked into memory for viewing.
const (
	maxPicture   = 48 << 20 // bytes of a stored picture
	maxPixels    = 64 << 20 // bytes of its pixels
	smallPicture = 4 << 20  // bytes of pixels: pictures up to this size may be decoded in parallel
	maxText      = 1 << 20
)

// content returns the bytes of a file, or a part of them. Its media type is one that no
// browser displays or runs.
func (s *Explorer) content(c *call) (any, error) {
	k, err := s.openContent(c.Context(), c.param("path"))
	if err != nil {
		return nil, err
	}
	return &Response{Status: OK, Type: octets, Content: k.reader(c.asker), Close: k.done, File: path.Base(c.param("path"))}, nil
}

// plainFile describes a file that is not an archive.
func (s *Explorer) plainFile(ctx context.Context, o *question.Object, name string) (any, error) {
	k, err := s.openContent(ctx, name)
	if err != nil {
		return nil, err
	}
	defer k.done()
	head, _ := k.head(ctx, 4096) // for damaged content, the readable part
	size, looks := k.size, looksLike(name, head)
	tabs := []tab{{"preview", "Preview", "preview"}, bytesOnly}
	if _, err := s.files.Stat(name); err == nil && s.opts.OpenIndex != nil && bytes.HasPrefix(head, []byte("SQLite format 3\x00")) {
		looks, tabs = "index", []tab{{"search", "Search", "collection"}, bytesOnly}
	}
	return o.Add("kind", "file").Add("title", path.Base(name)).Add("size", size).Add("looks", looks).
		Add("command", "pakbox cat "+shellPath(name)).Add("tabs", tabs), nil
}

// looksLike guesses from the beginning of a file whether it is a picture, a sound, a
// text, or other bytes.
func looksLike(name string, head []byte) string {
	if imagefile.Is(name, head) {
		return "picture"
	}
	switch {
	case len(head) == 0:
		return "empty"
	case bytes.HasPrefix(head, []byte("OggS")), len(head) > 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WAVE":
		return "sound"
	case bytes.IndexByte(head, 0) >= 0:
		return "bytes"
	}
	odd := 0
	for _, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' {
			odd++
		}
	}
	if odd*50 > len(head) {
		return "bytes"
	}
	return "text"
}

// text returns the beginning of a text, and its probable encoding.
func (s *Explorer) text(c *call) (any, error) {
	k, err := s.openContent(c.Context(), c.param("path"))
	if err != nil {
		return nil, err
	}
	defer k.done()
	data, err := k.head(c.Context(), maxText)
	if err != nil {
		return nil, err
	}
	cut := int64(len(data)) < k.size
	text, encoding := decodeText(data, cut)
	return new(question.Object).Add("text", text).Add("encoding", encoding).Add("size", k.size).Add("cut", cut), nil
}

// decodeText decodes a text as UTF-8, otherwise as Korean (the encoding of Metin2's
// files), otherwise as Western European.
func decodeText(data []byte, cut bool) (text, encoding string) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	whole := data
	if cut { // the last character may be incomplete
		for range utf8.UTFMax {
			if len(whole) == 0 || utf8.Valid(whole) {
				break
			}
			whole = whole[:len(whole)-1]
		}
	}
	if utf8.Valid(whole) {
		return string(whole), "UTF-8"
	}
	if b, err := korean.EUCKR.NewDecoder().Bytes(data); err == nil && !bytes.ContainsRune(b, utf8.RuneError) {
		return string(b), "CP949"
	}
	b, _ := charmap.Windows1252.NewDecoder().Bytes(data) // accepts any byte
	return string(bytes.ToValidUTF8(b, []byte("\ufffd"))), "Windows-1252"
}

// picture returns a picture of any kind as PNG.
func (s *Explorer) picture(c *call) (any, error) {
	k, err := s.openContent(c.Context(), c.param("path"))
	if err != nil {
		return nil, err
	}
	defer k.done()
	data, err := k.all(c.Context(), maxPicture)
	if err != nil {
		return nil, fault.InFile(err, c.param("path"))
	}
	return s.writePicture(c, c.param("path"), data)
}

// writePicture decodes a picture and encodes it as PNG, so that the browser never decodes
// untrusted bytes.
func (s *Explorer) writePicture(c *call, name string, data []byte) (any, error) {
	need, err := imagefile.Memory(name, data)
	if err != nil {
		return nil, err
	}
	done, err := s.alone(c.Context(), need > smallPicture)
	if err != nil {
		return nil, err
	}
	defer done()
	m, err := imagefile.Decode(name, bytes.NewReader(data), maxPixels)
	if err != nil {
		return nil, err
	}
	return writePNG(m)
}

func writePNG(m image.Image) (any, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, m); err != nil {
		return nil, err
	}
	return bytesAnswer(OK, "image/png", b.Bytes()), nil
}

// thumbnail returns the picture of a map, upright, or the icon of an item.
func (s *Explorer) thumbnail(c *call) (any, error) {
	f, done, err := s.open.look(c.Context(), c.param("path"))
	if err != nil {
		return nil, err
	}
	defer done()
	if file := f.gbx(); file != nil {
		if m, err := maps.Of(file); err == nil {
			data, err := m.Thumbnail(maps.ThumbnailForm{})
			if err != nil {
				return nil, err
			}
			if data != nil { // safe: it was decoded and encoded again
				return bytesAnswer(OK, "image/jpeg", data), nil
			}
		}
	}
	for _, e := range f.Entries() {
		if name := e.Name; name == "icon.png" || name == "icon.webp" {
			data, err := fs.ReadFile(f.Source, name)
			if err != nil {
				return nil, err
			}
			return s.writePicture(c, "", data)
		}
	}
	return nil, &fs.PathError{Op: "open", Path: c.param("path") + "/thumbnail", Err: fs.ErrNotExist}
}
