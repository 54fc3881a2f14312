// Package about opens the file of a question, as a GBX file, a map or recorded runs. It
// also has parts of answers that several packages share.
package about

import (
	"context"
	"errors"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
	"pakbox/trackmania/table"
)

// GBX opens the file of a question as GBX and calls look with it.
func GBX[A any](ctx context.Context, at *question.At, look func(s *source.Source, f *gbx.File) (A, error)) (answer A, err error) {
	s, done, err := at.Open(ctx)
	if err != nil {
		return answer, err
	}
	defer done()
	holder, ok := s.Place.Archive.(interface{ File() *gbx.File })
	if !ok || !s.Whole {
		if source.IsFolder(at.Path) {
			return answer, hint.With(fault.InFile(fault.New(fault.NotFormat, "is a folder, and no GBX file"), at.Path), "to take the files in it: -r")
		}
		err := fault.InFile(fault.New(fault.NotFormat, "is no GBX file"), at.Path)
		return answer, hint.With(err, "to take the files in it: '%s/**/*.Gbx'", s.Path)
	}
	answer, err = look(s, holder.File())
	err = fault.InFile(err, at.Path)
	if e, ok := err.(*fault.Error); ok && e.Path == at.Path && errors.Is(e, fault.NotFormat) { // not another file that look opened
		if info, found := s.Stat("map.Map.Gbx"); found == nil && !info.IsDir() {
			return answer, hint.With(err, "the map inside it is %s/map.Map.Gbx", at.Path)
		}
		return answer, hint.With(err, "to see what it is: pakbox info %s", hint.Word(at.Path))
	}
	return answer, err
}

// Map opens the file of a question as a map and calls look with it.
func Map[A any](ctx context.Context, at *question.At, look func(m *maps.Map) (A, error)) (A, error) {
	return GBX(ctx, at, func(_ *source.Source, f *gbx.File) (answer A, err error) {
		m, err := maps.Of(f)
		if err != nil {
			return answer, err
		}
		return look(m)
	})
}

// Things opens the file of a question as a map or macroblock and calls look with it.
func Things[A any](ctx context.Context, at *question.At, look func(m table.Holder) (A, error)) (A, error) {
	return GBX(ctx, at, func(_ *source.Source, f *gbx.File) (answer A, err error) {
		if m, err := maps.MacroblockOf(f); err == nil {
			return look(m)
		}
		m, err := maps.Of(f)
		if err != nil {
			return answer, err
		}
		return look(m)
	})
}

// Runs opens the file of a question and calls look with its recorded runs.
func Runs[A any](ctx context.Context, at *question.At, look func(f *gbx.File, ghosts []*runs.Ghost) (A, error)) (A, error) {
	return GBX(ctx, at, func(_ *source.Source, f *gbx.File) (answer A, err error) {
		ghosts := runs.GhostsOf(f)
		if _, err := runs.ReplayOf(f); err != nil && len(ghosts) == 0 {
			return answer, fault.New(fault.NotFormat, "there is no recorded run in the file")
		}
		return look(f, ghosts)
	})
}

// None is the empty answer, for work that only has an effect.
type None struct{}

// WithGBX opens the GBX file at a path and calls run with it, for commands that change
// it.
func WithGBX(ctx context.Context, o *source.Opener, name string, run func(s *source.Source, f *gbx.File) error) error {
	_, err := GBX(ctx, &question.At{Path: name, Opener: o}, func(s *source.Source, f *gbx.File) (None, error) { return None{}, run(s, f) })
	return err
}

// WithMap opens the map at a path and calls look with it.
func WithMap(ctx context.Context, o *source.Opener, name string, look func(s *source.Source, m *maps.Map) error) error {
	return WithGBX(ctx, o, name, func(s *source.Source, f *gbx.File) error {
		m, err := maps.Of(f)
		if err != nil {
			return err
		}
		return look(s, m)
	})
}

// WithThings opens the map or macroblock at a path and calls look with it.
func WithThings(ctx context.Context, o *source.Opener, name string, look func(m table.Holder) error) error {
	_, err := Things(ctx, &question.At{Path: name, Opener: o}, func(m table.Holder) (None, error) { return None{}, look(m) })
	return err
}

// WithRuns opens the file at a path and calls look with its recorded runs.
func WithRuns(ctx context.Context, o *source.Opener, name string, look func(f *gbx.File, ghosts []*runs.Ghost) error) error {
	_, err := Runs(ctx, &question.At{Path: name, Opener: o}, func(f *gbx.File, ghosts []*runs.Ghost) (None, error) { return None{}, look(f, ghosts) })
	return err
}

// MapOf returns the map that a file is or contains, or nil.
func MapOf(f *gbx.File) *maps.Map {
	if r, err := runs.ReplayOf(f); err == nil && len(r.MapFile()) > 0 {
		inside, err := gbx.Parse(r.MapFile(), engine.Registry())
		if err != nil {
			return nil
		}
		f = inside
	}
	m, err := maps.Of(f)
	if err != nil {
		return nil
	}
	return m
}

func KnownTime(t gbx.Time) *int64 {
	if t == gbx.NoTime {
		return nil
	}
	return form.Known(int64(t))
}
