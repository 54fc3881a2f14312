package main

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"pakbox/internal/testkit/mapsample"
)

// makeMap writes the sample map: mkmap FILE. With a second argument it writes
// an item of that name instead.
func makeMap(ts *testscript.TestScript, neg bool, args []string) {
	data, err := mapsample.Map()
	if len(args) > 1 {
		data, err = mapsample.Item(args[1])
	}
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}
