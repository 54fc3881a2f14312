package proto

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pakbox/internal/lib/spell"
	"pakbox/metin2/internal/codepage"
)

// pages are the code pages of a table's texts.
type pages struct{ korean, locale *codepage.Page }

func (p pages) of(f *field) *codepage.Page {
	if f.locale {
		return p.locale
	}
	return p.korean
}

// raw is the text of a field up to its NUL.
func (f *field) raw(r record) []byte {
	b, _, _ := bytes.Cut(r.data[f.at:f.at+f.size], []byte{0})
	return b
}

// number is the number in a field.
func (f *field) number(r record) int64 {
	b := r.data[f.at:]
	switch f.typ {
	case u8:
		return int64(b[0])
	case i8:
		return int64(int8(b[0]))
	case u16:
		return int64(binary.LittleEndian.Uint16(b))
	case i16:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case i32:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint32(b))
}

func (f *field) setNumber(r record, n int64) {
	b := r.data[f.at:]
	switch f.size {
	case 1:
		b[0] = byte(n)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(n))
	default:
		binary.LittleEndian.PutUint32(b, uint32(n))
	}
}

// float is the number in a floating-point field.
func (f *field) float(r record) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(r.data[f.at:]))
}

// value is a field for JSON and tables: a number or a text.
func (f *field) value(r record) any {
	switch f.typ {
	case text:
		return r.pages.of(f).Text(f.raw(r))
	case opaque:
		return hex.EncodeToString(r.data[f.at : f.at+f.size])
	case f32:
		n, _ := strconv.ParseFloat(strconv.FormatFloat(float64(f.float(r)), 'g', -1, 32), 64)
		return n
	}
	return f.number(r)
}

// text is a field as text for people and CSV, with words if the field has them.
func (f *field) text(r record) string {
	switch {
	case f.words != nil:
		return r.vocabulary(f).text(f.number(r))
	case f.typ == f32:
		return strconv.FormatFloat(float64(f.float(r)), 'g', -1, 32)
	}
	return fmt.Sprint(f.value(r))
}

// limits are the smallest and largest number of each type.
var limits = map[fieldType][2]int64{
	u8: {0, math.MaxUint8}, i8: {math.MinInt8, math.MaxInt8}, u16: {0, math.MaxUint16}, i16: {math.MinInt16, math.MaxInt16},
	u32: {0, math.MaxUint32}, i32: {math.MinInt32, math.MaxInt32},
}

// set sets a field from text. The error lists the valid values.
func (f *field) set(r record, value string) error {
	switch f.typ {
	case text:
		raw, err := r.pages.of(f).Bytes(value)
		if err != nil {
			return err
		}
		return f.setRaw(r, raw)
	case opaque:
		b, err := hex.DecodeString(value)
		if err != nil || len(b) != f.size {
			return fmt.Errorf("expected %d hexadecimal digits", 2*f.size)
		}
		copy(r.data[f.at:], b)
		return nil
	case f32:
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 32)
		if err != nil {
			return fmt.Errorf("%q is not a number", value)
		}
		f.setNumber(r, int64(math.Float32bits(float32(n))))
		return nil
	}
	n, err := f.parse(r, strings.TrimSpace(value))
	if err != nil {
		return err
	}
	f.setNumber(r, n)
	return nil
}

func (f *field) setRaw(r record, raw []byte) error {
	if len(raw) >= f.size || bytes.IndexByte(raw, 0) >= 0 {
		return fmt.Errorf("the text has %d bytes, the field holds %d", len(raw), f.size-1)
	}
	clear(r.data[f.at : f.at+f.size])
	copy(r.data[f.at:], raw)
	return nil
}

// parse reads a number, or the word for one.
func (f *field) parse(r record, value string) (int64, error) {
	n, err := parseInt(value)
	if err == nil {
		if l := limits[f.typ]; n < l[0] || n > l[1] {
			return 0, fmt.Errorf("%d is not from %d to %d", n, l[0], l[1])
		}
		return n, nil
	}
	if f.words == nil {
		return 0, fmt.Errorf("%q is not a number", value)
	}
	n, unknown := r.word(f, value)
	if len(unknown) > 0 {
		var meant string
		if near := spell.Near(unknown[0], r.vocabulary(f).words, 1); len(near) > 0 {
			meant = " (did you mean " + near[0] + "?)"
		}
		return 0, fmt.Errorf("%q is neither a number nor a word of %s%s", unknown[0], f.name, meant)
	}
	return n, nil
}

// parseInt reads a number, decimal or hexadecimal with 0x.
func parseInt(text string) (int64, error) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		return strconv.ParseInt(digits, 16, 64)
	}
	return strconv.ParseInt(text, 10, 64)
}

// vocabulary returns the words of a field in this record. The words of a subtype depend
// on the type.
func (r record) vocabulary(f *field) *vocabulary {
	if f.words != subtypes {
		return f.words
	}
	if typ, ok := r.layout.field("type"); ok {
		if v := subtypesOf()[typ.text(r)]; v != nil {
			return v
		}
	}
	return subtypes
}

// word returns the number for a word or a set of words, and lists the unknown words.
func (r record) word(f *field, value string) (n int64, unknown []string) {
	v := r.vocabulary(f)
	switch {
	case v.bits:
		return v.set(value)
	case value == "" && v.first > 0:
		return 0, nil
	}
	n, ok := v.number(value)
	if !ok && f.words == subtypes {
		n, ok = anySubtype(value)
	}
	if !ok {
		return 0, []string{value}
	}
	return n, nil
}
