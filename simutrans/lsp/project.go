package lsp

import (
	"maps"
	"slices"
	"strings"

	"pakbox/internal/lib/regular"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// project has all sources below the folders of the editor, and the names of the objects
// in a compiled pakset.
type project struct {
	sources map[string]*source // by path
	names   map[node.Type]map[string]bool
}

func newProject() *project {
	return &project{sources: map[string]*source{}, names: map[node.Type]map[string]bool{}}
}

// load reads the sources in folders. Sources that are open in the editor keep their text.
func (p *project) load(folders []string) {
	for _, folder := range folders {
		paths, _ := node.Files([]string{folder}, ".dat") // an unreadable folder has no sources
		for _, path := range paths {
			p.reload(path)
		}
	}
}

// reload reads a source from disk, unless it is open in the editor.
func (p *project) reload(path string) {
	if s := p.sources[path]; s != nil && s.isOpen {
		return
	}
	data, err := regular.Read(path, maxFile)
	if err != nil {
		delete(p.sources, path)
		return
	}
	p.sources[path] = newSource(path, string(data))
}

// loadPakset reads the names of the objects in compiled files.
func (p *project) loadPakset(paths []string) {
	files, _ := node.Files(paths, ".pak")
	for _, path := range files {
		data, err := regular.Read(path, maxFile)
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

// each visits the objects of all sources, in the order of paths.
func (p *project) each(visit func(s *source, o *dat.Object, t node.Type)) {
	for _, path := range slices.Sorted(maps.Keys(p.sources)) {
		for _, o := range p.sources[path].objects {
			t, _ := node.ObjType(o.Get("obj"))
			visit(p.sources[path], o, t)
		}
	}
}

// objectNames are the names of all objects of a type, in sources and in the pakset.
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
	isDefining bool // the line is name=, which defines the object
}

func (u use) location() location { return location{uriOf(u.path), u.valueRange(u.line)} }

// uses lists the lines that name an object.
func (p *project) uses(t node.Type, name string, target object.Target) (list []use) {
	p.each(func(s *source, o *dat.Object, typ node.Type) {
		keys := keysOf(typ, target)
		for _, e := range o.Entries() {
			isName := e.Key == "name" && typ == t
			line := e.Line - 1
			last := len(list) - 1
			switch {
			case e.Value != name || !isName && keys[dat.Stem(e.Key)].Refers != t:
			case last >= 0 && list[last].source == s && list[last].line == line: // the same line expands to several keys
			case strings.HasSuffix(s.line(line), "="+name): // the name is written out, not computed by an expression
				list = append(list, use{s, line, isName})
			}
		}
	})
	return list
}

// maxFile limits the size of a file of a project.
const maxFile = 256 << 20
