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
	}).AllocedBytesPerOp() > bulk.Block/10 {
		t.Error("a buffer is allocated for every copy")
	}
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }
