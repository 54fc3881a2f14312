package archive_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fault"
)

// openEntries counts the entries of hashed archives that are open.
var openEntries atomic.Int64

// counted is an open entry of a hashed archive.
type counted struct{ io.Reader }

func (counted) Close() error { openEntries.Add(-1); return nil }

// hashed is an archive of entries that say their hashes; content that is "!"
// cannot be read.
func hashed(entries ...[3]string) memory {
	var list []archive.Entry
	for _, e := range entries {
		list = append(list, archive.Entry{Name: e[0], Size: -1, Hash: e[1]})
	}
	return memory{archive.NewTree(list, false, func(i int) (io.ReadCloser, error) {
		if entries[i][2] == "!" {
			return nil, fault.New(fault.Truncated, "was read")
		}
		openEntries.Add(1)
		return counted{strings.NewReader(entries[i][2])}, nil
	})}
}

// Hashes that settle the matter are believed, so that nothing is read; checksums
// and hashes of two kinds are not.
func TestCompareByHash(t *testing.T) {
	a := hashed(
		[3]string{"same hash", "blake3:aa", "!"}, [3]string{"other hash", "sha256:aa", "!"},
		[3]string{"checksum", "crc32:aa", "x"}, [3]string{"two kinds", "blake3:aa", "x"}, [3]string{"none", "", "x"})
	b := hashed(
		[3]string{"same hash", "blake3:aa", "!"}, [3]string{"other hash", "sha256:bb", "!"},
		[3]string{"checksum", "crc32:aa", "y"}, [3]string{"two kinds", "sha256:aa", "x"}, [3]string{"none", "", "x"})
	var done progress
	changes, err := archive.Compare(t.Context(), a, b, archive.Options{Progress: &done})
	var got []string
	for _, c := range changes {
		got = append(got, c.Name)
		if c.Old.Name != c.Name || c.New.Name != c.Name {
			t.Errorf("%s: c.Old = %+v, c.New = %+v; want c.Old.Name = %v, c.New.Name = %v", c.Name, c.Old, c.New, c.Name, c.Name)
		}
	}
	if err != nil || !slices.Equal(got, []string{"checksum", "other hash"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if done.done != 6 {
		t.Errorf("%d bytes were read", done.done)
	}
	if n := openEntries.Load(); n != 0 {
		t.Errorf("%d entries are still open", n)
	}
}

func TestCompareFails(t *testing.T) {
	good, bad := hashed([3]string{"a", "", "x"}), hashed([3]string{"a", "", "!"})
	for _, pair := range [][2]memory{{good, bad}, {bad, good}} {
		_, err := archive.Compare(t.Context(), pair[0], pair[1], archive.Options{})
		var e *fault.Error
		if !errors.Is(err, fault.Truncated) || !errors.As(err, &e) || e.Entry != "a" {
			t.Errorf(`err = %v; want err matching fault.Truncated, err of the type of e, e.Entry = "a"`, err)
		}
	}
}

// progress counts what is announced and what is done, by several at a time.
type progress struct{ total, done int64 }

func (p *progress) Begin(n int64)   { atomic.AddInt64(&p.total, n) }
func (p *progress) Advance(n int64) { atomic.AddInt64(&p.done, n) }

// endless is content without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }
func (endless) Close() error               { return nil }

// Comparing very much content must end with its context.
func TestCompareBounds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	huge := memory{archive.NewTree([]archive.Entry{{Name: "x", Size: -1}}, false, func(int) (io.ReadCloser, error) { return endless{}, nil })}
	if _, err := archive.Compare(ctx, huge, huge, archive.Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Compare of endless content = %v", err)
	}
}
