package desc

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// Field is one field of a descriptor as people and scripts see it.
type Field struct {
	Name   string // lower_snake_case
	Value  any    // int64 or string
	Text   string // the value in words: track, 1931-01, 448
	Unit   string // km/h, t, 1/100 Cr, or ""
	Offset int    // in the body
	Size   int    // in bytes
}

type mode int

const (
	reading mode = iota
	writing
	listing
	setting
	wrapping
)

// coder is what a layout function visits its fields with. The mode decides
// what a visit does.
type coder struct {
	mode    mode
	version Version
	unknown bool // the layout does not know this version

	r    *wire.Reader // reading
	out  []byte       // writing
	size int          // listing: bytes so far
	list []Field      // listing

	cuts []Cut // wrapping

	name, value string // setting
	found       bool   // setting

	err error
}

func newReader(body []byte, base int64, v Version) *coder {
	return &coder{mode: reading, version: v, r: wire.NewReader(body, base)}
}

func (c *coder) rest() []byte {
	if n := c.r.Len(); n > 0 {
		return c.r.Bytes(n, "rest")
	}
	return nil
}

// width is the size of an integer in a body; negative if signed.
type width int

const (
	u8  width = 1
	u16 width = 2
	u32 width = 4
	i8  width = -1
	i16 width = -2
	i32 width = -4
	i64 width = -8
)

func (w width) bytes() int {
	if w < 0 {
		return int(-w)
	}
	return int(w)
}

// bounds returns the smallest and largest value the width can hold.
func (w width) bounds() (low, high int64) {
	bits := uint(w.bytes() * 8)
	if w == i64 {
		return -1 << 63, 1<<63 - 1
	}
	if w < 0 {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// wrap returns what is left of a value in this width.
func (w width) wrap(v int64) int64 {
	if low, high := w.bounds(); v >= low && v <= high {
		return v
	}
	bits := uint(w.bytes() * 8)
	if w < 0 {
		return v << (64 - bits) >> (64 - bits)
	}
	return v & (1<<bits - 1)
}

// number is the set of a field's Go types: all are int64 underneath, because
// one field has different widths in different versions.
type number interface{ ~int64 }

// num visits an integer field.
func num[T number](c *coder, name string, w width, p *T) {
	switch c.mode {
	case reading:
		*p = T(c.get(w, name))
	case writing:
		c.put(w, name, int64(*p))
	case listing:
		text, unit := describe(*p)
		c.list = append(c.list, Field{Name: name, Value: int64(*p), Text: text, Unit: unit, Offset: c.size, Size: w.bytes()})
		c.size += w.bytes()
	case setting:
		if name == c.name {
			c.set(name, w, func(v int64) { *p = T(v) }, parseWords(*p))
		}
	case wrapping:
		if cut := w.wrap(int64(*p)); cut != int64(*p) {
			c.cuts = append(c.cuts, Cut{name, int64(*p), cut})
			*p = T(cut)
		}
	}
}

// describe renders a value with the words and the unit of its type.
func describe[T number](v T) (text, unit string) {
	if s, ok := any(v).(fmt.Stringer); ok {
		text = s.String()
	} else {
		text = strconv.FormatInt(int64(v), 10)
	}
	if u, ok := any(v).(interface{ unit() string }); ok {
		unit = u.unit()
	}
	return text, unit
}

// parseWords returns the type's own parser, if it has one.
func parseWords[T number](v T) func(string) (int64, bool) {
	if p, ok := any(v).(interface{ parse(string) (int64, bool) }); ok {
		return p.parse
	}
	return nil
}

func (c *coder) set(name string, w width, assign func(int64), words func(string) (int64, bool)) {
	c.found = true
	value := strings.TrimSpace(c.value)
	if words != nil {
		if v, ok := words(value); ok {
			assign(v)
			return
		}
	}
	v, err := strconv.ParseInt(value, 0, 64)
	if err != nil {
		c.fail(fault.New(fault.BadEntry, "%s: %q is not a number", name, c.value))
		return
	}
	if low, high := w.bounds(); v < low || v > high {
		c.fail(fault.New(fault.Limit, "%s: %d is not between %d and %d", name, v, low, high))
		return
	}
	assign(v)
}

func (c *coder) get(w width, name string) int64 {
	switch w {
	case u8:
		return int64(c.r.U8(name))
	case u16:
		return int64(c.r.U16(name))
	case u32:
		return int64(c.r.U32(name))
	case i8:
		return int64(c.r.I8(name))
	case i16:
		return int64(c.r.I16(name))
	case i32:
		return int64(c.r.I32(name))
	}
	return c.r.I64(name)
}

func (c *coder) put(w width, name string, v int64) {
	if low, high := w.bounds(); v < low || v > high {
		c.fail(fault.New(fault.Limit, "%s: %d does not fit into %d bytes", name, v, w.bytes()))
	}
	for i := range w.bytes() {
		c.out = append(c.out, byte(v>>(8*i)))
	}
}

func (c *coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// bytes visits a string of a length known from elsewhere; length is consulted
// only while reading.
func (c *coder) bytes(name string, length int, p *string) {
	switch c.mode {
	case reading:
		*p = string(c.r.Bytes(length, name))
	case writing:
		c.out = append(c.out, *p...)
	case listing:
		text := strings.TrimRight(*p, "\x00")
		c.list = append(c.list, Field{Name: name, Value: text, Text: text, Offset: c.size, Size: len(*p)})
		c.size += len(*p)
	case setting:
		if name == c.name {
			c.found = true
			c.setBytes(name, p)
		}
	}
}

// setBytes sets a string. One that ended with a NUL does so again, and one of
// four letters keeps its size: it is the type of a node.
func (c *coder) setBytes(name string, p *string) {
	switch {
	case c.value == strings.TrimRight(*p, "\x00"): // with as many NULs as it has
	case strings.ContainsRune(c.value, 0):
		c.fail(fault.New(fault.BadEntry, "%s: a name cannot hold a NUL", name))
	case name == "type":
		if len(c.value) > 4 {
			c.fail(fault.New(fault.Limit, "%s: %q has more than four letters", name, c.value))
			return
		}
		*p = c.value + "\x00\x00\x00\x00"[:4-len(c.value)]
	case strings.HasSuffix(*p, "\x00"):
		*p = c.value + "\x00"
	default:
		*p = c.value
	}
}

// remaining is the number of bytes left while reading.
func (c *coder) remaining() int {
	if c.mode == reading {
		return c.r.Len()
	}
	return 0
}

// since reports whether the version is at least v.
func (c *coder) since(v int) bool { return c.version.Standard >= v }

// ext reports whether the body is one of Simutrans-Extended.
func (c *coder) ext() bool { return c.version.IsExt }

// money is the width of a price: 64 bits since the version given.
func (c *coder) money(wide int, before width) width {
	if c.since(wide) {
		return i64
	}
	return before
}

// Fields lists d's fields in the order they have in the body.
func Fields(d Descriptor) []Field {
	h := d.head()
	c := &coder{mode: listing, version: h.Version}
	if hasWord(d) {
		c.size = 2
	}
	d.layout(c)
	if len(h.Rest) > 0 {
		text := hex.EncodeToString(h.Rest)
		c.list = append(c.list, Field{Name: "rest", Value: text, Text: text, Offset: c.size, Size: len(h.Rest)})
	}
	return c.list
}

// Set changes the field of the given name, written as a number or in the
// words Fields prints. The bytes behind the fields are called rest, in
// hexadecimal.
func Set(d Descriptor, name, value string) error {
	if name == "rest" {
		rest, err := hex.DecodeString(value)
		if err != nil {
			return fault.New(fault.BadEntry, "rest: %q is not hexadecimal", value)
		}
		d.head().Rest = rest
		return nil
	}
	c := &coder{mode: setting, version: d.head().Version, name: name, value: value}
	d.layout(c)
	if c.err == nil && !c.found {
		return fault.New(fault.BadEntry, "there is no field %q in version %d", name, d.head().Version.Standard)
	}
	return c.err
}

// Cut is a value that did not fit its field.
type Cut struct {
	Name     string
	From, To int64
}

// Wrap makes every value fit its field the way C does it, and reports which
// ones it changed.
func Wrap(d Descriptor) []Cut {
	c := &coder{mode: wrapping, version: d.head().Version}
	d.layout(c)
	return c.cuts
}
