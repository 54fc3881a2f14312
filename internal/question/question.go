// Package question declares what can be asked about files.
//
// A question has a name, typed parameters, a typed answer, and one function. A
// command is a question and a way to print its answer; the page and every other
// face ask the same question. Names, sentences and schemas come from the types.
package question

import (
	"context"
	"reflect"

	"pakbox/internal/source"
)

// Question is one thing that can be asked about the file at a path.
type Question struct {
	Name   string       // map.lint: the command "map lint", and /api/map.lint
	Doc    string       // one sentence
	Params reflect.Type // a struct whose fields are the parameters
	Answer reflect.Type // a pointer to a struct whose fields are those of the JSON

	ask func(ctx context.Context, at *At, params reflect.Value) (any, error)
}

// Typed is a question with the types of its parameters P and its answer A.
type Typed[P, A any] struct {
	Question
	typed func(ctx context.Context, at *At, params P) (A, error)
}

// New declares a question.
func New[P, A any](name, doc string, ask func(ctx context.Context, at *At, params P) (A, error)) *Typed[P, A] {
	return &Typed[P, A]{
		Question: Question{
			Name: name, Doc: doc, Params: reflect.TypeFor[P](), Answer: reflect.TypeFor[A](),
			ask: func(ctx context.Context, at *At, params reflect.Value) (any, error) {
				return ask(ctx, at, params.Interface().(P))
			},
		},
		typed: ask,
	}
}

// Ask asks the question.
func (q *Typed[P, A]) Ask(ctx context.Context, at *At, params P) (A, error) {
	return q.typed(ctx, at, params)
}

// Asked returns the question without its types, for lists.
func (q *Typed[P, A]) Asked() *Question { return &q.Question }

// AskWith asks the question with parameters given as texts.
func (q *Question) AskWith(ctx context.Context, at *At, params Texts) (*Reply, error) {
	p, err := q.read(params)
	if err != nil {
		return nil, err
	}
	answer, err := q.ask(ctx, at, p)
	if err != nil {
		return nil, err
	}
	return at.Reply(q.Name, answer), nil
}

// At is what a question is about: a path, and how it is opened.
type At struct {
	Path   string
	Opener *source.Opener
	// Kept hands out a source that stays open between questions. Nil opens the
	// path for this question alone.
	Kept func(ctx context.Context, path string) (*source.Source, func(), error)
	// Format is the format of the file, once it is opened.
	Format string
}

// Open opens the path. The caller calls done.
func (at *At) Open(ctx context.Context) (s *source.Source, done func(), err error) {
	if at.Kept != nil {
		s, done, err = at.Kept(ctx, at.Path)
	} else if s, err = at.Opener.Open(ctx, at.Path); err == nil {
		done = func() { s.Close() }
	}
	if err == nil {
		at.Format = s.Format()
	}
	return s, done, err
}

// Reply is an answer with the fields that every answer begins with.
func (at *At) Reply(name string, answer any) *Reply {
	return &Reply{Schema: "pakbox." + name + "/1", Path: at.Path, Format: at.Format, Answer: answer}
}
