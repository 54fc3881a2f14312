package question

import (
	"reflect"
	"strings"

	"pakbox/fact"
)

// Schema is a JSON Schema, as far as answers need it.
type Schema map[string]any

// SchemaName returns the name and version of the answer's schema.
func (q *Question) SchemaName() string { return "pakbox." + q.Name + "/1" }

// Schema describes the answer's JSON. formats are the facts of all formats, for answers
// that state the facts of any file.
func (q *Question) Schema(formats []*fact.Subject) Schema {
	properties := Schema{"schema": Schema{"const": q.SchemaName()}}
	required := []string{"schema"}
	if q.IsFile() {
		return Schema{"title": q.Name, "description": q.Doc + "; the answer is a file"}
	}
	if !q.NoFile {
		properties["path"] = Schema{"type": "string", "description": "path that was asked about"}
		properties["format"] = Schema{"type": []string{"string", "null"}, "description": "format of the file"}
		required = append(required, "path", "format")
	}
	subjects := formats
	if s, ok := reflect.Zero(q.Answer).Interface().(Stater); ok {
		if own := s.Subjects(); own != nil {
			subjects = own
		}
		for _, s := range subjects {
			addFacts(properties, s)
		}
	} else {
		structs := []reflect.Type{q.Answer.Elem()}
		if q.Change {
			structs = append(structs, reflect.TypeFor[Effect]())
		}
		for _, t := range structs {
			for name, property := range structSchema(t)["properties"].(Schema) {
				properties[name] = property
			}
		}
	}
	return Schema{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": q.SchemaName(),
		"title": q.Name, "description": q.Doc, "type": "object", "properties": properties, "required": required,
	}
}

// addFacts adds the facts of a subject. If several subjects have a fact, the first
// description counts.
func addFacts(properties Schema, s *fact.Subject) {
	for _, f := range s.Facts {
		if f.Kind == fact.Group {
			continue
		}
		group, member, nested := strings.Cut(f.Name, ".")
		at := properties
		name := f.Name
		if nested {
			object, ok := properties[group].(Schema)
			if !ok {
				object = Schema{"type": "object", "properties": Schema{}}
				properties[group] = object
			}
			at, name = object["properties"].(Schema), member
		}
		if _, known := at[name]; !known {
			at[name] = factSchema(f)
		}
	}
}

func factSchema(f *fact.Fact) Schema {
	s := Schema{"description": f.Doc}
	if unit := f.Kind.Unit(); unit != "" {
		s["x-unit"] = unit
	}
	null := func(kind string) []string { return []string{kind, "null"} }
	switch f.Kind {
	case fact.Count, fact.Bytes, fact.Time, fact.Moment:
		s["type"] = null("integer")
	case fact.Number:
		s["type"] = null("number")
	case fact.Flag:
		s["type"] = null("boolean")
	case fact.List:
		s["type"], s["items"] = null("array"), Schema{"type": "string"}
	case fact.Times:
		s["type"], s["items"] = null("array"), Schema{"type": null("integer")}
	case fact.Object:
	case fact.ID: // some files store a number in place of a name
		s["type"] = []string{"string", "integer", "null"}
	default:
		s["type"] = null("string")
	}
	return s
}

// structSchema describes a struct by its fields and their tags.
func structSchema(t reflect.Type) Schema {
	properties := Schema{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		s := typeSchema(f.Type)
		if doc := f.Tag.Get("doc"); doc != "" {
			s["description"] = doc
		}
		properties[name] = s
	}
	return Schema{"type": "object", "properties": properties}
}

func typeSchema(t reflect.Type) Schema {
	if list, ok := reflect.Zero(t).Interface().(interface{ element() any }); ok { // a Seq
		element := reflect.TypeOf(list.element()).Elem()
		if element.Kind() == reflect.Pointer { // to avoid copies; it is never nil
			element = element.Elem()
		}
		return Schema{"type": "array", "items": typeSchema(element)}
	}
	switch {
	case t == reflect.TypeFor[fact.Record]():
		return Schema{"type": "object"}
	case t.Kind() != reflect.Pointer && t.Implements(textMarshaler):
		return Schema{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		s := typeSchema(t.Elem())
		if kind, ok := s["type"].(string); ok {
			s["type"] = []string{kind, "null"}
		}
		return s
	case reflect.String:
		return Schema{"type": "string"}
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return Schema{"type": "number"}
	case reflect.Slice, reflect.Array:
		element := t.Elem()
		if element.Kind() == reflect.Pointer {
			element = element.Elem()
		}
		if t.Elem() == t || element.Kind() == reflect.Struct && contains(element, t) {
			return Schema{"type": "array"} // a tree: its parts have the same type
		}
		return Schema{"type": "array", "items": typeSchema(t.Elem())}
	case reflect.Struct:
		return structSchema(t)
	case reflect.Map:
		return Schema{"type": "object"}
	case reflect.Interface:
		return Schema{}
	}
	return Schema{"type": "integer"}
}

// contains reports whether a struct has a field of the given list type.
func contains(t, list reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Type == list {
			return true
		}
	}
	return false
}
