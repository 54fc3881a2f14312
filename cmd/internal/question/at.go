package question

import (
	"context"
	"io"
	"path"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx/mesh"
)

// At is the place of a question: a path, and who asks.
type At struct {
	Path   string
	Opener *source.Opener
	Host   Host // nil for Local
	// Format is the format of the file, set when it is opened.
	Format string

	once bool // the file is opened for this question alone
}

// Host is the program that asks questions: a command, the page or a service.
type Host interface {
	// Source opens whatever is at a path, even a file in an archive, until done is called.
	// A host may keep it open between questions.
	Source(ctx context.Context, o *source.Opener, path string) (s *source.Source, done func(), err error)
	// FilesBelow lists the files below a folder whose names have an extension, or all for
	// [AnyExtension]. The list is nil if the path is not a folder.
	FilesBelow(ctx context.Context, path, extension string) ([]string, error)
	// MapPath finds the path of the map with a UID in an index of many files.
	MapPath(ctx context.Context, index, uid string) (path string, err error)
	// Models opens a folder of a game for its models, until done is called.
	Models(ctx context.Context, folder string) (models mesh.Library, done func(), err error)
	// Bounded reports whether work and answers are limited, because the asker is not
	// trusted.
	Bounded() bool
}

// AnyExtension stands for all extensions.
const AnyExtension = "*"

// HasExtension reports whether a name has an extension.
func HasExtension(name, extension string) bool {
	return extension == AnyExtension || strings.EqualFold(path.Ext(filepath.ToSlash(name)), extension)
}

// Local is a program that has only the file system. Other hosts embed it.
type Local struct{ Limited bool }

// Source opens the path for one question.
func (Local) Source(ctx context.Context, o *source.Opener, path string) (*source.Source, func(), error) {
	s, err := o.OpenAny(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return s, func() { s.Close() }, nil
}

// FilesBelow lists the files below a folder of the file system.
func (Local) FilesBelow(_ context.Context, path, extension string) ([]string, error) {
	if !source.IsFolder(path) {
		return nil, nil
	}
	all, err := source.FilesBelow(path)
	files := []string{}
	for _, file := range all {
		if HasExtension(file, extension) {
			files = append(files, filepath.ToSlash(file))
		}
	}
	return files, err
}

// MapPath returns an error.
func (Local) MapPath(_ context.Context, index, _ string) (string, error) {
	return "", fault.InFile(fault.New(fault.Unsupported, "maps cannot be looked up in an index here"), index)
}

// Models returns an error.
func (Local) Models(context.Context, string) (mesh.Library, func(), error) {
	return nil, nil, fault.Usagef("no game folder is available here for meshes")
}

// Bounded reports whether the host is limited.
func (l Local) Bounded() bool { return l.Limited }

func (at *At) host() Host {
	if at.Host == nil {
		return Local{}
	}
	return at.Host
}

// Bounded reports whether work and answers are limited.
func (at *At) Bounded() bool { return at.host().Bounded() }

// Open opens the archive, or the folder in an archive, at the path. The caller must call
// done.
func (at *At) Open(ctx context.Context) (s *source.Source, done func(), err error) {
	s, done, err = at.OpenAny(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := s.CheckArchive(at.Path); err != nil {
		done()
		at.Format = ""
		return nil, nil, err
	}
	return s, done, nil
}

// OpenAny opens whatever is at the path, even a file in an archive. The caller must call
// done.
func (at *At) OpenAny(ctx context.Context) (s *source.Source, done func(), err error) {
	h := at.host()
	if at.once {
		h = Local{}
	}
	if s, done, err = h.Source(ctx, at.Opener, at.Path); err == nil {
		at.Format = s.Format()
	}
	return s, done, err
}

// Input opens the bytes of the file at the path.
func (at *At) Input(ctx context.Context) (archive.Input, io.Closer, error) {
	return at.Opener.Input(ctx, at.Path)
}

// For returns the same asker for another path, whose file does not stay open.
func (at *At) For(path string) *At {
	return &At{Path: path, Opener: at.Opener, Host: at.Host, once: true}
}

// FilesBelow lists the files below the path whose names have this extension; nil if the
// path is not a folder.
func (at *At) FilesBelow(ctx context.Context, extension string) ([]string, error) {
	return at.host().FilesBelow(ctx, at.Path, extension)
}

// MapPath finds the path of the map with a UID in the index at the path.
func (at *At) MapPath(ctx context.Context, uid string) (string, error) {
	return at.host().MapPath(ctx, at.Path, uid)
}

// Models opens a folder of a game for its models. The caller must call done.
func (at *At) Models(ctx context.Context, folder string) (models mesh.Library, done func(), err error) {
	return at.host().Models(ctx, folder)
}

// Reply makes the reply with the fields that every answer begins with.
func (at *At) Reply(q *Question, answer any) *Reply {
	return &Reply{question: q, Path: at.Path, Format: at.Format, Answer: answer}
}
