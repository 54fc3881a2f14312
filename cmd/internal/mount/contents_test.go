package mount

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// counted is content in memory that counts how often it is closed.
type counted struct {
	io.ReaderAt
	takes  int64
	closed *int
}

func (c counted) Size() (int64, error) { return c.takes, nil }
func (c counted) held() int64          { return c.takes }
func (c counted) Close() error         { *c.closed++; return nil }

// Content is opened once for all its readers, and stays open for a while without any; the
// total of such content is limited.
func TestContentsAreShared(t *testing.T) {
	c, v, other := newContents(), &volume{}, &volume{}
	opened, closed := 0, 0
	get := func(v *volume, entry int, takes int64) *shared {
		t.Helper()
		s, err := c.get(v, entry, func() (content, error) {
			opened++
			return counted{strings.NewReader("x"), takes, &closed}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := func(what string, o, cl, idle int, held int64) {
		t.Helper()
		if opened != o || closed != cl || len(c.idle) != idle || c.held != held {
			t.Errorf("%s: %d opened, %d closed, %d kept with %d bytes; want %d, %d, %d, %d", what, opened, closed, len(c.idle), c.held, o, cl, idle, held)
		}
	}
	a, b := get(v, 1, 10), get(v, 1, 10)
	if a != b {
		t.Error("the content was opened twice")
	}
	c.put(a)
	want("one still reads", 1, 0, 0, 0)
	c.put(b)
	want("nobody reads", 1, 0, 1, 10)
	a = get(v, 1, 10)
	want("read again", 1, 0, 0, 0)
	c.put(a)
	c.put(get(v, 2, 0))
	want("what takes no memory is closed", 2, 1, 1, 10)
	c.put(get(v, 3, cacheSize+1))
	want("what takes too much is closed", 3, 2, 1, 10)
	c.put(get(other, 4, cacheSize-10))
	want("all that may be kept", 4, 2, 2, cacheSize)
	c.put(get(v, 5, 1))
	want("the oldest goes", 5, 3, 2, cacheSize-9)
	c.forget(other)
	want("of a volume that is closed", 5, 4, 1, 1)
	broken := errors.New("broken")
	for range 2 {
		if s, err := c.get(v, 6, func() (content, error) { opened++; return nil, broken }); err != broken || s != nil {
			t.Errorf("s = %v, err = %v; want err = %v, s = nil", s, err, broken)
		}
	}
	want("what cannot be opened is tried again", 7, 4, 1, 1)
	c.close()
	if closed != 5 || len(c.idle) != 0 || c.held != 0 || len(c.open) != 0 {
		t.Errorf("%d closed, %d kept with %d bytes, %d open", closed, len(c.idle), c.held, len(c.open))
	}
}
