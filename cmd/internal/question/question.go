// Package question declares the questions that can be asked about files.
//
// A question has a name, typed parameters, a typed answer, and one function. A command is
// a question and a way to print its answer; the web page and all other interfaces ask the
// same question. Names, descriptions and schemas come from the types.
package question

import (
	"context"
	"reflect"
)

// Question is a question about the file at a path.
type Question struct {
	Name   string       // map.lint: the command "map lint", and /api/map.lint
	Doc    string       // description in one sentence
	Params reflect.Type // a struct whose fields are the parameters
	Answer reflect.Type // a pointer to a struct whose fields are those of the JSON, or *File
	// NoFile means that the question is not about a file, so its answer has no path.
	NoFile bool
	// Label is the title of a change on buttons and forms.
	Label string
	// Change means that the answer is a [Revision], which the host saves.
	Change bool

	touch Touch // "" for what follows from the type of the answer
	ask   func(ctx context.Context, at *At, params reflect.Value) (any, error)
}

// Typed is a question with the types of its parameters P and its answer A.
type Typed[P, A any] struct {
	Question
	typed func(ctx context.Context, at *At, params P) (A, error)
}

// Room lists the questions that a package declares.
type Room []*Question

// New declares a question, and adds it to its package's list.
func New[P, A any](room *Room, name, doc string, ask func(ctx context.Context, at *At, params P) (A, error)) *Typed[P, A] {
	q := &Typed[P, A]{
		Question: Question{
			Name: name, Doc: doc, Params: reflect.TypeFor[P](), Answer: reflect.TypeFor[A](),
			ask: func(ctx context.Context, at *At, params reflect.Value) (any, error) {
				return ask(ctx, at, params.Interface().(P))
			},
		},
		typed: ask,
	}
	*room = append(*room, &q.Question)
	return q
}

// AboutNoFile declares that the question is not about a file.
func (q *Typed[P, A]) AboutNoFile() *Typed[P, A] {
	q.NoFile = true
	return q
}

// Labelled sets the title of a change on buttons and forms.
func (q *Typed[P, A]) Labelled(title string) *Typed[P, A] {
	q.Label = title
	return q
}

// NewParams returns empty parameters.
func (q *Typed[P, A]) NewParams() (params P) { return params }

// Ask asks the question.
func (q *Typed[P, A]) Ask(ctx context.Context, at *At, params P) (A, error) {
	return q.typed(ctx, at, params)
}

// Asked returns the question without its types, for lists.
func (q *Typed[P, A]) Asked() *Question { return &q.Question }

// AskWith asks the question with parameters in the form of texts.
func (q *Question) AskWith(ctx context.Context, at *At, params Texts) (*Reply, error) {
	p, err := q.read(params)
	if err != nil {
		return nil, err
	}
	return q.AskParams(ctx, at, p.Interface())
}

// AskParams asks the question with parameters of its type. An answer that is a file has
// its bytes.
func (q *Question) AskParams(ctx context.Context, at *At, params any) (*Reply, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // the asker is gone
	}
	answer, err := q.ask(ctx, at, reflect.ValueOf(params))
	if err != nil {
		return nil, err
	}
	if f, ok := answer.(*File); ok {
		if err := f.Load(ctx, at.Opener); err != nil {
			return nil, err
		}
	}
	return at.Reply(q, answer), nil
}

// IsFile reports whether the answer is a file.
func (q *Question) IsFile() bool { return q.Answer == reflect.TypeFor[*File]() }
