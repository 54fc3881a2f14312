package api

import (
	"maps"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/talk"
)

type object = question.Schema

// OpenAPI describes the service in OpenAPI 3.1: an operation for each question,
// with the schema of its answer.
func OpenAPI(formats archive.Registry, version string) object {
	paths, schemas := object{}, object{"Problem": problemSchema}
	subjects := answer.Subjects(formats)
	for _, q := range answer.Questions() {
		operation := strings.NewReplacer(".", "_", "-", "_").Replace(q.Name)
		paths["/v1/"+q.Name] = object{"post": object{
			"operationId": operation, "summary": q.Doc, "tags": []string{strings.Split(q.Name, ".")[0]},
			"parameters":  parameters(q),
			"requestBody": body(q),
			"responses": object{
				"200":     object{"description": "the answer", "content": content(q, operation)},
				"default": object{"description": "why the question has no answer", "content": object{"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}}},
			},
		}}
		schema := q.Schema(subjects)
		delete(schema, "$schema")
		delete(schema, "$id")
		schemas[operation] = schema
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "pakbox", "version": version,
			"description": "Explains and checks the files of games. A file is posted, the answer comes back, and nothing is kept."},
		"servers": []object{{"url": "/"}}, "security": []object{{}, {"token": []string{}}},
		"paths": paths,
		"components": object{"schemas": schemas,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "where the service was started with --token-file"}}},
	}
}

// body describes the file that is posted, or the form with the file and the files that are
// parameters.
func body(q *question.Question) object {
	kinds := object{"application/octet-stream": object{}}
	if takesForm(q) {
		binary := object{"type": "string", "format": "binary"}
		properties := object{"file": binary}
		for _, p := range q.Parameters() {
			switch {
			case p.Local:
			case p.Paths || p.Kind() == "files":
				properties[p.Name] = object{"type": "array", "items": binary, "description": p.Doc}
			case p.Kind() == "file":
				properties[p.Name] = object{"type": "string", "format": "binary", "description": p.Doc}
			}
		}
		kinds["multipart/form-data"] = object{"schema": object{"type": "object", "properties": properties}}
	}
	return object{"required": !q.NoFile, "description": "the file", "content": kinds}
}

// content describes the media type and schema of an answer.
func content(q *question.Question, operation string) object {
	if q.IsFile() {
		return object{"application/octet-stream": object{}, "image/png": object{}}
	}
	if q.Change { // the changed file, or with dry_run what would change
		return object{"application/octet-stream": object{}, "application/json": object{"schema": object{"$ref": "#/components/schemas/" + operation}}}
	}
	return object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + operation}}}
}

// takesFile reports whether a parameter is a file or a list of files.
func takesFile(schema object) bool {
	items, _ := schema["items"].(object)
	return schema["type"] == "object" || items != nil && items["type"] == "object"
}

func parameters(q *question.Question) []object {
	list := []object{{"name": "filename", "in": "query", "description": "name of the file, for formats that go by it", "schema": object{"type": "string"}}}
	params := talk.ParamsSchema(q)
	for _, name := range slices.Sorted(maps.Keys(params)) {
		schema := params[name].(object)
		if takesFile(schema) || q.Change && slices.Contains([]string{"backup", "output", "force"}, name) {
			continue // a query cannot carry it, and nothing is saved here
		}
		doc := schema["description"]
		delete(schema, "description")
		list = append(list, object{"name": name, "in": "query", "description": doc, "schema": schema})
	}
	return list
}

var problemSchema = object{"type": "object", "description": "a problem in the form of RFC 9457", "required": []string{"type", "title", "status", "detail", "kind"}, "properties": object{
	"type": object{"type": "string"}, "title": object{"type": "string"}, "status": object{"type": "integer"},
	"detail": object{"type": "string", "description": "one sentence"},
	"kind":   object{"type": "string", "description": "a stable word, such as truncated"},
	"entry":  object{"type": []string{"string", "null"}, "description": "entry of the archive"},
	"offset": object{"type": []string{"integer", "null"}, "description": "place in the file"},
	"hints":  object{"type": "array", "items": object{"type": "string"}},
}}
