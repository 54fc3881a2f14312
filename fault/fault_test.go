package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"pakbox/fault"
)

func TestErrorText(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{fault.New(fault.BadHeader, "entry count is %d", -1), "entry count is -1"},
		{fault.At(fault.Truncated, 0x1c, "salt", "4 bytes missing"), "salt at 0x1c: 4 bytes missing"},
		{fault.At(fault.Truncated, 0, "", "empty"), "at 0x0: empty"},
		{fault.Wrap(fault.DecompressFailed, io.ErrUnexpectedEOF, "LZ4 block"), "LZ4 block: unexpected EOF"},
		{&fault.Error{Kind: fault.HashMismatch, Offset: fault.NoOffset}, "hash mismatch"},
		{
			fault.InFile(fault.InEntry(fault.At(fault.HashMismatch, 16, "content_hash", "differs"), "a/b.txt"), "x.vpk"),
			"x.vpk: a/b.txt: content_hash at 0x10: differs",
		},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestIsMatchesKindAndClass(t *testing.T) {
	err := fmt.Errorf("outer: %w", fault.Wrap(fault.Truncated, io.ErrUnexpectedEOF, "table"))
	for target, want := range map[error]bool{
		fault.Truncated:     true,
		fault.Corrupt:       true,
		io.ErrUnexpectedEOF: true,
		fault.BadHeader:     false,
		fault.Unsupported:   false,
	} {
		if got := errors.Is(err, target); got != want {
			t.Errorf("errors.Is(err, %v) = %v, want %v", target, got, want)
		}
	}
	if got := fault.KindOf(err); got != fault.Truncated {
		t.Errorf("KindOf = %q", got)
	}
	if got := fault.KindOf(io.EOF); got != "" {
		t.Errorf("KindOf(io.EOF) = %q", got)
	}
}

func TestInnermostPlaceWins(t *testing.T) {
	inner := fault.New(fault.Corrupt, "bad")
	once := fault.InEntry(inner, "inner")
	twice := fault.InEntry(once, "outer")
	var e *fault.Error
	if !errors.As(twice, &e) || e.Entry != "inner" {
		t.Errorf("entry = %q, want the one named first", e.Entry)
	}
	if inner.Entry != "" {
		t.Error("InEntry changed the error it was given")
	}
	if got := fault.InFile(io.EOF, "x"); got != io.EOF {
		t.Errorf("InFile changed a foreign error to %v", got)
	}
}
