package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// What is read back with another implementation is in the module oracle; this
// looks at the frame.
func TestFrame(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, "test", []Column{{"a", Int32}, {"b", Double}})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]Values{
		{{Ints: []int32{1}}},
		{{Ints: []int32{1}}, {Doubles: []float64{1, 2}}},
	} {
		if w.WriteGroup(bad) == nil {
			t.Errorf("%v is written", bad)
		}
	}
	b.Reset()
	if w, err = NewWriter(&b, "test", w.columns); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteGroup([]Values{{Ints: []int32{1, 2}}, {Doubles: []float64{1, math.NaN()}}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	if string(data[:4]) != magic || string(data[len(data)-4:]) != magic {
		t.Error("no magic at both ends")
	}
	size := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	footer := data[len(data)-8-size : len(data)-8]
	if footer[0] != 1<<4|typeI32 || footer[len(footer)-1] != 0 || !bytes.Contains(footer, []byte("\x04test")) {
		t.Errorf("footer % x", footer)
	}
}

func TestDefinitions(t *testing.T) {
	nan := math.NaN()
	got := definitions([]float64{1, 2, nan, nan, nan, 3})
	if want := []byte{4, 1, 6, 0, 2, 1}; !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
}
