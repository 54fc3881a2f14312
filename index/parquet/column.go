package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/klauspost/compress/zstd"

	"pakbox/fact"
	"pakbox/index"
)

// Numbers of physical types, encodings and page types in parquet.thrift:
// github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
const (
	physicalBoolean = 0
	physicalInt32   = 1
	physicalInt64   = 2
	physicalDouble  = 5
	physicalBytes   = 6
	physicalFixed   = 7

	encodingPlain      = 0
	encodingRLE        = 3
	encodingDictionary = 8

	pageData       = 0
	pageDictionary = 2
)

// A page is full when it has pageRows values or pageBytes bytes. A dictionary of more
// than maxDictionary bytes takes no more values.
const (
	pageRows      = 20_000
	pageBytes     = 1 << 20
	maxDictionary = 1 << 20
)

// column collects the values of one column, and makes pages of them.
type column struct {
	index.Column
	physical       int
	maxRep, maxDef byte

	// The page that is being filled: levels, values other than null, and their numbers in
	// the dictionary.
	rep, def []byte
	plain    []byte
	flags    []byte // booleans, one byte each before they are packed
	ids      []uint32

	dictionary map[string]uint32 // nil if the column has no dictionary
	words      []byte            // bytes of the dictionary page
	closed     bool              // the dictionary is full

	chunk chunk
	pages bytes.Buffer // finished pages
}

// chunk has the numbers about a column of a row group, for the footer.
type chunk struct {
	values, nulls    int64
	raw, stored      int64 // bytes of all pages with headers, before and after compression
	offset           int64 // offset of the first data page
	dictionaryOffset int64
	dictionaryPages  bool
	low, high        int64 // smallest and largest integer, if there are any
}

func newColumn(c index.Column) *column {
	out := &column{Column: c}
	switch c.Type {
	case index.Boolean:
		out.physical = physicalBoolean
	case Small:
		out.physical = physicalInt32
	case index.Real:
		out.physical = physicalDouble
	case index.Text, Raw:
		out.physical = physicalBytes
	case index.Bytes:
		out.physical = physicalFixed
	default:
		out.physical = physicalInt64
	}
	switch {
	case c.Type == index.Integers:
		out.maxRep, out.maxDef = 1, 2
	case c.Null:
		out.maxDef = 1
	}
	out.reset()
	return out
}

// reset starts a new row group.
func (c *column) reset() {
	c.chunk = chunk{}
	c.pages.Reset()
	c.words, c.dictionary, c.closed = c.words[:0], nil, false
	switch c.Type {
	case index.Text, index.Bytes, index.Integer, Small:
		c.dictionary = map[string]uint32{}
	}
}

// moment reports whether the column holds times since 1970.
func (c *column) moment() bool { return c.Fact != nil && c.Kind == fact.Moment }

// add adds the value of a row.
func (c *column) add(x any) {
	list, isList := x.([]*int64)
	switch {
	case isList && len(list) == 0, x == nil:
		c.level(0, 0)
	case isList:
		// The definition level of an element is 1 for a null and 2 for a number. The
		// repetition level is 1 for every element of a list but the first.
		for i, n := range list {
			if n == nil {
				c.level(byte(min(i, 1)), 1)
				continue
			}
			c.level(byte(min(i, 1)), 2)
			c.value(*n)
		}
	default:
		c.level(0, c.maxDef)
		c.value(x)
	}
}

// level adds the levels of a value that may be null.
func (c *column) level(rep, def byte) {
	c.chunk.values++
	if def < c.maxDef {
		c.chunk.nulls++
	}
	c.rep, c.def = append(c.rep, rep), append(c.def, def)
}

// value adds a value in the encoding PLAIN.
func (c *column) value(x any) {
	start := len(c.plain)
	switch v := x.(type) {
	case int64:
		if c.chunk.values-c.chunk.nulls == 1 {
			c.chunk.low, c.chunk.high = v, v
		}
		c.chunk.low, c.chunk.high = min(c.chunk.low, v), max(c.chunk.high, v)
		c.plain = c.appendInteger(c.plain, v)
	case float64:
		c.plain = binary.LittleEndian.AppendUint64(c.plain, math.Float64bits(v))
	case bool:
		b := byte(0)
		if v {
			b = 1
		}
		c.flags = append(c.flags, b)
		return
	case string:
		c.plain = append(binary.LittleEndian.AppendUint32(c.plain, uint32(len(v))), v...)
	case []byte:
		if c.physical == physicalBytes {
			c.plain = binary.LittleEndian.AppendUint32(c.plain, uint32(len(v)))
		}
		c.plain = append(c.plain, v...)
	}
	value := c.plain[start:]
	if c.dictionary == nil || c.closed {
		return
	}
	id, known := c.dictionary[string(value)]
	if !known {
		if len(c.words) >= maxDictionary {
			c.closed = true
			return
		}
		id = uint32(len(c.dictionary))
		c.dictionary[string(value)] = id
		c.words = append(c.words, value...)
	}
	c.ids = append(c.ids, id)
}

func (c *column) appendInteger(b []byte, v int64) []byte {
	if c.physical == physicalInt32 {
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return binary.LittleEndian.AppendUint64(b, uint64(v))
}

// full reports whether the page is full.
func (c *column) full() bool { return len(c.def) >= pageRows || len(c.plain) >= pageBytes }

// endPage makes a page of the added values. The page has numbers in the dictionary, if
// values occur more than twice on average in the first page of the group.
func (c *column) endPage(z *zstd.Encoder) {
	n := len(c.def)
	if n == 0 {
		return
	}
	if c.pages.Len() == 0 && 2*len(c.dictionary) >= len(c.ids) {
		c.dictionary = nil
	}
	var body []byte
	for _, levels := range []struct {
		list []byte
		most byte
	}{{c.rep, c.maxRep}, {c.def, c.maxDef}} {
		if levels.most > 0 {
			packed := hybrid(nil, levels.list, bits.Len8(levels.most))
			body = append(binary.LittleEndian.AppendUint32(body, uint32(len(packed))), packed...)
		}
	}
	encoding := encodingPlain
	switch {
	case c.physical == physicalBoolean:
		body = pack(body, c.flags, 1)
	case c.dictionary != nil && !c.closed:
		encoding, c.chunk.dictionaryPages = encodingDictionary, true
		width := bits.Len(uint(len(c.dictionary) - 1))
		body = hybrid(append(body, byte(width)), c.ids, width)
	default:
		body = append(body, c.plain...)
	}
	c.pages.Write(c.page(z, pageData, n, encoding, body))
	c.rep, c.def, c.plain, c.flags, c.ids = c.rep[:0], c.def[:0], c.plain[:0], c.flags[:0], c.ids[:0]
}

// page returns a page with its header.
func (c *column) page(z *zstd.Encoder, kind, values, encoding int, body []byte) []byte {
	packed := z.EncodeAll(body, nil)
	var t thrift
	t.structure(func() {
		t.int32(1, kind)
		t.int32(2, len(body))
		t.int32(3, len(packed))
		header := int16(5)
		if kind == pageDictionary {
			header = 7
		}
		t.inner(header, func() {
			t.int32(1, values)
			t.int32(2, encoding)
			if kind == pageData {
				t.int32(3, encodingRLE)
				t.int32(4, encodingRLE)
			}
		})
	})
	c.chunk.raw += int64(len(t.b) + len(body))
	c.chunk.stored += int64(len(t.b) + len(packed))
	return append(t.b, packed...)
}

// end returns all pages of the group. offset is where they begin in the file.
func (c *column) end(z *zstd.Encoder, offset int64) (pages []byte, described chunk) {
	c.endPage(z)
	if c.chunk.dictionaryPages {
		pages = c.page(z, pageDictionary, len(c.dictionary), encodingPlain, c.words)
		c.chunk.dictionaryOffset = offset
	}
	c.chunk.offset = offset + int64(len(pages))
	pages = append(pages, c.pages.Bytes()...)
	described = c.chunk
	c.reset()
	return pages, described
}

// hybrid appends values of width bits in Parquet's encoding RLE: runs of equal values,
// and packed groups of eight.
func hybrid[T byte | uint32](b []byte, values []T, width int) []byte {
	for len(values) > 0 {
		n := run(values)
		if n >= 8 || n == len(values) {
			b = binary.AppendUvarint(b, uint64(n)<<1)
			for shift := 0; shift < width; shift += 8 {
				b = append(b, byte(uint32(values[0])>>shift))
			}
			values = values[n:]
			continue
		}
		for n = 8; n < len(values) && run(values[n:]) < 8; n += 8 {
		}
		n = min(n, len(values))
		b = pack(binary.AppendUvarint(b, uint64(n+7)/8<<1|1), values[:n], width)
		values = values[n:]
	}
	return b
}

// run counts the equal values at the beginning.
func run[T comparable](values []T) int {
	n := 1
	for n < len(values) && values[n] == values[0] {
		n++
	}
	return n
}

// pack appends values of width bits, the lowest bit first, in whole groups of eight.
func pack[T byte | uint32](b []byte, values []T, width int) []byte {
	start := len(b)
	b = append(b, make([]byte, (len(values)+7)/8*width)...)
	for i, v := range values {
		at := i * width
		for rest := uint64(v) << (at % 8); rest > 0; rest >>= 8 {
			b[start+at/8] |= byte(rest)
			at += 8
		}
	}
	return b
}
