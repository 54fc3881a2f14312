package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/runsample"
)

// makeInput makes the inputs of inputs.mk that a shell cannot make.
func makeInput(args []string) error {
	switch kind, args := args[0], args[1:]; {
	case kind == "bodies" && len(args) == 3:
		return makeBodies(args[0], args[1], args[2])
	case kind == "small" && len(args) == 2:
		return makeSmall(args[0], args[1])
	case kind == "large" && len(args) == 4:
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return makeLarge(args[0], n, args[2] == "compressed", args[3])
	case kind == "maps" && len(args) == 3:
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return makeMaps(args[0], n, args[2])
	case kind == "store" && len(args) == 2:
		return makeStore(args[0], args[1])
	case kind == "serve" && len(args) == 1:
		return serveStore(args[0])
	case kind == "runs" && len(args) == 1:
		return makeRuns(args[0])
	case kind == "index" && len(args) == 3:
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return makeIndex(args[0], n, args[2])
	default:
		return fmt.Errorf("unknown input %q of %q", kind, args)
	}
}

// makeBodies writes the compressed bodies of the files in a set, packed and raw, in the
// form that peers/lzo.c reads.
func makeBodies(set, packed, raw string) error {
	t, err := readTables()
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	paths, _, _, err := t.files(here, set)
	if err != nil {
		return err
	}
	var p, r []byte
	block := func(b []byte, size int, stored []byte) []byte {
		b = binary.LittleEndian.AppendUint32(b, uint32(size))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(stored)))
		return append(b, stored...)
	}
	for _, path := range paths {
		f, _, err := decode(path)
		if err != nil || !f.IsCompressed() {
			continue
		}
		p, r = block(p, len(f.BodyBytes()), f.PackedBody()), block(r, len(f.BodyBytes()), f.BodyBytes())
	}
	if err := os.WriteFile(packed, p, 0o666); err != nil {
		return err
	}
	return os.WriteFile(raw, r, 0o666)
}

// makeSmall copies a map from a folder: the one nearest to 20 kB whose blocks makeLarge
// can multiply.
func makeSmall(dir, out string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	var best []byte
	distance := func(data []byte) int { return max(len(data)-20_000, 20_000-len(data)) }
	for _, path := range paths {
		f, data, err := decode(path)
		if err != nil || best != nil && distance(data) >= distance(best) {
			continue
		}
		if c, ok := gbx.Find[*game.Chunk0304301F](f.Body); ok && c.Blocks.Len() >= 100 {
			best = data
		}
	}
	if best == nil {
		return fmt.Errorf("no map with blocks in %s", dir)
	}
	return os.WriteFile(out, best, 0o666)
}

// makeLarge makes a map that has the first hundred blocks of another map n times.
func makeLarge(from string, n int, compressed bool, out string) error {
	f, _, err := decode(from)
	if err != nil {
		return err
	}
	c, ok := gbx.Find[*game.Chunk0304301F](f.Body)
	if !ok {
		return fmt.Errorf("%s has no blocks", from)
	}
	c.Blocks.Blocks = game.PackBlocks(slices.Repeat(c.Blocks.Unpack()[:100], n))
	f.SetCompression(compressed, lzo1x.Fast)
	data, err := f.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o666)
}

// makeMaps makes n copies of the smallest map in a folder, each with its own UID, a
// thousand in each folder.
func makeMaps(from string, n int, dir string) error {
	paths, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil {
		return err
	}
	var least []byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if least == nil || len(data) < len(least) {
			least = data
		}
	}
	f, err := gbx.Parse(least, engine.Registry())
	if err != nil {
		return err
	}
	m, err := maps.Of(f)
	if err != nil {
		return err
	}
	for i := range n {
		at := filepath.Join(dir, fmt.Sprintf("%03d", i/1000))
		if i%1000 == 0 {
			if err := os.MkdirAll(at, 0o777); err != nil {
				return err
			}
		}
		if err := m.SetUID(fmt.Sprintf("pakbox_grown_%014d", i)); err != nil {
			return err
		}
		data, err := f.Encode()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(at, fmt.Sprintf("%07d.Map.Gbx", i)), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// makeRuns makes ten runs of a minute, each a little faster than the one before and on
// another line.
func makeRuns(dir string) error {
	for i := range 10 {
		run := runsample.Straight(60_000)
		run.Splits = []gbx.Time{30_000, 60_000}
		run.Car = func(s float64) runsample.Car {
			v := 40 + float64(i)
			return runsample.Car{Position: gbx.Vec3{X: 200 + float32(i), Y: 9, Z: float32(100 + v*s)}, Speed: v}
		}
		data, err := run.Ghost().Encode()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("run%d.Ghost.Gbx", i)), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// makeIndex makes an index of n files that do not exist: maps with blocks of their own, maps
// that all have one set of blocks, or replays (runs).
func makeIndex(file string, n int, kind string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		return err
	}
	defer db.Close()
	for i := range n {
		path := fmt.Sprintf("maps/%03d/%07d.Map.Gbx", i/1000, i)
		rows := madeUp(i, path, kind == "one")
		if kind == "runs" {
			path = strings.Replace(path, ".Map.", ".Replay.", 1)
			rows = madeUpReplay(i, path)
		}
		if err := db.Put(ctx, sqlite.State{Path: path}, rows); err != nil {
			return err
		}
		if i%10_000 == 0 {
			if err := db.Commit(ctx); err != nil {
				return err
			}
		}
	}
	return db.Finish(ctx)
}

// Words of names, and environments, of maps that do not exist.
var (
	words        = []string{"sunset", "speed", "tech", "dirt", "ice", "loop", "night", "canyon", "short", "long", "mini", "fullspeed"}
	environments = []string{"Stadium", "Bay", "Coast", "Island", "Snow", "Desert", "Rally"}
)

// madeUpReplay makes the rows of a replay that does not exist. Every tenth has a second run.
func madeUpReplay(i int, path string) *index.Rows {
	h := uint64(i+1) * 0x9E3779B97F4A7C15 >> 16
	file, login, uid, time := index.Key(path), fmt.Sprintf("driver%06d", h%50_000), fmt.Sprintf("uid%07d", h%200_000), int64(10_000+h%300_000)
	rows := &index.Rows{}
	rows.Add("files", map[string]any{
		"file": file, "path": path, "name": filepath.Base(path), "size": int64(1000 + h%1_000_000), "kind": "replay", "format": "gbx",
		"status": index.StatusOK, "schema_version": index.Version, "blake3": index.Hash(numbers(i, 8)), "body_blake3": index.Hash(numbers(i, 8)),
	})
	rows.Add("replays", map[string]any{"file": file, "time": time, "login": login, "map_uid": uid, "collection_name": environments[h%7], "ghost_count": int64(1)})
	rows.Add("ghosts", map[string]any{"file": file, "ghost": int64(0), "login": login, "race_time": time, "map_uid": uid})
	if i%10 == 9 {
		rows.Add("ghosts", map[string]any{"file": file, "ghost": int64(1), "login": login, "race_time": time + int64(h%5000), "map_uid": uid})
	}
	rows.AddTexts()
	return rows
}

// madeUp makes the rows of a map that does not exist. Every 50th map is a copy of the one
// before it. Every 25th has the blocks of the one before it, and every 20th has three
// quarters of these blocks. With one set, all maps have the same blocks.
func madeUp(i int, path string, one bool) *index.Rows {
	h := uint64(i+1) * 0x9E3779B97F4A7C15 >> 16
	content := numbers(i, 8)
	if i%50 == 49 {
		content = numbers(i-1, 8)
	}
	layout := i
	switch {
	case one:
		layout = 0
	case i%25 == 24:
		layout = i - 1
	}
	blocks := numbers(layout, 64)
	if i%20 == 19 && !one {
		blocks = append(numbers(i-1, 48), numbers(i, 16)...)
	}
	rows := &index.Rows{}
	rows.Add("files", map[string]any{
		"file": index.Key(path), "path": path, "name": filepath.Base(path), "size": int64(1000 + h%1_000_000), "kind": "map", "format": "gbx",
		"status": index.StatusOK, "schema_version": index.Version, "blake3": index.Hash(content), "body_blake3": index.Hash(content),
	})
	rows.Add("maps", map[string]any{
		"file": index.Key(path), "name": fmt.Sprintf("$f00%s$fff %s %d", words[h%12], words[h/12%12], i), "uid": fmt.Sprintf("uid%07d", i),
		"author_login": fmt.Sprintf("author%06d", h%50_000), "collection_name": environments[h%7], "medals_author": int64(10_000 + h%300_000), "block_count": int64(h % 3000),
		"shifted_hash": index.Hash(numbers(layout, 8)), "minhash": blocks,
	})
	rows.AddTexts()
	return rows
}

// numbers returns n numbers of four bytes, derived from a seed.
func numbers(seed, n int) []byte {
	var out []byte
	for k := range n {
		out = binary.LittleEndian.AppendUint32(out, uint32((uint64(seed+1)*0xBF58476D1CE4E5B9^uint64(k+1)*0x94D049BB133111EB)*0x9E3779B97F4A7C15>>32))
	}
	return out
}
