package tree

import (
	"reflect"
	"slices"
	"strings"

	"pakbox/gbx"
)

// choice says where a search by path looks. Nearly all values of a file are in
// its lists of blocks and in its nodes, and most names occur only elsewhere,
// which the types of the chunks tell. A nil choice is to look everywhere.
type choice struct {
	names []string // of the path
	nodes bool     // also in nodes below the main one
	whole bool     // only where the path leads if it is a whole one
	held  map[reflect.Type]bool
}

// choices are where to look for a path, one after the other, until one gives
// what [Tree.Resolve] would find anyway. The last is everywhere.
func choices(names []string) []*choice {
	first, last := names[0], names[len(names)-1]
	whole := len(names) > 1 && (strings.EqualFold(first, "header") || strings.EqualFold(first, "body"))
	var list []*choice
	if isFieldName(last) {
		list = append(list, &choice{names: names, whole: whole, held: map[reflect.Type]bool{}})
	}
	if whole {
		list = append(list, &choice{names: names, whole: whole, nodes: true})
	}
	return append(list, nil)
}

// enough reports whether what was found is what a search everywhere would have
// led to: a whole path is that of one value, and of others those in the header
// and in the main node itself come first.
func (c *choice) enough(fits fit, found []Match) bool {
	switch {
	case c == nil:
		return true
	case len(found) == 0:
		return false
	case c.whole:
		return fits == whole
	}
	return fits >= suffix
}

// wants reports whether to look into a group; main tells of a node and of a
// chunk whether it is the main one, or one of its chunks.
func (c *choice) wants(main bool, name string, p any) bool {
	if c == nil {
		return true
	}
	switch p := p.(type) {
	case *gbx.HeaderChunk:
		return c.leads("header", p.ID.String()) && c.holds(p.Body)
	case *gbx.Chunk:
		return (!main || c.leads("body", p.ID.String())) && c.holds(p.Body)
	case *gbx.Node:
		return main || c.nodes
	case gbx.PackedList:
		return same(name, c.names[len(c.names)-1]) || c.holds(p.Unpacked())
	}
	return same(name, c.names[len(c.names)-1]) || c.holds(p)
}

// leads reports whether a whole path may lead to a part.
func (c *choice) leads(root, id string) bool {
	return !c.whole || strings.EqualFold(c.names[0], root) && same(base(c.names[1]), id)
}

// holds reports whether a value called as the last name of the path may be in
// what p points to.
func (c *choice) holds(p any) bool {
	return c.nodes || c.inType(reflect.TypeOf(p))
}

// inType reports whether a value of that type may hold one called as the last
// name of the path. The names of values are those of the fields they are in.
func (c *choice) inType(t reflect.Type) bool {
	held, known := c.held[t]
	if !known {
		c.held[t] = false // until it is known, for types that hold themselves
		held = c.inFields(t)
		c.held[t] = held
	}
	return held
}

var (
	typeOfID  = reflect.TypeFor[gbx.ID]()
	typeOfRef = reflect.TypeFor[gbx.Ref]()
)

func (c *choice) inFields(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return c.inType(t.Elem())
	case reflect.Interface, reflect.Map, reflect.Func, reflect.Chan:
		return true // nobody knows
	case reflect.Struct:
	default:
		return false
	}
	if t == typeOfID || t == typeOfRef {
		return false // a single value; a node, which is not looked into
	}
	last := base(c.names[len(c.names)-1])
	for i := range t.NumField() {
		f := t.Field(i)
		// What is packed or compressed has fields of its own, and is asked for
		// once more.
		if !f.IsExported() || strings.EqualFold(f.Name, last) || c.inType(f.Type) {
			return true
		}
	}
	return false
}

// codersNames are the names of values that are no fields: those that the Coder
// gives, and those of the chunks that are coded by hand.
var codersNames = []string{
	"class", "content", "compressed", "uncompressedSize", "listVersion", "opaque",
	"count", "elements", "high", "indexCount", "legacyValue", "low", "memberCount", "members", "moreThanThree",
}

// isFieldName reports whether values of that name are fields: neither elements,
// chunks, nor what the Coder gives a name.
func isFieldName(name string) bool {
	name = base(name)
	return name != "" && name[0] != '[' && !isChunkName(name) &&
		!slices.ContainsFunc(codersNames, func(s string) bool { return strings.EqualFold(s, name) })
}
