package tree

import (
	"reflect"
	"slices"
	"strings"

	"pakbox/gbx"
)

// choice limits a search by path to some groups. Most values are in lists of blocks and
// in inner nodes, but most names that people ask for are elsewhere. The Go types of
// chunks show where a name can occur. A nil choice stands for all groups.
type choice struct {
	names []string // names of the path
	nodes bool     // also search inner nodes
	whole bool     // the path is complete: search only groups on the path
	held  map[reflect.Type]bool
}

// choices returns the choices for a path, to be tried in order until [choice.enough]. The
// last one stands for all groups.
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

// enough reports whether a search of all groups would give the same result. This is so
// for a complete path, and for values in the header or main node, because these take
// precedence.
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

// wants reports whether to search a group. main means that it is the main node or a chunk
// of it.
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

func (c *choice) leads(root, id string) bool {
	return !c.whole || strings.EqualFold(c.names[0], root) && same(base(c.names[1]), id)
}

// holds reports whether the value at p may contain the last name of the path.
func (c *choice) holds(p any) bool {
	return c.nodes || c.inType(reflect.TypeOf(p))
}

// inType reports whether a value of a type may contain the last name of the path.
func (c *choice) inType(t reflect.Type) bool {
	held, known := c.held[t]
	if !known {
		c.held[t] = false // ends the recursion for types that contain themselves
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
		return true // the type does not show it
	case reflect.Struct:
	default:
		return false
	}
	if t == typeOfID || t == typeOfRef {
		return false // an ID is a single value, and nodes are not searched
	}
	last := base(c.names[len(c.names)-1])
	for i := range t.NumField() {
		f := t.Field(i)
		// Unexported fields belong to packed lists and compressed blocks. The walk calls
		// wants for these again.
		if !f.IsExported() || strings.EqualFold(f.Name, last) || c.inType(f.Type) {
			return true
		}
	}
	return false
}

// codersNames are names of values that are not fields of structs.
var codersNames = []string{
	"class", "content", "compressed", "uncompressedSize", "listVersion", "opaque",
	"count", "elements", "high", "indexCount", "legacyValue", "low", "memberCount", "members", "moreThanThree",
}

// isFieldName reports whether a name can be the name of a field.
func isFieldName(name string) bool {
	name = base(name)
	return name != "" && name[0] != '[' && !isChunkName(name) &&
		!slices.ContainsFunc(codersNames, func(s string) bool { return strings.EqualFold(s, name) })
}
