package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// commandRows are the commands that people type on GBX files, beside liblzo2
// unpacking the bodies of the same files in C. Each has a target: how many times
// that processor time the whole process may take.
func (b *bench) commandRows() []maker {
	maps := func(target float64, what string, args ...string) func(string) (row, error) {
		return func(string) (row, error) { return b.commandRow(b.allMaps, "all-maps", target, what, args) }
	}
	runs := func(target float64, what string, args ...string) func(string) (row, error) {
		return func(string) (row, error) { return b.commandRow(b.allRuns, "all-runs", target, what, args) }
	}
	one := func(target float64, what string, args ...string) func(string) (row, error) {
		return func(string) (row, error) { return b.commandRow(b.largestMap, "largest-map", target, what, args) }
	}
	return []maker{
		{"command/info", maps(3, "the facts people look for", "info", "--json")},
		{"command/map-blocks", maps(6, "all blocks as CSV", "map", "blocks", "--csv")},
		{"command/verify", maps(8, "decode, code anew, compare", "verify")},
		{"command/coverage", maps(8, "how much is understood, chunk by chunk", "dump", "--coverage")},
		{"command/dump-json", maps(40, "every value as JSON", "dump", "--json")},
		{"command/query", maps(6, "a question that touches little", "query", theFiles, ".path")},
		{"command/get", one(6, "one value of the largest map", "get", theFiles, "mapName")},
		{"command/set", one(6, "one value of the largest map, without saving it", "set", "--dry-run", theFiles, "mapName=Other")},
		{"command/replay-info", runs(8, "who drove what", "replay", "info")},
		{"command/replay-check", runs(15, "declared against recorded", "replay", "check")},
		{"command/replay-telemetry", runs(15, "driven lines as CSV", "replay", "telemetry")},
	}
}

// theFiles is where the files stand among a command's arguments, if not at the
// end.
const theFiles = "\x00files"

func (b *bench) commandRow(find func() (files, error), name string, target float64, what string, args []string) (row, error) {
	set, err := find()
	if err != nil {
		return row{}, err
	}
	packed, _, err := b.bodies(name, set)
	if err != nil {
		return row{}, err
	}
	at := slices.Index(args, theFiles)
	if at < 0 {
		at = len(args)
		args = append(slices.Clone(args), theFiles)
	}
	c := b.cli(slices.Concat(args[:at], set.paths, args[at+1:])...)
	c.name, c.mayFail = "pakbox "+strings.Join(args[:at], " "), true // some files of the corpus have findings, or no run
	return row{
		what: what, bytes: set.bytes, units: len(set.paths), target: target, largest: largest(set),
		ours: c, refs: []command{b.liblzo2("decompress", packed)},
	}, nil
}

// allMaps are the maps of the corpus, the odd ones too.
func (b *bench) allMaps() (files, error) {
	return b.corpusFiles([]string{classMap}, ".map.gbx", ".challenge.gbx")
}

// allRuns are its replays and ghosts.
func (b *bench) allRuns() (files, error) {
	return b.corpusFiles([]string{classReplay, classGhost}, ".replay.gbx", ".ghost.gbx")
}

func (b *bench) corpusFiles(classes []string, suffixes ...string) (files, error) {
	set, err := b.gbx(classes...)
	for _, suffix := range suffixes {
		odd, missing := find(suffix, filepath.Join(b.corpus, "gbx-hard"))
		if missing == nil {
			set.paths, set.bytes = append(set.paths, odd.paths...), set.bytes+odd.bytes
		}
	}
	return set, err
}

// largestMap is the largest of the maps.
func (b *bench) largestMap() (files, error) {
	set, err := b.allMaps()
	if err != nil {
		return set, err
	}
	most := largest(set)
	for _, path := range set.paths {
		if info, err := os.Stat(path); err == nil && info.Size() == most {
			return files{[]string{path}, most}, nil
		}
	}
	return set, err
}

// largest is the size of the largest file.
func largest(set files) (most int64) {
	for _, path := range set.paths {
		if info, err := os.Stat(path); err == nil {
			most = max(most, info.Size())
		}
	}
	return most
}
