package bulk_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/lib/bulk"
)

func TestCopy(t *testing.T) {
	want := strings.Repeat("0123456789", bulk.Block/4)
	var got bytes.Buffer
	if n, err := bulk.Copy(context.Background(), &got, strings.NewReader(want)); err != nil || n != int64(len(want)) || got.String() != want {
		t.Errorf("%d of %d bytes, %v", n, len(want), err)
	}
}

// The copy ends with its context, in the middle of a source that never does.
func TestCopyIsCalledOff(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	reads := 0
	src := readFunc(func(p []byte) (int, error) {
		if reads++; reads == 3 {
			cancel()
		}
		return len(p), nil
	})
	n, err := bulk.Copy(ctx, io.Discard, src)
	if !errors.Is(err, context.Canceled) || n != 3*bulk.Block {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// Small files allocate no buffer each.
func TestCopyKeepsItsBuffers(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data := make([]byte, 100)
	if testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			bulk.Copy(context.Background(), f, bytes.NewReader(data))
		}
	}).AllocedBytesPerOp() > bulk.Block/2 { // the race detector throws some away
		t.Error("a buffer is allocated for every copy")
	}
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// endless is read anywhere, and ends ctx after some reads.
type endless struct {
	reads int
	end   func()
}

func (e *endless) ReadAt(p []byte, _ int64) (int, error) {
	if e.reads--; e.reads == 0 {
		e.end()
	}
	return len(p), nil
}

func TestReaderAt(t *testing.T) {
	want := strings.Repeat("0123456789", bulk.Block/4)
	got := make([]byte, len(want)-3)
	if n, err := bulk.ReaderAt(context.Background(), strings.NewReader(want)).ReadAt(got, 3); n != len(got) || err != nil || string(got) != want[3:] {
		t.Errorf("%d of %d bytes, %v", n, len(got), err)
	}
	if n, err := bulk.ReaderAt(context.Background(), strings.NewReader("ab")).ReadAt(got, 1); n != 1 || err != io.EOF {
		t.Errorf("%d bytes, %v at the end of a file", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if n, err := bulk.ReaderAt(ctx, &endless{2, cancel}).ReadAt(make([]byte, 10*bulk.Block), 0); n != 2*bulk.Block || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v after it was cancelled", n, err)
	}
}
