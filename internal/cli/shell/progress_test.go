package shell

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
)

// steps remembers how progress moves.
type steps struct {
	total int64
	moves []int64
}

func (s *steps) Begin(n int64)   { s.total += n }
func (s *steps) Advance(n int64) { s.moves = append(s.moves, n) }

// Progress moves while a file is read, not only when it is done, and an item that
// is read twice counts once.
func TestCountReading(t *testing.T) {
	const size = 1 << 20
	item := archive.Item{Name: "large", Size: size, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(make([]byte, size))), nil
	}}
	p := new(steps)
	opts := archive.CreateOptions{Options: archive.Options{Progress: p}}
	items := CountReading([]archive.Item{item}, &opts)
	for range 2 {
		f, err := items[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, f, make([]byte, size/8)); err != nil {
			t.Fatal(err)
		}
		opts.Progress.Advance(size) // as formats do
	}
	var sum int64
	for _, n := range p.moves {
		sum += n
	}
	if len(p.moves) != 8 || sum != size {
		t.Errorf("it moved %d times, by %d of %d", len(p.moves), sum, size)
	}
}

// Where nobody counts bytes, the line says how long it has taken.
func TestMeterWithoutBytes(t *testing.T) {
	if line := meterLine("asking 3 of 7 files", 0, 0, 12*time.Second); line != "asking 3 of 7 files  12 s" || strings.Contains(line, "bytes") {
		t.Errorf("%q", line)
	}
}
