package problem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/hint"
)

func TestLeaves(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	if got := Leaves(errors.Join(a, errors.Join(b, c))); !slices.Equal(got, []error{a, b, c}) {
		t.Errorf("%v", got)
	}
	if got := Leaves(a); !slices.Equal(got, []error{a}) {
		t.Errorf("%v", got)
	}
}

// Each error has one word that scripts see, and is about the request or about a file.
func TestKind(t *testing.T) {
	for _, test := range []struct {
		err   error
		want  string
		usage bool
	}{
		{hint.Usagef("x"), "usage", true},
		{fmt.Errorf("a: %w", hint.Usagef("x")), "usage", true},
		{&archive.ParamError{Name: "level"}, "usage", true},
		{&archive.ValueError{Path: "a.b"}, "usage", true},
		{context.Canceled, "interrupted", false},
		{fmt.Errorf("a: %w", context.DeadlineExceeded), "interrupted", false},
		{fault.New(fault.HashMismatch, "x"), "hash_mismatch", false},
		{fault.Wrap(fault.Truncated, context.Canceled, "x"), "truncated", false},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist}, "not_found", false},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrExist}, "exists", false},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrPermission}, "permission", false},
		{&fs.PathError{Op: "read", Path: "a", Err: errors.New("x")}, "io", false},
		{errors.New("x"), "io", false},
	} {
		if got := Kind(test.err); got != test.want || IsUsage(test.err) != test.usage {
			t.Errorf("%v: %s, about the request: %v", test.err, got, IsUsage(test.err))
		}
	}
}

// Advice fits the error, and there is none where nobody can give it.
func TestHints(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.vpk", "pack.eix"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join("x", "y"), 0o777); err != nil {
		t.Fatal(err)
	}
	missing := func(path string) error { return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist} }
	tests := []struct {
		err  error
		want string // a part of the advice, "" for none
	}{
		{hint.Usagef("x").Hint("do this"), "do this"},
		{hint.Usagef("x"), ""},
		{hint.With(fault.New(fault.Truncated, "x"), "do that"), "do that"}, // advice that is given goes before that for the kind
		{fault.New(fault.PassphraseRequired, "x"), "--passphrase-file"},
		{fault.New(fault.KeyRequired, "x"), "give the key"},
		{fault.New(fault.WrongKey, "x"), "a wrong letter"},
		{fault.New(fault.Pointer, "x"), "git lfs pull"},
		{fault.New(fault.HMACMismatch, "x"), "passphrase again"},
		{fault.New(fault.Truncated, "x"), "ends too early"},
		{fault.New(fault.NotFormat, "x"), "pakbox help formats"},
		{fault.New(fault.UnsupportedVersion, "x"), "a newer one"},
		{fault.New(fault.HashMismatch, "x"), ""},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrExist}, "--force"},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrPermission}, "a place that is yours"},
		{&fs.PathError{Op: "read", Path: "a", Err: errors.New("x")}, ""},
		{missing("nothing"), ""},
		{missing("x/nothing"), ""},
		{missing("pack"), "there is pack.eix"},
		{missing("a.vpk/inside/b"), "pakbox ls a.vpk"},
	}
	if runtime.GOOS != "windows" {
		tests = append(tests, []struct {
			err  error
			want string
		}{
			{missing(`x\y`), "slashes here: x/y"},
			{missing(`x\z`), ""},
			{&fs.PathError{Op: "open", Path: `x\y`, Err: errors.New("x")}, ""},
		}...)
	}
	for _, test := range tests {
		got := strings.Join(Hints(test.err), "; ")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}

// An error about a value names its file, and how the names of values are found.
func TestInFile(t *testing.T) {
	other := errors.New("other")
	if err := InFile(other, "a.Gbx"); err != other {
		t.Errorf("%v", err)
	}
	for _, test := range []struct {
		file string
		err  archive.ValueError
		want string
		not  string
	}{
		{"a b.Gbx", archive.ValueError{Path: "body.x", Missing: true, Near: []string{"body.y", "body.z"}}, "did you mean body.y or body.z?", "dump"},
		{"a b.Gbx", archive.ValueError{Path: "body.x", Missing: true}, `pakbox dump "a b.Gbx"`, "info"},
		{"a b.Gbx", archive.ValueError{Path: "header.x", Missing: true}, `pakbox dump "a b.Gbx"`, "info"},
		{"a.Map.GBX", archive.ValueError{Path: "mapName", Missing: true}, "pakbox info", "mean"},
		{"a.pak", archive.ValueError{Path: "mapName", Missing: true}, "pakbox dump a.pak", "info"},
		{"a.Gbx", archive.ValueError{Path: "mapName"}, "", "pakbox"},
	} {
		test.err.Message = "is wrong"
		err := InFile(&test.err, test.file)
		got := strings.Join(Hints(err), "; ")
		if want := test.file + ": " + test.err.Path + ": is wrong"; err.Error() != want || !IsUsage(err) {
			t.Errorf("%q, want %q", err, want)
		}
		if !strings.Contains(got, test.want) || strings.Contains(got, test.not) {
			t.Errorf("%s: %q, want %q", err, got, test.want)
		}
	}
}

func TestOf(t *testing.T) {
	with := Of(fault.InFile(fault.InEntry(fault.At(fault.Corrupt, 0, "", "is wrong"), "e"), "f"))
	if with.Kind != "corrupt" || with.Message != "f: e: at 0x0: is wrong" || *with.Entry != "e" || *with.Offset != 0 {
		t.Errorf("%+v", with)
	}
	if without := Of(fault.New(fault.Corrupt, "x")); without.Entry != nil || without.Offset != nil {
		t.Errorf("%+v", without)
	}
	if usage := Of(hint.Usagef("x")); usage.Kind != "usage" || usage.Message != "x" || usage.Entry != nil || usage.Offset != nil {
		t.Errorf("%+v", usage)
	}
}
