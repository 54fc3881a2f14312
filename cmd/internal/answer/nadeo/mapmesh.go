package nadeo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/mapmesh"
	"pakbox/nadeo/runs"
	"pakbox/nadeo/runs/compare"
)

// mapMeshParams choose what a scene shows besides the map.
type mapMeshParams struct {
	Replay []string `json:"replay" value:"FILE" doc:"add the runs of FILE as lines; may be given several times"`
	Game   string   `json:"game" request:"" doc:"folder of the game whose meshes are shown"`
	Alone  bool     `json:"no_surroundings" doc:"leave out the ground beyond the map and the stands of the Stadium"`
}

// MapMesh is the question for a scene of the map that a file is or contains, with its
// runs.
var MapMesh = question.New(&room, "map.mesh", "a whole map as one scene, as binary glTF", func(ctx context.Context, at *question.At, p mapMeshParams) (*question.File, error) {
	var library mesh.Library
	if p.Game != "" {
		found, done, err := at.Models(ctx, p.Game)
		if err != nil {
			return nil, err
		}
		defer done()
		library = found
	}
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (*question.File, error) {
		m := MapOf(f)
		if m == nil {
			return nil, fault.New(fault.NotFormat, "the file is not a map and contains none")
		}
		out := &MapScene{}
		lines, err := out.lines(m, "", runs.GhostsOf(f))
		if err != nil {
			return nil, err
		}
		for _, name := range p.Replay {
			more, err := out.linesOf(ctx, at.For(name), m)
			if err != nil {
				return nil, err
			}
			lines = append(lines, more...)
		}
		made, err := mapmesh.Of(ctx, m, mapmesh.Options{Game: library, Lines: lines, Surroundings: !p.Alone})
		if err != nil {
			return nil, err
		}
		out.setFigures(made)
		title, _, _ := strings.Cut(path.Base(source.Slashed(at.Path)), ".")
		var b bytes.Buffer
		err = gltf.Write(&b, made.Scene, title)
		return &question.File{Name: title + ".glb", Data: b.Bytes(), Say: out}, err
	})
})

// MapScene describes the saved scene of a map, for the message of a command.
type MapScene struct {
	Blocks    int      `json:"block_count"`
	Items     int      `json:"item_count"`
	Triangles int      `json:"triangle_count"`
	Stored    int      `json:"stored_triangle_count"`
	Boxes     share    `json:"boxes"`
	Embedded  share    `json:"embedded"`
	Game      share    `json:"game"`
	Empty     int      `json:"empty"`
	Hidden    int      `json:"hidden"`
	Lines     int      `json:"lines"`
	Points    int      `json:"points"`
	Bounds    *Bounds  `json:"bounds"`
	Warnings  []string `json:"warnings"` // what makes the lines doubtful
}

// share is a part of the scene's triangles, by source.
type share struct {
	Models    int `json:"models"`
	Things    int `json:"things"`
	Triangles int `json:"triangle_count"`
}

// setFigures copies the figures of the scene.
func (out *MapScene) setFigures(r *mapmesh.Result) {
	*out = MapScene{
		r.Blocks, r.Items, r.Drawn(), r.Stored, share(r.Boxes), share(r.Embedded), share(r.Game),
		r.Empty, r.Hidden, r.Lines, r.Points, BoundsOf(r.Bounds), append([]string{}, out.Warnings...),
	}
}

// linesOf returns the driven lines in the runs of a file.
func (out *MapScene) linesOf(ctx context.Context, at *question.At, m *maps.Map) ([]mapmesh.Line, error) {
	return OpenRuns(ctx, at, func(_ *gbx.File, ghosts []*runs.Ghost) ([]mapmesh.Line, error) {
		lines, err := out.lines(m, at.Path, ghosts)
		if err == nil && len(lines) == 0 {
			err = runs.ErrNotRecorded
		}
		return lines, err
	})
}

// lines returns the driven lines of ghosts. file is the file's name, "" for the map's own
// file. Runs without a recording are skipped.
func (out *MapScene) lines(m *maps.Map, file string, ghosts []*runs.Ghost) ([]mapmesh.Line, error) {
	var lines []mapmesh.Line
	for _, g := range ghosts {
		run, err := compare.Of(g)
		switch {
		case errors.Is(err, runs.ErrNotRecorded) || err != nil && file == "":
			continue // the map matters more than its runs
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
			l.Name += " " + nadeo.TimeText(run.Time)
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

// isPlace reports whether all three coordinates are finite numbers.
func isPlace(p gbx.Vec3) bool {
	sum := float64(p.X) + float64(p.Y) + float64(p.Z)
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Summary describes where the triangles come from.
func (out *MapScene) Summary() string {
	text := fmt.Sprintf("%s and %s, %s", question.Count(out.Blocks, "block"), question.Count(out.Items, "item"), question.Count(out.Triangles, "triangle"))
	before := ": "
	for _, part := range []struct {
		share share
		what  string
	}{{out.Boxes, "%s drawn as boxes (%s)"}, {out.Embedded, "%s with meshes of the map (%s)"}, {out.Game, "%s with meshes of the game (%s)"}} {
		if part.share.Things > 0 {
			text += before + fmt.Sprintf(part.what, strconv.Itoa(part.share.Things), question.Count(part.share.Triangles, "triangle"))
			before = ", "
		}
	}
	if out.Empty > 0 {
		text += fmt.Sprintf(", %d without a shape", out.Empty)
	}
	if out.Hidden > 0 {
		text += fmt.Sprintf(", %d pillars and joints left out", out.Hidden)
	}
	if out.Stored < out.Triangles {
		text += fmt.Sprintf("; equal ones are stored once: %s", question.Count(out.Stored, "triangle"))
	}
	if out.Lines > 0 {
		text += fmt.Sprintf("; %s of %s", question.Count(out.Lines, "driven line"), question.Count(out.Points, "point"))
	}
	return text
}

// Bounds is the box around a mesh or a scene, in metres.
type Bounds struct {
	Min [3]float32 `json:"min"`
	Max [3]float32 `json:"max"`
}

// BoundsOf converts a box for JSON. It returns nil for an empty or infinite box.
func BoundsOf(b mesh.Bounds) *Bounds {
	out := &Bounds{[3]float32{b.Min.X, b.Min.Y, b.Min.Z}, [3]float32{b.Max.X, b.Max.Y, b.Max.Z}}
	for _, v := range append(out.Min[:], out.Max[:]...) {
		if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
			return nil // empty or infinite
		}
	}
	return out
}
