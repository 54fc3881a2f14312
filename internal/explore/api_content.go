package explore

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"io/fs"
	"path"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/korean"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/form"
	"pakbox/internal/imagefile"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
)

// What is unpacked into memory to be looked at.
const (
	maxPicture = 64 << 20 // bytes of a stored picture
	maxText    = 1 << 20
)

// reader is content that can be read anywhere.
type reader interface {
	io.ReadSeeker
	io.ReaderAt
}

// openContent opens the file that a path ends at as it is, whatever its format.
func (s *Explorer) openContent(ctx context.Context, name string, limit int64) (reader, func(), error) {
	if info, err := s.files.Stat(name); err == nil {
		if info.IsDir() {
			return nil, nil, fault.InFile(fault.New(fault.NotFormat, "is a folder"), name)
		}
		in, closer, err := s.files.OpenFile(name)
		if err != nil {
			return nil, nil, err
		}
		return io.NewSectionReader(in, 0, in.Size), func() { closer.Close() }, nil
	}
	p, _, err := s.opener.WithoutAsking().Find(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer p.Close()
	if !source.IsFile(p) {
		return nil, nil, fault.InFile(fault.New(fault.NotFormat, "is a folder"), name)
	}
	f, err := p.Open(p.Inner)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, nil, fault.InFile(err, name)
	}
	if int64(len(data)) > limit {
		return nil, nil, fault.InFile(fault.New(fault.Limit, "is larger than %d bytes", limit), name)
	}
	return bytes.NewReader(data), func() {}, nil
}

// content is a file as it is, or a part of it. It comes as nothing that a
// browser would show or run.
func (s *Explorer) content(c *call) (any, error) {
	r, done, err := s.openContent(c.Context(), c.param("path"), archive.Options{}.EntryLimit())
	if err != nil {
		return nil, err
	}
	return &Answer{Status: OK, Type: octets, Content: r, Close: done, File: path.Base(c.param("path"))}, nil
}

// plainFile tells about a file that is no archive.
func (s *Explorer) plainFile(ctx context.Context, o *form.Object, name string) (any, error) {
	r, done, err := s.openContent(ctx, name, archive.Options{}.EntryLimit())
	if err != nil {
		return nil, err
	}
	defer done()
	size, _ := r.Seek(0, io.SeekEnd)
	head := make([]byte, min(size, 4096))
	n, _ := r.ReadAt(head, 0)
	looks := looksLike(name, head[:n])
	tabs := []tab{{"preview", "Preview", "preview"}, bytesOnly}
	return o.Add("kind", "file").Add("title", path.Base(name)).Add("size", size).Add("looks", looks).
		Add("command", "pakbox cat "+shellPath(name)).Add("tabs", tabs), nil
}

// looksLike tells what the beginning of a file looks like: a picture, a text, or
// just bytes.
func looksLike(name string, head []byte) string {
	if imagefile.Is(name, head) {
		return "picture"
	}
	if len(head) == 0 || bytes.IndexByte(head, 0) >= 0 {
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

// text is the beginning of a text, with the code page it seems to be in.
func (s *Explorer) text(c *call) (any, error) {
	r, done, err := s.openContent(c.Context(), c.param("path"), archive.Options{}.EntryLimit())
	if err != nil {
		return nil, err
	}
	defer done()
	size, _ := r.Seek(0, io.SeekEnd)
	data := make([]byte, min(size, maxText))
	n, err := r.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	text, encoding := decodeText(data[:n], int64(n) < size)
	return new(form.Object).Add("text", text).Add("encoding", encoding).Add("size", size).Add("cut", int64(n) < size), nil
}

// decodeText reads a text as UTF-8, else as Korean, which Metin2's files are in,
// else as Western European.
func decodeText(data []byte, cut bool) (text, encoding string) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	whole := data
	if cut { // the last letter may be half
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
	b, _ := charmap.Windows1252.NewDecoder().Bytes(data) // takes any byte
	return string(bytes.ToValidUTF8(b, []byte("\ufffd"))), "Windows-1252"
}

// picture is a picture of any kind as PNG.
func (s *Explorer) picture(c *call) (any, error) {
	r, done, err := s.openContent(c.Context(), c.param("path"), maxPicture)
	if err != nil {
		return nil, err
	}
	defer done()
	size, _ := r.Seek(0, io.SeekEnd)
	return writePicture(c.param("path"), io.NewSectionReader(r, 0, size))
}

// writePicture writes what a picture shows as PNG, so that no other program than
// ours reads what a file holds.
func writePicture(name string, r io.Reader) (any, error) {
	m, err := imagefile.Decode(name, r)
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

// thumbnail is the picture of a map, upright, or the icon of an item.
func (s *Explorer) thumbnail(c *call) (any, error) {
	f, done, err := s.open.get(c.Context(), c.param("path"))
	if err != nil {
		return nil, err
	}
	defer done()
	if file := f.gbx(); file != nil {
		if m, err := maps.Of(file); err == nil {
			data, err := m.Thumbnail()
			if err != nil {
				return nil, err
			}
			if data != nil { // turned and written anew by us
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
			return writePicture("", bytes.NewReader(data))
		}
	}
	return nil, &fs.PathError{Op: "open", Path: c.param("path") + "/thumbnail", Err: fs.ErrNotExist}
}
