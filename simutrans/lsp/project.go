package lsp

import (
	"maps"
	"os"
	"slices"
	"strings"

	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// project is all sources below the folders of the editor, and the names of the
// objects of a compiled pakset.
type project struct {
	sources map[string]*source // by path
	names   map[node.Type]map[string]bool
}

func newProject() *project {
	return &project{sources: map[string]*source{}, names: map[node.Type]map[string]bool{}}
}

// load reads the sources of folders. Those that the editor has open stay.
func (p *project) load(folders []string) {
	for _, folder := range folders {
		paths, _ := node.Files([]string{folder}, ".dat") // an unreadable folder has no sources
		for _, path := range paths {
			p.reload(path)
		}
	}
}

// reload reads a source from disk, unless the editor has it open.
func (p *project) reload(path string) {
	if s := p.sources[path]; s != nil && s.isOpen {
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		delete(p.sources, path)
		return
	}
	p.sources[path] = newSource(path, string(data))
}

// loadPakset reads the names of the objects of compiled files.
func (p *project) loadPakset(paths []string) {
	files, _ := node.Files(paths, ".pak")
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		f, err := node.Parse(data)
		if err != nil {
			continue
		}
		for _, n := range f.Root.Children {
			if p.names[n.Type] == nil {
				p.names[n.Type] = map[string]bool{}
			}
			p.names[n.Type][n.Name()] = true
		}
	}
}

// each visits the sources by path, and their objects.
func (p *project) each(visit func(s *source, o *dat.Object, t node.Type)) {
	for _, path := range slices.Sorted(maps.Keys(p.sources)) {
		for _, o := range p.sources[path].objects {
			t, _ := node.ObjType(o.Get("obj"))
			visit(p.sources[path], o, t)
		}
	}
}

// objectNames are the names of a type, of sources and of the pakset.
func (p *project) objectNames(t node.Type) []string {
	names := maps.Clone(p.names[t])
	if names == nil {
		names = map[string]bool{}
	}
	p.each(func(_ *source, o *dat.Object, typ node.Type) {
		if typ == t && o.Get("name") != "" {
			names[o.Get("name")] = true
		}
	})
	return slices.Sorted(maps.Keys(names))
}

// use is a line that names an object.
type use struct {
	*source
	line       int
	isDefining bool // the line is name=
}

func (u use) location() location { return location{uriOf(u.path), u.valueRange(u.line)} }

// uses are the lines that name an object.
func (p *project) uses(t node.Type, name string, target object.Target) (list []use) {
	p.each(func(s *source, o *dat.Object, typ node.Type) {
		keys := keysOf(typ, target)
		for _, e := range o.Entries() {
			isName := e.Key == "name" && typ == t
			line := e.Line - 1
			last := len(list) - 1
			switch {
			case e.Value != name || !isName && keys[dat.Stem(e.Key)].Refers != t:
			case last >= 0 && list[last].source == s && list[last].line == line: // a line for several keys
			case strings.HasSuffix(s.line(line), "="+name): // and no expression gives it
				list = append(list, use{s, line, isName})
			}
		}
	})
	return list
}
