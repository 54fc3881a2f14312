package nadeo

import (
	"context"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// changeGBX declares a change of a GBX file. apply changes the file in memory; what it
// returns is added to the report, and it may add notes to the revision.
func changeGBX[P, A any](name, doc string, apply func(ctx context.Context, at *question.At, f *gbx.File, params P, r *question.Revision) (*A, error)) *question.Typed[P, *question.Revision] {
	return question.NewChange[P, A](&room, name, doc, func(ctx context.Context, at *question.At, params P) (*question.Revision, error) {
		return reviseGBX(ctx, at, func(f *gbx.File, r *question.Revision) (any, error) {
			result, err := apply(ctx, at, f, params, r)
			if err != nil { // a nil pointer in an interface is not nil
				return nil, err
			}
			return result, nil
		})
	})
}

// reviseGBX opens the file of a question apart from files that stay open, because apply
// changes it.
func reviseGBX(ctx context.Context, at *question.At, apply func(f *gbx.File, r *question.Revision) (any, error)) (r *question.Revision, err error) {
	s, err := at.Opener.Open(ctx, at.Path)
	if err != nil {
		return nil, err
	}
	at.Format = s.Format()
	r = &question.Revision{Source: s, Values: GBXChanges}
	defer func() {
		if err != nil {
			r.Close()
			r = nil
		}
	}()
	f, err := wholeGBX(s, at.Path)
	if err != nil {
		return r, err
	}
	if r.Old, err = f.Encode(); err != nil {
		return r, err
	}
	if r.Result, err = apply(f, r); err != nil {
		return r, explainNotMap(fault.InFile(err, at.Path), s, at.Path)
	}
	r.Data, err = f.Encode()
	return r, err
}

// changeMap declares a change of a map.
func changeMap[P, A any](name, doc string, apply func(m *maps.Map, params P, r *question.Revision) (*A, error)) *question.Typed[P, *question.Revision] {
	return changeGBX[P, A](name, doc, func(_ context.Context, _ *question.At, f *gbx.File, params P, r *question.Revision) (*A, error) {
		m, err := maps.Of(f)
		if err != nil {
			return nil, err
		}
		return apply(m, params, r)
	})
}

// LayoutParams are the parameters of changes of blocks and items.
type LayoutParams struct {
	KeepUID bool `json:"keep_uid" doc:"keep the map's UID, although its blocks or items change"`
}

func (p LayoutParams) keepsUID() bool { return p.KeepUID }

// LayoutResult is what changes of blocks and items report.
type LayoutResult struct {
	UID               string `json:"uid,omitempty" doc:"UID of the map, if its blocks or items changed"`
	ValidationRemoved *bool  `json:"validation_removed,omitempty" doc:"whether the map was validated before"`
	CellsTakenTwice   int    `json:"cells_taken_twice,omitempty" doc:"cells that two blocks take since the change"`
	PiecesRemoved     int    `json:"pieces_removed,omitempty" doc:"baked pieces that were removed with their blocks"`
	LightmapRemoved   bool   `json:"lightmap_removed,omitempty" doc:"whether computed shadows were removed"`
}

func (r *LayoutResult) layout() *LayoutResult { return r }

// changeLayout declares a change of blocks and items, which a dry run lists. A map with
// other blocks or items becomes a new map that nobody has finished yet.
func changeLayout[P interface{ keepsUID() bool }, A any, PA interface {
	*A
	layout() *LayoutResult
}](name, doc string, apply func(ctx context.Context, at *question.At, m *maps.Map, params P, r *question.Revision) (PA, error)) *question.Typed[P, *question.Revision] {
	return changeGBX[P, A](name, doc, func(ctx context.Context, at *question.At, f *gbx.File, params P, r *question.Revision) (*A, error) {
		m, err := maps.Of(f)
		if err != nil {
			return nil, err
		}
		r.Words = LayoutChanges
		had, baked, blocks, items := m.HasLightmap(), m.BakedBlockCount(), m.Blocks(), m.Items()
		_, twice, _ := lint.Overlaps(m)
		done, err := apply(ctx, at, m, params, r)
		if err != nil {
			return nil, err
		}
		more := done.layout()
		if !slices.Equal(blocks, m.Blocks()) || !slices.Equal(items, m.Items()) {
			if err := renew(m, params.keepsUID(), more, r); err != nil {
				return nil, err
			}
		}
		if more.PiecesRemoved = baked - m.BakedBlockCount(); more.PiecesRemoved > 0 {
			r.Note("removed with their blocks: %s that the game had added, such as posts of gates", question.Count(more.PiecesRemoved, "piece"))
		}
		if _, now, _ := lint.Overlaps(m); now > twice {
			more.CellsTakenTwice = now - twice
			r.Note("%s now taken by two blocks; 'pakbox map lint' lists them", question.Count(now-twice, "cell"))
		}
		if more.LightmapRemoved = had && !m.HasLightmap(); more.LightmapRemoved {
			r.Note("the computed shadows are removed, because they show the old blocks and items; the game computes them again")
		}
		return (*A)(done), nil
	})
}

// renew makes an edited map a new one.
func renew(m *maps.Map, keepUID bool, done *LayoutResult, r *question.Revision) error {
	was, err := m.Renew(keepUID)
	if err != nil {
		return err
	}
	var news []string
	if !keepUID {
		news = append(news, "gets a new UID")
	}
	if was.Any() {
		news = append(news, "is no longer validated")
	}
	if len(news) > 0 {
		r.Note("the map %s, because its blocks or items changed", strings.Join(news, " and "))
	}
	removed := was.Any()
	done.UID, done.ValidationRemoved = m.UID(), &removed
	return nil
}

// GBXChanges lists the values that differ between two versions of a GBX file.
func GBXChanges(before, after []byte) ([]archive.ValueChange, error) {
	x, err := gbx.Parse(before, engine.Registry())
	if err != nil {
		return nil, err
	}
	y, err := gbx.Parse(after, engine.Registry())
	if err != nil {
		return nil, err
	}
	return tree.Diff(x, y)
}
