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
//	header          version, letters and values of the header; its chunks are
//	                {"chunk": "03043003", "values": {…}}
//	body            the main node: {"class", "name", "chunks": […]}
//	recordedRuns    a digest of the replays and ghosts, which must not change
//	rest, trailer   the bytes after the main node, and after a compressed body
//	compressedBody  the stored body, which is used again if the values are
//	                the same
//
// A reference to a node is null, {"index": 5}, or the node itself. A chunk with
// an unknown layout has "opaque" instead of "values". A node that could not be
// read to its end has a "tail".

// WriteJSON writes the wanted members of the document of a file. It does not
// write the braces around them, so that a caller can add members.
//
// It writes the values one by one, without a tree, and skips chunks that are not
// wanted. Only the document of [archive.Everything] can become the same file
// again; in others an ID is only its text.
func WriteJSON(w io.Writer, f *gbx.File, want *archive.Want) error {
	j := &jsonWriter{cursor: newCursor(), f: f, want: want}
	j.w, j.reg, j.whole = w, f.Registry(), want == archive.Everything
	if want.Member("recordedRuns") != nil {
		j.digest = newRunDigest(f)
	}
	j.beginHeader()
	if j.digest != nil || want.Member("header") != nil || want.Member("body") != nil {
		if err := f.Walk(j); err != nil {
			return err
		}
	}
	j.endHeader() // if the file was not walked
	j.after()
	j.flush()
	return j.err
}

// JSON returns a value or a group as in a document.
func (t *Tree) JSON(v *Value) []byte {
	var b bytes.Buffer
	e := &emitter{reg: t.File.Registry(), w: &b}
	e.value(v)
	e.flush() // cannot fail: it writes into memory
	return b.Bytes()
}

// skipperIDs is the only unusual version of IDs. A document states only this one.
const skipperIDs = 2

// letters returns the letters of the header. The last may be any byte.
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
	digest *runDigest // nil if the digest is not wanted

	inBody bool
	chunks int    // the number of header chunks that were written
	others []byte // other values of the header, which are written after its chunks
}

func (j *jsonWriter) beginHeader() {
	f, want := j.f, j.want.Member("header")
	if want == nil {
		return
	}
	j.raw(`"header":{"version":`)
	j.buf = strconv.AppendUint(j.buf, uint64(f.Version), 10)
	j.raw(`,"letters":`)
	j.buf = appendString(j.buf, letters(&f.Header))
	if f.RawUserData != nil && want.Member("userData") != nil {
		j.raw(`,"userData":`)
		j.buf = appendBase64(j.buf, f.RawUserData)
	}
	if j.hasChunks() {
		j.raw(`,"chunks":[`)
	}
}

// hasChunks reports whether the header's chunks are written.
func (j *jsonWriter) hasChunks() bool {
	return j.f.Version >= 6 && j.f.RawUserData == nil && j.want.Member("header").Member("chunks") != nil
}

// endHeader ends the header, if it has not ended yet.
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

// inHeader reports whether the current group is the header itself.
func (j *jsonWriter) inHeader() bool { return len(j.stack) == 1 && !j.inBody }

// aside switches between the output and the buffer of values that follow the header
// chunks.
func (j *jsonWriter) aside() {
	j.buf, j.others = j.others, j.buf
	j.held = !j.held
}

func (j *jsonWriter) Coded(name string, p any, offset, length int64) {
	direct := j.inHeader()
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
		j.buf = appendJSON(append(appendString(j.buf, v.Name), ':'), p, v.exact && j.whole)
		j.aside()
	}
}

func (j *jsonWriter) Begin(name string, p any, offset int64) {
	direct := j.inHeader()
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

// Wants skips chunks whose values are not wanted.
func (j *jsonWriter) Wants(_ string, p any) bool {
	switch p.(type) {
	case *gbx.HeaderChunk, *gbx.Chunk:
	default:
		return true
	}
	return j.digest != nil || j.emitter.open[len(j.emitter.open)-1].want.Member("values") != nil
}

var (
	_ gbx.DeepVisitor = (*jsonWriter)(nil)
	_ gbx.Chooser     = (*jsonWriter)(nil)
	_ gbx.IDVisitor   = (*jsonWriter)(nil)
)
