//go:build linux

package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"pakbox/internal/tools/formats"
)

// writer is a command that writes. It runs in a folder that holds src, which
// is input, and at, which is all it may change.
type writer struct {
	name   string
	before [][]string // commands that make what stands in at before
	args   []string
	// several: the result is many files, each old or new by itself, rather
	// than one thing that changes in one step.
	several bool
	// partial: a file that was not there before may be found half-written if
	// the command is killed. Only extract may do so, see SECURITY.md.
	partial bool
}

// writers lists every command that writes, with each format it writes in its
// own way. A new command is one more line; files in src come from
// [writeSources].
func writers(corpus string) []writer {
	var all []writer
	for _, f := range formats.Packing() {
		ext := cmp.Or(formats.Extension(f), "/")
		format := []string{"--format", f.Name()}
		out := "at/a" + ext
		old := append([]string{"create", out, "src/files"}, format...)
		less := append([]string{"create", out, "src/more"}, format...) // a folder is not replaced by one that lacks its files
		create := func(verb, input string) []string {
			return append([]string{verb, "--force", "--quiet"}, append(format, ordered(verb, out, input)...)...)
		}
		all = append(all,
			writer{name: "create new " + ext, args: append([]string{"create", out, "src/files"}, format...)},
			writer{name: "create --force " + ext, before: [][]string{less}, args: create("create", "src/files")},
			writer{name: "convert --force " + ext, before: [][]string{less}, args: create("convert", "src/files.zip")},
			writer{name: "put " + ext, before: [][]string{old}, args: []string{"put", out, "src/more/"}},
			writer{name: "rm " + ext, before: [][]string{old}, args: []string{"rm", out, "f01"}},
			writer{name: "mv " + ext, before: [][]string{old}, args: []string{"mv", out, "f02", "elsewhere"}},
		)
	}
	all = append(all,
		writer{name: "put in an archive in an archive", before: [][]string{{"create", "src/inner.vpk", "src/files"}, {"create", "at/a.zip", "src/inner.vpk"}},
			args: []string{"put", "at/a.zip/inner.vpk", "src/more/"}},
		writer{name: "extract", args: []string{"extract", "src/more.zip", "-C", "at/out"}, several: true, partial: true},
		writer{name: "extract --force", before: [][]string{{"extract", "src/files.zip", "-C", "at/out"}},
			args: []string{"extract", "--force", "src/more.zip", "-C", "at/out"}, several: true, partial: true},
		writer{name: "simutrans compile", before: [][]string{{"simutrans", "compile", "at/pak/", "src/old.dat"}},
			args: []string{"simutrans", "compile", "at/pak/", "src/new.dat"}, several: true},
		writer{name: "simutrans compile to one file", before: [][]string{{"simutrans", "compile", "at/all.pak", "src/old.dat"}},
			args: []string{"simutrans", "compile", "at/all.pak", "src/new.dat"}},
		writer{name: "simutrans decompile", before: [][]string{{"simutrans", "compile", "src/pak/", "src/new.dat"}},
			args: []string{"simutrans", "decompile", "--force", "src/pak/", "-C", "at/dat"}, several: true},
		writer{name: "simutrans convert", before: [][]string{{"simutrans", "compile", "src/new.pak", "src/new.dat"}, {"simutrans", "compile", "at/c.pak", "src/old.dat"}},
			args: []string{"simutrans", "convert", "--force", "--lossy", "--target", "60.6", "src/new.pak", "at/c.pak"}},
		writer{name: "simutrans picture", before: [][]string{{"simutrans", "compile", "src/pak/", "src/new.dat"}},
			args: []string{"simutrans", "picture", "--force", "src/pak/good.G00.pak", "-o", "at/p.png"}},
		writer{name: "makeobj", before: [][]string{{"makeobj", "pak", "at/m.pak", "src/old.dat"}}, args: []string{"makeobj", "pak", "at/m.pak", "src/new.dat"}},
		writer{name: "keys add", before: [][]string{{"--keys", "at/keys", "keys", "add", "one", "--value-file", "src/key"}},
			args: []string{"--keys", "at/keys", "keys", "add", "two", "--value-file", "src/key"}},
		writer{name: "man --dir", args: []string{"man", "--force", "--dir", "at/man"}, several: true},
	)
	all = append(all, indexWriters()...)
	return append(all, gbxWriters(corpus)...)
}

// indexWriters are the commands that write an index: as SQLite, where each file's
// rows come in one step, and as Parquet, where each table does.
func indexWriters() []writer {
	return []writer{
		{name: "index new", args: []string{"index", "src/more", "src/more.zip", "-o", "at/i.sqlite"}, several: true},
		{name: "index", before: [][]string{{"index", "src/files.zip", "-o", "at/i.sqlite"}},
			args: []string{"index", "src/more", "src/files.zip", "src/more.zip", "-o", "at/i.sqlite"}, several: true},
		{name: "index --parquet", before: [][]string{{"index", "src/files.zip", "--parquet", "at/tables"}},
			args: []string{"index", "src/more", "src/more.zip", "--parquet", "at/tables"}, several: true},
		{name: "index merge", before: [][]string{{"index", "src/more", "-o", "src/one.sqlite"}, {"index", "src/files.zip", "-o", "src/two.sqlite"}},
			args: []string{"index", "merge", "src/one.sqlite", "src/two.sqlite", "-o", "at/m.sqlite"}, several: true},
	}
}

// gbxWriters are the commands on GBX files, of which only the corpus has some.
func gbxWriters(corpus string) []writer {
	m, replay, item := first(corpus, "03043000", ".map.gbx"), first(corpus, "03093000", ".replay.gbx"), first(corpus, "2e002000", ".item.gbx")
	if m == "" || replay == "" || item == "" {
		return nil
	}
	copied := [][]string{{"convert", m, "at/a.Map.Gbx"}}
	writes := func(name string, args ...string) writer {
		return writer{name: name, before: [][]string{{"create", "--format", "zip", args[len(args)-1], "src/key"}}, args: append([]string{args[0], args[1], "--force"}, args[2:]...)}
	}
	return []writer{
		{name: "set", before: copied, args: []string{"set", "at/a.Map.Gbx", "mapName=soaked"}},
		{name: "convert --body", before: [][]string{{"convert", "--body", "uncompressed", m, "at/a.Map.Gbx"}},
			args: []string{"convert", "--force", "--body", "compressed", m, "at/a.Map.Gbx"}},
		{name: "map rename", before: copied, args: []string{"map", "rename", "at/a.Map.Gbx", "soaked"}},
		{name: "map medals", before: copied, args: []string{"map", "medals", "at/a.Map.Gbx", "--bronze", "9:59.000"}},
		{name: "map edit", before: copied, args: []string{"map", "edit", "src/track.recipe", "at/a.Map.Gbx"}},
		{name: "map blocks --set", before: copied, args: []string{"map", "blocks", "--set", "src/blocks.csv", "at/a.Map.Gbx"}},
		writes("map thumbnail", "map", "thumbnail", m, "-o", "at/t.jpg"),
		writes("map picture", "map", "picture", m, "-o", "at/p.png"),
		writes("map mesh", "map", "mesh", m, "-o", "at/m.glb"),
		writes("map lightmap --strip", "map", "lightmap", m, "--strip", "-o", "at/small.Map.Gbx"),
		{name: "map items -C", args: []string{"map", "items", "--force", m, "-C", "at/items"}, several: true, partial: true},
		writes("mesh", "mesh", item, "-o", "at/m.glb"),
		writes("map create", "map", "create", "--uid", "SampleUID_00000000000000001", "at/e.Map.Gbx"),
		{name: "item create", before: [][]string{{"mesh", "--force", item, "-o", "src/part.glb"}, {"create", "--format", "zip", "at/i.Item.Gbx", "src/key"}},
			args: []string{"item", "create", "--force", "--mesh", "src/part.glb", "at/i.Item.Gbx"}},
		writes("replay map", "replay", "map", replay, "-o", "at/m.Map.Gbx"),
		writes("replay inputs", "replay", "inputs", replay, "-o", "at/i.txt"),
		writes("replay telemetry", "replay", "telemetry", replay, "-o", "at/l.csv"),
		writes("replay telemetry, Parquet", "replay", "telemetry", replay, "-o", "at/l.parquet"),
		writes("replay telemetry, NumPy", "replay", "telemetry", replay, "-o", "at/l.npy"),
		writes("replay compare", "replay", "compare", replay, replay, "-o", "at/c.png"),
		writes("replay animate", "replay", "animate", replay, "-o", "at/a.png"),
		writes("map scrub", "map", "scrub", m, "-o", "at/clean.Map.Gbx"),
		writes("replay picture", "replay", "picture", replay, "-o", "at/l.png"),
		{name: "replay ghosts -C", args: []string{"replay", "ghosts", "--force", replay, "-C", "at/ghosts"}, several: true},
		{name: "campaign create", before: [][]string{{"create", "--format", "zip", "at/c.Campaign.Gbx", "src/key"}},
			args: []string{"campaign", "create", "--force", "at/c.Campaign.Gbx", filepath.Dir(m)}},
	}
}

// ordered puts OUT where the command wants it.
func ordered(verb, out, input string) []string {
	if verb == "convert" {
		return []string{input, out}
	}
	return []string{out, input}
}

// first finds a GBX file of a class in the corpus.
func first(corpus, class, ending string) string {
	all, _ := filepath.Glob(filepath.Join(corpus, "gbx", class, "*"))
	for _, name := range all {
		if strings.HasSuffix(strings.ToLower(name), ending) {
			return name
		}
	}
	return ""
}

// printers are commands that only print, to a standard output that is full.
var printers = [][]string{
	{"info", "src/files.zip"}, {"ls", "src/files.zip"}, {"ls", "--json", "src/files.zip"}, {"cat", "src/files.zip/f00"},
	{"verify", "src/files.zip"}, {"diff", "src/files.zip", "src/more.zip"}, {"dump", "src/good.pak"}, {"query", "src/good.pak", "."},
	{"simutrans", "check", "src/good.pak"}, {"class", "03043"}, {"help"}, {"help", "formats"}, {"version"}, {"man", "ls"}, {"completion", "bash"},
	{"create", "--format", "zip", "-", "src/files"}, {"keys", "ls", "--keys", "src/keys"},
}

// writeSources makes the input that the commands above name.
func writeSources(dir string) error {
	random := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 24<<10) // does not compress: writes are as long as files
	for folder, n := range map[string]int{"files": 24, "more": 12} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			return err
		}
		for i := range n {
			random.Read(data)
			if err := os.WriteFile(filepath.Join(dir, folder, fmt.Sprintf("f%02d", i)), data, 0o666); err != nil {
				return err
			}
		}
	}
	dat := func(n int) (text []byte) {
		for i := range n {
			text = fmt.Appendf(text, "obj=good\nname=G%02d\nvalue=%d\n---\n", i, n+i)
		}
		return text
	}
	return firstError(
		os.WriteFile(filepath.Join(dir, "old.dat"), dat(4), 0o666),
		os.WriteFile(filepath.Join(dir, "new.dat"), dat(60), 0o666),
		os.WriteFile(filepath.Join(dir, "track.recipe"), []byte("place block=A at=1,9,1\nmove block=A by=1,0,0\n"), 0o666),
		os.WriteFile(filepath.Join(dir, "blocks.csv"), []byte("name,x,y,z\nA,1,9,1\n"), 0o666),
		os.WriteFile(filepath.Join(dir, "key"), []byte("0123456789ABCDEF0123456789ABCDEF\n"), 0o666),
		os.WriteFile(filepath.Join(dir, "keys"), []byte("one 0123456789ABCDEF0123456789ABCDEF\n"), 0o666))
}

// prepared are commands that make the rest of src from it.
var prepared = [][]string{
	{"create", "src/files.zip", "src/files"}, {"create", "src/more.zip", "src/more"}, {"simutrans", "compile", "src/good.pak", "src/old.dat"},
}
