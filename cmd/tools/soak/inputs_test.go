//go:build linux

package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/tools/formats"
	"pakbox/internal/testkit/corpus"
)

// input is a real file, with the second file of formats that have two. A deep one is
// unpacked before it is damaged.
type input struct {
	files []string
	deep  bool
}

// source is all input of one format.
type source struct {
	format string
	inputs []input
}

// findSources lists the real files by format. For a format without real files it packs
// the project's own sample.
func (s *soak) findSources() (all []source) {
	found := map[string][]input{}
	err := filepath.WalkDir(corpus.Root(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if format, in := detect(path); format != "" {
			found[format] = append(found[format], in)
		}
		return nil
	})
	if !errors.Is(err, fs.ErrNotExist) {
		s.ok(err)
	}
	for _, f := range formats.Packing() {
		if name, ext := f.Name(), formats.Extension(f); found[name] == nil && ext != "" {
			path := filepath.Join(s.work, "hello"+ext)
			s.must(project, "create", "--format", name, path, "samples/hello")
			_, in := detect(path)
			found[name] = []input{in}
		}
	}
	for _, f := range pakbox.Formats() {
		if inputs := found[f.Name()]; len(inputs) > 0 {
			all = append(all, source{f.Name(), inputs})
			if f.Name() == "gbx" { // behind the compression damage reaches the chunks
				deep := slices.Clone(inputs)
				for i := range deep {
					deep[i].deep = true
				}
				all = append(all, source{"gbx, body uncompressed", deep})
			}
		}
	}
	return all
}

// detect returns the format of a file, "" if it has none or is the second file of a
// pair.
func detect(path string) (string, input) {
	file, closer, err := archive.OpenFile(path)
	if err != nil {
		return "", input{}
	}
	defer closer.Close()
	f, err := pakbox.Formats().Detect(file)
	if err != nil {
		return "", input{}
	}
	in := input{files: []string{path}}
	ext := filepath.Ext(path)
	for i, other := range f.Extensions() {
		if i > 0 && strings.EqualFold(ext, other) && exists(strings.TrimSuffix(path, ext)+f.Extensions()[0]) {
			return "", input{}
		}
		if beside := strings.TrimSuffix(path, ext) + other; beside != path && exists(beside) {
			in.files = append(in.files, beside)
		}
	}
	return f.Name(), in
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// load reads the files of an input. It returns nil for a deep one that cannot be
// unpacked, because the real file is broken.
func (a *attack) load(b *sandbox, in input) (data [][]byte) {
	paths := in.files
	if in.deep {
		paths = []string{b.top + ".unpacked.Gbx"}
		o, err := task{args: []string{"pakbox", "convert", "--force", "--body", "uncompressed", in.files[0], paths[0]}, limit: time.Minute}.run(a.Context())
		a.ok(err)
		if o.code != 0 {
			return nil
		}
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		a.ok(err)
		data = append(data, content)
	}
	return data
}

// writeSecrets writes the keys of the corpora, which their manifests name, into a keys
// file, and returns the passphrase. Without them soak would never get behind a wrong
// key.
func (s *soak) writeSecrets() (passphrase string) {
	var m struct { // of all manifests; no two have a name in common
		Paks []struct {
			File    string `json:"file"`
			BaseKey string `json:"base_key"`
		} `json:"paks"`
		IndexKey   []uint32 `json:"index_key"`
		DataKey    []uint32 `json:"data_key"`
		Passphrase string   `json:"passphrase_default"`
	}
	for _, name := range []string{"nadeopak", "eterpack", "vpk42"} {
		data, err := os.ReadFile(filepath.Join(corpus.Root(), name, "manifest.json"))
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			s.ok(err)
		}
	}
	var keys strings.Builder
	for _, p := range m.Paks {
		name, _, _ := strings.Cut(p.File, ".")
		fmt.Fprintf(&keys, "%s %s\n", name, p.BaseKey)
	}
	for name, key := range map[string][]uint32{"eterpack-index": m.IndexKey, "eterpack-data": m.DataKey} {
		if len(key) == 4 {
			fmt.Fprintf(&keys, "%s %d,%d,%d,%d\n", name, key[0], key[1], key[2], key[3])
		}
	}
	s.ok(os.WriteFile(filepath.Join(s.work, "keys"), []byte(keys.String()), 0o644))
	return m.Passphrase
}

// questions are all questions of the explorer that change nothing, with the
// parameters that some of them take beside a path.
func questions() string {
	parameters := map[string]string{"value": "at=body", "value-at": "space=0&offset=20", "bytes": "layer=file", "search": "q=gbx", "get": "at=mapName", "query": "q=.header"}
	var all []string
	for _, q := range page.Questions(false) {
		all = append(all, q+"?"+parameters[q])
	}
	return strings.Join(all, " ")
}
