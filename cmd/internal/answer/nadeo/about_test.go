package nadeo

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/asked"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/view"
	"pakbox/internal/testkit/leak"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
	"pakbox/nadeo/picture"
	"pakbox/nadeo/runs"
)

func at(path string) *question.At {
	return &question.At{Path: path, Opener: source.NewOpener(pakbox.Formats())}
}

func hints(err error) []string {
	return fault.Hints(err)
}

var errMine = errors.New("mine")

func TestOpens(t *testing.T) {
	t.Chdir(asked.Files(t))
	before := leak.OpenFiles()
	seen := ""
	o := source.NewOpener(pakbox.Formats())
	look := map[string]func(path string) error{
		"map": func(path string) error {
			return WithMap(t.Context(), o, path, func(s *source.Source, m *maps.Map) error { seen = s.Path + " " + m.UID(); return nil })
		},
		"things": func(path string) error {
			return WithThings(t.Context(), o, path, func(m table.Holder) error { seen = path; return nil })
		},
		"runs": func(path string) error {
			return WithRuns(t.Context(), o, path, func(_ *gbx.File, ghosts []*runs.Ghost) error { seen = ghosts[0].Player().Login; return nil })
		},
		"gbx": func(path string) error {
			return WithGBX(t.Context(), o, path, func(_ *source.Source, f *gbx.File) error { seen = f.Class.String(); return nil })
		},
		"mine": func(path string) error {
			return WithMap(t.Context(), o, path, func(*source.Source, *maps.Map) error { return errMine })
		},
	}
	for _, c := range []struct{ look, path, want, hint string }{
		{"map", "runs/driven.Map.Gbx", "runs/driven.Map.Gbx abc", ""},
		{"map", "runs/red.Replay.Gbx", "runs/red.Replay.Gbx: the file is not a map", "the map inside it is runs/red.Replay.Gbx/map.Map.Gbx"},
		{"map", "runs/red.Ghost.Gbx", "runs/red.Ghost.Gbx: the file is not a map", "to see what it is: pakbox info runs/red.Ghost.Gbx"},
		{"map", "runs", "runs: is a folder, and no GBX file", "to take the files in it: -r"},
		{"things", "a.Map.Gbx", "a.Map.Gbx", ""},
		{"things", "tree.Item.Gbx", "tree.Item.Gbx: the file is not a map", "to see what it is: pakbox info tree.Item.Gbx"},
		{"runs", "runs/blue.Ghost.Gbx", "blue", ""},
		{"runs", "runs/driven.Map.Gbx", "runs/driven.Map.Gbx: the file has no recorded run", "to see what it is: pakbox info runs/driven.Map.Gbx"},
		{"gbx", "tree.Item.Gbx", "2E002000", ""},
		{"gbx", "runs/red.Replay.Gbx/map.Map.Gbx", "03043000", ""},
		{"gbx", "a.Map.Gbx/Items", "a.Map.Gbx/Items: is not a GBX file", "to take the files in it: 'a.Map.Gbx/Items/**/*.Gbx'"},
		{"mine", "a.Map.Gbx", "mine", ""},
	} {
		seen = ""
		err := look[c.look](c.path)
		if err != nil {
			seen = err.Error()
			if c.look != "mine" && !errors.Is(err, fault.NotFormat) {
				t.Errorf(`c.look = %s c.path = %s: fault.KindOf(err) = %v; want c.look = "mine" or err matching fault.NotFormat`, c.look, c.path, fault.KindOf(err))
			}
		}
		if said := strings.Join(hints(err), "; "); seen != c.want || said != c.hint {
			t.Errorf("%s %s: %s (%s)\nwant %s (%s)", c.look, c.path, seen, said, c.want, c.hint)
		}
	}
	if after := leak.OpenFiles(); after > before {
		t.Errorf("%d files are open, %d were before", after, before)
	}
}

// The map of a file is the file, or is in it.
func TestMapOf(t *testing.T) {
	t.Chdir(asked.Files(t))
	for path, want := range map[string]string{"runs/driven.Map.Gbx": "abc", "runs/red.Replay.Gbx": "abc", "runs/red.Ghost.Gbx": "", "tree.Item.Gbx": ""} {
		uid, err := OpenGBX(t.Context(), at(path), func(_ *source.Source, f *gbx.File) (string, error) {
			if m := MapOf(f); m != nil {
				return m.UID(), nil
			}
			return "", nil
		})
		if err != nil || uid != want {
			t.Errorf("%s: uid = %q err = %v; want no error, uid = %q", filepath.Base(path), uid, err, want)
		}
	}
}

func TestKnownTime(t *testing.T) {
	if KnownTime(gbx.NoTime) != nil || *KnownTime(0) != 0 || *KnownTime(1500) != 1500 {
		t.Error("times")
	}
}

func TestBoundsOf(t *testing.T) {
	box := mesh.Bounds{Min: gbx.Vec3{X: 1, Y: 2, Z: 3}, Max: gbx.Vec3{X: 4, Y: 5, Z: 6}}
	if b := BoundsOf(box); b == nil || b.Min != [3]float32{1, 2, 3} || b.Max != [3]float32{4, 5, 6} {
		t.Errorf("b = %+v; want b other than nil, b.Min = [3]float32{1, 2, 3}, b.Max = [3]float32{4, 5, 6}", b)
	}
	for _, bad := range []float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())} {
		for i := range 6 {
			broken := box
			*[]*float32{&broken.Min.X, &broken.Min.Y, &broken.Min.Z, &broken.Max.X, &broken.Max.Y, &broken.Max.Z}[i] = bad
			if b := BoundsOf(broken); b != nil {
				t.Errorf("%g at %d: %+v", bad, i, b)
			}
		}
	}
}

func TestDraw(t *testing.T) {
	m, err := OpenMap(t.Context(), at(filepath.Join(asked.Files(t), "a.Map.Gbx")), func(m *maps.Map) (*picture.Canvas, error) { return picture.Map(m), nil })
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{"": "picture.png image/png \x89PNG", "png": "picture.png image/png \x89PNG", "svg": "picture.svg  <svg"} {
		t.Run(kind, func(t *testing.T) {
			f, err := EncodeDrawing(m, kind, Drawn{Runs: 2})
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Name + " " + f.Type + " " + string(f.Data[:4]); got != want {
				t.Errorf("%q: got = %q; want %q", kind, got, want)
			}
			if say := f.Say.(*Drawn); say.Runs != 2 || say.Width != m.Width || say.Height != m.Height || "picture."+say.Kind != f.Name {
				t.Errorf(`%q: say = %+v; want say.Runs = 2, say.Width = %v, say.Height = %v, "picture." + say.Kind = %v`, kind, say, m.Width, m.Height, f.Name)
			}
		})
	}
	if f, err := EncodeDrawing(m, "gif", Drawn{}); f != nil || !errors.Is(err, fault.Usage) {
		t.Errorf("f = %v err = %v; want f = nil, err matching fault.Usage", f, err)
	}
}

func TestDrawScene(t *testing.T) {
	f, err := DrawScene(t.Context(), &mesh.Scene{}, view.Options{Size: image.Pt(40, 30)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(bytes.NewReader(f.Data))
	if err != nil || c.Width != 40 || c.Height != 30 || f.Type != "image/png" || *f.Say.(*Drawn) != (Drawn{Kind: "png", Width: 40, Height: 30}) {
		t.Errorf(`c = %+v f.Say = %+v err = %v; want no error, c.Width = 40, c.Height = 30, f.Type = "image/png", *f.Say.(*Drawn) = Drawn{Kind: "png", Width: 40, Height: 30}`, c, f.Say, err)
	}
}
