package maps_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"pakbox/fault"
	"pakbox/trackmania/maps"
)

// A file that is not there, and one of another class, are errors that name it.
func TestOpenWrong(t *testing.T) {
	var e *fault.Error
	if _, err := maps.Open(context.Background(), "none.Map.Gbx"); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &e) || e.Path != "none.Map.Gbx" {
		t.Errorf("a missing map: %v", err)
	}
	const replay = "../../samples/trackmania/Sample.Replay.Gbx"
	if _, err := maps.Open(context.Background(), replay); !errors.As(err, &e) || e.Path != replay {
		t.Errorf("a replay as a map: %v", err)
	}
}
