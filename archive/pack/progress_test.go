package pack

import (
	"bytes"
	"io"
	"strings"
	"testing"

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

// The steps of a format are hidden while its items are read; without a meter
// nothing is counted; errors of opening are returned unchanged.
func TestReadingIsNotCountedTwice(t *testing.T) {
	item := archive.Item{Name: "x", Size: 3, Open: func() (io.ReadCloser, error) { return nil, io.ErrUnexpectedEOF }}
	opts := archive.CreateOptions{}
	if CountReading([]archive.Item{item}, &opts); opts.Progress != nil {
		t.Error("there is a progress")
	}
	p := new(steps)
	opts.Progress = p
	if _, err := CountReading([]archive.Item{item}, &opts)[0].Open(); err != io.ErrUnexpectedEOF {
		t.Errorf("err = %v; want io.ErrUnexpectedEOF", err)
	}
	item.Open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("12345")), nil } // longer than it should be
	f, err := counted([]archive.Item{item}, p)[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(f); err != nil || len(p.moves) != 1 || p.moves[0] != 3 {
		t.Errorf("progress moves by %v, error %v; want one move by 3", p.moves, err)
	}
}
