package talk

import (
	"reflect"

	"pakbox/cmd/internal/question"
)

// Parameters lists the parameters that other programs may set: all except paths that only
// commands take. The parameters of a change are followed by those that say how to save.
func Parameters(q *question.Question) (list []question.Param) {
	for _, p := range q.Parameters() {
		if !p.Local {
			list = append(list, p)
		}
	}
	if q.Change {
		list = append(list, question.SavingParams()...)
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
	switch s["type"] {
	case "object":
		s["properties"] = contentSchema
	case "array":
		items := question.Schema{"type": KindOf(p.Type.Elem())}
		if items["type"] == "object" {
			items["properties"] = contentSchema
		}
		s["items"] = items
	}
	return s
}

// contentSchema describes the members of a parameter that is a file.
var contentSchema = question.Schema{
	"name": question.Schema{"type": "string", "description": "name of the file"},
	"as":   question.Schema{"type": "string", "description": "name for the copy"},
	"data": question.Schema{"type": "string", "contentEncoding": "base64", "description": "content"},
}

// KindOf returns the JSON Schema type of a parameter.
func KindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return KindOf(t.Elem())
	case reflect.Struct:
		return "object"
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
