// Package talk carries questions and answers as JSON, for programs in other languages. It
// uses the list of all questions, so a new question can be asked here without further
// work.
package talk

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// Find finds a question by its name.
func Find(name string) (*question.Question, error) {
	var names []string
	for _, q := range answer.Questions() {
		if q.Name == name {
			return q, nil
		}
		names = append(names, q.Name)
	}
	return nil, nearest(fault.Usagef("unknown question %q", name), name, names)
}

// Ask asks a question with parameters from JSON, without prompting for a passphrase. Unlike
// the page it accepts only the parameters of the question.
func Ask(ctx context.Context, at question.At, q *question.Question, members map[string]json.RawMessage) (*question.Reply, error) {
	params, err := ParamsOf(q, members)
	if err != nil {
		return nil, err
	}
	return AskParams(ctx, at, q, params)
}

// ParamsOf converts the JSON of parameters to those of the question. Numbers and texts
// stand for each other, except in questions that take files.
func ParamsOf(q *question.Question, members map[string]json.RawMessage) (any, error) {
	if q.TakesContent() {
		return q.ReadJSON(members)
	}
	texts, err := TextsOf(members)
	if err != nil {
		return nil, err
	}
	return q.ReadTexts(texts)
}

// AskParams asks a question with parameters of its type, and removes the temporary files.
func AskParams(ctx context.Context, at question.At, q *question.Question, params any) (*question.Reply, error) {
	at.Opener = at.Opener.WithoutAsking().Apart()
	defer at.Opener.CleanUp()
	return q.AskParams(ctx, &at, params)
}

// Change makes a declared change in the file at a path, or shows what would change. The
// members are the parameters, and how to save.
func Change(ctx context.Context, at question.At, q *question.Question, members map[string]json.RawMessage) (*question.Object, error) {
	how, err := savingOf(members)
	if err != nil {
		return nil, err
	}
	params, err := q.ReadJSON(members)
	if err != nil {
		return nil, err
	}
	at.Opener = at.Opener.WithoutAsking().Apart()
	defer at.Opener.CleanUp()
	r, err := q.Revise(ctx, &at, params)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	done, err := r.Save(ctx, at.Opener, at.Path, how)
	if err != nil {
		return nil, err
	}
	return r.Report(q, at.Path, at.Format, done), nil
}

// savingOf takes out of the members of a request how a change is to be saved.
func savingOf(members map[string]json.RawMessage) (how question.Saving, err error) {
	to := reflect.ValueOf(&how)
	for _, p := range question.SavingParams() {
		if given, ok := members[p.Name]; ok {
			if err := json.Unmarshal(given, p.Pointer(to.Interface())); err != nil {
				return how, fault.Usagef("%s: expected a %s", p.Name, p.Kind())
			}
			delete(members, p.Name)
		}
	}
	return how, nil
}

// TextsOf converts the JSON of parameters to the texts that questions read.
func TextsOf(params map[string]json.RawMessage) (question.Texts, error) {
	texts := question.Texts{}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		raw := params[name]
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			list = []json.RawMessage{raw}
		}
		texts[name] = nil
		for _, raw := range list {
			text, err := textOf(raw)
			if err != nil {
				return nil, fault.Usagef("%s: %s is neither text, number, true, false nor a list of them", name, raw)
			}
			texts[name] = append(texts[name], text...)
		}
	}
	return texts, nil
}

// textOf converts a JSON text, number or boolean to text; null gives none.
func textOf(raw json.RawMessage) ([]string, error) {
	var text string
	switch {
	case string(raw) == "null":
		return nil, nil
	case len(raw) > 0 && raw[0] == '"':
		err := json.Unmarshal(raw, &text)
		return []string{text}, err
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[':
		return nil, errors.New("not a text")
	}
	return []string{string(raw)}, nil
}

// nearest adds what may have been meant to an error about a name that is not known.
func nearest(u *fault.Error, name string, known []string) error {
	if near := spell.Near(name, known, 1); len(near) > 0 {
		return u.Hint("did you mean %s?", near[0])
	}
	if len(known) > 0 {
		return u.Hint("expected one of: %s", strings.Join(known, ", "))
	}
	return u
}
