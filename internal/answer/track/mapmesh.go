package track

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/answer/about"
	"pakbox/internal/form"
	"pakbox/internal/source"
	"pakbox/trackmania"
	"pakbox/trackmania/compare"
	"pakbox/trackmania/mapmesh"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// MapMesh is a map as one glTF file.
type MapMesh struct {
	*mapmesh.Result
	GLB []byte
	// Warnings are sentences about what makes the lines doubtful.
	Warnings []string
}

// MakeMapMesh makes one scene of the map that a file holds or is, with the runs
// in it and those of replays. Title is what the scene is called.
func MakeMapMesh(ctx context.Context, o *source.Opener, f *gbx.File, title string, library mapmesh.Library, replays []string) (*MapMesh, error) {
	m := about.MapOf(f)
	if m == nil {
		return nil, fault.New(fault.NotFormat, "the file is no map, and holds none")
	}
	out := &MapMesh{}
	lines, err := out.lines(m, "", runs.GhostsOf(f))
	if err != nil {
		return nil, err
	}
	for _, name := range replays {
		err := about.WithRuns(ctx, o, name, func(_ *gbx.File, ghosts []*runs.Ghost) error {
			more, err := out.lines(m, name, ghosts)
			if err == nil && len(more) == 0 {
				err = runs.ErrNotRecorded
			}
			lines = append(lines, more...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if out.Result, err = mapmesh.Of(ctx, m, mapmesh.Options{Game: library, Lines: lines}); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = gltf.Write(&b, out.Scene, title)
	out.GLB = b.Bytes()
	return out, err
}

// lines are the ways that ghosts of a file drove; of the file itself where it
// has no name. A run that was not recorded has none.
func (out *MapMesh) lines(m *maps.Map, file string, ghosts []*runs.Ghost) ([]mapmesh.Line, error) {
	var lines []mapmesh.Line
	for _, g := range ghosts {
		run, err := compare.Of(g)
		switch {
		case errors.Is(err, runs.ErrNotRecorded) || err != nil && file == "":
			continue // the map is what was asked for
		case err != nil:
			return nil, err
		}
		if file != "" && run.Map != "" && m.UID() != "" && run.Map != m.UID() {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s: a run on another map", file))
		}
		if run.Name == "" {
			run.Name = path.Base(source.Slashed(file))
		}
		l := mapmesh.Line{Name: run.Name}
		if run.Time != gbx.NoTime {
			l.Name += " " + trackmania.TimeText(run.Time)
		}
		for i := range run.Samples {
			if p := run.Samples[i].Position; isPlace(p) {
				l.Points = append(l.Points, p)
			}
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// isPlace reports whether all three are numbers.
func isPlace(p gbx.Vec3) bool {
	sum := float64(p.X) + float64(p.Y) + float64(p.Z)
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Summary says what the triangles are.
func (out *MapMesh) Summary() string {
	text := fmt.Sprintf("%s and %s: %s drawn", form.Count(out.Blocks, "block"), form.Count(out.Items, "item"), form.Count(out.Drawn(), "triangle"))
	for _, part := range []struct {
		share mapmesh.Share
		what  string
	}{{out.Boxes, "as boxes"}, {out.Embedded, "with meshes of the map"}, {out.Game, "with meshes of the game"}} {
		if part.share.Things > 0 {
			text += fmt.Sprintf(", %d by %d %s", part.share.Triangles, part.share.Things, part.what)
		}
	}
	if out.Empty > 0 {
		text += fmt.Sprintf(", none by %d that show nothing", out.Empty)
	}
	if out.Hidden > 0 {
		text += fmt.Sprintf(", none by %d pillars and joints", out.Hidden)
	}
	text += fmt.Sprintf("; %d stored", out.Stored)
	if out.Lines > 0 {
		text += fmt.Sprintf("; %s of %s", form.Count(out.Lines, "driven line"), form.Count(out.Points, "point"))
	}
	return text
}

// Object is the same as JSON.
func (out *MapMesh) Object() *form.Object {
	share := func(s mapmesh.Share) *form.Object {
		return new(form.Object).Add("models", s.Models).Add("things", s.Things).Add("triangle_count", s.Triangles)
	}
	warnings := append([]string{}, out.Warnings...)
	return new(form.Object).Add("block_count", out.Blocks).Add("item_count", out.Items).
		Add("triangle_count", out.Drawn()).Add("stored_triangle_count", out.Stored).
		Add("boxes", share(out.Boxes)).Add("embedded", share(out.Embedded)).Add("game", share(out.Game)).
		Add("empty", out.Empty).Add("hidden", out.Hidden).Add("lines", out.Lines).Add("points", out.Points).
		Add("bounds", about.BoundsOf(out.Scene.Bounds())).Add("warnings", warnings)
}
