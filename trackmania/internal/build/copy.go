package build

import (
	"reflect"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// Copy returns a node with all nodes below it as one that can stand in another file:
// values as they are, and references without the numbers of the file they came from.
func Copy(n *gbx.Node) (*gbx.Node, error) {
	data, err := gbx.New(n, engine.Registry()).Encode()
	if err != nil {
		return nil, err
	}
	made, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, err
	}
	renumber(made.Body, map[*gbx.Node]bool{})
	return made.Body, nil
}

var refType = reflect.TypeFor[gbx.Ref]()

// renumber takes the numbers off the references of a node and of those below it.
func renumber(n *gbx.Node, seen map[*gbx.Node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	for i := range n.Chunks {
		renumberIn(reflect.ValueOf(n.Chunks[i].Body), seen)
	}
}

func renumberIn(v reflect.Value, seen map[*gbx.Node]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			renumberIn(v.Elem(), seen)
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Pointer || k == reflect.Slice {
			for i := range v.Len() {
				renumberIn(v.Index(i), seen)
			}
		}
	case reflect.Struct:
		if v.Type() == refType {
			if r := v.Interface().(gbx.Ref); r.Node != nil && v.CanSet() {
				v.Set(reflect.ValueOf(gbx.NewRef(r.Node)))
				renumber(r.Node, seen)
			}
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				renumberIn(v.Field(i), seen)
			}
		}
	}
}
