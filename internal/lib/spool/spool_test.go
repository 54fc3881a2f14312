package spool

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"

	"pakbox/fault"
)

// counted counts what is read of it.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counted) Close() error { return nil }

// A read at any offset returns the content there.
func TestReadAt(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	data := make([]byte, 3*inMemory+777)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	c := New(io.NopCloser(bytes.NewReader(data)))
	for range 500 {
		off, n := r.Int64N(int64(len(data))+100), r.IntN(3000)
		if r.IntN(20) == 0 {
			n = r.IntN(2 * inMemory)
		}
		got, want := make([]byte, n), make([]byte, n)
		gotN, gotErr := c.ReadAt(got, off)
		wantN, wantErr := bytes.NewReader(data).ReadAt(want, off)
		if gotN != wantN || !bytes.Equal(got[:gotN], want[:wantN]) || n > 0 && gotErr != wantErr {
			t.Fatalf("%d bytes at %d: %d, %v; want %d, %v", n, off, gotN, gotErr, wantN, wantErr)
		}
	}
	name := c.file.Name()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary file is still there: %v", err)
	}
}

// No more is unpacked than somebody reads.
func TestReadsNoFarther(t *testing.T) {
	src := &counted{Reader: bytes.NewReader(make([]byte, 10*inMemory))}
	c := New(src)
	defer c.Close()
	if n, err := c.ReadAt(make([]byte, 100), 50); n != 100 || err != nil || src.n > 8<<10 {
		t.Errorf("%d bytes, %v, %d unpacked", n, err, src.n)
	}
	if _, err := c.Size(context.Background(), 2*inMemory); !errors.Is(err, fault.Limit) || src.n > 3*inMemory {
		t.Errorf("%v, %d unpacked", err, src.n)
	}
}

// endless is content without an end. After some reads it calls a function, which cancels
// the reader.
type endless struct {
	reads int
	leave func()
}

func (e *endless) Read(p []byte) (int, error) {
	if e.reads--; e.reads == 0 {
		e.leave()
	}
	return len(p), nil
}

func (e *endless) Close() error { return nil }

// Unpacking ends when the reader goes away, and goes on for the next one.
func TestGoesAway(t *testing.T) {
	ctx, leave := context.WithCancel(context.Background())
	c := New(&endless{3, leave})
	defer c.Close()
	if _, err := c.At(ctx).ReadAt(make([]byte, 1), 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	if n, err := c.ReadAt(make([]byte, 10), inMemory); n != 10 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// An error of the stream comes where it stands, and what is before it can be read.
func TestDamage(t *testing.T) {
	broken := errors.New("broken")
	c := New(io.NopCloser(io.MultiReader(bytes.NewReader(make([]byte, 1000)), failing{broken})))
	defer c.Close()
	if n, err := c.ReadAt(make([]byte, 100), 900); n != 100 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	for range 2 { // a second call returns the same error
		if n, err := c.ReadAt(make([]byte, 100), 950); n != 50 || err != broken {
			t.Errorf("%d bytes, %v", n, err)
		}
		if n, err := c.ReadAt(make([]byte, 100), 900); n != 100 || err != nil {
			t.Errorf("before the damage: %d bytes, %v", n, err)
		}
		if n, err := c.ReadAt(make([]byte, 10), 2000); n != 0 || err != broken {
			t.Errorf("behind the damage: %d bytes, %v", n, err)
		}
		if n, err := c.Size(context.Background(), 5000); n != 1000 || err != broken {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}

// A limit is kept to the byte.
func TestSizeUpToALimit(t *testing.T) {
	for _, size := range []int{0, 1, 5000, inMemory, inMemory + 1} {
		for more := range int64(3) {
			c := New(io.NopCloser(iotest.HalfReader(bytes.NewReader(make([]byte, size)))))
			limit := int64(size) + more - 1
			n, err := c.Size(context.Background(), limit)
			if more == 0 && !errors.Is(err, fault.Limit) || more > 0 && (n != int64(size) || err != nil) {
				t.Errorf("%d bytes of at most %d: %d, %v", size, limit, n, err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A full disk is reported, and not taken for the end of the content, because a file
// that ends there would look complete.
func TestFullDisk(t *testing.T) {
	c := New(io.NopCloser(bytes.NewReader(make([]byte, 4*inMemory))))
	defer c.Close()
	if _, err := c.ReadAt(make([]byte, 10), inMemory); err != nil {
		t.Fatal(err)
	}
	stored, name := c.have, c.file.Name()
	c.file.Close()
	var err error
	if c.file, err = os.Open(name); err != nil { // a file that takes nothing more
		t.Fatal(err)
	}
	for _, off := range []int64{stored - 5, stored, stored + 100, 4*inMemory - 10} {
		n, err := c.ReadAt(make([]byte, 10), off)
		if int64(n) != max(stored-off, 0) || err == nil || err == io.EOF {
			t.Errorf("at %d, of which %d could be stored: %d bytes, %v", off, stored, n, err)
		}
	}
	if n, err := c.Size(context.Background(), 1<<30); n != stored || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// Without a disk there is an end to what is kept, and it is an error.
func TestTooMuchWithoutDisk(t *testing.T) {
	nowhere := t.TempDir() + "/nothing"
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, nowhere)
	}
	defer func(before int) { withoutDisk = before }(withoutDisk)
	withoutDisk = 3 * inMemory
	c := New(&endless{})
	defer c.Close()
	n, err := c.Size(context.Background(), 1<<40)
	if !errors.Is(err, fault.Limit) || n <= 3*inMemory || n > 4*inMemory {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if got, err := c.ReadAt(make([]byte, 10), n-10); got != 10 || err != nil {
		t.Errorf("the last ones: %d bytes, %v", got, err)
	}
	for _, off := range []int64{n - 5, n, n + 1, n + inMemory} {
		if got, err := c.ReadAt(make([]byte, 10), off); int64(got) != max(n-off, 0) || !errors.Is(err, fault.Limit) {
			t.Errorf("at %d of %d: %d bytes, %v", off, n, got, err)
		}
	}
}

// closing counts how often it is closed, and fails.
type closing struct {
	io.Reader
	times int
}

func (c *closing) Close() error {
	c.times++
	return errors.New("was damaged")
}

// The stream is closed once, and its error is returned.
func TestCloses(t *testing.T) {
	src := &closing{Reader: bytes.NewReader(nil)}
	c := New(src)
	if err := c.Close(); err == nil || err.Error() != "was damaged" {
		t.Errorf(`err = %v; want an error, err = "was damaged"`, err)
	}
	if err := c.Close(); err != nil || src.times != 1 {
		t.Errorf("%v, closed %d times", err, src.times)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Without a disk, as in a browser, the content stays in memory.
func TestWithoutDisk(t *testing.T) {
	nowhere := t.TempDir() + "/nothing"
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, nowhere)
	}
	data := make([]byte, 2*inMemory+777)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	c := New(io.NopCloser(bytes.NewReader(data)))
	defer c.Close()
	for _, off := range []int64{2 * inMemory, inMemory - 10, inMemory, 0, inMemory + 333} {
		got := make([]byte, 400)
		if n, err := c.ReadAt(got, off); n != len(got) || err != nil || !bytes.Equal(got, data[off:off+400]) {
			t.Errorf("at %d: %d bytes, %v", off, n, err)
		}
	}
	if n, err := c.Size(context.Background(), int64(len(data))); n != int64(len(data)) || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if c.file != nil {
		t.Error("there is a file")
	}
}

// A closed spool unpacks nothing, and returns an error.
func TestClosed(t *testing.T) {
	src := &counted{Reader: bytes.NewReader(make([]byte, 4*inMemory))}
	c := New(src)
	if _, err := c.ReadAt(make([]byte, 10), 2*inMemory); err != nil {
		t.Fatal(err)
	}
	unpacked := src.n
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if n, err := c.ReadAt(make([]byte, 10), 3*inMemory+10); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := c.ReadAt(make([]byte, 10), inMemory+10); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("of what was unpacked: %d bytes, %v", n, err)
	}
	if src.n != unpacked {
		t.Errorf("%d bytes more were unpacked", src.n-unpacked)
	}
}

// A read returns the error if the file that holds the content cannot be read or written.
func TestFileFails(t *testing.T) {
	c := New(io.NopCloser(bytes.NewReader(make([]byte, 4*inMemory))))
	defer c.Close()
	if _, err := c.ReadAt(make([]byte, 10), 2*inMemory); err != nil {
		t.Fatal(err)
	}
	c.file.Close()
	if n, err := c.ReadAt(make([]byte, 20), inMemory-10); n != 10 || err == nil || err == io.EOF {
		t.Errorf("read %d bytes, %v", n, err)
	}
	if _, err := c.ReadAt(make([]byte, 10), 4*inMemory-10); !errors.Is(err, os.ErrClosed) {
		t.Errorf("writing on: %v", err)
	}
}
