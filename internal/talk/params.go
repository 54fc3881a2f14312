package talk

import (
	"reflect"

	"pakbox/internal/question"
)

// Parameters lists the parameters that other programs may set: all except paths that only
// commands take.
func Parameters(q *question.Question) (list []question.Param) {
	for _, p := range q.Parameters() {
		if !p.Local {
			list = append(list, p)
		}
	}
	return list
}

// ParamsSchema returns the JSON Schema of the parameters, by name.
func ParamsSchema(q *question.Question) question.Schema {
	properties := question.Schema{}
	for _, p := range Parameters(q) {
		properties[p.Name] = paramSchema(p)
	}
	return properties
}

func paramSchema(p question.Param) question.Schema {
	s := question.Schema{"description": p.Doc, "type": KindOf(p.Type)}
	if s["type"] == "array" {
		s["items"] = question.Schema{"type": KindOf(p.Type.Elem())}
	}
	return s
}

// KindOf returns the JSON Schema type of a parameter.
func KindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.String:
		return "string"
	}
	return "integer"
}
