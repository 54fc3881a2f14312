package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"pakbox/gbx"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/nadeotest/runsample"
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

// makeRun writes a ghost, or a replay if the name has its extension: mkrun FILE TIME.
// TIME, in milliseconds, is the declared time of the ghost.
func makeRun(ts *testscript.TestScript, neg bool, args []string) {
	declared, err := strconv.Atoi(args[1])
	ts.Check(err)
	run := runsample.Straight(gbx.Time(declared))
	f := run.Ghost()
	if strings.HasSuffix(args[0], ".Replay.Gbx") {
		driven, err := run.NamedMap("$0f0Night")
		ts.Check(err)
		f = run.Replay(driven)
	}
	data, err := f.Encode()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}
