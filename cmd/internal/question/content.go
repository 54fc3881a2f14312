package question

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// Content is a parameter that is a file: its content, the name it had where it comes
// from, and the name for the copy, if the asker chooses one.
type Content struct {
	Name string `json:"name" doc:"name of the original file"`
	As   string `json:"as" doc:"name for the copy"`
	Data []byte `json:"data" doc:"content, as base64 in JSON"`
}

var (
	contentType  = reflect.TypeFor[Content]()
	contentsType = reflect.TypeFor[[]Content]()
)

// TakesContent reports whether a parameter of the question is a file.
func (q *Question) TakesContent() bool {
	for _, p := range q.Parameters() {
		if p.Type == contentType || p.Type == contentsType {
			return true
		}
	}
	return false
}

// ReadJSON converts the members of a JSON object to parameters. It rejects unknown names,
// and values of another type.
func (q *Question) ReadJSON(members map[string]json.RawMessage) (any, error) {
	if err := q.CheckNames(slices.Sorted(maps.Keys(members))); err != nil {
		return nil, err
	}
	v := reflect.New(q.Params)
	for _, p := range q.Parameters() {
		given, ok := members[p.Name]
		if !ok || p.Local {
			continue
		}
		if err := json.Unmarshal(given, p.Pointer(v.Interface())); err != nil {
			return nil, fault.Usagef("%s: expected %s", p.Name, kindOf(p.Type))
		}
	}
	return v.Elem().Interface(), nil
}

// ReadTexts is ReadJSON for parameters in the form of texts, which cannot be files.
func (q *Question) ReadTexts(texts Texts) (any, error) { return q.ReadForm(texts, nil) }

// ReadForm is ReadTexts for a request that also has files, by the names of their
// parameters.
func (q *Question) ReadForm(texts Texts, files map[string][]Content) (any, error) {
	names := slices.Concat(slices.Collect(maps.Keys(texts)), slices.Collect(maps.Keys(files)))
	slices.Sort(names)
	if err := q.CheckNames(names); err != nil {
		return nil, err
	}
	v, err := q.read(texts)
	if err != nil {
		return nil, err
	}
	for _, p := range q.Parameters() {
		list := files[p.Name]
		if len(list) == 0 || p.Local {
			continue
		}
		switch to := v.FieldByIndex(p.field).Addr().Interface().(type) {
		case *Content:
			*to = list[0]
		case *[]Content:
			*to = list
		default:
			return nil, fault.Usagef("%s: expected %s", p.Name, kindOf(p.Type))
		}
	}
	return v.Interface(), nil
}

// CheckNames rejects names of parameters that the question does not have, or that only
// commands may set.
func (q *Question) CheckNames(names []string) error {
	var known []string
	for _, p := range q.Parameters() {
		if !p.Local {
			known = append(known, p.Name)
		}
	}
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		u := fault.Usagef("%s has no parameter %q", q.Name, name)
		if near := spell.Near(name, known, 1); len(near) > 0 {
			return u.Hint("did you mean %s?", near[0])
		}
		if len(known) > 0 {
			return u.Hint("its parameters: %s", strings.Join(known, ", "))
		}
		return u
	}
	return nil
}

// Revise asks a change with parameters of its type. The caller must close the revision.
func (q *Question) Revise(ctx context.Context, at *At, params any) (*Revision, error) {
	answer, err := q.ask(ctx, at, reflect.ValueOf(params))
	if err != nil {
		return nil, err
	}
	return answer.(*Revision), nil
}
