package question

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"pakbox/fact"
)

// Shape lists the fields of the answer's JSON in one line, such as "size, medals {gold,
// silver}, findings [{rule, message}]". It is "" if only the parts of the answer have
// fields, or the facts of formats are its fields.
func (q *Question) Shape() string {
	switch answer := reflect.Zero(q.Answer).Interface().(type) {
	case *File, Parted:
		return ""
	case Stater:
		return factsShape(answer.Subjects())
	}
	shape := typeShape(q.Answer)
	return strings.TrimSuffix(strings.TrimPrefix(shape, "{"), "}")
}

// factsShape lists facts; those of one group together.
func factsShape(subjects []*fact.Subject) string {
	var names []string
	members := map[string][]string{}
	for _, s := range subjects {
		for _, f := range s.Facts {
			name, member, _ := strings.Cut(f.Name, ".")
			if f.Kind == fact.Group || slices.Contains(members[name], member) {
				continue
			}
			if members[name] == nil {
				names = append(names, name)
			}
			members[name] = append(members[name], member)
		}
	}
	for i, name := range names {
		if members[name][0] != "" {
			names[i] += " {" + strings.Join(members[name], ", ") + "}"
		}
	}
	return strings.Join(names, ", ")
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// typeShape describes a type: {fields} for a struct, [{fields}] for a list of structs, ""
// for a value. outer are the structs in which it stands.
func typeShape(t reflect.Type, outer ...reflect.Type) string {
	if list, ok := reflect.Zero(t).Interface().(interface{ element() any }); ok { // a Seq
		return listShape(reflect.TypeOf(list.element()).Elem(), outer)
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return typeShape(t.Elem(), outer...)
	case t.Implements(jsonMarshaler) || t.Implements(textMarshaler) || slices.Contains(outer, t):
		return ""
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return listShape(t.Elem(), outer)
	case t.Kind() != reflect.Struct:
		return ""
	}
	var fields []string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if inner := typeShape(f.Type, append(outer, t)...); inner != "" {
			name += " " + inner
		}
		fields = append(fields, name)
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func listShape(element reflect.Type, outer []reflect.Type) string {
	if shape := typeShape(element, outer...); shape != "" {
		return "[" + shape + "]"
	}
	return ""
}
