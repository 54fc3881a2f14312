// Package parquet writes Apache Parquet files: tables by column, which data
// tools read without being told what is in them. It writes the plainest form
// that the format allows (github.com/apache/parquet-format): flat columns,
// plain encoding, one page a column and row group, compressed with Zstandard.
// The library that could do it would triple the size of the program.
package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// Kind is what a column holds.
type Kind int

// Kinds of columns. A Double that is not a number is stored as null.
const (
	Int32 Kind = iota
	Double
	Text
)

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Values are the rows of one column; the field of its kind is set.
type Values struct {
	Ints    []int32
	Doubles []float64
	Texts   []string
}

func (v *Values) len(k Kind) int {
	switch k {
	case Int32:
		return len(v.Ints)
	case Double:
		return len(v.Doubles)
	}
	return len(v.Texts)
}

// Numbers that the format gives to what is used here.
const (
	magic            = "PAR1"
	physicalInt32    = 1
	physicalDouble   = 5
	physicalBytes    = 6
	required         = 0
	optional         = 1
	convertedUTF8    = 0
	encodingPlain    = 0
	encodingRLE      = 3
	codecZstd        = 6
	pageData         = 0
	formatVersion    = 1
	schemaRoot       = "schema"
	maxPage          = math.MaxInt32
	bitWidthOptional = 1
)

func (c Column) physical() int32 {
	return [...]int32{physicalInt32, physicalDouble, physicalBytes}[c.Kind]
}

func (c Column) repetition() int32 {
	if c.Kind == Double {
		return optional
	}
	return required
}

// chunk is a column of a row group, as the footer lists it.
type chunk struct {
	offset, values, plain, packed int64
}

type rowGroup struct {
	chunks []chunk
	rows   int64
}

// Writer writes a file. It must be closed.
type Writer struct {
	w       io.Writer
	columns []Column
	at      int64
	groups  []rowGroup
	packer  *zstd.Encoder
	creator string
}

// NewWriter begins a file with these columns. Creator is the program's name
// as the file tells it.
func NewWriter(w io.Writer, creator string, columns []Column) (*Writer, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	p := &Writer{w: w, columns: columns, packer: packer, creator: creator}
	return p, p.write([]byte(magic))
}

func (p *Writer) write(b []byte) error {
	n, err := p.w.Write(b)
	p.at += int64(n)
	return err
}

// WriteGroup writes rows, with the values of each column. A file can have any
// number of such groups; readers take them one at a time.
func (p *Writer) WriteGroup(values []Values) error {
	if len(values) != len(p.columns) {
		return fmt.Errorf("parquet: values for %d of %d columns", len(values), len(p.columns))
	}
	rows := values[0].len(p.columns[0].Kind)
	g := rowGroup{rows: int64(rows)}
	for i, c := range p.columns {
		if n := values[i].len(c.Kind); n != rows {
			return fmt.Errorf("parquet: %d values of %s in %d rows", n, c.Name, rows)
		}
		made, err := p.page(c, &values[i], rows)
		if err != nil {
			return err
		}
		g.chunks = append(g.chunks, made)
	}
	p.groups = append(p.groups, g)
	return nil
}

// page writes the one page of a column.
func (p *Writer) page(c Column, v *Values, rows int) (chunk, error) {
	plain := content(c, v)
	packed := p.packer.EncodeAll(plain, nil)
	if len(plain) > maxPage || len(packed) > maxPage {
		return chunk{}, fmt.Errorf("parquet: %d bytes of %s in one group", len(plain), c.Name)
	}
	var t thrift
	t.begin()
	t.i32(1, pageData)
	t.i32(2, int32(len(plain)))
	t.i32(3, int32(len(packed)))
	t.structure(5)
	t.i32(1, int32(rows))
	t.i32(2, encodingPlain)
	t.i32(3, encodingRLE) // of definition levels
	t.i32(4, encodingRLE) // of repetition levels, of which there are none
	t.end()
	t.end()
	made := chunk{offset: p.at, values: int64(rows), plain: int64(len(t.out) + len(plain)), packed: int64(len(t.out) + len(packed))}
	if err := p.write(t.out); err != nil {
		return made, err
	}
	return made, p.write(packed)
}

// content is a page before compression: which values are there, if some may
// not be, and the values that are.
func content(c Column, v *Values) []byte {
	var out []byte
	switch c.Kind {
	case Int32:
		for _, n := range v.Ints {
			out = binary.LittleEndian.AppendUint32(out, uint32(n))
		}
	case Double:
		levels := definitions(v.Doubles)
		out = append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
		for _, f := range v.Doubles {
			if !math.IsNaN(f) {
				out = binary.LittleEndian.AppendUint64(out, math.Float64bits(f))
			}
		}
	case Text:
		for _, s := range v.Texts {
			out = append(binary.LittleEndian.AppendUint32(out, uint32(len(s))), s...)
		}
	}
	return out
}

// definitions tells in runs which values are there: twice the length of the
// run, then a byte with 1 for values and 0 for nulls.
func definitions(values []float64) []byte {
	var out []byte
	for i := 0; i < len(values); {
		null, n := math.IsNaN(values[i]), 0
		for i < len(values) && math.IsNaN(values[i]) == null {
			i, n = i+1, n+1
		}
		out = binary.AppendUvarint(out, uint64(n)<<bitWidthOptional)
		if null {
			out = append(out, 0)
		} else {
			out = append(out, 1)
		}
	}
	return out
}

// Close writes the footer, which tells what is where.
func (p *Writer) Close() error {
	var t thrift
	p.footer(&t)
	footer := binary.LittleEndian.AppendUint32(t.out, uint32(len(t.out)))
	return p.write(append(footer, magic...))
}

func (p *Writer) footer(t *thrift) {
	var rows int64
	for _, g := range p.groups {
		rows += g.rows
	}
	t.begin()
	t.i32(1, formatVersion)
	t.list(2, 1+len(p.columns), typeStruct)
	t.begin()
	t.text(4, schemaRoot)
	t.i32(5, int32(len(p.columns)))
	t.end()
	for _, c := range p.columns {
		t.begin()
		t.i32(1, c.physical())
		t.i32(3, c.repetition())
		t.text(4, c.Name)
		if c.Kind == Text {
			t.i32(6, convertedUTF8)
		}
		t.end()
	}
	t.i64(3, rows)
	t.list(4, len(p.groups), typeStruct)
	for _, g := range p.groups {
		p.group(t, g)
	}
	t.text(6, p.creator)
	t.end()
}

func (p *Writer) group(t *thrift, g rowGroup) {
	var size int64
	t.begin()
	t.list(1, len(g.chunks), typeStruct)
	for i, c := range g.chunks {
		size += c.plain
		t.begin()
		t.i64(2, c.offset)
		t.structure(3)
		t.i32(1, p.columns[i].physical())
		t.list(2, 2, typeI32)
		t.zigzag(encodingPlain)
		t.zigzag(encodingRLE)
		t.list(3, 1, typeBinary)
		t.bytes(p.columns[i].Name)
		t.i32(4, codecZstd)
		t.i64(5, c.values)
		t.i64(6, c.plain)
		t.i64(7, c.packed)
		t.i64(9, c.offset)
		t.end()
		t.end()
	}
	t.i64(2, size)
	t.i64(3, g.rows)
	t.end()
}
