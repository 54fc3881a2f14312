package gbx

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
)

// EncodeBody encodes the body from its values.
func (f *File) EncodeBody() ([]byte, error) {
	return f.encodeBody(lookers{}, make([]byte, 0, len(f.body)+64))
}

// EncodeHeader encodes the header from its values.
func (f *File) EncodeHeader() ([]byte, error) { return f.encodeHeader(lookers{}, nil) }

// lookers holds the visitor of a walk: watch sees all values, outline only nodes and
// chunks.
type lookers struct{ watch, outline Visitor }

// Walk encodes header and body, and shows every value to the visitor. Offsets count from
// the start of the file for the header, and from the start of the uncompressed body for
// the body.
func (f *File) Walk(v Visitor) error {
	return f.walk(lookers{watch: v})
}

// Outline is Walk without single values: the visitor sees header chunks, nodes, chunks
// and opaque bytes, and a [DeepVisitor] also the contents of compressed blocks. It is
// much faster.
func (f *File) Outline(v Visitor) error { return f.walk(lookers{outline: v}) }

// Coding holds the encoded bytes of a file, with the body uncompressed.
type Coding struct {
	Header, Body []byte

	own bool // the memory of Body belongs to the Coding alone
}

// EncodeOutline is [File.Outline] that also returns the encoded bytes.
func (f *File) EncodeOutline(v Visitor) (Coding, error) {
	e := encodings.Get().(*encoding)
	err := e.walk(f, lookers{outline: v})
	c := Coding{e.header, e.body, true}
	e.header, e.body = nil, nil
	encodings.Put(e)
	if err != nil {
		return Coding{}, err
	}
	c.Share(f)
	return c, nil
}

// Share makes c refer to the body that f was read from, if it is equal. A body is often
// large, and its memory then serves the next encoding: copies of c must not be used any
// more.
func (c *Coding) Share(f *File) {
	if !c.own || f.found == nil || !bytes.Equal(c.Body, f.body) {
		return
	}
	e := encodings.Get().(*encoding)
	e.body = c.Body
	encodings.Put(e)
	c.Body, c.own = f.body, false
}

// Exact reports whether c equals the bytes that the file was read from.
func (f *File) Exact(c Coding) bool {
	return f.found != nil && bytes.Equal(c.Body, f.body) && bytes.Equal(c.Header, f.found[:f.bodyAt])
}

func (f *File) walk(l lookers) error {
	e := encodings.Get().(*encoding)
	defer encodings.Put(e)
	return e.walk(f, l)
}

func (e *encoding) walk(f *File, l lookers) error {
	header, err := f.encodeHeader(l, withRoom(e.header, f.bodyAt+64))
	if err != nil {
		return err
	}
	e.header = header
	body, err := f.encodeBody(l, withRoom(e.body, len(f.body)+64))
	if err == nil {
		e.body = body
	}
	return err
}

// encodeBody appends the body to out. It gives an index to each new node, and counts the
// nodes in the header.
func (f *File) encodeBody(l lookers, out []byte) ([]byte, error) {
	if f.Body == nil {
		return nil, fault.New(fault.Unsupported, "the file has no main node")
	}
	if f.reg == nil {
		return nil, errNoRegistry()
	}
	x := newWriter(f.IsText(), f.reg, l.watch)
	defer x.release()
	x.out, x.outline = out, l.outline
	x.nodes.external, x.nodes.claimed = f.Refs.slots(), f.NumNodes
	if f.IDVersion == idVersionSkipper {
		x.scope.version = idVersionSkipper
	}
	x.nodes.set(1, f.Body)
	x.node(f.Body)
	if x.nodes.claimed != f.NumNodes {
		f.NumNodes = x.nodes.claimed
	}
	if x.err != nil {
		return nil, x.err
	}
	x.unwind(0)
	return append(x.out, f.Rest...), nil
}

// errNoRegistry is the error for a File that was not made by this package.
func errNoRegistry() error {
	return fault.New(fault.Unsupported, "the file has no registry: make it with gbx.New, or read it")
}

func (f *File) encodeHeader(l lookers, out []byte) ([]byte, error) {
	if f.reg == nil {
		return nil, errNoRegistry()
	}
	x := newWriter(f.IsText(), f.reg, l.watch)
	defer x.release()
	x.out, x.outline = f.appendLetters(out), l.outline
	h := f.Header
	h.code(x)
	return x.out, x.Err()
}

// Encode returns the file as bytes. Without changes these are the original bytes. After a
// change only the changed values differ, and the sizes that depend on them.
func (f *File) Encode() ([]byte, error) {
	e := encodings.Get().(*encoding)
	defer encodings.Put(e)
	parts, err := e.code(f)
	switch {
	case err != nil:
		return nil, err
	case len(parts) == 1:
		return parts[0], nil
	}
	return slices.Concat(parts...), nil
}

// encoding holds buffers for the parts of a file, which are reused for the next file.
type encoding struct{ header, body, packed []byte }

var encodings = sync.Pool{New: func() any { return new(encoding) }}

// code encodes a file and returns its parts. Without changes the only part is the
// original file.
func (e *encoding) code(f *File) (parts [][]byte, err error) {
	body, err := f.encodeBody(lookers{}, withRoom(e.body, len(f.body)+64))
	if err != nil {
		return nil, err
	}
	e.body = body
	header, err := f.encodeHeader(lookers{}, withRoom(e.header, f.bodyAt+64))
	if err != nil {
		return nil, err
	}
	e.header = header
	switch {
	case f.found == nil || !f.sameBody(body):
		return e.parts(f, header, body)
	case f.sameHeader(header):
		return [][]byte{f.found}, nil
	}
	return [][]byte{header, f.found[f.bodyAt:]}, nil
}

// parts returns the parts of a file with a changed body.
func (e *encoding) parts(f *File, header, body []byte) ([][]byte, error) {
	if !f.IsCompressed() {
		return [][]byte{header, body, f.Trailer}, nil
	}
	packed, err := appendCompressed(withRoom(e.packed, 8+lzo1x.MaxCompressedLen(len(body))), body, f.level)
	if err != nil {
		return nil, err
	}
	e.packed = packed
	return [][]byte{header, packed, f.Trailer}, nil
}

// EncodeRevised is a faster [File.Encode] for a changed file. The caller gives the
// encoded bytes before and after the change. An unchanged header or body keeps its
// original bytes.
func (f *File) EncodeRevised(before, now Coding) ([]byte, error) {
	switch {
	case !bytes.Equal(before.Body, now.Body):
		return f.join(now)
	case bytes.Equal(before.Header, now.Header):
		return f.found, nil
	}
	return slices.Concat(now.Header, f.found[f.bodyAt:]), nil
}

// join returns a file with a changed body.
func (f *File) join(c Coding) (out []byte, err error) {
	if !f.IsCompressed() {
		return slices.Concat(c.Header, c.Body, f.Trailer), nil
	}
	out = make([]byte, 0, len(c.Header)+8+lzo1x.MaxCompressedLen(len(c.Body))+len(f.Trailer))
	if out, err = appendCompressed(append(out, c.Header...), c.Body, f.level); err != nil {
		return nil, err
	}
	return append(out, f.Trailer...), nil
}

// withRoom returns an empty slice with room for n bytes, using the memory of b if it is
// large enough.
func withRoom(b []byte, n int) []byte {
	if cap(b) < n {
		b = make([]byte, 0, n)
	}
	return b[:0]
}

// WriteTo writes the file.
func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	e := encodings.Get().(*encoding)
	defer encodings.Put(e)
	parts, err := e.code(f)
	for _, p := range parts {
		if err == nil {
			var m int
			m, err = w.Write(p)
			n += int64(m)
		}
	}
	return n, err
}

// sameBody reports whether the encoded body has the same values as the original. If
// pakbox cannot reproduce the bytes of the file exactly, it decodes and encodes the
// original for the comparison.
func (f *File) sameBody(body []byte) bool {
	if bytes.Equal(body, f.body) {
		return true
	}
	fresh := &File{Header: f.Header, reg: f.reg, found: f.found, body: f.body}
	budget := budgetFor(int64(len(f.found)))
	x := newCoder(f.reg)
	defer x.release()
	fresh.decodeBody(x, &budget, nil)
	again, err := fresh.EncodeBody()
	return err == nil && bytes.Equal(again, body)
}

// sameHeader is sameBody for the header.
func (f *File) sameHeader(header []byte) bool {
	if bytes.Equal(header, f.found[:f.bodyAt]) {
		return true
	}
	x := newCoder(f.reg)
	defer x.release()
	budget := budgetFor(int64(len(f.found)))
	fresh, err := readHeader(x, f.found, &budget)
	if err != nil {
		return false
	}
	again, err := fresh.encodeHeader(lookers{}, nil)
	return err == nil && bytes.Equal(again, header)
}
