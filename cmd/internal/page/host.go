package page

import (
	"context"
	"slices"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx/mesh"
	"pakbox/internal/lib/walk"
)

// host is the page. It keeps files and games open between questions, and limits answers.
type host struct {
	question.Local
	explorer *Explorer
}

// at makes the place of a question from a path on the page.
func (s *Explorer) at(path string) *question.At {
	return &question.At{Path: path, Opener: s.opener.WithoutAsking(), Host: host{question.Local{Limited: true}, s}}
}

// Source returns a file that stays open between questions.
func (h host) Source(ctx context.Context, _ *source.Opener, path string) (*source.Source, func(), error) {
	f, done, err := h.explorer.open.get(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return f.Source, done, nil
}

// Models opens the models of a game folder.
func (h host) Models(ctx context.Context, folder string) (mesh.Library, func(), error) {
	return h.explorer.game(ctx, folder)
}

// FilesBelow lists the files below a folder, nil if the path is not a folder.
func (h host) FilesBelow(ctx context.Context, name, extension string) (files []string, err error) {
	if info, err := h.explorer.files.Stat(name); err != nil || !info.IsDir() {
		return nil, nil
	}
	files = []string{}
	var bytes int64
	folders := 0
	all := walk.Walk{In: h.explorer.files}
	err = all.Everything(name, func(e walk.Entry) error {
		switch {
		case e.IsDir():
			folders++
		case question.HasExtension(e.Path, extension):
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
			files = append(files, e.Path)
		}
		if len(files) > maxBelow || folders > maxBelow || bytes > maxBelowBytes {
			return fault.InFile(fault.New(fault.Limit, "exceeds the limit of %d files or %d bytes", maxBelow, maxBelowBytes), name)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	return files, nil
}

// Limits for a question about a whole folder.
const (
	maxBelow      = 20000
	maxBelowBytes = 512 << 20
)
