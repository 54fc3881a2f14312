package paged

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// counting counts how often it is read.
type counting struct {
	io.ReaderAt
	n int
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.n++
	return c.ReaderAt.ReadAt(p, off)
}

// A page is read at a time: whatever is asked for, in whatever order, it
// is what the file has there, and what is near takes no second read.
func TestAhead(t *testing.T) {
	data := make([]byte, 5*aheadSize+77)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	file := &counting{ReaderAt: bytes.NewReader(data)}
	r := NewAhead(file)
	check := func(off int64, n int) {
		t.Helper()
		got := make([]byte, n)
		k, err := r.ReadAt(got, off)
		want := data[min(off, int64(len(data))):min(off+int64(n), int64(len(data)))]
		if !bytes.Equal(got[:k], want) || (err == io.EOF) != (k < n) {
			t.Fatalf("%d bytes at %d: %d, %v", n, off, k, err)
		}
	}
	for at := int64(100); at < 100+aheadSize-30; at += 30 {
		check(at, 30)
	}
	check(100, aheadSize)
	check(100, 30)
	if file.n != 1 {
		t.Errorf("one page took %d reads", file.n)
	}
	check(99, 1) // before it
	check(99+aheadSize-1, 1)
	if file.n != 2 {
		t.Errorf("two pages took %d reads", file.n)
	}
	check(99+aheadSize, 1) // behind it
	if file.n != 3 {
		t.Errorf("three pages took %d reads", file.n)
	}
	for range 2000 {
		check(rng.Int64N(int64(len(data))), rng.IntN(aheadSize+100))
	}
	r.Done()
	before := file.n
	check(5, 5)
	check(5, 5)
	if file.n != before+2 {
		t.Error("without a page, every read is one")
	}
}
