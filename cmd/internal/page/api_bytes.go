package page

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math"
	"strconv"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/gbx/tree"
)

// layer is one form of a file's bytes: stored, or uncompressed.
type layer struct {
	Name     string     `json:"name"`
	Title    string     `json:"title"`
	Size     int64      `json:"size"`
	Decoded  int64      `json:"decoded,omitempty"`
	Coverage [][2]int64 `json:"coverage,omitempty"` // stretches that are not understood
}

const (
	layerFile = "file"
	layerBody = "body"
)

// layers lists the forms of a file's bytes.
func (s *Explorer) layers(c *call) (any, error) {
	name := c.param("path")
	k, err := s.openContent(c.Context(), name)
	if err != nil {
		return nil, err
	}
	k.done()
	list := []layer{{Name: layerFile, Title: "File", Size: k.size}}
	f, release, err := s.open.look(c.Context(), name)
	if err == nil {
		defer release()
		if file := f.gbx(); file != nil {
			t, err := f.valueTree()
			if err != nil {
				return nil, err
			}
			gaps := opaque(&t.Body, nil)
			body := layer{Name: layerBody, Title: "Body", Size: int64(len(file.BodyBytes())), Coverage: gaps}
			if f.damage != nil {
				body.Title = "Body up to where it breaks"
			}
			body.Decoded = body.Size
			for _, g := range gaps {
				body.Decoded -= g[1] - g[0]
			}
			list = append(append(list, body), insideLayers(t)...)
		}
	}
	return new(question.Object).Add("layers", list), nil
}

// layerInside is the beginning of the names of layers inside compressed blocks; their
// number follows.
const layerInside = "inside-"

// maxInside limits how many compressed blocks have a layer.
const maxInside = 16

// insideLayers returns the layers for the contents of compressed blocks.
func insideLayers(t *tree.Tree) []layer {
	list := []layer{}
	for i, content := range t.Inside() {
		if len(content) == 0 || len(list) == maxInside {
			continue
		}
		block := layer{Name: layerOf(tree.InBody + 1 + i), Title: "Inside", Size: int64(len(content)), Decoded: int64(len(content))}
		if _, path := spaceRoot(&t.Body, "body", tree.InBody+1+i); path != "" {
			block.Title = "Inside " + strings.TrimSuffix(strings.TrimPrefix(path, "body."), ".content")
		}
		list = append(list, block)
	}
	return list
}

// spaceRoot finds the value that covers a whole space (a sequence of bytes that offsets
// count in).
func spaceRoot(v *tree.Value, path string, space int) (*tree.Value, string) {
	if v.Space == space {
		return v, path
	}
	for i := range v.Children {
		k := &v.Children[i]
		if len(k.Children) == 0 && k.Space != space {
			continue
		}
		if found, at := spaceRoot(k, tree.ChildPath(path, k), space); found != nil {
			return found, at
		}
	}
	return nil, ""
}

// opaque collects the ranges of the body that are not understood.
func opaque(v *tree.Value, gaps [][2]int64) [][2]int64 {
	if v.Space != tree.InBody {
		return gaps
	}
	if v.IsOpaque() && v.Length > 0 {
		return append(gaps, [2]int64{v.Offset, v.Offset + v.Length})
	}
	for i := range v.Children {
		gaps = opaque(&v.Children[i], gaps)
	}
	return gaps
}

// bytes returns a layer of a file, or a part of it.
func (s *Explorer) bytes(c *call) (any, error) {
	k, err := s.layer(c.Context(), c.param("path"), c.param("layer"))
	if err != nil {
		return nil, err
	}
	return &Response{Status: OK, Type: octets, Content: k.reader(c.asker), Close: k.done}, nil
}

// layer opens one form of a file's bytes.
func (s *Explorer) layer(ctx context.Context, name, which string) (*content, error) {
	switch which {
	case "", layerFile:
		return s.openContent(ctx, name)
	case layerBody:
		f, done, err := s.open.look(ctx, name)
		if err != nil {
			return nil, err
		}
		file := f.gbx()
		if file == nil {
			done()
			return nil, usage("%s has no body", name)
		}
		return inMemory(file.BodyBytes(), done), nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(which, layerInside)); err == nil && n >= 0 && strings.HasPrefix(which, layerInside) {
		return s.insideLayer(ctx, name, n)
	}
	return nil, usage("unknown layer %q", which)
}

// inMemory wraps content in memory. done is called when it is closed.
func inMemory(data []byte, done func()) *content {
	return &content{int64(len(data)), func(context.Context) io.ReaderAt { return bytes.NewReader(data) }, done}
}

// insideLayer opens the content of a compressed block.
func (s *Explorer) insideLayer(ctx context.Context, name string, n int) (*content, error) {
	f, done, err := s.open.look(ctx, name)
	if err != nil {
		return nil, err
	}
	if f.gbx() != nil {
		t, err := f.valueTree()
		if err == nil && n < len(t.Inside()) && t.Inside()[n] != nil {
			return inMemory(t.Inside()[n], done), nil
		}
	}
	done()
	return nil, usage("%s has no compressed block %d", name, n)
}

// layerOf returns the layer in which a value's offset counts. The header is a part of the
// file.
func layerOf(space int) string {
	switch space {
	case tree.InHeader:
		return layerFile
	case tree.InBody:
		return layerBody
	}
	return layerInside + strconv.Itoa(space-tree.InBody-1)
}

// search finds the next occurrence of a text or number in a layer.
func (s *Explorer) search(c *call) (any, error) {
	from, err := c.number("from", 0, 0)
	if err != nil {
		return nil, err
	}
	want, err := pattern(c.param("q"))
	if err != nil {
		return nil, err
	}
	k, err := s.layer(c.Context(), c.param("path"), c.param("layer"))
	if err != nil {
		return nil, err
	}
	defer k.done()
	at, err := indexIn(c.Context(), k.at(c.Context()), k.size, from, want)
	if err != nil {
		return nil, err
	}
	return new(question.Object).Add("offset", question.Known(at)).Add("length", len(want)).Add("wrapped", from == 0), nil
}

// pattern parses a search: bytes as "de ad be ef", a number as 0x1234 (four bytes), a
// float as 12.5f, otherwise a text.
func pattern(q string) ([]byte, error) {
	if q == "" || len(q) > 1000 {
		return nil, usage("search for something of at most 1000 letters")
	}
	if fields := strings.Fields(q); len(fields) > 1 {
		if b, err := hex.DecodeString(strings.Join(fields, "")); err == nil && len(b) == len(fields) {
			return b, nil
		}
	}
	if n, err := strconv.ParseUint(q, 0, 32); err == nil && strings.HasPrefix(q, "0x") {
		return binary.LittleEndian.AppendUint32(nil, uint32(n)), nil
	}
	if number, ok := strings.CutSuffix(q, "f"); ok {
		if f, err := strconv.ParseFloat(number, 32); err == nil {
			return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(f))), nil
		}
	}
	return []byte(q), nil
}

// indexIn finds bytes in content of any size, and reads it in pieces.
func indexIn(ctx context.Context, r io.ReaderAt, size, from int64, want []byte) (int64, error) {
	const piece = 1 << 20
	buffer := make([]byte, piece+len(want))
	for at := from; at < size; at += piece {
		if err := ctx.Err(); err != nil {
			return -1, err
		}
		n, err := r.ReadAt(buffer[:min(int64(len(buffer)), size-at)], at)
		if err != nil && err != io.EOF {
			return -1, err
		}
		if i := bytes.Index(buffer[:n], want); i >= 0 {
			return at + int64(i), nil
		}
	}
	return -1, nil
}
