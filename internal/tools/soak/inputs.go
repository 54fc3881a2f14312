//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// input is a real file, with the second file of formats that have two.
type input struct {
	path   string
	beside string // empty for most
	deep   bool   // to be unpacked before it is broken, see [soak.load]
}

func (in input) name() string { return filepath.Base(in.path) }

// source is all input of one format.
type source struct {
	format string
	inputs []input
}

// extensions of the files that each corpus has for pakbox to open.
var extensions = map[string][]string{
	"gbx": {".gbx"}, "nadeopak": {".pak", ".gbx"}, "vpk42": {".vpk"}, "eterpack": {".eix"}, "simutrans": {".pak"},
}

// sources lists the real files by format.
func (s *soak) sources(ctx context.Context) (all []source, err error) {
	for _, format := range []string{"gbx", "nadeopak", "vpk42", "eterpack", "simutrans"} {
		src := source{format: format}
		err := filepath.WalkDir(filepath.Join(s.corpus, format), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains(extensions[format], strings.ToLower(filepath.Ext(path))) {
				return err
			}
			in := input{path: path}
			if format == "eterpack" {
				in.beside = strings.TrimSuffix(path, filepath.Ext(path)) + ".epk"
			}
			src.inputs = append(src.inputs, in)
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if len(src.inputs) > 0 {
			all = append(all, src)
		}
		if format == "gbx" && len(src.inputs) > 0 {
			// Behind the compression, where damage reaches the chunks.
			deep := source{format: "gbx, body uncompressed"}
			for _, in := range src.inputs {
				in.deep = true
				deep.inputs = append(deep.inputs, in)
			}
			all = append(all, deep)
		}
	}
	return s.makeInputs(ctx, all)
}

// makeInputs packs the project's own sample into formats that have no corpus,
// so that soak has work to do without any.
func (s *soak) makeInputs(ctx context.Context, all []source) ([]source, error) {
	dir := filepath.Join(s.work, "made")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	real := len(all)
	for _, m := range []struct {
		format string
		args   []string
	}{
		{"zip", []string{"hello.zip"}},
		{"zip", []string{"plain.zip", "--level", "0"}},
		{"vpk42", []string{"v2.vpk", "--vpk-version", "2", "--algorithm", "zstd"}},
		{"nadeopak", []string{"v18.Pack.Gbx", "--format", "nadeopak", "--version", "18", "--compress=false"}},
		{"eterpack", []string{"hello.eix"}},
	} {
		if slices.ContainsFunc(all[:real], func(src source) bool { return src.format == m.format }) {
			continue
		}
		path := filepath.Join(dir, m.args[0])
		args := append([]string{"create", path, filepath.Join(s.root, "samples", "hello")}, m.args[1:]...)
		o, err := task{args: args}.run(ctx, s.pakbox)
		if err != nil {
			return nil, err
		}
		if o.code != 0 {
			return nil, fmt.Errorf("pakbox %s: %s", strings.Join(args, " "), o.stderr)
		}
		in := input{path: path}
		if strings.HasSuffix(path, ".eix") {
			in.beside = strings.TrimSuffix(path, ".eix") + ".epk"
		}
		if n := len(all); n > 0 && all[n-1].format == m.format {
			all[n-1].inputs = append(all[n-1].inputs, in)
		} else {
			all = append(all, source{m.format, []input{in}})
		}
	}
	return all, nil
}

// secrets writes the keys that the manifests of the corpora give for their
// files into a keys file, and returns the passphrase of the encrypted ones.
// Without them, soak would never get behind a wrong key.
func (s *soak) secrets(path string) (passphrase string, err error) {
	var nadeopak struct {
		Paks []struct {
			File    string `json:"file"`
			BaseKey string `json:"base_key"`
		} `json:"paks"`
	}
	var eterpack struct {
		IndexKey []uint32 `json:"index_key"`
		DataKey  []uint32 `json:"data_key"`
	}
	var vpk struct {
		Passphrase string `json:"passphrase_default"`
	}
	for corpus, into := range map[string]any{"nadeopak": &nadeopak, "eterpack": &eterpack, "vpk42": &vpk} {
		data, err := os.ReadFile(filepath.Join(s.corpus, corpus, "manifest.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			return "", err
		}
	}
	var b strings.Builder
	for _, p := range nadeopak.Paks {
		name, _, _ := strings.Cut(p.File, ".")
		fmt.Fprintf(&b, "%s %s\n", name, p.BaseKey)
	}
	for name, key := range map[string][]uint32{"eterpack-index": eterpack.IndexKey, "eterpack-data": eterpack.DataKey} {
		if len(key) == 4 {
			fmt.Fprintf(&b, "%s %d,%d,%d,%d\n", name, key[0], key[1], key[2], key[3])
		}
	}
	return vpk.Passphrase, os.WriteFile(path, []byte(b.String()), 0o644)
}
