// Package talk carries questions and answers as JSON, for programs in other languages. It
// uses the list of all questions, so a new question can be asked here without further
// work.
package talk

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/spell"
	"pakbox/internal/problem"
	"pakbox/internal/question"
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
	return nil, nearest(hint.Usagef("there is no question %q", name), name, names)
}

// Ask asks a question, without prompting for a passphrase. It removes its temporary
// files. Unlike the page it accepts only the parameters of the question.
func Ask(ctx context.Context, at question.At, q *question.Question, texts question.Texts) (*question.Reply, error) {
	if err := CheckNames(q, texts); err != nil {
		return nil, err
	}
	at.Opener = at.Opener.WithoutAsking().Apart()
	defer at.Opener.CleanUp()
	return q.AskWith(ctx, &at, texts)
}

// CheckNames rejects parameters that the question does not have.
func CheckNames(q *question.Question, texts question.Texts) error {
	var known []string
	for _, p := range Parameters(q) {
		known = append(known, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if !slices.Contains(known, name) {
			return nearest(hint.Usagef("%s has no parameter %q", q.Name, name), name, known)
		}
	}
	return nil
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
				return nil, hint.Usagef("%s: %s is neither text, number, true, false nor a list of them", name, raw)
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
		return nil, errors.New("no text")
	}
	return []string{string(raw)}, nil
}

// nearest adds what may have been meant to an error about a name that is not known.
func nearest(u *hint.Usage, name string, known []string) error {
	if near := spell.Near(name, known, 1); len(near) > 0 {
		return u.Hint("did you mean %s?", near[0])
	}
	if len(known) > 0 {
		return u.Hint("there are: %s", strings.Join(known, ", "))
	}
	return u
}

// Problem is an error in the form for other programs.
type Problem struct {
	*problem.Error
	File  string   `json:"file"`
	Hints []string `json:"hints"`
}

// ProblemOf describes an error about the file at a path.
func ProblemOf(err error, path string) *Problem {
	p := &Problem{problem.Of(err), path, problem.Hints(err)}
	var e *fault.Error
	if errors.As(err, &e) && e.Path != "" {
		p.File = e.Path
	}
	if p.Hints == nil {
		p.Hints = []string{}
	}
	return p
}
