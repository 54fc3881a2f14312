package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/peer"
)

func sample(t *testing.T) []byte {
	t.Helper()
	rows := [][]float64{{0, 1.5}, {0.1, math.NaN()}, {-2, 1e300}}
	var b bytes.Buffer
	i := -1
	err := Write(&b, []Column{{Name: "time_s", Title: "s, measured: time"}, {Name: "x_m"}}, len(rows), func() []float64 { i++; return rows[i] })
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The bytes are those that the format's description asks for.
func TestLayout(t *testing.T) {
	b := sample(t)
	if !bytes.HasPrefix(b, []byte("\x93NUMPY\x01\x00")) {
		t.Fatalf("begins with %q", b[:8])
	}
	n := int(binary.LittleEndian.Uint16(b[8:]))
	if (10+n)%64 != 0 || b[10+n-1] != '\n' {
		t.Errorf("a header of %d bytes", n)
	}
	want := "{'descr': [(('s, measured: time', 'time_s'), '<f8'), ('x_m', '<f8')], 'fortran_order': False, 'shape': (3,), }"
	if got := strings.TrimRight(string(b[10:10+n]), " \n"); got != want {
		t.Errorf("header %s, want %s", got, want)
	}
	data := b[10+n:]
	if len(data) != 3*2*8 {
		t.Fatalf("%d bytes of data", len(data))
	}
	if v := math.Float64frombits(binary.LittleEndian.Uint64(data[16:])); v != 0.1 {
		t.Errorf("second row begins with %g", v)
	}
}

func TestWrongRow(t *testing.T) {
	err := Write(new(bytes.Buffer), []Column{{Name: "a"}, {Name: "b"}}, 1, func() []float64 { return []float64{1} })
	if err == nil || err.Error() != "npy: a row of 1 values under 2 columns" {
		t.Errorf("a short row: %v", err)
	}
}

// Version 1.0 has two bytes for the length of the header.
func TestLongHeader(t *testing.T) {
	for length, fits := range map[int]bool{60_000: true, 65_000: true, 66_000: false} {
		var b bytes.Buffer
		err := Write(&b, []Column{{Name: strings.Repeat("n", length)}}, 0, nil)
		if (err == nil) != fits {
			t.Errorf("a name of %d bytes: %v", length, err)
		}
		if fits && int(binary.LittleEndian.Uint16(b.Bytes()[8:]))+10 != b.Len() {
			t.Errorf("the header of %d bytes declares %d", b.Len(), binary.LittleEndian.Uint16(b.Bytes()[8:]))
		}
	}
}

// room takes so many bytes, as a disk does.
type room int

func (r *room) Write(p []byte) (int, error) {
	if *r -= room(len(p)); *r < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var errFull = errors.New("full")

func TestFullDisk(t *testing.T) {
	whole := len(sample(t))
	for size := range whole + 1 {
		r := room(size)
		err := Write(&r, []Column{{Name: "time_s", Title: "s, measured: time"}, {Name: "x_m"}}, 3, func() []float64 { return []float64{1, 2} })
		if (err == nil) != (size == whole) || err != nil && err != errFull {
			t.Fatalf("room for %d of %d bytes: %v", size, whole, err)
		}
	}
}

// NumPy reads the file.
func TestNumPy(t *testing.T) {
	python := peer.Python(t, "numpy")
	file := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(file, sample(t), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", `
import numpy, sys
a = numpy.load(sys.argv[1])
print(a.dtype.names, a.shape, a["time_s"].tolist(), a["x_m"].tolist())`, file).CombinedOutput()
	if want := "('time_s', 'x_m') (3,) [0.0, 0.1, -2.0] [1.5, nan, 1e+300]"; err != nil || strings.TrimSpace(string(out)) != want {
		t.Errorf("%s, %v; want %s", out, err, want)
	}
}
