package paged

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// counted counts how often it is asked.
type counted struct {
	io.ReaderAt
	n int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) { c.n++; return c.ReaderAt.ReadAt(p, at) }

// Any read at any offset returns the content; small reads that
// lie together read it once.
func TestReader(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 3*pageSize+1234)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	from := &counted{ReaderAt: bytes.NewReader(data)}
	p := New(from, int64(len(data)))
	for range 2000 {
		at, n := r.Int64N(int64(len(data))+10), r.IntN(3000)
		if r.IntN(50) == 0 {
			n += pageSize
		}
		got, want := make([]byte, n), make([]byte, n)
		gotN, gotErr := p.ReadAt(got, at)
		wantN, wantErr := bytes.NewReader(data).ReadAt(want, at)
		if gotN != wantN || !bytes.Equal(got[:gotN], want[:wantN]) || (gotErr == nil) != (wantErr == nil) && n > 0 {
			t.Fatalf("%d bytes at %d: %d, %v; want %d, %v", n, at, gotN, gotErr, wantN, wantErr)
		}
	}
	if from.n > 200 {
		t.Errorf("2000 reads asked %d times", from.n)
	}
}

// No more pages are kept than were promised.
func TestKept(t *testing.T) {
	const size = 40 * pageSize
	p := New(zeros{}, size)
	for at := int64(0); at < size; at += pageSize {
		if _, err := p.ReadAt(make([]byte, 1), at); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.pages) != pagesKept {
		t.Errorf("%d pages are kept", len(p.pages))
	}
}

type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) { return len(p), nil }
