package chunks

import (
	"reflect"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// Copy returns a deep copy of a node, for use in another file. The values stay the same.
// The references lose their numbers, which are valid only in the old file.
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

// renumber removes the numbers from the references of a node and of all nodes below it.
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
