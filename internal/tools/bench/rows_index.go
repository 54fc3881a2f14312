package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pakbox/index"
	"pakbox/index/sqlite"
)

// indexRows are about an index of many files.
func (b *bench) indexRows() []maker {
	return []maker{
		{"index/make", b.indexMake},
		{"index/cores", b.indexCores},
		{"index/beam", b.indexBeam},
		{"index/again", b.indexAgain},
		{"index/find", func(string) (row, error) {
			return b.indexFind("a name and words of the text", "author=author017003", "env=Stadium", "author<1:00", "sunset", "--sort", "size")
		}},
		{"index/find-uid", func(string) (row, error) { return b.indexFind("a UID", "uid=uid0777777") }},
		{"index/find-range", func(string) (row, error) {
			return b.indexFind("times in a narrow range", "author>=0:30.000", "author<0:30.002", "--sort", "-size")
		}},
	}
}

// indexMake makes an index. What info says of the same files is the reference:
// the rows are those facts and more. Of replays, index reads the map inside too.
func (b *bench) indexMake(string) (row, error) {
	set, err := b.gbx(classMap, classReplay)
	if err != nil {
		return row{}, err
	}
	out := filepath.Join(b.tmp, "made.sqlite")
	return row{
		what: "make an index of maps and replays", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"index", "-o", out}, set.paths...)...).with(func() error { return os.RemoveAll(out) }),
		refs: []command{{name: "pakbox info --json", args: b.cli(append([]string{"info", "--json"}, set.paths...)...).args}, reading(set)},
	}, nil
}

// indexCores makes an index with all cores, beside one core: on two it should
// take 1.8 times less. The files are those of indexMake several times, so that
// the start and the end of the program, which one core does, weigh as little as
// they do in a collection.
func (b *bench) indexCores(string) (row, error) {
	set, err := b.gbx(classMap, classReplay)
	if err != nil {
		return row{}, err
	}
	dir, size, err := b.collection(set, 8)
	if err != nil {
		return row{}, err
	}
	out := filepath.Join(b.tmp, "cores.sqlite")
	clean := func() error { return os.RemoveAll(out) }
	all := b.cli("index", "-o", out, dir).with(clean)
	one := b.cli("index", "-j", "1", "-o", out, dir).with(clean)
	one.name, one.env = "pakbox index, one core", append(one.env, "GOMAXPROCS=1")
	return row{what: "make an index with all cores", bytes: size, units: 8 * len(set.paths), ours: all, refs: []command{one}}, nil
}

// collection copies files several times into a folder. Each copy has a byte
// behind it, so that index cannot take it for one that it knows.
func (b *bench) collection(set files, times int) (dir string, size int64, err error) {
	dir = filepath.Join(b.tmp, "collection")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", 0, err
	}
	for _, path := range set.paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", 0, err
		}
		for i := range times {
			copied := append(data[:len(data):len(data)], byte(i))
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(path))), copied, 0o666); err != nil {
				return "", 0, err
			}
			size += int64(len(copied))
		}
	}
	return dir, size, nil
}

// beamFiles is how many small files go through the pipeline.
const beamFiles = 10_000

// indexBeam writes the tables of small files as Parquet, beside the pipeline of
// the folder cluster in its own process: what is more there is what Beam costs.
func (b *bench) indexBeam(string) (row, error) {
	dir, _, err := b.manyFiles(beamFiles)
	if err != nil {
		return row{}, err
	}
	out := filepath.Join(b.tmp, "beam")
	program, err := filepath.Abs(filepath.Join("cluster", "cluster"))
	if err != nil {
		return row{}, err
	}
	beam := peer("cluster", program, "--input", dir, "--output", out, "--shards", "1").with(b.freshFolder(out))
	if beam.missing != "" {
		beam.missing = "not built: cd cluster && go build"
	}
	return row{
		what: "write the tables of 10,000 small files as Parquet", units: beamFiles,
		ours: b.cli("index", "--parquet", out, dir).with(b.freshFolder(out)), refs: []command{beam},
	}, nil
}

// unchanged is how many files are looked at again.
const unchanged = 100_000

// indexAgain brings an index up to date of which nothing changed.
func (b *bench) indexAgain(string) (row, error) {
	dir, out := filepath.Join(b.tmp, "unchanged"), filepath.Join(b.tmp, "unchanged.sqlite")
	old := time.Unix(1_500_000_000, 0)
	for i := range unchanged {
		name := filepath.Join(dir, fmt.Sprintf("%03d", i/500), fmt.Sprintf("%06d.txt", i))
		if i%500 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return row{}, err
			}
		}
		if err := os.WriteFile(name, []byte(name), 0o666); err != nil {
			return row{}, err
		}
		if err := os.Chtimes(name, old, old); err != nil {
			return row{}, err
		}
	}
	again := b.cli("index", "-o", out, dir)
	if _, _, err := b.run(again, true); err != nil {
		return row{}, err
	}
	return row{
		what: "look at 100,000 files of which none changed", units: unchanged, ours: again,
		refs: []command{peer("find -printf", "find", dir, "-printf", "%p %s %T@ %C@\n")},
	}, nil
}

// madeUp is how many maps the index has that is searched.
const madeUp = 1_000_000

// indexFind searches an index of made-up maps. Starting the program is in it;
// the reference is a program that only starts.
func (b *bench) indexFind(what string, args ...string) (row, error) {
	out := filepath.Join(b.tmp, "madeup.sqlite")
	if _, err := os.Stat(out); err != nil {
		if err := makeUp(out, madeUp); err != nil {
			return row{}, err
		}
	}
	return row{
		what: "find " + what + " among 1,000,000 maps", units: 1,
		ours: b.cli(append([]string{"find", out}, args...)...),
		refs: []command{b.starting()},
	}, nil
}

// makeUp makes an index of n maps that nobody has.
func makeUp(file string, n int) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		return err
	}
	defer db.Close()
	words := []string{"sunset", "speed", "tech", "dirt", "ice", "loop", "night", "canyon", "short", "long", "mini", "fullspeed"}
	environments := []string{"Stadium", "Bay", "Coast", "Island", "Snow", "Desert", "Rally"}
	for i := range n {
		path := fmt.Sprintf("maps/%03d/%07d.Map.Gbx", i/1000, i)
		h := uint64(i+1) * 0x9E3779B97F4A7C15 >> 16
		time := int64(10_000 + h%300_000)
		rows := &index.Rows{}
		rows.Add("files", map[string]any{
			"file": index.Key(path), "path": path, "name": filepath.Base(path), "size": int64(1000 + h%1_000_000), "kind": "map", "format": "gbx",
			"status": index.StatusOK, "schema_version": index.Version,
		})
		rows.Add("maps", map[string]any{
			"file": index.Key(path), "name": fmt.Sprintf("$f00%s$fff %s %d", words[h%12], words[h/12%12], i), "uid": fmt.Sprintf("uid%07d", i),
			"author_login": fmt.Sprintf("author%06d", h%50_000), "collection_name": environments[h%7], "medals_author": time, "block_count": int64(h % 3000),
		})
		rows.AddTexts()
		if err := db.Put(ctx, sqlite.State{Path: path}, rows); err != nil {
			return err
		}
		if i%10_000 == 0 {
			if err := db.Commit(ctx); err != nil {
				return err
			}
		}
	}
	return db.Commit(ctx)
}
