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

	"pakbox"
	"pakbox/archive"
	"pakbox/internal/tools/formats"
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

// sources lists the real files by format, and what is made for formats that have
// none.
func (s *soak) sources(ctx context.Context) ([]source, error) {
	found := map[string][]input{}
	err := filepath.WalkDir(s.corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if format, in, ok := realInput(path); ok {
			found[format.Name()] = append(found[format.Name()], in)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []source
	for _, f := range pakbox.Formats() {
		inputs := found[f.Name()]
		if c, ok := f.(archive.Creator); ok && len(inputs) == 0 {
			if inputs, err = s.makeInput(ctx, c); err != nil {
				return nil, err
			}
		}
		if len(inputs) > 0 {
			all = append(all, source{f.Name(), inputs})
		}
		if f.Name() == "gbx" && len(inputs) > 0 {
			// Behind the compression, where damage reaches the chunks.
			deep := source{format: "gbx, body uncompressed"}
			for _, in := range inputs {
				in.deep = true
				deep.inputs = append(deep.inputs, in)
			}
			all = append(all, deep)
		}
	}
	return all, nil
}

// realInput finds out what a file is. The second file of a format that has two
// is no input by itself.
func realInput(path string) (f archive.Format, in input, ok bool) {
	file, closer, err := archive.OpenFile(path)
	if err != nil {
		return nil, in, false
	}
	defer closer.Close()
	if f, err = pakbox.Formats().Detect(file); err != nil {
		return nil, in, false
	}
	in.path = path
	ext := filepath.Ext(path)
	for i, other := range f.Extensions() {
		if i > 0 && strings.EqualFold(ext, other) && exists(strings.TrimSuffix(path, ext)+f.Extensions()[0]) {
			return nil, in, false
		}
		if beside := strings.TrimSuffix(path, ext) + other; beside != path && exists(beside) {
			in.beside = beside
		}
	}
	return f, in, true
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// makeInput packs the project's own sample into a format that has no corpus, if
// it takes any files, so that soak has work to do without.
func (s *soak) makeInput(ctx context.Context, c archive.Creator) ([]input, error) {
	if formats.Extension(c) == "" || !slices.ContainsFunc(formats.Packing(), func(f archive.Creator) bool { return f.Name() == c.Name() }) {
		return nil, nil
	}
	path := filepath.Join(s.work, "made", "hello"+formats.Extension(c))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	args := []string{"create", "--format", c.Name(), path, filepath.Join(s.root, "samples", "hello")}
	o, err := task{args: args}.run(ctx, s.pakbox)
	if err != nil {
		return nil, err
	}
	if o.code != 0 {
		return nil, fmt.Errorf("pakbox %s: %s", strings.Join(args, " "), o.stderr)
	}
	_, in, _ := realInput(path)
	return []input{in}, nil
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
