package tree

import (
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
)

// ReadJSON makes a file from a document of [WriteJSON], perhaps changed.
func ReadJSON(data []byte, reg *gbx.Registry) (*gbx.File, error) {
	d, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	f := new(gbx.File)
	if err := readFrame(f, d); err != nil {
		return nil, err
	}
	s := &source{body: d.member("body")}
	s.push("header", d.member("header"))
	if err := f.Build(s, int64(len(data)), reg); err != nil {
		return nil, err
	}
	if s.evidence {
		if err := sameRuns(f, d); err != nil {
			return nil, err
		}
	}
	if packed := d.member("compressedBody"); packed != nil && f.IsCompressed() {
		b, err := packed.bytes()
		if err != nil {
			return nil, wrong("compressedBody", err)
		}
		if err := f.ReuseBody(b); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func sameRuns(f *gbx.File, d *node) error {
	now, err := recordedRuns(f)
	if err != nil {
		return err
	}
	if runs := d.member("recordedRuns"); runs == nil || runs.text != now {
		return fault.New(fault.Unsupported, "the document holds a replay or ghost that was changed: a recorded run is evidence, and pakbox does not alter it")
	}
	return nil
}

func wrong(path string, err error) error {
	return &fault.Error{Kind: fault.Corrupt, Offset: fault.NoOffset, Field: path, Message: err.Error()}
}

// readFrame reads the values outside of header chunks and nodes.
func readFrame(f *gbx.File, d *node) error {
	h := d.member("header")
	if h == nil || d.member("body") == nil {
		return fault.New(fault.NotFormat, "the document has no header and body; 'dump --json' writes documents that have them")
	}
	for _, m := range []struct {
		name string
		of   *node
		p    any
	}{
		{"version", h, &f.Version},
		{"userData", h, &f.RawUserData},
		{"idVersion", d, &f.IDVersion},
		{"rest", d, &f.Rest},
		{"trailer", d, &f.Trailer},
	} {
		if v := m.of.member(m.name); v != nil {
			if err := assign(m.p, v); err != nil {
				return wrong(m.name, err)
			}
		}
	}
	if f.Version < 3 || f.Version > 6 {
		return fault.New(fault.BadHeader, "the version of the header is missing, or is not one of 3 to 6")
	}
	return readLetters(&f.Header, h.member("letters"))
}

func readLetters(h *gbx.Header, d *node) error {
	var text []rune
	if d != nil && d.kind == jsonString {
		text = []rune(d.text)
	}
	if len(text) == 4 && text[3] <= 0xFF {
		h.Unknown, text = byte(text[3]), text[:3]
	}
	switch string(text) {
	case "BUU", "BUC", "TUU":
		h.Format, h.RefCompression, h.BodyCompression = byte(text[0]), byte(text[1]), byte(text[2])
		return nil
	}
	return fault.New(fault.BadHeader, "the letters of the header are missing, or are not like BUCR")
}

// source supplies the values of a document; see [gbx.Source].
type source struct {
	body  *node
	stack []open
	err   error

	evidence bool // the document contains a replay or ghost
}

// open is an open group.
type open struct {
	name  string
	d     *node  // nil if the document has no such group
	taken []bool // which members were used
	next  int    // the member that is expected next
	chunk int    // number of chunks used so far
}

func (s *source) push(name string, d *node) {
	o := open{name: name, d: d}
	if d != nil && d.kind == jsonObject {
		o.taken = make([]bool, len(d.keys))
	}
	s.stack = append(s.stack, o)
}

func (s *source) top() *open { return &s.stack[len(s.stack)-1] }

// Err returns the first error.
func (s *source) Err() error { return s.err }

// Path returns the path of the current group.
func (s *source) Path() string {
	var path strings.Builder
	for _, o := range s.stack {
		if path.Len() > 0 && o.name != "" && !strings.HasPrefix(o.name, "[") {
			path.WriteByte('.')
		}
		path.WriteString(o.name)
	}
	return path.String()
}

func (s *source) fail(name, message string) {
	if s.err == nil {
		s.err = &fault.Error{Kind: fault.Corrupt, Offset: fault.NoOffset, Field: s.Path() + separator(name) + name, Message: message}
	}
}

// take returns the next unused member with a name.
func (o *open) take(name string) *node {
	switch {
	case o.d == nil:
	case o.d.kind == jsonArray:
		i, err := strconv.Atoi(strings.Trim(name, "[]"))
		if err == nil && i >= 0 && i < len(o.d.items) {
			return o.d.items[i]
		}
	case o.d.kind == jsonObject:
		// Members are usually in the expected order.
		for k := range o.d.keys {
			i := (o.next + k) % len(o.d.keys)
			if !o.taken[i] && base(o.d.keys[i]) == name {
				o.taken[i], o.next = true, i+1
				return o.d.items[i]
			}
		}
	}
	return nil
}

// Value sets a value from the document.
func (s *source) Value(name string, p any) {
	if s.err != nil {
		return
	}
	d := s.top().take(name)
	if d == nil {
		s.fail(name, "is missing")
		return
	}
	if err := assign(p, d); err != nil {
		s.fail(name, err.Error())
	}
}

// Coded does nothing: a source has no offsets.
func (s *source) Coded(string, any, int64, int64) {}

// Begin opens a group and sets its own fields; see [gbx.Source].
func (s *source) Begin(name string, p any, _ int64) {
	if s.err != nil {
		s.push(name, nil)
		return
	}
	switch p := p.(type) {
	case *gbx.Node:
		s.beginNode(p)
	case *gbx.Chunk:
		d := s.nextChunk()
		s.chunk(d, &p.ID, &p.Body)
		skip := d.member("skip")
		p.Skip = skip != nil && skip.text == "true"
	case *gbx.HeaderChunk:
		d := s.nextChunk()
		s.chunk(d, &p.ID, &p.Body)
		heavy := d.member("heavy")
		p.Heavy = heavy != nil && heavy.text == "true"
		p.IDVersion = idVersion(d)
	default:
		d := s.top().take(name)
		if d == nil {
			s.fail(name, "is missing")
		}
		s.push(name, d)
		switch p := p.(type) {
		case *gbx.Ref:
			s.ref(p, d)
		case *gbx.Encapsulation:
			p.IDVersion = idVersion(d)
		}
	}
}

func idVersion(d *node) uint32 {
	if v := d.member("idVersion"); v != nil && v.text == "2" {
		return skipperIDs
	}
	return 0
}

// ref sets a reference. If the document has the content of the node, Begin of the node
// follows.
func (s *source) ref(p *gbx.Ref, d *node) {
	if d == nil || d.kind == jsonNull {
		return
	}
	if i := d.member("index"); i != nil {
		var index uint32
		if err := assign(&index, i); err != nil {
			s.fail("index", err.Error())
			return
		}
		*p = gbx.IndexRef(index)
	}
	if d.member("class") != nil {
		p.Node = new(gbx.Node)
	}
}

func (s *source) beginNode(n *gbx.Node) {
	d, name := s.top().d, ""
	if len(s.stack) == 1 { // the main node follows the header
		d, name = s.body, "body"
		s.stack[0].name = ""
	}
	s.push(name, d)
	class := d.member("class")
	if class == nil {
		s.fail("class", "is missing")
		return
	}
	id, err := parseID(class)
	if err != nil {
		s.fail("class", err.Error())
		return
	}
	n.Class = id
	s.evidence = s.evidence || isEvidence(id)
	if tail := d.member("tail"); tail != nil {
		n.Tail = s.opaque(tail)
	}
}

// chunks returns the list of chunks of the current node or of the header.
func (s *source) chunks() *node {
	if list := s.top().d.member("chunks"); list != nil {
		return list
	}
	return &node{}
}

func (s *source) nextChunk() *node {
	o := s.top()
	o.chunk++
	return s.chunks().items[o.chunk-1] // exists, because Len has given the number of chunks
}

func (s *source) chunk(d *node, id any, body *gbx.Body) {
	name := ""
	if c := d.member("chunk"); c != nil {
		name = c.text
		if err := assign(id, c); err != nil {
			s.fail("chunk", err.Error())
		}
	} else {
		s.fail("chunk", "is missing")
	}
	if o := d.member("opaque"); o != nil {
		*body = s.opaque(o)
	}
	s.push(name, d.member("values"))
}

func (s *source) opaque(d *node) *gbx.Opaque {
	b, err := d.bytes()
	if err != nil {
		s.fail("opaque", err.Error())
	}
	o := &gbx.Opaque{Bytes: b}
	if r := d.member("reason"); r != nil {
		o.Reason = r.text
	}
	return o
}

// End closes the group that was opened last.
func (s *source) End(int64) { s.stack = s.stack[:len(s.stack)-1] }

// Len returns the number of elements of a list.
func (s *source) Len(name string) int {
	if s.err != nil {
		return 0
	}
	if name == "chunk" || name == "header" {
		return len(s.chunks().items)
	}
	for i := len(s.stack) - 1; i >= 0; i-- {
		if o := s.stack[i]; o.name == name && o.d != nil && o.d.kind == jsonArray {
			return len(o.d.items)
		}
	}
	if d := s.top().d.member(name); d != nil && d.kind == jsonArray {
		return len(d.items)
	}
	return 0
}

// Has reports whether the current group has a value.
func (s *source) Has(name string) bool { return s.err == nil && s.top().d.member(name) != nil }
