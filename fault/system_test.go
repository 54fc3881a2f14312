package fault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pakbox/fault"
)

func TestSystem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing")
	_, err := os.Open(path)
	err = fault.System(err)
	var e *fault.Error
	var p *fs.PathError
	if !errors.As(err, &e) || e.Kind != fault.NotFound || e.Path != path || !errors.Is(err, fault.Access) {
		t.Errorf("err = %#v; want err of the type of e, e.Kind = fault.NotFound, e.Path = %v, err matching fault.Access", err, path)
	}
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &p) {
		t.Error("the system's own error is gone")
	}
	if got := err.Error(); got != path+": no such file or folder" {
		t.Errorf(`got = %v; want path + ": no such file or folder"`, got)
	}
	if again := fault.System(err); again != err {
		t.Errorf("a fault became %v", again)
	}
	if err := fault.System(nil); err != nil {
		t.Error(err)
	}
}
