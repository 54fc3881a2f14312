package question

import (
	"reflect"
	"strings"
)

// Report describes the JSON object that a command prints and that is not the answer of a
// question.
type Report struct {
	Name   string       // map.create: the command "map create"
	When   string       // flags with which the command prints it, such as "--count"; "" for always
	Doc    string       // description in one sentence
	Fields reflect.Type // a struct whose fields are those of the JSON
	NoFile bool         // the object has no path and format
}

// Schema describes the report's JSON.
func (r *Report) Schema() Schema {
	q := Question{Name: r.Name, Doc: r.Doc, Answer: reflect.PointerTo(r.Fields), NoFile: r.NoFile}
	return q.Schema(nil)
}

// AddTo adds the fields of the report to the schema of a question, or of another report of
// the same command.
func (r *Report) AddTo(s Schema) {
	properties, ok := s["properties"].(Schema)
	if !ok { // the answer of the question is a file
		for name, value := range r.Schema() {
			if _, known := s[name]; !known {
				s[name] = value
			}
		}
		return
	}
	for name, property := range structSchema(r.Fields)["properties"].(Schema) {
		if _, known := properties[name]; !known {
			properties[name] = property
		}
	}
}

// Shape lists the fields in one line, like that of a question.
func (r *Report) Shape() string {
	shape := strings.TrimSuffix(strings.TrimPrefix(typeShape(r.Fields), "{"), "}")
	switch {
	case r.When == "":
		return shape
	case shape == "":
		return ""
	}
	return "with " + r.When + " " + shape
}
