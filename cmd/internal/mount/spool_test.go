package mount

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"pakbox/fault"
)

// stream is content that can only be read from its beginning, like that of an entry. It
// counts the bytes that were read, and whether it was closed.
type stream struct {
	io.Reader
	mu     sync.Mutex
	read   int64
	closed int
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read += int64(n)
	return n, err
}

func (s *stream) Close() error { s.closed++; return nil }

func (s *stream) taken() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// Parallel readers at any offset get the right content: from memory, or
// from a file if it is large.
func TestSpoolEverywhere(t *testing.T) {
	for _, size := range []int{0, 1, stepSize - 1, stepSize, 3*stepSize + 7, inMemory - stepSize, inMemory, inMemory + 3*stepSize + 1} {
		for _, want := range []int64{int64(size), -1} {
			data := noise(size)
			src := &stream{Reader: bytes.NewReader(data)}
			s := newSpool(src, want)
			var all sync.WaitGroup
			for seed := range 4 {
				all.Go(func() {
					r := rand.New(rand.NewPCG(2, uint64(seed)))
					for range 20 {
						off, got := r.Int64N(int64(size)+10), make([]byte, 1+r.IntN(2*stepSize))
						expected := make([]byte, len(got))
						n, err := s.ReadAt(got, off)
						m, asWell := bytes.NewReader(data).ReadAt(expected, off)
						if n != m || err != asWell || !bytes.Equal(got[:n], expected[:m]) {
							t.Errorf("%d bytes at %d of %d: %d, %v; want %d, %v", len(got), off, size, n, err, m, asWell)
						}
					}
				})
			}
			all.Wait()
			if n, err := s.Size(); n != int64(size) || err != nil {
				t.Errorf("of %d bytes %d, %v", size, n, err)
			}
			if held := s.held(); (held > int64(size)) != (size+stepSize <= inMemory) {
				t.Errorf("%d bytes take %d of memory", size, held)
			}
			if s.Close(); src.closed != 1 {
				t.Errorf("closed %d times", src.closed)
			}
			if _, err := s.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
				t.Errorf("read after it was closed: %v", err)
			}
		}
	}
}

// Sequential reading finds the next part unpacked already, up to the declared size; a
// read of the beginning starts no goroutine.
func TestSpoolReadsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 3 * aheadSize
		src := &stream{Reader: bytes.NewReader(noise(size))}
		s := newSpool(src, size)
		piece := make([]byte, stepSize)
		s.ReadAt(piece, 0)
		synctest.Wait()
		if got := src.taken(); got != stepSize {
			t.Errorf("the first read took %d bytes", got)
		}
		for off := int64(stepSize); off < size; off += stepSize {
			s.ReadAt(piece, off)
			synctest.Wait()
			asked := off + stepSize
			if got := src.taken(); got < min(size, asked+aheadSize/2) || got > min(size, asked+aheadSize) {
				t.Errorf("at %d, %d bytes were read", asked, got)
			}
		}
		s.Close()
	})
}

// slow is content that is returned on a signal.
type slow struct {
	io.Reader
	next chan struct{}
}

func (s *slow) Read(p []byte) (int, error) { <-s.next; return s.Reader.Read(p) }

// Close waits for the goroutine that reads ahead, which then stops.
func TestSpoolClosedWhileAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := make(chan struct{}, 2)
		src := &stream{Reader: &slow{bytes.NewReader(noise(aheadSize)), next}}
		s := newSpool(src, aheadSize)
		next <- struct{}{}
		next <- struct{}{}
		s.ReadAt(make([]byte, 1), stepSize)
		synctest.Wait() // now it waits for the third step
		closed := make(chan struct{})
		go func() { s.Close(); close(closed) }()
		synctest.Wait()
		select {
		case <-closed:
			t.Fatal("closed during a read")
		default:
		}
		close(next)
		<-closed
		synctest.Wait() // synctest reports a goroutine that is left
		if src.closed != 1 || src.taken() != 3*stepSize {
			t.Errorf("closed %d times, %d bytes were read", src.closed, src.taken())
		}
	})
}

// A stream that ends early fails for reads behind its end, and for no others.
func TestSpoolEndsEarly(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		rest io.Reader
		want int64
		is   error
	}{
		{"a reader fails", iotest.ErrReader(broken), 2 * stepSize, broken},
		{"shorter than declared", bytes.NewReader(nil), 2 * stepSize, fault.SizeMismatch},
		{"longer than declared", bytes.NewReader(noise(stepSize)), stepSize + 1, fault.SizeMismatch},
		{"and fails where it should end", iotest.ErrReader(broken), stepSize, broken},
	} {
		data := noise(stepSize)
		s := newSpool(&stream{Reader: io.MultiReader(bytes.NewReader(data), c.rest)}, c.want)
		for range 2 {
			if n, err := s.ReadAt(make([]byte, 100), 0); n != 100 || err != nil {
				t.Errorf("%s: its beginning: %d, %v", c.name, n, err)
			}
			if n, err := s.ReadAt(make([]byte, 2*stepSize), stepSize-10); n != 0 || !errors.Is(err, c.is) {
				t.Errorf("%s: its end: %d, %v", c.name, n, err)
			}
			if _, err := s.Size(); !errors.Is(err, c.is) {
				t.Errorf("%s: err = %v; want err matching %v", c.name, err, c.is)
			}
		}
		s.Close()
	}
}
