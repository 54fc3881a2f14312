package question

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
)

func TestLeaves(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	if got := Leaves(errors.Join(a, errors.Join(b, c))); !slices.Equal(got, []error{a, b, c}) {
		t.Errorf("got = %v; want got equal to []error{a, b, c}", got)
	}
	if got := Leaves(a); !slices.Equal(got, []error{a}) {
		t.Errorf("got = %v; want got equal to []error{a}", got)
	}
}

// Each error has one kind for scripts, and is about the request or about a file.
func TestKind(t *testing.T) {
	for _, test := range []struct {
		err   error
		want  string
		usage bool
	}{
		{fault.Usagef("x"), "usage", true},
		{fmt.Errorf("a: %w", fault.Usagef("x")), "usage", true},
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
		if got := ErrorKind(test.err); got != test.want || IsUsage(test.err) != test.usage {
			t.Errorf("%v: %s, about the request: %v", test.err, got, IsUsage(test.err))
		}
	}
}

// Hints fit the error; errors without a known cure have none.
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
		want string // a part of the hint, or ""
	}{
		{fault.Usagef("x").Hint("do this"), "do this"},
		{fault.Usagef("x"), ""},
		{fault.WithHint(fault.New(fault.Truncated, "x"), "do that"), "do that"}, // a hint of the error goes before that of the kind
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

// An error about a value has the name of its file, and a hint how to find the names of values.
func TestInFile(t *testing.T) {
	other := errors.New("other")
	if err := InFile(other, "a.Gbx"); err != other {
		t.Errorf("err = %v; want %v", err, other)
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
	with := ErrorOf(fault.InFile(fault.InEntry(fault.At(fault.Corrupt, 0, "", "is wrong"), "e"), "f"))
	if with.Kind != "corrupt" || with.Message != "f: e: at 0x0: is wrong" || *with.Entry != "e" || *with.Offset != 0 {
		t.Errorf(`with = %+v; want with.Kind = "corrupt", with.Message = "f: e: at 0x0: is wrong", *with.Entry = "e", *with.Offset = 0`, with)
	}
	if without := ErrorOf(fault.New(fault.Corrupt, "x")); without.Entry != nil || without.Offset != nil {
		t.Errorf("without = %+v; want without.Entry = nil, without.Offset = nil", without)
	}
	if usage := ErrorOf(fault.Usagef("x")); usage.Kind != "usage" || usage.Message != "x" || usage.Entry != nil || usage.Offset != nil {
		t.Errorf(`usage = %+v; want usage.Kind = "usage", usage.Message = "x", usage.Entry = nil, usage.Offset = nil`, usage)
	}
}

// Interfaces other than commands send hints with an error. The file is the one in the
// error, or else the path of the question.
func TestErrorAbout(t *testing.T) {
	short := fault.InEntry(fault.Short(4, "size", 8, 3), "e")
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"plain error", errors.New("x"), `{"kind":"io","message":"x","entry":null,"offset":null,"file":"asked","hints":[]}`},
		{"file of its own", fault.InFile(fault.New(fault.Corrupt, "x"), "own"), `{"kind":"corrupt","message":"own: x","entry":null,"offset":null,"file":"own","hints":[]}`},
		{"advice", fault.WithHint(errors.New("x"), "do"), `{"kind":"io","message":"x","entry":null,"offset":null,"file":"asked","hints":["do"]}`},
		{"missing bytes", short, `{"kind":"truncated","message":"e: size at 0x4: needs 8 bytes, 3 remain","entry":"e","offset":4,"file":"asked","hints":["the file ends too early: copy or download it again"],"needs":8,"remain":3}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := Marshal(ErrorAbout(test.err, "asked")); err != nil || string(got) != test.want {
				t.Errorf("ErrorAbout(%v) = %s, %v, want %s", test.err, got, err, test.want)
			}
			if got, err := Marshal(ErrorOf(test.err)); err != nil || strings.Contains(string(got), "hints") {
				t.Errorf("ErrorOf(%v) = %s, %v, want no advice", test.err, got, err)
			}
		})
	}
}

// Each kind of error has one exit code and one HTTP status.
func TestOutcomeOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Outcome
	}{
		{fault.Usagef("x"), Outcome{2, 400}},
		{&archive.ValueError{Path: "a"}, Outcome{2, 400}},
		{context.Canceled, Outcome{3, 503}},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), Outcome{3, 503}},
		{fault.New(fault.NotFormat, "x"), Outcome{1, 415}},
		{fault.New(fault.Pointer, "x"), Outcome{1, 415}},
		{fault.New(fault.Limit, "x"), Outcome{1, 413}},
		{fault.New(fault.Unsafe, "x"), Outcome{1, 403}},
		{fault.New(fault.HashMismatch, "x"), Outcome{1, 422}},
		{fault.New(fault.KeyRequired, "x"), Outcome{3, 422}},
		{fault.New(fault.UnsupportedVersion, "x"), Outcome{3, 422}},
		{fault.New("unheard of", "x"), Outcome{3, 422}},
		{fs.ErrNotExist, Outcome{3, 404}},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist}, Outcome{3, 404}},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrPermission}, Outcome{3, 403}},
		{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrExist}, Outcome{3, 422}},
		{errors.New("x"), Outcome{3, 422}},
	} {
		if got := OutcomeOf(test.err); got != test.want {
			t.Errorf("OutcomeOf(%v) = %v, want %v", test.err, got, test.want)
		}
	}
}
