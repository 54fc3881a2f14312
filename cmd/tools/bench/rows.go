package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"pakbox/cmd/tools/formats"
	"pakbox/internal/testkit/corpus"
)

//go:embed rows.txt
var rowsText string

// tables are the contents of rows.txt.
type tables struct {
	rows, scaling []row
	reasons       map[string]string // why pakbox is slower, by row, or by row and peer
	memoryReasons map[string]string // why the memory grows, by command
	sets          map[string][]string
}

// row is one job and the commands that do it. The keys of rows.txt explain the
// fields.
type row struct {
	name, what, of string
	needs, out     []string
	before         string
	target         float64
	anyExit        bool
	unit           string
	base           int
	commands       []command // the first is pakbox's
}

type command struct {
	name, line string
	floor      bool
}

// codec is a compression of VPK, and the program that compresses in the same way.
type codec struct{ Name, Pack, Peer, Level, Out, Test string }

var codecs = []codec{
	{"lz4-1", "--algorithm lz4 --level 1", "lz4", "-1", "", "-q -t"},
	{"lz4-9", "--algorithm lz4 --level 9", "lz4", "-9", "", "-q -t"},
	{"zstd-3", "--vpk-version 2 --algorithm zstd --level 3", "zstd", "-3", "-o", "-q -t"},
	{"brotli-5", "--vpk-version 2 --algorithm brotli --level 5", "brotli", "-5", "-o", "-t"},
}

// format is an archive format, the settings of pakbox create, and the most similar other
// program.
type format struct{ Name, File, Settings, Beside, Level string }

// special are formats that are not made with their defaults, by name. Zip and VPK have
// their own rows; a folder has none.
var special = map[string][]format{
	"eterpack": {{"eterpack", "x.eix", "--eterpack-type 2", "zip", "-6"}},
	"pck":      {{"pck", "x.pck", "", "zstd", "-17"}},
	"nadeopak": {
		{"nadeopak3", "x.pak", "--format nadeopak --version 3 --encrypt=true", "zip", "-9"},
		{"nadeopak18", "x.Pack.Gbx", "--format nadeopak --version 18", "zip", "-6"},
	},
	"zip": nil, "vpk42": nil, "folder": nil,
}

// templateData returns the data for the templates rows.txt and inputs.mk.
func templateData() any {
	var all []format
	for _, f := range formats.Packing() {
		list, ok := special[f.Name()]
		if !ok {
			list = []format{{f.Name(), "x" + formats.Extension(f), "--format " + f.Name(), "zip", "-6"}}
		}
		all = append(all, list...)
	}
	scaled := append([]format{{Name: "vpk42", File: "x.vpk"}, {Name: "zip", File: "x.zip"}}, all...)
	return map[string]any{"Codecs": codecs, "Formats": all, "Scaled": scaled}
}

// readTables reads rows.txt.
func readTables() (*tables, error) {
	t, err := template.New("rows.txt").Funcs(template.FuncMap{"split": strings.Fields}).Parse(rowsText)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, templateData()); err != nil {
		return nil, err
	}
	all := &tables{reasons: map[string]string{}, memoryReasons: map[string]string{}, sets: map[string][]string{}}
	for _, paragraph := range strings.Split(text.String(), "\n\n") {
		lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(paragraph), "\n"), func(line string) bool { return strings.HasPrefix(line, "#") })
		if len(lines) == 0 || lines[0] == "" {
			continue
		}
		kind, name, _ := strings.Cut(lines[0], " ")
		var r row
		switch kind {
		case "row":
			r, err = readRow(name, lines[1:])
			all.rows = append(all.rows, r)
		case "scale":
			r, err = readRow("scaling/"+name, lines[1:])
			all.scaling = append(all.scaling, r)
		case "set":
			all.sets[name] = lines[1:]
		case "why":
			all.reasons[name] = strings.Join(lines[1:], " ")
		case "memory":
			all.memoryReasons[name] = strings.Join(lines[1:], " ")
		default:
			err = fmt.Errorf("unknown kind of paragraph %q", lines[0])
		}
		if err != nil {
			return nil, fmt.Errorf("rows.txt: %s: %w", name, err)
		}
	}
	return all, nil
}

func readRow(name string, lines []string) (r row, err error) {
	r.name = name
	for _, line := range lines {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "what":
			r.what = value
		case "of":
			r.of = value
		case "needs":
			r.needs = strings.Fields(value)
		case "out":
			r.out = strings.Fields(value)
		case "before":
			r.before = value
		case "unit":
			r.unit = value
		case "exit":
			r.anyExit = true
		case "base":
			r.base, err = strconv.Atoi(value)
		case "target":
			r.target, err = strconv.ParseFloat(value, 64)
		case "ours", "peer", "floor":
			c := command{line: value, floor: key == "floor"}
			if before, after, ok := strings.Cut(value, " = "); ok {
				c.name, c.line = before, after
			} else { // the words before the files
				words, _, _ := strings.Cut(strings.ReplaceAll(value, " --quiet", ""), "{")
				c.name = strings.TrimSpace(words)
			}
			r.commands = append(r.commands, c)
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// files lists a set, or the files of a folder that inputs.mk made in dir.
func (t *tables) files(dir, name string) (paths []string, size, largest int64, err error) {
	places, ok := t.sets[name]
	if !ok {
		places = []string{filepath.Join(dir, name)}
	}
	for _, place := range places {
		folder, suffix, _ := strings.Cut(place, "*")
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(corpus.Root(), folder)
		}
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(strings.ToLower(path), suffix) {
				return err
			}
			info, err := os.Stat(path)
			if err == nil {
				paths, size, largest = append(paths, path), size+info.Size(), max(largest, info.Size())
			}
			return err
		})
		if err != nil {
			return nil, 0, 0, err
		}
	}
	if len(paths) == 0 {
		return nil, 0, 0, fmt.Errorf("no files found in %s", name)
	}
	return paths, size, largest, nil
}
