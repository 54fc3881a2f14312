package simutrans

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/internal/lib/spell"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

var _ archive.Valuer = (*Archive)(nil)

// The path of a value is the path of its node, as Diff shows it, and the name of a field:
// vehicle.TB24/topspeed, building.Dom/002.TILE/phases. In a file with one object the
// object may be left out. Facts that are not fields (name, copyright, building_level of a
// factory) are values of the object too. So are values that sources call by another name,
// such as cost, payload and intro_year; they have the units of sources.

// Get implements archive.Valuer.
func (a *Archive) Get(path string) ([]archive.Value, error) {
	p, err := a.locate(path)
	if err != nil {
		return nil, err
	}
	v := archive.Value{Path: p.String()}
	var value any
	if f, ok := p.descriptorField(); ok {
		v.Text, value = node.Display(f.Text), f.Number()
		if text, isText := value.(string); isText {
			value = node.Display(text)
		}
	} else if known, ok := p.fact(); ok {
		v.Text, value = known.Text(), known.Value
	} else if word, ok := p.word(); ok {
		v.Text, value = node.Display(word), numberOrText(word)
	} else {
		return nil, p.missing()
	}
	v.JSON, err = json.Marshal(value)
	return []archive.Value{v}, err
}

// Set implements archive.Valuer.
func (a *Archive) Set(assignments []archive.Assignment) (*archive.Revision, error) {
	root := *a.File.Root
	root.Children = append([]*node.Node(nil), root.Children...)
	for i, n := range root.Children {
		root.Children[i] = n.Clone()
	}
	file := *a.File
	file.Root = &root
	edited := &Archive{File: &file, objects: folders(&file)}
	var changes []archive.ByteChange
	for _, s := range assignments {
		p, err := edited.locate(s.Path)
		if err != nil {
			return nil, err
		}
		changed, err := p.set(s.Value)
		if err != nil {
			return nil, err
		}
		changes = append(changes, changed...)
	}
	data, err := file.Append(nil)
	return &archive.Revision{Data: data, Changes: changes}, err
}

// valuePath is a value: its object, its node and the name of its field.
type valuePath struct {
	object Object
	steps  []string // path from the object to the node
	node   *node.Node
	field  string
}

func (p *valuePath) String() string {
	return path.Join(p.object.Folder, strings.Join(p.steps, "/"), p.field)
}

func (p *valuePath) fail(format string, args ...any) error {
	return &archive.ValueError{Path: p.String(), Message: fmt.Sprintf(format, args...)}
}

func (p *valuePath) missing() error {
	d, err := object.Decode(p.node)
	if err != nil {
		return err
	}
	var names []string
	for _, f := range d.Fields() {
		names = append(names, f.Name)
	}
	if len(names) == 0 {
		return p.fail("value not found")
	}
	near := spell.Near(p.field, names, 1)
	for i := range near {
		near[i] = path.Join(path.Dir(p.String()), near[i])
	}
	return &archive.ValueError{Path: p.String(), Missing: true, Message: "value not found; there are " + strings.Join(names, ", "), Near: near}
}

// locate follows a path.
func (a *Archive) locate(at string) (*valuePath, error) {
	parts := strings.Split(at, "/")
	for _, o := range a.objects {
		if o.Folder == parts[0] && len(parts) > 1 {
			return o.locate(parts[1:])
		}
	}
	if len(a.objects) == 1 {
		return a.objects[0].locate(parts)
	}
	return nil, &archive.ValueError{Path: at, Message: fmt.Sprintf("the file has %d objects; say which one, as in %s", len(a.objects), a.example())}
}

// example is the path of some value, for an error message.
func (a *Archive) example() string {
	if len(a.objects) == 0 {
		return "TYPE.NAME/FIELD"
	}
	return a.objects[0].Folder + "/FIELD"
}

func (o Object) locate(parts []string) (*valuePath, error) {
	last := len(parts) - 1
	steps := o.Node.Steps(strings.Join(parts[:last], "/"))
	n, err := o.Node.At(strings.Join(steps, "/"))
	if err != nil {
		p := &valuePath{object: o, steps: steps}
		return nil, p.fail("there is no such node")
	}
	return &valuePath{o, steps, n, parts[last]}, nil
}

// descriptorField returns the field. A field of a factory's building may be called
// building_NAME at the factory.
func (p *valuePath) descriptorField() (object.Field, bool) {
	if f, ok := fieldOf(p.node, p.field); ok {
		return f, true
	}
	if name, ok := strings.CutPrefix(p.field, "building_"); ok && p.node == p.object.Node {
		for i, c := range p.node.Children {
			if f, found := fieldOf(c, name); found && c.Type == node.BUIL {
				p.steps, p.node, p.field = append(p.steps, node.Step(i, c.Type)), c, name
				return f, true
			}
		}
	}
	return object.Field{}, false
}

func fieldOf(n *node.Node, name string) (object.Field, bool) {
	d, err := object.Decode(n)
	if err != nil {
		return object.Field{}, false
	}
	return d.Field(name)
}

// word returns the value under a source's key, from the node or from the building of a
// factory.
func (p *valuePath) word() (value string, ok bool) {
	for _, n := range append([]*node.Node{p.node}, p.node.Children...) {
		if n != p.node && n.Type != node.BUIL {
			continue
		}
		d, err := object.Decode(n)
		if err != nil || !d.HasWord(p.field) {
			continue
		}
		p.node = n
		for _, w := range d.Words() {
			if w.Key == p.field {
				return w.Value, true
			}
		}
		return "0", true // a flag that is not set has no line
	}
	return "", false
}

// fact returns the fact of the object with this name.
func (p *valuePath) fact() (fact.Value, bool) {
	if facts := ObjectFacts(p.node); p.node == p.object.Node && facts.Has(p.field) {
		return facts.Get(p.field)
	}
	return fact.Value{}, false
}

// set changes the value and returns the changed bytes.
func (p *valuePath) set(value string) ([]archive.ByteChange, error) {
	old, ok := p.descriptorField()
	switch {
	case ok:
		return p.setField(old, value)
	case p.field == "name" && p.node == p.object.Node:
		return nil, &archive.ValueError{Path: p.String(), Message: "an object is renamed by moving its folder, so that references follow", Rename: true}
	case p.field == "copyright" && p.node == p.object.Node:
		return p.setCopyright(value)
	}
	if _, ok := p.fact(); ok {
		return nil, p.fail("follows from other values and cannot be set by itself")
	}
	if _, ok := p.word(); ok {
		return p.setBody(func(d *object.Body) error { return d.SetWord(p.field, value) })
	}
	return nil, p.missing()
}

func (p *valuePath) setField(old object.Field, value string) ([]archive.ByteChange, error) {
	if old.Structural {
		return nil, p.fail("determines the nodes of the object; change its source")
	}
	changes, err := p.setBody(func(d *object.Body) error { return d.Set(old.Name, value) })
	if err != nil {
		return nil, err
	}
	// A count is computed from the counted things, so setting it changes nothing.
	now, ok := fieldOf(p.node, old.Name)
	if !ok || now.Value == old.Value && old.Text != value && fmt.Sprint(old.Value) != value {
		return nil, p.fail("follows from other values and cannot be set by itself")
	}
	for i := range changes {
		changes[i].OldText, changes[i].NewText = inWords(old), inWords(now)
	}
	return changes, nil
}

// inWords is a value with its unit.
func inWords(f object.Field) string {
	return strings.TrimSpace(plain(node.Display(f.Text)) + " " + f.Unit)
}

// setBody changes the body of the node.
func (p *valuePath) setBody(set func(*object.Body) error) ([]archive.ByteChange, error) {
	d, err := object.Decode(p.node)
	if err != nil {
		return nil, err
	}
	if err := set(d); err != nil {
		return nil, p.fail("%s", strings.TrimPrefix(err.Error(), p.field+": "))
	}
	body, err := d.Encode()
	if err != nil {
		return nil, p.fail("%v", err)
	}
	before := p.node.Body
	p.node.Body = body
	return p.changes(before), nil
}

func (p *valuePath) setCopyright(value string) ([]archive.ByteChange, error) {
	texts := 0
	for i, c := range p.node.Children {
		if c.Type != node.TEXT {
			continue
		}
		if texts++; texts == 2 {
			p.steps, p.node, p.field = append(p.steps, node.Step(i, c.Type)), c, "text"
			return p.set(value)
		}
	}
	return nil, p.fail("the object has no place for it")
}

// changes returns the range of bytes in which the node's body has changed.
func (p *valuePath) changes(before []byte) []archive.ByteChange {
	after := p.node.Body
	if bytes.Equal(before, after) {
		return nil
	}
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return []archive.ByteChange{{
		Part: "body of " + p.node.Type.String(), Place: p.String(), Offset: int64(start),
		Old: before[start : len(before)-end], New: after[start : len(after)-end],
	}}
}
