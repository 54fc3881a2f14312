package picture_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
	"pakbox/simutrans/picture"
)

// dots compiles an object whose images are single pixels: sheet.0.N has one of
// the colour N at 10, 20.
func dots(t *testing.T, source string) *node.Node { return dotsFor(t, "", source) }

func dotsFor(t *testing.T, target, source string) *node.Node {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 16*64, 64))
	for i := range 16 {
		m.SetNRGBA(i*64+10, 20, dot(i))
	}
	c, err := compile.NewCompiler(target, 64)
	if err != nil {
		t.Fatal(err)
	}
	c.Picture("", "s", img.FromNRGBA(m))
	s := c.Source("x.dat", "", []byte(source))
	if s.Failed() || len(s.Objects) != 1 {
		t.Fatalf("s.Problems = %v; want s.Failed() = false, s.Objects of length 1", s.Problems)
	}
	return s.Objects[0].Node
}

func dot(i int) color.NRGBA { return color.NRGBA{uint8(i * 8), 8, 16, 255} }

// seen lists the dots of a sprite with their places.
func seen(t *testing.T, n *node.Node, cell int, choice string) string {
	t.Helper()
	choices := map[string]string{}
	for word := range strings.FieldsSeq(choice) {
		name, value, _ := strings.Cut(word, "=")
		choices[name] = value
	}
	m, err := picture.Sprite(n, choices, picture.Options{Cell: cell})
	if err != nil {
		return err.Error()
	}
	var found []string
	for i := range 16 {
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if m.NRGBAAt(x, y) == dot(i) {
					found = append(found, fmt.Sprintf("%d@%d,%d", i, x, y))
				}
			}
		}
	}
	return strings.Join(found, " ")
}

// TestSprite puts objects together from dots: every image is where the game
// has it, and every choice selects its images.
func TestSprite(t *testing.T) {
	building := dots(t, `obj=building
name=b
dims=2,2,2
backimage[0][0][0][0][0-1]=s.0.<1+$0>
backimage[0][0][1][0][0]=s.0.3
backimage[0][1][0][0][0]=s.0.4
backimage[0][1][1][0][0]=s.0.5
backimage[0][1][1][1][0]=s.0.6
backimage[1][0][0][0][0]=s.0.7
icon=s.0.8
`)
	bus := dots(t, `obj=vehicle
name=v
waytype=road
emptyimage[s,w,sw,se]=s.0.<1+$0>
freightimage[0][s,w,sw,se]=s.0.<5+$0>
freightimage[1][s,w,sw,se]=s.0.<9+$0>
freightimagetype[0]=Coal
freightimagetype[1]=Ore
freight=Coal
`)
	painted := dotsFor(t, object.Extended, `obj=vehicle
name=p
waytype=road
payload=1
emptyimage[s][0-1]=s.0.<1+$0>
emptyimage[w][0-1]=s.0.<3+$0>
freightimage[0][s][0-1]=s.0.<5+$0>
freightimage[0][w][0-1]=s.0.<7+$0>
freightimagetype[0]=Coal
liverytype[0]=Red
liverytype[1]=Blue
`)
	way := dots(t, "obj=way\nname=w\nwaytype=road\nimage[-][0-1]=s.0.<1+$0>\nimage[ns][0-1]=s.0.<3+$0>\nfrontimage[ns][0]=s.0.5,3,0\ndiagonal[ne][0]=s.0.6\n")
	for _, c := range []struct {
		n            *node.Node
		choice, want string
	}{
		// Four tiles: back, right, left, front; and a storey on the last.
		{building, "", "1@32,32 3@64,48 4@0,48 5@32,64 6@32,0"},
		{building, "frame=1", "2@32,32 3@64,48 4@0,48 5@32,64 6@32,0"},
		{building, "layout=1", "7@0,0"},
		{building, "show=icon", "8@0,0"},
		{building, "layout=3", `unknown layout "3"`},
		{building, "mood=good", "there is nothing to choose as mood"},
		{bus, "", "4@0,0"}, // the first of the compass that it has
		{bus, "direction=w", "2@0,0"},
		{bus, "direction=w load=0", "6@0,0"},
		{bus, "direction=s load=1", "9@0,0"},
		{painted, "direction=s", "1@0,0"},
		{painted, "direction=w livery=1", "4@0,0"},
		{painted, "direction=s livery=1 load=0", "6@0,0"},
		{way, "", "1@0,0"},
		{way, "season=1", "2@0,0"},
		{way, "part=image[ns]", "3@0,0 5@3,0"},
		{way, "part=image[ns] season=1", "4@0,0 5@3,0"}, // no snow in front
		{way, "part=diagonal[ne]", "6@0,0"},
	} {
		if got := seen(t, c.n, 64, c.choice); got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.n.Name(), c.choice, got, c.want)
		}
	}
	labels := fmt.Sprint(picture.Axes(bus))
	if want := "[{direction [{se se} {s s} {sw sw} {w w}]} {load [{empty empty} {0 Coal} {1 Ore}]}]"; labels != want {
		t.Errorf("the axes are %s, want %s", labels, want)
	}
	labels = fmt.Sprint(picture.Axes(painted))
	if want := "[{direction [{s s} {w w}]} {load [{empty empty} {0 Coal}]} {livery [{0 Red} {1 Blue}]}]"; labels != want {
		t.Errorf("the axes are %s, want %s", labels, want)
	}
}

// TestEveryObjectHasASprite: all choices of all objects of the corpus can be
// drawn, and something is seen.
func TestEveryObjectHasASprite(t *testing.T) {
	drawn := 0
	corpusObjects(t, func(file string, n *node.Node) {
		for _, axis := range picture.Axes(n) {
			for _, v := range axis.Values {
				if _, err := picture.Sprite(n, map[string]string{axis.Name: v.Value}, picture.Options{}); err != nil {
					t.Errorf("%s %s: %s=%s: %v", file, n.Name(), axis.Name, v.Value, err)
				}
				drawn++
			}
		}
	})
	if drawn < 500 {
		t.Errorf("only %d sprites were drawn", drawn)
	}
	t.Logf("%d sprites", drawn)
}
