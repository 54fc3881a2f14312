package compile

import (
	"path/filepath"

	"pakbox/finding"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/img"
	"pakbox/simutrans/lint"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// build compiles one object of a source.
type build struct {
	*object.Builder
	target object.Target
	sheets *sheets
	dir    string // folder that image references are relative to
	cell   int    // the size of a cell in pixels

	pictures map[string]bool // files that were read
	reported map[string]bool // files that cannot be used and were reported
	head     fileHead        // head of the file that will contain the object
	result   *node.Node      // the compiled object; nil if it cannot be compiled
}

func (c *Compiler) build(o *dat.Object, dir string) *build {
	b := &build{target: c.target, sheets: c.sheets, dir: dir, cell: c.cell, pictures: map[string]bool{}, reported: map[string]bool{}}
	b.head = fileHead{node.Code1003, c.target.Banner()}
	d := b.directives(o)
	b.Builder = object.NewBuilder(o, b.target, b.load)
	if !b.Failed() {
		b.result = b.compile(d)
	}
	return b
}

// compile makes the node. If it cannot, it records the reason and returns nil.
func (b *build) compile(d directives) *node.Node {
	if b.Get("name") == "" && !d.carried {
		f := finding.New(finding.Error, noName, finding.Nowhere, "the object has no name")
		f.Suggestion = "every object needs one"
		b.Report("name", f)
	}
	b.cell = int(b.Int("cell_size", int64(b.cell)))
	if !cellSizeOK(b.cell) {
		b.Fail("cell_size", "", "%d is not between %d and %d", b.cell, minCell, maxCell)
		b.cell = DefaultCell
	}
	n := b.node(d)
	if n != nil {
		b.pin(n, d)
	}
	if b.Failed() {
		return nil
	}
	for _, m := range lint.Object(n) {
		f := finding.New(finding.Warning, m.Rule, finding.Nowhere, "%s", m.Message)
		f.Suggestion = m.Suggestion
		if m.Key == lint.FirstImage {
			m.Key = b.firstImage(n.Type)
		}
		b.Report(m.Key, f)
	}
	return n
}

// firstImage is the first key of the source that names an image.
func (b *build) firstImage(t node.Type) string {
	keys := object.ByStem(t, b.target)
	for _, e := range b.Entries() {
		if keys[dat.Stem(e.Key)].IsImage && !parseReference(e.Value).empty {
			return e.Key
		}
	}
	return lint.FirstImage
}

func (b *build) node(d directives) *node.Node {
	if t, ok := node.ObjType(b.Get("obj")); ok && d.carried {
		return &node.Node{Type: t}
	}
	return b.Build()
}

// load returns the image of a key; a key without a value gives an empty image.
func (b *build) load(key string) *img.Image {
	version := b.target.Version(node.IMG).Standard
	m := img.Empty()
	m.Version = version
	value := b.Get(key)
	if value == "" {
		return m
	}
	ref := parseReference(value)
	if !ref.empty {
		ref.byRows = b.target.NumberByRows
		loaded, err := b.sheets.image(filepath.Join(b.dir, filepath.FromSlash(ref.file)), ref, b.cell, version)
		b.pictures[loaded.path] = true
		if err != nil {
			b.unusable(key, loaded.path, err)
			return m
		}
		if loaded.warning != "" {
			b.Warn(key, "", "%s", loaded.warning)
		}
		m = &loaded.Image
	}
	m.Zoomable = 1
	if ref.fixed {
		m.Zoomable = 0
	}
	return m
}

// unusablePicture is the rule of findings about a whole picture. Their Entry is the path
// of the picture.
const unusablePicture = "unusable_picture"

// unusable reports an image that cannot be loaded. A problem of the whole picture is
// reported once, not for each of its images.
func (b *build) unusable(key, path string, err *imageError) {
	switch {
	case !err.picture:
		b.Fail(key, err.suggestion, "%s", err.message)
	case !b.reported[path]:
		b.reported[path] = true
		f := finding.New(finding.Error, unusablePicture, finding.In(path), "%s", err.message)
		f.Suggestion = err.suggestion
		b.Report(key, f)
	}
}

// imageNode returns the image of a key as an IMG node.
func (b *build) imageNode(key string) *node.Node {
	return &node.Node{Type: node.IMG, Body: b.load(key).Append(nil)}
}
