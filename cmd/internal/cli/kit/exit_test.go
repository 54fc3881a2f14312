package kit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// TestExitCodes is the table that 'pakbox help exit-codes' promises.
func TestExitCodes(t *testing.T) {
	missing := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
	damaged := fault.New(fault.HashMismatch, "differs")
	for _, test := range []struct {
		err  error
		code int
		kind string
	}{
		{nil, 0, ""},
		{ErrFound, 1, ""},
		{fault.New(fault.NotFormat, "x"), 1, "bad_magic"},
		{fault.New(fault.Corrupt, "x"), 1, "corrupt"},
		{damaged, 1, "hash_mismatch"},
		{fault.New(fault.Unsafe, "x"), 1, "unsafe_path"},
		{fault.New(fault.Limit, "x"), 1, "limit_exceeded"},
		{fault.Usagef("x"), 2, "usage"},
		{ErrUsageShown, 2, ""},
		{&archive.ParamError{Name: "level"}, 2, "usage"},
		{missing, 3, "not_found"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrExist}, 3, "exists"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, 3, "permission"},
		{errors.New("disk on fire"), 3, "io"},
		{fault.New(fault.Unsupported, "x"), 3, "unsupported"},
		{fault.New(fault.UnsupportedVersion, "x"), 3, "unsupported_version"},
		{fault.New(fault.PassphraseRequired, "x"), 3, "passphrase_required"},
		{fault.New(fault.WrongKey, "x"), 3, "wrong_key"},
		{context.Canceled, 3, "interrupted"},
		// A wrapped error is what it wraps; of several the gravest counts.
		{fmt.Errorf("saving: %w", damaged), 1, "hash_mismatch"},
		{fault.WithHint(missing, "look elsewhere"), 3, "not_found"},
		{&reported{damaged}, 1, "hash_mismatch"},
		{errors.Join(damaged, missing), 3, ""},
		{&reported{errors.Join(damaged, missing)}, 3, ""},
		{errors.Join(damaged, errors.Join(damaged)), 1, ""},
	} {
		if got := ExitCode(test.err); got != test.code {
			t.Errorf("%v: exit code %d, want %d", test.err, got, test.code)
		}
		if test.kind != "" && question.ErrorKind(test.err) != test.kind {
			t.Errorf("%v: kind %q, want %q", test.err, question.ErrorKind(test.err), test.kind)
		}
	}
}

// Many failures are not all printed, and advice is given once.
func TestSayIsBrief(t *testing.T) {
	var stderr, stdout strings.Builder
	a := New(context.Background(), Env{Stdout: &stdout, Stderr: &stderr})
	var all []error
	for i := range maxMessages + 5 {
		all = append(all, &fs.PathError{Op: "open", Path: fmt.Sprint("f", i), Err: fs.ErrExist})
	}
	a.Fail("extract", "a.zip", errors.Join(all...))
	text := stderr.String()
	if n := strings.Count(text, "exists already"); n != maxMessages {
		t.Errorf("%d messages", n)
	}
	if !strings.Contains(text, "pakbox: and 5 more\n") || strings.Count(text, "hint:") != 1 {
		t.Errorf("text = %v; want text with \"pakbox: and 5 more\\n\", strings.Count(text, \"hint:\") = 1", text)
	}
	if a.Code != ExitIO {
		t.Errorf("a.Code = %v; want %v", a.Code, ExitIO)
	}
}
