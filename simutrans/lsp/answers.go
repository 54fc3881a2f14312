package lsp

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"pakbox/finding"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// publish compiles a source and sends the findings.
func (s *server) publish(path string) error {
	s.mu.Lock()
	source, compiler := s.project.sources[path], s.compiler
	s.mu.Unlock()
	if source == nil || !source.isOpen {
		return nil
	}
	list := []diagnostic{}
	for _, f := range compiler.Source(path, filepath.Dir(path), []byte(source.text())).Problems {
		message := f.Message
		if f.Field != "" {
			message = f.Field + ": " + message
		}
		if f.Suggestion != "" {
			message += " (" + f.Suggestion + ")"
		}
		severity := map[finding.Severity]int{finding.Error: severityError, finding.Warning: severityWarning}[f.Severity]
		if severity == 0 {
			severity = severityInformation
		}
		list = append(list, diagnostic{source.whole(f.Line - 1), severity, f.Rule, "pakbox", valid(message)})
	}
	return s.notify("textDocument/publishDiagnostics", publishDiagnosticsParams{uriOf(path), source.version, list})
}

// completion offers keys before "=" and values after it.
func (s *server) completion(p place, _ documentParams) (any, error) {
	items := []completionItem{}
	if p.inKey {
		end := len(p.line(p.number))
		if i := strings.IndexByte(p.line(p.number), '='); i >= 0 {
			end = i
		}
		set := map[string]bool{}
		if _, o := p.entries(p.number - 1); o != nil {
			for _, e := range o.Entries() {
				set[e.Key] = true
			}
		}
		for _, k := range object.Keys(p.typ, s.target) {
			if set[k.Name] {
				continue
			}
			items = append(items, completionItem{
				Label: k.Name, Kind: kindProperty, Detail: detail(k), Documentation: markdown(k.About),
				TextEdit: textEdit{span(p.number, p.line(p.number), 0, end), k.Name},
			})
		}
		return items, nil
	}
	begin := strings.IndexByte(p.line(p.number), '=') + 1
	if p.known && p.about.Many {
		begin += strings.LastIndex(p.line(p.number)[begin:p.at], ",") + 1
	}
	for _, v := range s.values(p) {
		v.TextEdit = textEdit{span(p.number, p.line(p.number), begin, len(p.line(p.number))), v.Label}
		items = append(items, v)
	}
	return items, nil
}

// values are the possible values of a key.
func (s *server) values(p place) (items []completionItem) {
	add := func(kind int, about string, labels ...string) {
		for _, label := range labels {
			items = append(items, completionItem{Label: valid(label), Kind: kind, Documentation: markdown(about)})
		}
	}
	if p.key == "obj" {
		for _, obj := range s.target.Objects() {
			t, _ := node.ObjType(obj)
			add(kindValue, object.About(t), obj)
		}
	}
	if !p.known {
		return items
	}
	if p.key == "name" {
		add(kindValue, "The game looks for this name.", object.SpecialNames(p.typ)...)
	}
	if p.key != "obj" {
		add(kindValue, "", p.about.Words...)
	}
	if t := p.about.Refers; t != 0 {
		if t == node.VHCL && strings.HasPrefix(p.key, "constraint") {
			add(kindValue, "No vehicle: the end of a train.", "none")
		}
		if t == node.GOOD {
			add(kindValue, "Nothing.", "None")
		}
		add(kindReference, "", s.project.objectNames(t)...)
	}
	if p.about.IsImage {
		names, _ := filepath.Glob(filepath.Join(filepath.Dir(p.path), "*.png"))
		more, _ := filepath.Glob(filepath.Join(filepath.Dir(p.path), "*", "*.png"))
		for _, name := range append(names, more...) {
			if rel, err := filepath.Rel(filepath.Dir(p.path), name); err == nil {
				add(kindFile, "", strings.TrimSuffix(filepath.ToSlash(rel), ".png")+".0.0")
			}
		}
	}
	return items
}

// detail is a line about a key: its default, range and unit.
func detail(k object.Key) string {
	var parts []string
	if k.Range != "" {
		parts = append(parts, k.Range)
	}
	if k.Unit != "" {
		parts = append(parts, k.Unit)
	}
	if k.Default != "" {
		parts = append(parts, "default "+k.Default)
	}
	if k.Refers != 0 {
		parts = append(parts, "name of a "+k.Refers.Name())
	}
	if k.IsImage {
		parts = append(parts, "image: file.row.column")
	}
	return strings.Join(parts, ", ")
}

// hover explains a key, shows an image, or gives the place of an object.
func (s *server) hover(p place, _ documentParams) (any, error) {
	if !p.known {
		return nil, nil
	}
	if !p.inKey && p.about.IsImage {
		if picture := s.picture(p); picture != "" {
			return hover{markdown(picture), p.valueRange(p.number)}, nil
		}
	}
	text := fmt.Sprintf("**%s** %s\n\n%s", p.about.Name, detail(p.about), p.about.About)
	if len(p.about.Words) > 0 {
		text += "\n\n" + strings.Join(p.about.Words, ", ")
	}
	if t, name, ok := p.named(); ok && !p.inKey {
		for _, u := range s.project.uses(t, name, s.target) {
			if u.isDefining {
				text += fmt.Sprintf("\n\n%s %s: %s:%d", t.Name(), valid(name), filepath.Base(u.path), u.line+1)
			}
		}
	}
	if p.key == "obj" {
		t, _ := node.ObjType(p.value)
		text += "\n\n" + object.About(t)
	}
	return hover{markdown(text), p.whole(p.number)}, nil
}

// maxPictures is the largest number of images of one line in a hover.
const maxPictures = 8

// picture draws the images of a line side by side, as Markdown.
func (s *server) picture(p place) string {
	entries, o := p.entries(p.number)
	if o == nil {
		return ""
	}
	cell := int(o.Int("cell_size", 0))
	var cells []image.Image
	for _, e := range entries[:min(len(entries), maxPictures)] {
		if m, err := s.compiler.Cell(filepath.Dir(p.path), e.Value, cell); err == nil {
			cells = append(cells, m)
		}
	}
	if len(cells) == 0 {
		return ""
	}
	size := cells[0].Bounds().Dx()
	all := image.NewNRGBA(image.Rect(0, 0, size*len(cells), size))
	for i, m := range cells {
		draw.Draw(all, image.Rect(i*size, 0, (i+1)*size, size), m, m.Bounds().Min, draw.Src)
	}
	var data bytes.Buffer
	if png.Encode(&data, all) != nil {
		return ""
	}
	return "![image](data:image/png;base64," + base64.StdEncoding.EncodeToString(data.Bytes()) + ")"
}

// named returns the object that a value names: the object itself in name=, or an object
// that it refers to.
func (p place) named() (t node.Type, name string, ok bool) {
	switch {
	case p.value == "" || strings.Contains(p.value, "<"):
	case p.key == "name":
		return p.typ, p.value, p.typ != 0
	case p.known && p.about.Refers != 0:
		return p.about.Refers, p.value, true
	}
	return 0, "", false
}

// definition finds the object that a value names, or a picture.
func (s *server) definition(p place, _ documentParams) (any, error) {
	found := []location{}
	if t, name, ok := p.named(); ok {
		for _, u := range s.project.uses(t, name, s.target) {
			if u.isDefining {
				found = append(found, u.location())
			}
		}
	}
	if p.known && p.about.IsImage {
		if path := s.compiler.PicturePath(filepath.Dir(p.path), p.value); path != "" {
			if _, err := os.Stat(path); err == nil {
				found = append(found, location{URI: uriOf(path)})
			}
		}
	}
	return found, nil
}

// references lists all lines that name an object.
func (s *server) references(p place, _ documentParams) (any, error) {
	found := []location{}
	if t, name, ok := p.named(); ok {
		for _, u := range s.project.uses(t, name, s.target) {
			found = append(found, u.location())
		}
	}
	return found, nil
}

func (s *server) prepareRename(p place, _ documentParams) (any, error) {
	if _, _, ok := p.named(); !ok || p.inKey {
		return nil, &rpcError{invalidRequest, "no name of an object found here"}
	}
	return p.valueRange(p.number), nil
}

// rename changes the name of an object in all lines that name it.
func (s *server) rename(p place, params documentParams) (any, error) {
	t, name, ok := p.named()
	if !ok {
		return nil, &rpcError{invalidRequest, "no name of an object found here"}
	}
	if params.NewName == "" || strings.ContainsAny(params.NewName, "\r\n<") {
		return nil, &rpcError{invalidParams, "an object cannot have this name"}
	}
	edit := workspaceEdit{map[string][]textEdit{}}
	for _, u := range s.project.uses(t, name, s.target) {
		uri := uriOf(u.path)
		edit.Changes[uri] = append(edit.Changes[uri], textEdit{u.valueRange(u.line), params.NewName})
	}
	return edit, nil
}
