// Package npy writes NumPy's file format, version 1.0 (NumPy Enhancement Proposal
// 1), with rows as records of named columns: a["speed_m_s"].
package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

const (
	magic     = "\x93NUMPY\x01\x00"
	alignment = 64
)

// Column is a column: its name, and NumPy's title, which is a unique line without quotes,
// or "".
type Column struct{ Name, Title string }

// Write writes rows of 64-bit floats. next returns one row after the other.
func Write(w io.Writer, columns []Column, rows int, next func() []float64) error {
	header := magic + "\x00\x00" + dictionary(columns, rows)
	for (len(header)+1)%alignment != 0 {
		header += " "
	}
	out := []byte(header + "\n")
	size := len(out) - len(magic) - 2
	if size > math.MaxUint16 {
		return fmt.Errorf("npy: a header of %d bytes", size)
	}
	binary.LittleEndian.PutUint16(out[len(magic):], uint16(size))
	if _, err := w.Write(out); err != nil {
		return err
	}
	row := make([]byte, 0, 8*len(columns))
	for range rows {
		row = row[:0]
		for _, v := range next() {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		if len(row) != 8*len(columns) {
			return fmt.Errorf("npy: a row of %d values under %d columns", len(row)/8, len(columns))
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// dictionary makes the header's Python source.
func dictionary(columns []Column, rows int) string {
	fields := make([]string, len(columns))
	for i, c := range columns {
		name := "'" + c.Name + "'"
		if c.Title != "" {
			name = "('" + c.Title + "', " + name + ")"
		}
		fields[i] = "(" + name + ", '<f8')"
	}
	return "{'descr': [" + strings.Join(fields, ", ") + "], 'fortran_order': False, 'shape': (" + fmt.Sprint(rows) + ",), }"
}
