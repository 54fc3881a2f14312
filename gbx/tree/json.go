package tree

import (
	"bytes"
	"io"
	"strconv"

	"pakbox/archive"
	"pakbox/gbx"
)

// A document is an object with these members:
//
//	header          version, letters, and what the header holds; its chunks
//	                are {"chunk": "03043003", "values": {…}}
//	body            the main node: {"class", "name", "chunks": […]}
//	recordedRuns    a digest of the replays and ghosts, which may not change
//	rest, trailer   bytes after the main node, and after a compressed body
//	compressedBody  the body as it was stored, used again while the values
//	                still say the same
//
// A reference to a node is null, {"index": 5}, or the node itself. A chunk
// that is not understood has "opaque" instead of "values", and a node that
// could not be read to its end has a "tail".

// WriteJSON writes the members of a file's document that are wanted, without
// the braces around them, so that a caller can put its own before them.
//
// No tree is made of the values: each is written as it comes, and chunks that
// nobody wants are passed over.
func WriteJSON(w io.Writer, f *gbx.File, reg *gbx.Registry, want *archive.Want) error {
	j := &jsonWriter{cursor: newCursor(), f: f, want: want}
	j.w, j.reg = w, reg
	if want.Member("recordedRuns") != nil {
		j.digest = newRunDigest(f)
	}
	j.beginHeader()
	if j.digest != nil || want.Member("header") != nil || want.Member("body") != nil {
		if err := f.Walk(j); err != nil {
			return err
		}
	}
	j.endHeader() // of a file that was not walked
	j.after()
	j.flush()
	return j.err
}

// JSON returns a single value or a group in the form it has in a document.
func (t *Tree) JSON(v *Value) []byte {
	var b bytes.Buffer
	e := &emitter{reg: t.reg, w: &b}
	e.value(v)
	e.flush() // into memory: cannot fail
	return b.Bytes()
}

// skipperIDs is the version of IDs that a document must mention; the usual
// one goes without saying.
const skipperIDs = 2

// letters are those of the header; the last may be any byte.
func letters(h *gbx.Header) string {
	s := string([]byte{h.Format, h.RefCompression, h.BodyCompression})
	if h.Version >= 4 {
		s += string(rune(h.Unknown))
	}
	return s
}

// jsonWriter is the visitor that writes a document.
type jsonWriter struct {
	cursor
	emitter
	f      *gbx.File
	want   *archive.Want
	digest *runDigest // nil if it is not wanted

	inBody bool
	chunks int    // of the header that were written
	others []byte // values of the header beside its chunks, which stand behind them
}

// beginHeader writes what the header says about itself, up to its chunks.
func (j *jsonWriter) beginHeader() {
	f, want := j.f, j.want.Member("header")
	if want == nil {
		return
	}
	j.raw(`"header":{"version":`)
	j.buf = strconv.AppendUint(j.buf, uint64(f.Version), 10)
	j.raw(`,"letters":`)
	j.buf = appendString(j.buf, letters(&f.Header))
	if f.UserData.Raw != nil && want.Member("userData") != nil {
		j.raw(`,"userData":`)
		j.buf = appendBase64(j.buf, f.UserData.Raw)
	}
	if j.hasChunks() {
		j.raw(`,"chunks":[`)
	}
}

// hasChunks reports whether the header's chunks are written.
func (j *jsonWriter) hasChunks() bool {
	return j.f.Version >= 6 && j.f.UserData.Raw == nil && j.want.Member("header").Member("chunks") != nil
}

// endHeader ends the header, if it has not ended before.
func (j *jsonWriter) endHeader() {
	if j.inBody {
		return
	}
	j.inBody = true
	if j.want.Member("header") == nil {
		return
	}
	if j.hasChunks() {
		j.raw("]")
	}
	j.buf = append(j.buf, j.others...)
	j.raw("},")
}

// after writes what follows the body.
func (j *jsonWriter) after() {
	f := j.f
	if f.IDVersion == skipperIDs && j.want.Member("idVersion") != nil {
		j.raw(`"idVersion":2,`)
	}
	if runs := j.digest.sum(); runs != "" {
		j.raw(`"recordedRuns":"` + runs + `",`)
	}
	j.blob("rest", f.Rest)
	j.blob("trailer", f.Trailer)
	j.blob("compressedBody", f.PackedBody())
	if n := len(j.buf); n > 0 && j.buf[n-1] == ',' {
		j.buf = j.buf[:n-1]
	}
}

func (j *jsonWriter) blob(name string, b []byte) {
	if len(b) > 0 && j.want.Member(name) != nil {
		j.raw(`"` + name + `":`)
		j.buf = append(appendBase64(j.buf, b), ',')
	}
}

// isHeaders reports whether the group opened last is the header itself.
func (j *jsonWriter) isHeaders() bool { return len(j.stack) == 1 && !j.inBody }

// aside begins or ends writing behind the header's chunks.
func (j *jsonWriter) aside() {
	j.buf, j.others = j.others, j.buf
	j.held = !j.held
}

func (j *jsonWriter) Coded(name string, p any, offset, length int64) {
	direct := j.isHeaders()
	v := j.cursor.leaf(name, p, offset, length)
	if v == nil {
		return
	}
	j.digest.value(v)
	if !direct {
		j.emitter.leaf(v)
		return
	}
	if j.want.Member("header").Member(v.Name) != nil {
		j.aside()
		j.raw(",")
		j.buf = appendJSON(append(appendString(j.buf, v.Name), ':'), p, v.exact)
		j.aside()
	}
}

func (j *jsonWriter) Begin(name string, p any, offset int64) {
	direct := j.isHeaders()
	f := j.cursor.open(name, p, offset)
	switch {
	case f.shared:
		ref := &j.stack[len(j.stack)-2]
		j.digest.node(&ref.Value, len(j.stack))
		j.emitter.node(ref.node)
		return
	case direct && f.node != nil:
		j.endHeader()
		j.digest.node(&f.Value, len(j.stack))
		want := j.want.Member("body")
		if want != nil {
			j.raw(`"body":`)
		}
		j.start(&f.Value, want)
		j.emitter.node(f.node)
		return
	}
	j.digest.value(&f.Value)
	switch {
	case !direct:
		j.begin(&f.Value)
	case f.Kind == Chunk:
		want := j.want.Member("header").Member("chunks").Each()
		if want != nil && j.chunks > 0 {
			j.raw(",")
		}
		j.chunks++
		j.start(&f.Value, want)
	default:
		want := j.want.Member("header").Member(f.Name)
		j.aside()
		if want != nil {
			j.raw(",")
			j.buf = append(appendString(j.buf, f.Name), ':')
		}
		j.start(&f.Value, want)
	}
}

func (j *jsonWriter) End(offset int64) {
	f := j.close(offset)
	j.digest.closed(len(j.stack))
	if f.shared {
		return
	}
	j.end()
	switch {
	case len(j.stack) > 1:
	case j.inBody:
		if j.want.Member("body") != nil {
			j.raw(",")
		}
	case f.Kind != Chunk:
		j.aside()
	}
}

// Wants passes over chunks of which nothing is wanted.
func (j *jsonWriter) Wants(_ string, p any) bool {
	switch p.(type) {
	case *gbx.HeaderChunk, *gbx.Chunk:
	default:
		return true
	}
	return j.digest != nil || j.emitter.open[len(j.emitter.open)-1].want.Member("values") != nil
}

// Inside is there so that the values in compressed blocks are shown.
func (j *jsonWriter) Inside(_, _ []byte, _ error) bool { return false }

var (
	_ gbx.DeepVisitor = (*jsonWriter)(nil)
	_ gbx.Chooser     = (*jsonWriter)(nil)
	_ gbx.IDVisitor   = (*jsonWriter)(nil)
)
