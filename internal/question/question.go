// Package question declares the questions that can be asked about files.
//
// A question has a name, typed parameters, a typed answer, and one function. A command is
// a question and a way to print its answer; the web page and all other interfaces ask the
// same question. Names, descriptions and schemas come from the types.
package question

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"

	"pakbox/gbx/mesh"
	"pakbox/internal/source"
)

// Question is a question about the file at a path.
type Question struct {
	Name   string       // map.lint: the command "map lint", and /api/map.lint
	Doc    string       // description in one sentence
	Params reflect.Type // a struct whose fields are the parameters
	Answer reflect.Type // a pointer to a struct whose fields are those of the JSON, or *File
	// NoFile means that the question is not about a file, so its answer has no path.
	NoFile bool

	ask func(ctx context.Context, at *At, params reflect.Value) (any, error)
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
	if err := ctx.Err(); err != nil {
		return nil, err // the asker is gone
	}
	answer, err := q.ask(ctx, at, p)
	if err != nil {
		return nil, err
	}
	return at.Reply(q, answer), nil
}

// IsFile reports whether the answer is a file.
func (q *Question) IsFile() bool { return q.Answer == reflect.TypeFor[*File]() }

// File is an answer that is a file, such as a picture.
type File struct {
	Name string // name to save the file under
	Type string // media type; "" for files that no browser shows
	Data []byte
	Say  any // a struct with fields for the JSON of a command that saved the file; nil for none
}

// Parted is an answer of several parts. A command prints a line of JSON for each part;
// all other interfaces return one object.
type Parted interface{ Parts() []any }

// At is the place of a question: a path, and how to open it.
type At struct {
	Path   string
	Opener *source.Opener
	// Kept returns a source that stays open between questions. If nil, the path is opened
	// for this question alone.
	Kept func(ctx context.Context, path string) (*source.Source, func(), error)
	// Below lists the files below a folder; if nil, the file system does.
	Below func(ctx context.Context, path, ending string) ([]string, error)
	// Indexed finds the path of the map with a UID in an index of many files. Nil if the
	// program has no database.
	Indexed func(ctx context.Context, index, uid string) (path string, err error)
	// Game opens a folder of a game for its models, until done is called. Nil if this is
	// not available.
	Game func(ctx context.Context, folder string) (models mesh.Library, done func(), err error)
	// Bounded limits work and answers, because the asker is not trusted (HTTP service).
	Bounded bool
	// Format is the format of the file, set when it is opened.
	Format string
}

// Open opens the archive, or the folder in an archive, at the path. The caller must call
// done.
func (at *At) Open(ctx context.Context) (s *source.Source, done func(), err error) {
	if at.Kept == nil {
		return at.opened(at.Opener.Open(ctx, at.Path))
	}
	return at.kept(ctx)
}

// OpenAny opens whatever is at the path, even a file in an archive. The caller must call
// done.
func (at *At) OpenAny(ctx context.Context) (s *source.Source, done func(), err error) {
	if at.Kept == nil {
		return at.opened(at.Opener.OpenAny(ctx, at.Path))
	}
	return at.kept(ctx)
}

func (at *At) opened(s *source.Source, err error) (*source.Source, func(), error) {
	if err != nil {
		return nil, nil, err
	}
	at.Format = s.Format()
	return s, func() { s.Close() }, nil
}

func (at *At) kept(ctx context.Context) (*source.Source, func(), error) {
	s, done, err := at.Kept(ctx, at.Path)
	if err == nil {
		at.Format = s.Format()
	}
	return s, done, err
}

// For returns the same asker for another path, whose file does not stay open.
func (at *At) For(path string) *At {
	return &At{Path: path, Opener: at.Opener, Below: at.Below, Indexed: at.Indexed, Bounded: at.Bounded}
}

// FilesBelow lists the files below the path whose names have this ending; nil if the path
// is not a folder.
func (at *At) FilesBelow(ctx context.Context, ending string) ([]string, error) {
	if at.Below != nil {
		return at.Below(ctx, at.Path, ending)
	}
	if !source.IsFolder(at.Path) {
		return nil, nil
	}
	all, err := source.FilesBelow(at.Path)
	files := []string{}
	for _, file := range all {
		if strings.EqualFold(filepath.Ext(file), ending) {
			files = append(files, filepath.ToSlash(file))
		}
	}
	return files, err
}

// Reply makes the reply with the fields that every answer begins with.
func (at *At) Reply(q *Question, answer any) *Reply {
	return &Reply{question: q, Path: at.Path, Format: at.Format, Answer: answer}
}
