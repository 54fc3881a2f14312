package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

var scales = []int{1, 10, 100, 1000}

// scalingCase is a command on an input that grows.
type scalingCase struct {
	name string
	unit string
	base int // units at scale 1
	// make makes the input of n units and returns what to run on it.
	make func(n int) (command, error)
}

// growth is what became of it.
type growth struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Steps []step `json:"steps"`
}

type step struct {
	Scale int    `json:"scale"`
	Units int    `json:"units"`
	Took  sample `json:"took"`
}

// perUnit is the processor time of a unit: what else the machine does hardly
// disturbs it.
func (s step) perUnit() time.Duration { return s.Took.CPU / time.Duration(s.Units) }

// What still counts as flat from 100 to 1,000 times the input: files are cached
// better or worse, and the collector lets the heap double before it works.
const (
	flatTime   = 1.25
	flatMemory = 8 << 20
)

func (g growth) ends() (before, last step) { return g.Steps[len(g.Steps)-2], g.Steps[len(g.Steps)-1] }

func (g growth) timeWord() string {
	before, last := g.ends()
	r := float64(last.perUnit()) / float64(max(before.perUnit(), 1))
	if r <= flatTime {
		return fmt.Sprintf("flat (×%.2f)", r)
	}
	return fmt.Sprintf("grows ×%.2f", r)
}

func (g growth) memoryWord() string {
	before, last := g.ends()
	more := last.Took.Memory - before.Took.Memory
	if more <= flatMemory {
		return "flat"
	}
	word := fmt.Sprintf("%.3g kB per unit", float64(more)/float64(last.Units-before.Units)/1e3)
	if why := memoryReasons[filepath.Base(g.Name)]; why != "" {
		word += ": " + why
	}
	return word
}

// scale measures a case.
func (b *bench) scale(c scalingCase) (growth, error) {
	g := growth{Name: c.name, Unit: c.unit}
	for _, scale := range scales {
		n := c.base * scale
		cmd, err := c.make(n)
		if err != nil {
			return g, err
		}
		var samples []sample
		for range b.scalingRounds {
			_, s, err := b.run(cmd, len(samples) == 0)
			if err != nil {
				return g, fmt.Errorf("×%d: %w", scale, err)
			}
			samples = append(samples, s)
		}
		g.Steps = append(g.Steps, step{scale, n, median(samples)})
	}
	return g, nil
}

// scaling are the cases.
func (b *bench) scaling() []scalingCase {
	list := []scalingCase{
		{"scaling/files/cp -r", "file of 2 kB", 10, func(n int) (command, error) {
			dir, _, err := b.manyFiles(n)
			return b.copying(dir), err
		}},
		{"scaling/gbx/info", "map", 1, b.manyMaps("info")},
		{"scaling/gbx/verify", "map", 1, b.manyMaps("verify")},
		{"scaling/gbx/verify-one", "100 blocks of one map", 1, func(n int) (command, error) {
			path, err := b.largeMap(n, true)
			return b.cli("verify", path), err
		}},
	}
	all := append([]format{{name: "vpk42", file: "x.vpk"}, {name: "zip", file: "x.zip"}}, packed()...)
	for _, f := range all {
		list = append(list,
			scalingCase{"scaling/" + f.name + "/pack", "file of 2 kB", 10, b.scalePack(f)},
			scalingCase{"scaling/" + f.name + "/extract", "file of 2 kB", 10, b.scaleArchive(f, func(file, out string) command {
				return b.cli("extract", file, "-C", out).with(b.freshFolder(out))
			})},
			scalingCase{"scaling/" + f.name + "/ls", "file of 2 kB", 10, b.scaleArchive(f, func(file, _ string) command { return b.cli("ls", file) })},
			scalingCase{"scaling/" + f.name + "/pack-one", "64 kB of one file", 1, b.scaleOnePack(f)},
			scalingCase{"scaling/" + f.name + "/extract-one", "64 kB of one file", 1, b.scaleOneExtract(f)},
		)
	}
	return append(list,
		scalingCase{"scaling/nadeopak3/extract-gbx", "100 blocks of one map", 1, b.scaleMapInPack},
		scalingCase{"scaling/index/make", "file of 2 kB", 100, func(n int) (command, error) {
			dir, _, err := b.manyFiles(n)
			out := b.path("scaled.sqlite")
			return b.cli("index", "-o", out, dir).with(fresh(out)), err
		}},
		scalingCase{"scaling/simutrans/list", "object", 1, b.manyObjects("list")},
		scalingCase{"scaling/simutrans/merge", "object", 1, b.manyObjects("merge")},
		scalingCase{"scaling/simutrans/compile", "object", 1, b.manySources},
	)
}

// smallMap is the map of the corpus nearest to 20 kB whose blocks can be
// multiplied.
func (b *bench) smallMap() (data []byte, err error) {
	set, err := b.gbx(classMap)
	if err != nil {
		return nil, err
	}
	best := 1 << 40
	for _, path := range set.paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		distance := max(int(info.Size())-20_000, 20_000-int(info.Size()))
		if distance >= best {
			continue
		}
		candidate, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := gbx.Parse(candidate, engine.Registry())
		if err != nil {
			continue
		}
		if c, ok := gbx.Find[*game.Chunk0304301F](f.Body); ok && c.Blocks.Len() >= 100 {
			data, best = candidate, distance
		}
	}
	if data == nil {
		return nil, fmt.Errorf("no map with blocks in the corpus")
	}
	return data, nil
}

// copies puts n copies of a file into a folder.
func (b *bench) copies(name string, n int, data []byte) (paths []string, err error) {
	dir := b.path(fmt.Sprintf("copies-%d", n))
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("%03d", i/100), fmt.Sprintf("%02d-%s", i%100, name))
		paths = append(paths, path)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

func (b *bench) manyMaps(verb string) func(int) (command, error) {
	return func(n int) (command, error) {
		data, err := b.smallMap()
		if err != nil {
			return command{}, err
		}
		paths, err := b.copies("small.Map.Gbx", n, data)
		return b.cli(append([]string{verb}, paths...)...), err
	}
}

// largeMap makes a map of n times a hundred blocks.
func (b *bench) largeMap(n int, compressed bool) (string, error) {
	path := b.path(fmt.Sprintf("large-%d-%t", n, compressed), "large.Map.Gbx")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	data, err := b.smallMap()
	if err != nil {
		return "", err
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return "", err
	}
	c, ok := gbx.Find[*game.Chunk0304301F](f.Body)
	if !ok {
		return "", fmt.Errorf("a map without blocks")
	}
	c.Blocks.Blocks = game.PackBlocks(slices.Repeat(c.Blocks.Unpack()[:100], n))
	f.SetCompression(compressed, lzo1x.Fast)
	if data, err = f.Encode(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, data, 0o644)
}

// packCommand packs a folder.
func (b *bench) packCommand(f format, out, dir string) command {
	return b.cli(append([]string{"create", out, dir}, f.settings...)...).with(b.freshFolder(filepath.Dir(out)))
}

func (b *bench) scalePack(f format) func(int) (command, error) {
	return func(n int) (command, error) {
		dir, _, err := b.manyFiles(n)
		return b.packCommand(f, b.path("scaled", f.file), dir), err
	}
}

func (b *bench) scaleArchive(f format, use func(file, out string) command) func(int) (command, error) {
	return func(n int) (command, error) {
		dir, _, err := b.manyFiles(n)
		if err != nil {
			return command{}, err
		}
		file, err := b.archive(f, fmt.Sprintf("scaled-%d-%s", n, f.file), dir)
		return use(file, b.path("out-scaled")), err
	}
}

// oneFile is a folder with one file of n times the same 64 kB: more than any
// of the codecs looks back, so that every unit is as much work as the first.
func (b *bench) oneFile(n int) (string, error) {
	dir := b.path(fmt.Sprintf("one-%d", n))
	path := filepath.Join(dir, "large.bin")
	if _, err := os.Stat(path); err == nil {
		return dir, nil
	}
	_, set, err := b.tree()
	if err != nil {
		return "", err
	}
	const unit = 64 << 10
	for _, from := range set.paths {
		data, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if len(data) < unit {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		return dir, os.WriteFile(path, bytes.Repeat(data[:unit], n), 0o644)
	}
	return "", fmt.Errorf("no file of %d bytes in the corpus", unit)
}

func (b *bench) scaleOnePack(f format) func(int) (command, error) {
	return func(n int) (command, error) {
		dir, err := b.oneFile(n)
		return b.packCommand(f, b.path("scaled", f.file), dir), err
	}
}

func (b *bench) scaleOneExtract(f format) func(int) (command, error) {
	return func(n int) (command, error) {
		dir, err := b.oneFile(n)
		if err != nil {
			return command{}, err
		}
		file, err := b.archive(f, fmt.Sprintf("one-%d-%s", n, f.file), dir)
		out := b.path("out-scaled")
		return b.cli("extract", file, "-C", out).with(b.freshFolder(out)), err
	}
}

// scaleMapInPack extracts a map from an encrypted pack, where the place of
// every node matters and no body is compressed.
func (b *bench) scaleMapInPack(n int) (command, error) {
	path, err := b.largeMap(n, false)
	if err != nil {
		return command{}, err
	}
	file, err := b.archive(special["nadeopak"][0], fmt.Sprintf("map-%d.pak", n), filepath.Dir(path))
	out := b.path("out-scaled")
	return b.cli("extract", file, "-C", out).with(b.freshFolder(out)), err
}

func (b *bench) manyObjects(verb string) func(int) (command, error) {
	return func(n int) (command, error) {
		set, err := b.paks()
		if err != nil {
			return command{}, err
		}
		data, err := os.ReadFile(set.paths[len(set.paths)/2])
		if err != nil {
			return command{}, err
		}
		paths, err := b.copies("object.pak", n, data)
		args := []string{"makeobj", "QUIET", verb}
		if verb == "merge" {
			args = append(args, b.path("merged.pak"))
		}
		return b.cli(append(args, paths...)...).with(fresh(b.path("merged.pak"))), err
	}
}

// manySources compiles n objects, each with a source and a picture in a folder
// of their own.
func (b *bench) manySources(n int) (command, error) {
	set, err := b.paks()
	if err != nil {
		return command{}, err
	}
	from := b.path("small-source")
	if err := b.made(from, b.pakbox, "simutrans", "decompile", "-C", from, set.paths[len(set.paths)/2]); err != nil {
		return command{}, err
	}
	var paths []string
	for i := range n {
		dir := b.path(fmt.Sprintf("sources-%d", n), fmt.Sprintf("%04d", i))
		if err := copyTree(dir, from); err != nil {
			return command{}, err
		}
		if err := rename(dir, fmt.Sprint(i)); err != nil {
			return command{}, err
		}
		set, err := find(".dat", dir)
		if err != nil {
			return command{}, err
		}
		paths = append(paths, set.paths...)
	}
	out := b.path("compiled-scaled") + "/"
	return b.cli(append([]string{"simutrans", "compile", out}, paths...)...).with(b.freshFolder(out)), nil
}
