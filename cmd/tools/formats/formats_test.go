package formats

import (
	"slices"
	"testing"
)

func TestPacking(t *testing.T) {
	var names []string
	for _, f := range Packing() {
		names = append(names, f.Name())
	}
	for _, want := range []string{"zip", "folder", "vpk42", "eterpack", "pck", "nadeopak"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not in %q", want, names)
		}
	}
	if slices.Contains(names, "simutrans") {
		t.Error("simutrans files are made of objects only")
	}
}
