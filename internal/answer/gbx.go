package answer

import (
	"context"
	"errors"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// WithGBX calls run with the GBX file that a path leads to.
func WithGBX(ctx context.Context, o *source.Opener, name string, run func(s *source.Source, f *gbx.File) error) error {
	s, err := o.Open(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	holder, ok := s.Place.Archive.(interface{ File() *gbx.File })
	if !ok || !s.Whole {
		err := fault.InFile(fault.New(fault.NotFormat, "is no GBX file"), name)
		return hint.With(err, "to take the files in it: '%s/**/*.Gbx'", s.Path)
	}
	err = fault.InFile(run(s, holder.File()), name)
	if e, ok := err.(*fault.Error); ok && errors.Is(e, fault.NotFormat) {
		if info, found := s.Stat("map.Map.Gbx"); found == nil && !info.IsDir() {
			return hint.With(err, "the map inside it is %s/map.Map.Gbx", name)
		}
		return hint.With(err, "to see what it is: pakbox info %s", name)
	}
	return err
}

// WithMap calls look with the map that a path leads to.
func WithMap(ctx context.Context, o *source.Opener, name string, look func(s *source.Source, m *maps.Map) error) error {
	return WithGBX(ctx, o, name, func(s *source.Source, f *gbx.File) error {
		m, err := maps.Of(f)
		if err != nil {
			return err
		}
		return look(s, m)
	})
}

// WithRuns calls look with the recorded runs of the file that a path leads to.
func WithRuns(ctx context.Context, o *source.Opener, name string, look func(f *gbx.File, ghosts []*runs.Ghost) error) error {
	return WithGBX(ctx, o, name, func(_ *source.Source, f *gbx.File) error {
		ghosts := runs.GhostsOf(f)
		if _, err := runs.ReplayOf(f); err != nil && len(ghosts) == 0 {
			return fault.New(fault.NotFormat, "there is no recorded run in the file")
		}
		return look(f, ghosts)
	})
}
