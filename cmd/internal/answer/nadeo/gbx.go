package nadeo

import (
	"context"
	"errors"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
	"pakbox/nadeo/runs"
)

// OpenGBX opens the file of a question as GBX and calls look with it.
func OpenGBX[A any](ctx context.Context, at *question.At, look func(s *source.Source, f *gbx.File) (A, error)) (answer A, err error) {
	s, done, err := at.Open(ctx)
	if err != nil {
		return answer, err
	}
	defer done()
	f, err := wholeGBX(s, at.Path)
	if err != nil {
		return answer, err
	}
	answer, err = look(s, f)
	return answer, explainNotMap(fault.InFile(err, at.Path), s, at.Path)
}

// wholeGBX returns the GBX file that was opened at a path.
func wholeGBX(s *source.Source, path string) (*gbx.File, error) {
	holder, ok := s.Place.Archive.(*gbxarchive.Archive)
	if ok && s.Whole {
		return holder.File(), nil
	}
	if source.IsFolder(path) {
		return nil, fault.WithHint(fault.InFile(fault.New(fault.NotFormat, "is a folder, and no GBX file"), path), "to take the files in it: -r")
	}
	return nil, fault.WithHint(fault.InFile(fault.New(fault.NotFormat, "is not a GBX file"), path), "to take the files in it: '%s/**/*.Gbx'", s.Path)
}

// explainNotMap adds advice to an error about a file of another kind.
func explainNotMap(err error, s *source.Source, path string) error {
	e, ok := err.(*fault.Error)
	if !ok || e.Path != path || !errors.Is(e, fault.NotFormat) { // it may be about another file
		return err
	}
	if info, found := s.Stat("map.Map.Gbx"); found == nil && !info.IsDir() {
		return fault.WithHint(err, "the map inside it is %s/map.Map.Gbx", path)
	}
	return fault.WithHint(err, "to see what it is: pakbox info %s", quote.Word(path))
}

// OpenMap opens the file of a question as a map and calls look with it.
func OpenMap[A any](ctx context.Context, at *question.At, look func(m *maps.Map) (A, error)) (A, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (answer A, err error) {
		m, err := maps.Of(f)
		if err != nil {
			return answer, err
		}
		return look(m)
	})
}

// OpenThings opens the file of a question as a map or macroblock and calls look with it.
func OpenThings[A any](ctx context.Context, at *question.At, look func(m table.Holder) (A, error)) (A, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (answer A, err error) {
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

// OpenRuns opens the file of a question and calls look with its recorded runs.
func OpenRuns[A any](ctx context.Context, at *question.At, look func(f *gbx.File, ghosts []*runs.Ghost) (A, error)) (A, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (answer A, err error) {
		ghosts := runs.GhostsOf(f)
		if _, err := runs.ReplayOf(f); err != nil && len(ghosts) == 0 {
			return answer, fault.New(fault.NotFormat, "the file has no recorded run")
		}
		return look(f, ghosts)
	})
}

// None is the empty answer, for work that only has an effect.
type None struct{}

// WithGBX opens the GBX file at a path and calls run with it, for commands that change
// it.
func WithGBX(ctx context.Context, o *source.Opener, name string, run func(s *source.Source, f *gbx.File) error) error {
	_, err := OpenGBX(ctx, &question.At{Path: name, Opener: o}, func(s *source.Source, f *gbx.File) (None, error) { return None{}, run(s, f) })
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
	_, err := OpenThings(ctx, &question.At{Path: name, Opener: o}, func(m table.Holder) (None, error) { return None{}, look(m) })
	return err
}

// WithRuns opens the file at a path and calls look with its recorded runs.
func WithRuns(ctx context.Context, o *source.Opener, name string, look func(f *gbx.File, ghosts []*runs.Ghost) error) error {
	_, err := OpenRuns(ctx, &question.At{Path: name, Opener: o}, func(f *gbx.File, ghosts []*runs.Ghost) (None, error) { return None{}, look(f, ghosts) })
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
	return question.Known(int64(t))
}
