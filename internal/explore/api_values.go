package explore

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx/tree"
	"pakbox/internal/answer"
)

// layer is one form of a file's bytes: as stored, or uncompressed.
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

// layers lists the forms that a file's bytes can be looked at in.
func (s *Explorer) layers(c *call) (any, error) {
	name := c.param("path")
	r, done, err := s.openContent(c.Context(), name, archive.DefaultMaxEntrySize)
	if err != nil {
		return nil, err
	}
	size, _ := r.Seek(0, io.SeekEnd)
	done()
	list := []layer{{Name: layerFile, Title: "File", Size: size}}
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
			if gaps == nil {
				body.Coverage = [][2]int64{}
			}
			list = append(append(list, body), insideLayers(t)...)
		}
	}
	return new(answer.Object).Add("layers", list), nil
}

// layerInside begins the names of the layers inside compressed blocks, which go
// on with their number.
const layerInside = "inside-"

// maxInside is how many compressed blocks have layers of their own.
const maxInside = 16

// insideLayers are the contents of the compressed blocks.
func insideLayers(t *tree.Tree) []layer {
	list := []layer{}
	for i, content := range t.Inside() {
		if len(content) == 0 || len(list) == maxInside {
			continue
		}
		block := layer{Name: layerOf(tree.InBody + 1 + i), Title: "Inside", Size: int64(len(content)), Decoded: int64(len(content)), Coverage: [][2]int64{}}
		if _, path := spaceRoot(&t.Body, "body", tree.InBody+1+i); path != "" {
			block.Title = "Inside " + strings.TrimSuffix(strings.TrimPrefix(path, "body."), ".content")
		}
		list = append(list, block)
	}
	return list
}

// spaceRoot finds the value that holds all of a space.
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

// opaque collects the stretches of the body that are not understood.
func opaque(v *tree.Value, gaps [][2]int64) [][2]int64 {
	if v.Space != tree.InBody {
		return gaps
	}
	if v.Opaque() && v.Length > 0 {
		return append(gaps, [2]int64{v.Offset, v.Offset + v.Length})
	}
	for i := range v.Children {
		gaps = opaque(&v.Children[i], gaps)
	}
	return gaps
}

// bytes is a layer of a file, or a part of it.
func (s *Explorer) bytes(c *call) (any, error) {
	r, done, err := s.layer(c.Context(), c.param("path"), c.param("layer"))
	if err != nil {
		return nil, err
	}
	return &Answer{Status: OK, Type: octets, Content: r, Close: done}, nil
}

// layer opens one form of a file's bytes.
func (s *Explorer) layer(ctx context.Context, name, which string) (reader, func(), error) {
	switch which {
	case "", layerFile:
		return s.openContent(ctx, name, archive.DefaultMaxEntrySize)
	case layerBody:
		f, done, err := s.open.look(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		file := f.gbx()
		if file == nil {
			done()
			return nil, nil, usage("%s has no body", name)
		}
		return bytes.NewReader(file.BodyBytes()), done, nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(which, layerInside)); err == nil && n >= 0 && strings.HasPrefix(which, layerInside) {
		return s.insideLayer(ctx, name, n)
	}
	return nil, nil, usage("there is no layer %q", which)
}

// insideLayer opens the content of a compressed block.
func (s *Explorer) insideLayer(ctx context.Context, name string, n int) (reader, func(), error) {
	f, done, err := s.open.look(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if f.gbx() != nil {
		t, err := f.valueTree()
		if err == nil && n < len(t.Inside()) && t.Inside()[n] != nil {
			return bytes.NewReader(t.Inside()[n]), done, nil
		}
	}
	done()
	return nil, nil, usage("%s has no compressed block %d", name, n)
}

// value is a value in the tree.
type value struct {
	Path   string `json:"path"`
	Name   string `json:"name"`
	Kind   string `json:"kind,omitempty"`
	Text   string `json:"text,omitempty"`
	Leaf   bool   `json:"leaf"`
	Layer  string `json:"layer"`
	Offset *int64 `json:"offset"`
	Length int64  `json:"length"`
}

// maxChildren bounds how many values are sent at once. A group that has more
// comes in parts that can be opened in turn.
const maxChildren = 2000

// withTree calls look with the values of the file that is asked about.
func (s *Explorer) withTree(c *call, look func(t *tree.Tree) (any, error)) (any, error) {
	f, done, err := s.open.look(c.Context(), c.param("path"))
	if err != nil {
		return nil, err
	}
	defer done()
	if f.gbx() == nil {
		return nil, fault.InFile(fault.New(fault.Unsupported, "%s files have no values to show one by one", f.Format()), c.param("path"))
	}
	t, err := f.valueTree()
	if err != nil {
		return nil, err
	}
	return look(t)
}

// values lists the values below one, or the first ones.
func (s *Explorer) values(c *call) (any, error) {
	at := c.param("at")
	return s.withTree(c, func(t *tree.Tree) (any, error) {
		if at == "" {
			return new(answer.Object).Add("children", []value{valueOf(t, &t.Header, "header"), valueOf(t, &t.Body, "body")}), nil
		}
		v, path, part, err := resolve(t, at)
		if err != nil {
			return nil, err
		}
		return new(answer.Object).Add("children", childValues(t, v, path, part)), nil
	})
}

// stretch is a part of a long list: the elements from and before to.
type stretch struct{ from, to int }

// resolve finds the value of a whole path; path[100..200] is a stretch of a
// list.
func resolve(t *tree.Tree, path string) (*tree.Value, string, *stretch, error) {
	var part *stretch
	if i := strings.LastIndexByte(path, '['); i >= 0 && strings.Contains(path[i:], "..") {
		var p stretch
		if _, err := fmt.Sscanf(path[i:], "[%d..%d]", &p.from, &p.to); err != nil || p.from < 0 || p.to < p.from {
			return nil, "", nil, usage("%q is no path of a value", path)
		}
		part, path = &p, path[:i]
	}
	v := t.At(path)
	if v == nil {
		return nil, "", nil, &archive.ValueError{Path: path, Message: "there is no such value", Missing: true}
	}
	return v, path, part, nil
}

// childValues are the values below one, or stretches of them where there are
// many.
func childValues(t *tree.Tree, v *tree.Value, path string, part *stretch) []value {
	from, to := 0, len(v.Children)
	if part != nil {
		from, to = min(part.from, to), min(part.to, to)
	}
	list := []value{}
	if to-from > maxChildren {
		step := maxChildren
		for (to-from)/step > maxChildren {
			step *= maxChildren
		}
		for i := from; i < to; i += step {
			end := min(i+step, to)
			first, last := &v.Children[i], &v.Children[end-1]
			list = append(list, value{Path: fmt.Sprintf("%s[%d..%d]", path, i, end), Name: fmt.Sprintf("%d to %d", i, end-1), Layer: layerOf(first.Space),
				Offset: &first.Offset, Length: last.Offset + last.Length - first.Offset})
		}
		return list
	}
	for i := from; i < to; i++ {
		list = append(list, valueOf(t, &v.Children[i], tree.ChildPath(path, &v.Children[i])))
	}
	return list
}

func valueOf(t *tree.Tree, v *tree.Value, path string) value {
	out := value{Path: path, Name: v.Name, Leaf: len(v.Children) == 0, Layer: layerOf(v.Space), Offset: &v.Offset, Length: v.Length}
	switch {
	case out.Leaf:
		out.Text = short(v.Text())
	case v.Kind == tree.List:
		out.Kind = fmt.Sprintf("%d", len(v.Children))
	case v.Kind == tree.Node:
		out.Kind = t.ClassName(v)
	}
	if out.Name == "" {
		out.Name = path[strings.LastIndexByte(path, '.')+1:]
	}
	return out
}

// short is a text that fits on a line of the tree.
func short(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// layerOf is the layer that a value's offset counts in: the header is a part of
// the file.
func layerOf(space int) string {
	switch space {
	case tree.InHeader:
		return layerFile
	case tree.InBody:
		return layerBody
	}
	return layerInside + strconv.Itoa(space-tree.InBody-1)
}

// value tells about one value.
func (s *Explorer) value(c *call) (any, error) {
	return s.withTree(c, func(t *tree.Tree) (any, error) {
		v, path, _, err := resolve(t, c.param("at"))
		if err != nil {
			return nil, err
		}
		return new(answer.Object).Add("value", valueOf(t, v, path)), nil
	})
}

// valueAt finds the value that a byte belongs to.
func (s *Explorer) valueAt(c *call) (any, error) {
	offset, err := c.number("offset", 0, 0)
	if err != nil {
		return nil, err
	}
	return s.withTree(c, func(t *tree.Tree) (any, error) {
		root, name, space := &t.Header, "header", tree.InHeader
		if which := c.param("layer"); which != "" && which != layerFile {
			root, name, space = &t.Body, "body", tree.InBody
			if n, err := strconv.Atoi(strings.TrimPrefix(which, layerInside)); err == nil {
				space += 1 + n
				if root, name = spaceRoot(root, name, space); root == nil {
					return nil, usage("there is no layer %q", which)
				}
			}
		}
		v, path := innermost(root, name, space, offset)
		if v == nil {
			return new(answer.Object).Add("value", nil), nil
		}
		return new(answer.Object).Add("value", valueOf(t, v, path)), nil
	})
}

// innermost follows the tree down to the smallest value around a byte.
func innermost(v *tree.Value, path string, space int, offset int64) (*tree.Value, string) {
	if v.Space != space || offset < v.Offset || offset >= v.Offset+v.Length {
		return nil, ""
	}
	for i := range v.Children {
		k := &v.Children[i]
		if k.Space != space || offset < k.Offset || offset >= k.Offset+k.Length {
			continue
		}
		if in, at := innermost(k, tree.ChildPath(path, k), space, offset); in != nil {
			return in, at
		}
	}
	return v, path
}

// search finds the next place of a text or number in a layer.
func (s *Explorer) search(c *call) (any, error) {
	from, err := c.number("from", 0, 0)
	if err != nil {
		return nil, err
	}
	want, err := pattern(c.param("q"))
	if err != nil {
		return nil, err
	}
	r, done, err := s.layer(c.Context(), c.param("path"), c.param("layer"))
	if err != nil {
		return nil, err
	}
	defer done()
	size, _ := r.Seek(0, io.SeekEnd)
	at, err := indexIn(c.Context(), r, size, from, want)
	if err != nil {
		return nil, err
	}
	return new(answer.Object).Add("offset", answer.Known(at)).Add("length", len(want)).Add("wrapped", from == 0), nil
}

// pattern reads what to search for: bytes as "de ad be ef", a number as 0x1234
// (four bytes), a float as 12.5f, else a text.
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

// indexIn finds bytes in content of any size, a piece at a time.
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

func (s *Explorer) get(c *call) (any, error) {
	o, _, err := answer.Values(c.Context(), s.opener.WithoutAsking(), c.param("path"), []string{c.param("value")})
	return o, err
}

// maxResults bounds the answers of one query, maxDocument the document that it
// is asked of.
const (
	maxResults  = 1000
	maxDocument = 256 << 20
)

// query answers a question in jq's language.
func (s *Explorer) query(c *call) (any, error) {
	parsed, err := gojq.Parse(c.param("q"))
	if err != nil {
		return nil, usage("the expression is not jq: %v", err)
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, usage("the expression is not jq: %v", err)
	}
	results := []json.RawMessage{}
	cut := false
	name := c.param("path")
	err = answer.WithDumper(c.Context(), s.opener.WithoutAsking(), name, func(d archive.Dumper) error {
		var b bytes.Buffer
		if err := answer.WriteDump(&limited{&b, maxDocument}, name, d, answer.WantedBy(parsed)); err != nil {
			return err
		}
		dec := json.NewDecoder(&b)
		dec.UseNumber()
		var document any
		if err := dec.Decode(&document); err != nil {
			return err
		}
		ctx, stop := withinMemory(c.Context())
		defer stop()
		for it := code.RunWithContext(ctx, document); ; {
			v, ok := it.Next()
			if !ok {
				return nil
			}
			if err, failed := v.(error); failed {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				return usage("the expression does not fit the document: %v", err)
			}
			if cut = len(results) == maxResults; cut {
				return nil
			}
			line, err := gojq.Marshal(v)
			if err != nil {
				return err
			}
			results = append(results, line)
		}
	})
	if err != nil {
		return nil, err
	}
	return new(answer.Object).Add("results", results).Add("cut", cut), nil
}

// limited refuses to write more than so much.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fault.New(fault.Limit, "the file's values are too many to ask about here: use pakbox query")
	}
	return l.w.Write(p)
}
