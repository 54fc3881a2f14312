package question

import (
	"context"
	"io/fs"
	"os"
	"testing"

	"pakbox/fault"
)

func TestDescribe(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "stat", Path: "a/b", Err: fs.ErrNotExist}, "a/b: no such file or folder"},
		{&os.LinkError{Op: "rename", Old: "tmp", New: "a", Err: fs.ErrExist}, "a: exists already"},
		{context.Canceled, "interrupted"},
		{context.DeadlineExceeded, "the answer took longer than an answer may take"},
		{fault.InFile(fault.At(fault.Corrupt, 16, "size", "is wrong"), "a.vpk"), "a.vpk: size at 0x10: is wrong"},
	} {
		if got := Describe(test.err); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
