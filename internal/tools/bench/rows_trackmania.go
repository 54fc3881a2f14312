package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"pakbox/gbx"
	"pakbox/internal/testkit/runsample"
)

// trackmaniaRows are about what people do with maps, replays and items.
func (b *bench) trackmaniaRows() []maker {
	return []maker{
		{"tally", b.tally},
		{"map/blocks", b.mapBlocks},
		{"replay/telemetry", b.telemetry},
		{"replay/compare", b.compare},
		{"mesh/export", b.mesh},
	}
}

func (b *bench) tally(string) (row, error) {
	set, err := b.gbx(classMap, classReplay)
	return row{
		what: "count maps and replays by class, version and game", bytes: set.bytes, units: len(set.paths),
		ours: b.cli("tally", filepath.Join(b.corpus, "gbx", classMap), filepath.Join(b.corpus, "gbx", classReplay)),
		refs: []command{b.npm("gbx.js 0.6.0, header", "js-header", set), b.npm("gbx-ts rc12, header", "ts-header", set), reading(set)},
	}, err
}

func (b *bench) mapBlocks(string) (row, error) {
	set, err := b.gbx(classMap)
	return row{
		what: "list the blocks of maps as CSV", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"map", "blocks", "--csv"}, set.paths...)...),
		refs: []command{b.npm("gbx-ts rc12, full", "ts-full", set), reading(set)},
	}, err
}

func (b *bench) telemetry(string) (row, error) {
	set, err := b.gbx(classReplay, classGhost)
	if err != nil {
		return row{}, err
	}
	packed, _, err := b.bodies("runs", set)
	out := b.path("lines.parquet")
	ours := b.cli(append([]string{"replay", "telemetry", "-o", out}, set.paths...)...).with(fresh(out))
	ours.mayFail = true // some replays hold no run
	return row{
		what: "write every driven line of replays and ghosts as Parquet", bytes: set.bytes, units: len(set.paths),
		ours: ours,
		refs: []command{b.liblzo2("decompress", packed), reading(set)},
	}, err
}

// compare holds ten runs of a minute against each other, each a little faster
// than the one before, on a line of its own.
func (b *bench) compare(string) (row, error) {
	var set files
	for i := range 10 {
		run := runsample.Straight(60_000)
		run.Splits = []gbx.Time{30_000, 60_000}
		run.Car = func(s float64) runsample.Car {
			v := 40 + float64(i)
			return runsample.Car{Position: gbx.Vec3{X: 200 + float32(i), Y: 9, Z: float32(100 + v*s)}, Speed: v}
		}
		data, err := run.Ghost().Encode()
		if err != nil {
			return row{}, err
		}
		path := b.path(fmt.Sprintf("run%d.Ghost.Gbx", i))
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return row{}, err
		}
		set.paths, set.bytes = append(set.paths, path), set.bytes+int64(len(data))
	}
	return row{
		what: "hold ten runs of a minute against each other", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"replay", "compare"}, set.paths...)...),
		refs: []command{b.starting(), reading(set)},
	}, nil
}

// mesh exports the largest item that has one.
func (b *bench) mesh(string) (row, error) {
	set, err := b.gbx(classItem)
	if err != nil {
		return row{}, err
	}
	sizes := map[string]int64{}
	for _, path := range set.paths {
		info, err := os.Stat(path)
		if err != nil {
			return row{}, err
		}
		sizes[path] = info.Size()
	}
	slices.SortFunc(set.paths, func(x, y string) int { return cmp.Compare(sizes[y], sizes[x]) })
	out := b.path("item.glb")
	for _, path := range set.paths {
		if exec.Command(b.pakbox, "--quiet", "mesh", path, "--force", "-o", out).Run() != nil {
			continue
		}
		one := files{[]string{path}, sizes[path]}
		return row{
			what: "export a large item as glTF", bytes: one.bytes, units: 1,
			ours: b.cli("mesh", path, "-o", out).with(fresh(out)),
			refs: []command{reading(one)},
		}, nil
	}
	return row{}, fmt.Errorf("no item with a mesh in the corpus")
}
