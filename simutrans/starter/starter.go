// Package starter writes the source and the picture of a new object as a starting point
// for authors. It compiles: it has every key with its sentence, and a picture with cells
// in the right places.
package starter

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// starter is the starting point for one kind of object.
type starter struct {
	keys   []string // key=value; an empty line begins a group
	images []string // key=row.column
	draw   func(c *canvas, row, column int)
	rows   int
	cols   int
}

// ways are the images of a way, in the order of their cells.
var ways = []string{"-", "n", "s", "e", "w", "ns", "ew", "ne", "se", "nw", "sw", "nse", "new", "nsw", "sew", "nsew"}

var starters = map[string]starter{
	"vehicle": {
		keys: []string{
			"waytype=road", "freight=Passagiere", "payload=20", "speed=80", "power=120", "weight=9", "engine_type=diesel", "length=8",
			"cost=1500000", "runningcost=40", "intro_year=1950", "intro_month=1", "retire_year=2000", "retire_month=1",
		},
		images: []string{"emptyimage[s,w,sw,se,n,e,ne,nw]=0.<$0>"},
		rows:   1, cols: 8,
		draw: func(c *canvas, _, column int) { c.vehicle(column) },
	},
	"way": {
		keys: []string{
			"waytype=road", "topspeed=80", "cost=1000", "maintenance=100", "intro_year=1920", "intro_month=1", "retire_year=2999", "retire_month=1",
		},
		images: wayReferences(),
		rows:   4, cols: 8,
		draw: (*canvas).way,
	},
	"building": {
		keys: []string{"type=res", "level=5", "dims=1,1,1", "chance=100", "intro_year=1900", "intro_month=1"},
		images: []string{
			"backimage[0][0][0][0][0]=0.0",
		},
		rows: 1, cols: 1,
		draw: func(c *canvas, _, _ int) { c.house(false) },
	},
	"factory": {
		keys: []string{
			"location=land", "mapcolor=122", "productivity=50", "range=20", "distributionweight=3", "dims=1,1,1", "intro_year=1900", "intro_month=1", "",
			"inputgood[0]=Kohle", "inputcapacity[0]=100", "inputfactor[0]=100", "",
			"outputgood[0]=Stahl", "outputcapacity[0]=100", "outputfactor[0]=100",
		},
		images: []string{"backimage[0][0][0][0][0]=0.0"},
		rows:   1, cols: 1,
		draw: func(c *canvas, _, _ int) { c.house(true) },
	},
}

func wayReferences() (list []string) {
	for i, name := range ways {
		list = append(list, fmt.Sprintf("image[%s]=%d.%d", name, i/8, i%8))
	}
	return append(list, "imageup[3]=2.0", "imageup[6]=2.1", "imageup[9]=2.2", "imageup[12]=2.3",
		"diagonal[ne]=2.4", "diagonal[se]=2.5", "diagonal[nw]=2.6", "diagonal[sw]=2.7", "icon=> 3.0", "cursor=3.1")
}

// Kinds lists the kinds of objects.
func Kinds() []string { return []string{"vehicle", "way", "building", "factory"} }

// Object returns the source and the picture of a new object, and the name of both files
// without their endings.
func Object(kind, name string, cell int) (source, picture []byte, file string, err error) {
	s, ok := starters[kind]
	t, _ := node.ObjType(kind)
	if !ok {
		return nil, nil, "", fmt.Errorf("unknown kind of object %q; expected one of %s", kind, strings.Join(Kinds(), ", "))
	}
	if name == "" || strings.ContainsAny(name, "\r\n<") || strings.TrimSpace(name) != name {
		return nil, nil, "", fmt.Errorf("%q is not a name for an object", name)
	}
	if _, err := compile.NewCompiler("", cell); err != nil {
		return nil, nil, "", err
	}
	named := &node.Node{Type: t, Children: []*node.Node{node.NewText(name)}}
	file = decompile.SheetName(named)
	picture, err = s.picture(cell)
	return s.source(t, name, file, cell), picture, file, err
}

// source writes every key after its sentence.
func (s starter) source(t node.Type, name, file string, cell int) []byte {
	target, _ := object.LookupTarget(object.DefaultTarget) // cannot fail: the default target exists
	keys := object.ByStem(t, target)
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\nobj=%s\nname=%s\ncopyright=\n# %s\ncell_size=%d\n", object.About(t), t.Name(), name, keys["cell_size"].About, cell)
	explained := []string{"copyright"}
	set := func(key, value string) {
		about := keys[dat.Stem(key)].About
		if about != "" && !slices.Contains(explained, about) {
			explained = append(explained, about)
			fmt.Fprintf(&b, "# %s\n", about)
		}
		fmt.Fprintf(&b, "%s=%s\n", key, value)
	}
	b.WriteByte('\n')
	for _, line := range s.keys {
		key, value, _ := strings.Cut(line, "=")
		if key == "" {
			b.WriteByte('\n')
			continue
		}
		set(key, value)
	}
	b.WriteByte('\n')
	for _, line := range s.images {
		key, at, _ := strings.Cut(line, "=")
		prefix := ""
		if rest, fixed := strings.CutPrefix(at, "> "); fixed {
			prefix, at = "> ", rest
		}
		set(key, prefix+file+"."+at)
	}
	b.WriteString("---\n")
	return b.Bytes()
}

// picture draws the cells.
func (s starter) picture(cell int) ([]byte, error) {
	m := image.NewNRGBA(image.Rect(0, 0, s.cols*cell, s.rows*cell))
	for i := 0; i < len(m.Pix); i += 4 {
		copy(m.Pix[i:], []byte{0xE7, 0xFF, 0xFF, 0xFF}) // the colour that makeobj treats as transparent
	}
	for row := range s.rows {
		for column := range s.cols {
			s.draw(&canvas{m, column * cell, row * cell, float64(cell)}, row, column)
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}
