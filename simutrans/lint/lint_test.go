package lint_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/object"
)

// sheet is a picture of 8 × 8 cells. Row 1 has cells with mistakes: shades that
// are nearly a player's, a light that is nearly one, and pale edges.
func sheet() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 8*64, 8*64))
	for y := range 8 * 64 {
		for x := range 8 * 64 {
			m.SetNRGBA(x, y, color.NRGBA{0, 0, uint8(y * 8 % 128), 255})
		}
	}
	cell := func(column int, paint func(x, y int) color.NRGBA) {
		for y := range 64 {
			for x := range 64 {
				m.SetNRGBA(column*64+x, 64+y, paint(x, y))
			}
		}
	}
	cell(0, func(x, _ int) color.NRGBA { c := img.SpecialColors[x%2]; c.B ^= 1; return c })
	cell(1, func(_, _ int) color.NRGBA { c := img.SpecialColors[19]; c.G ^= 1; return c })
	cell(2, func(x, _ int) color.NRGBA {
		return color.NRGBA{[]uint8{0xE7, 0xE3, 0x40}[min(x, 2)], 0xFF, 0xFF, 255}
	})
	cell(3, func(x, _ int) color.NRGBA { return img.SpecialColors[x%img.Specials] })
	return m
}

// compiled compiles a source beside the picture s.png.
func compiled(t *testing.T, target, text string) *compile.Source {
	t.Helper()
	c, err := compile.NewCompiler(target, 64)
	if err != nil {
		t.Fatal(err)
	}
	c.Picture("", "s", img.FromNRGBA(sheet()))
	return c.Source("x.dat", "", []byte(text))
}

const (
	vehicle  = "obj=vehicle\nname=a\nwaytype=road\nemptyimage[s,w,sw,se]=s.0.<$0>\n"
	plain    = "obj=building\nname=a\n"
	building = plain + "backimage[0][0][0][0][0]=s.0.0\n"
	factory  = "obj=factory\nname=a\nmapcolor=5\nbackimage[0][0][0][0][0]=s.0.0\n"
	tools    = "icon=s.0.0\ncursor=s.0.1\n"
	images   = "emptyimage[s,w,sw,se]=s.0.<$0>"
)

// mistakes are sources that makeobj compiles, most of them without a word, or
// rejects late. Each is reported with its line, and with its effect in the game.
var mistakes = []struct{ source, want string }{
	// How lines are read.
	{vehicle + " speed=80\n", "5: speed: the line begins with a blank, so it is a comment and sets nothing"},
	{vehicle + "\tspeed=80\n", "5: speed: a key cannot hold a tab, so the line sets nothing"},
	{vehicle + "speed\t=80\n", "5: speed: a key cannot hold a tab, so the line sets nothing"},
	{vehicle + "-speed=80\n", "5: speed: the line begins with a dash, so it ends the object and sets nothing"},
	{vehicle + "top-speed=80\n", "5: top-speed: a key cannot hold '-'"},
	{vehicle + "speed 80\n", `5: syntax: "speed 80" is not a key=value`},
	{vehicle + "speed=80 # fast\n", `5: speed: "80 # fast" is not a whole number; it counts as 80`},
	{vehicle + "freight=None # nothing\n", `5: freight: the comment behind the value belongs to it: "None # nothing"`},
	{vehicle + "constraint[prev][0]=b #c\n", `5: constraint[prev][0]: the comment behind the value belongs to it: "b #c"`},
	{vehicle + "copyright=me # 2024\n", "5: copyright: the comment behind the value belongs to it"},
	{vehicle + "freightimage[s,w,sw,se]=s.0.1 # full\n", "5: freightimage[s]: a comment behind an image is read as a part of it"},
	{vehicle + "freight=Coal \n", `5: freight: the blank before or behind the name belongs to it: "Coal "`},
	{strings.Replace(vehicle, "name=a", "name= a", 1), `2: name: the blank before or behind the name belongs to it: " a"`},
	{vehicle + "engine_type= steam\n", `5: engine_type: unknown engine type " steam"; diesel is taken`},
	{vehicle + "engine_type=steem\n", `5: engine_type: unknown engine type "steem"; diesel is taken`},
	{vehicle + "speed=1\nspeed=2\n", `6: speed: line 5 already has the value "1", which counts`},
	{vehicle + "runing_cost=-20\n", "5: runing_cost: nothing reads this key"},
	{vehicle + "speed=080\n", `5: speed: "080" is not a whole number; it counts as 0`},
	{vehicle + "speed=80km/h\n", `5: speed: "80km/h" is not a whole number; it counts as 80`},
	{vehicle + "speed=fast\n", `5: speed: "fast" is not a whole number; it counts as 0`},
	{vehicle + "speed=70000\n", "5: speed: 70000 does not fit and becomes 4464"},
	{vehicle + "payload=-1\n", "5: payload: -1 does not fit and becomes 65535"},
	{vehicle + "intro_month=13\n", "5: intro_month: month 13 is out of range; expected 1 to 12"},
	{"\ufeff" + vehicle, "1: syntax: the file begins with a byte order mark"},
	{"obj=veicle\nname=a\n", `1: obj: unknown object type "veicle"`},
	{vehicle + "#" + strings.Repeat("x", 5000) + "\n", "5: syntax: the line has 5001 bytes"},
	{vehicle + "name\x00=b\n", "5: syntax: the line holds a NUL"},
	// Objects that nobody can have or see.
	{vehicle + "intro_year=1950\nretire_year=1940\n", "6: retire_year: it is introduced in 1950-01 and retires in 1940-01"},
	{strings.Replace(vehicle, "s,w,sw,se", "s,w,sw", 1), "4: emptyimage[s]: it has images for 3 directions, so it is invisible in the others"},
	{"obj=vehicle\nname=a\nwaytype=road\n", "1: emptyimage[s]: it has no image, so it is invisible"},
	{"obj=vehicle\nname=a\nwaytype=road\nemptyimage[s,w,sw]=s.0.0\nemptyimage[se]=-\n", "4: emptyimage[s]: 1 of 4 directions have no image, so it is invisible there"},
	{"obj=citycar\nname=a\nimage[s]=s.0.0\n", "3: image[s]: 7 of 8 directions have no image"},
	{plain + "type=res\n", "3: type: it has no image, so it is invisible"},
	{building + "dims=1,1,3\n", "4: dims: of its 3 layouts the game shows nothing for 1, 2, which has no image"},
	{plain + "backimage[0][0][0][0][0][0-2]=s.0.<$0>\n", "1: dims: of its 3 seasons the game never shows the third"},
	{plain + "backimage[0][0][0][0][0][0,1,3]=s.0.<$0>\n", "3: backimage[0][0][0][0][0][3]: nothing reads this key"},
	{building + "backimage[0][0][0][2][0]=s.0.1\n", "4: backimage[0][0][0][2][0]: nothing reads this key"},
	{building + "frontimage[0][0][0][1][0]=s.0.1\n", "4: frontimage[0][0][0][1][0]: nothing reads this key"},
	{building + "type=depot\nwaytype=road\n", "1: icon: it has no icon, so no menu of the game offers it"},
	{building + "type=stop\nwaytype=road\ncursor=s.0.0\n", "1: icon: it has no icon, so no menu of the game offers it"},
	{"obj=way\nname=a\nwaytype=road\nimage[-]=s.0.0\n", "1: icon: it has no icon"},
	{"obj=bridge\nname=a\nwaytype=road\n", "1: icon: it has no icon"},
	{"obj=tunnel\nname=a\nwaytype=road\n", "1: icon: it has no icon"},
	{"obj=way-object\nname=a\nwaytype=track\nown_waytype=electrified_track\n", "1: icon: it has no icon"},
	{"obj=roadsign\nname=a\nwaytype=road\nimage[0-3]=s.0.<$0>\n", "1: icon: it has no icon"},
	// Numbers and words.
	{building + "type=res\nlevel=0\n", "5: level: -1 does not fit and becomes 65535"},
	{building + "chance=200\n", "4: chance: its chance is 200 percent"},
	{building + "climates=dessert,tundra\n", `4: climates: unknown climate "dessert"`},
	{factory + "location=lnad\n", `5: location: unknown location "lnad"; land is taken`},
	{factory + "type=res\n", "5: type: its building is of the type res, so the game does not treat it as a factory"},
	{factory + "productivity=0\n", "5: productivity: its productivity is 0, by which the game divides"},
	{factory + "outputgood[0]=Coal\noutputcapacity[0]=5\n", "6: outputcapacity[0]: the factory can hold only 5 of its product"},
	{factory + "expand_probability=10001\n", "5: expand_probability: 10001 is not between 0 and 10000"},
	{factory + "smoketile[0]=0,0\n", "5: smoketile[0]: the smoke has a tile but no offset on it"},
	{vehicle + "power=100\ngear=1\n", "6: gear: its gear is 0, so its engine has no power"},
	{vehicle + "power=1\ngear=1\n", "6: gear: its gear is 0, so its engine has no power"},
	{plain + "type=hq\nhq_level=1\nbackimage[0][0][0][0][0]=s.1.0\n", "5: backimage[0][0][0][0][0]: 4096 pixels are nearly, but not quite, shades of a player's colour"},
	{strings.Replace(vehicle, "road", "electrified_track", 1) + "engine_type=steam\n", "5: engine_type: a vehicle for electrified_track is electric"},
	{vehicle + "freightimagetype[0]=Coal\n", "5: freightimagetype[0]: nothing reads this key"},
	{vehicle + "icon=s.0.0\n", "5: icon: nothing reads this key"},
	{vehicle + "intro_year=6000\n", "5: intro_year: 72000 does not fit"},
	{strings.Replace(vehicle, "name=a", "name=a/b", 1), "2: name: a file on Windows cannot have '/' in its name"},
	{"obj=symbol\nname=logo\nimage[0]=s.0.0\n", "2: name: the game looks for Logo, so it does not use logo"},
	{"obj=ground\nname=Outsid\nimage[0][0]=s.0.0\n", "2: name: unknown name: the game looks for certain names only"},
	{"obj=misc\nname=Something\nimage[0]=s.0.0\n", "2: name: unknown name: the game looks for certain names only"},
	{factory + "fields=F\nprobability_to_spawn=20000\n", "6: probability_to_spawn: 20000 is not between 0 and 10000, and becomes 10000"},
	{"obj=bridge\nname=a\nwaytype=road\npillar_distance=300\n" + tools, "4: pillar_distance: 300 does not fit and becomes 44"},
	{vehicle + "name\x00x=b\n", "5: syntax: the line holds a NUL"},
	{vehicle + "gear=\n", "5: gear: the value is missing; it counts as 0, not as the default, which is 100"},
	{vehicle + "speed=010\n", `5: speed: a number that begins with 0 is octal; "010" counts as 8`},
	// Ways that a source leaves out.
	{building + "type=extension\n" + tools, "1: waytype: the extension has no way type, so it fits the stops of every way"},
	{"obj=ground_obj\nname=a\nclimates=tundra\nspeed=5\nimage[s,w,sw,se,n,e,ne,nw][0]=s.0.0\n", "1: waytype: it moves and has no way type, so it goes over land"},
	// Pixels.
	{strings.Replace(vehicle, images, "emptyimage[s,w,sw,se]=s.1.0", 1), "4: emptyimage[s]: 16384 pixels are nearly, but not quite, shades of a player's colour such as 244B67"},
	{plain + "backimage[0][0][0][0][0]=s.1.1\n", "3: backimage[0][0][0][0][0]: 4096 pixels are nearly, but not quite, the light FF211D, so they do not shine"},
	{plain + "backimage[0][0][0][0][0]=s.1.2\n", "3: backimage[0][0][0][0][0]: 64 pixels at edges are mixed with the background E7FFFF"},
	// Sources that makeobj rejects when part of the file is written.
	{strings.Replace(vehicle, "s,w,sw,se", "s,w,sw,se,n,e,ne", 1), "1: emptyimage[nw]: expected images for 4 or 8 directions, found 7"},
	{strings.Replace(vehicle, "waytype=road\n", "waytype=road\n---\n", 1), `5: obj: unknown object type ""`},
	{strings.Replace(vehicle, images, "emptyimage[s,w,sw,se]=s.9.0", 1), "4: emptyimage[s]: s.png has 8 rows of 8 images, but the source refers to 9.0"},
	{strings.Replace(vehicle, images, "emptyimage[s,w,sw,se]=t.0.0", 1), "4: emptyimage[s]: picture t.png not found"},
	{vehicle + "cell_size=100\n", "4: emptyimage[s]: s.png is 512 × 512 pixels, which 100 does not divide"},
	{strings.Replace(vehicle, "waytype=road\n", "", 1), `1: waytype: unknown way type ""`},
	{strings.Replace(vehicle, "road", "roed", 1), `3: waytype: unknown way type "roed"`},
	{"obj=tree\nname=a\nimage[0,2-4][0]=s.0.0\n", "1: image[1][0]: the image is missing"},
	{vehicle + "speed[0-400]=3\n", "5: speed[0-400]: the range 0-400 has more than 255 values"},
}

// problemLines returns the problems of a source, without their severity.
func problemLines(s *compile.Source) (lines []string) {
	for _, p := range s.Problems {
		line := strings.NewReplacer(" warning:", "", " error:", "").Replace(p.String())
		lines = append(lines, strings.TrimPrefix(line, "x.dat:"))
	}
	return lines
}

func TestSilentMistakes(t *testing.T) {
	for _, test := range mistakes {
		lines := problemLines(compiled(t, "60.6", test.source))
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, test.want) }) {
			t.Errorf("%q: no word of %q in\n%s", test.source, test.want, strings.Join(lines, "\n"))
		}
	}
}

// TestMistakesCompile: what pakbox warns of it compiles nevertheless, to the
// bytes of makeobj, and with strict it does not.
func TestMistakesCompile(t *testing.T) {
	makeobj := peer.Makeobj(t)
	dir := t.TempDir()
	var picture bytes.Buffer
	if err := png.Encode(&picture, sheet()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "s.png"), picture.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(source, out string, strict bool) *compile.Result {
		result, err := compile.Run(t.Context(), compile.Options{Sources: []string{source}, Out: out, Target: "60.6", Strict: strict})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	compared := 0
	for i, test := range mistakes {
		path := func(ext string) string { return filepath.Join(dir, fmt.Sprint(i)+ext) }
		if err := os.WriteFile(path(".dat"), []byte(test.source), 0o666); err != nil {
			t.Fatal(err)
		}
		if !run(path(".dat"), path(".strict.pak"), true).Failed() {
			t.Errorf("%q: strict has no error", test.source)
		}
		// makeobj does not read what stands behind a byte order mark.
		if run(path(".dat"), path(".pak"), false).Failed() || strings.HasPrefix(test.source, "\ufeff") {
			continue
		}
		if _, err := os.Stat(path(".strict.pak")); err == nil {
			t.Errorf("%q: strict has written the file", test.source)
		}
		cmd := exec.Command(makeobj, "QUIET", "PAK64", path(".makeobj.pak"), path(".dat"))
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%q: makeobj: %v\n%s", test.source, err, out)
		}
		ours, err1 := os.ReadFile(path(".pak"))
		theirs, err2 := os.ReadFile(path(".makeobj.pak"))
		if err1 != nil || err2 != nil || !bytes.Equal(ours, theirs) {
			t.Errorf("%q: %v %v, the files differ", test.source, err1, err2)
		}
		compared++
	}
	t.Logf("%d of %d sources compile, to the same bytes", compared, len(mistakes))
}

// TestNoMistakes: sources that are right are compiled without a word.
func TestNoMistakes(t *testing.T) {
	for _, source := range []string{
		vehicle + "speed=80\npower=100\nfreight=Coal\ncopyright=me, 50% #1\nname =Bus #2\n",
		"# a comment\n a comment too, a=b c\n" + vehicle,
		building + "type=res\n", building + "type=depot\nwaytype=road\n" + tools, building + "type=mon\n",
		plain + "backimage[0][0][0][0][0][0-1]=s.0.<$0>\n", plain + "backimage[0][0][0][0][0][0-4]=s.0.<$0>\n",
		factory, "obj=way\nname=a\nwaytype=road\nimage[-]=s.0.0\n" + tools, "obj=symbol\nname=Logo\nimage[0]=s.0.0\n",
		building + "type=extension\nwaytype=none\n" + tools, strings.Replace(vehicle, images, "emptyimage[s,w,sw,se]=s.1.3", 1),
		"obj=ground_obj\nname=a\nclimates=tundra\nimage[0][0]=s.0.0\n",
		"obj=menu\nname=MyOwnMenu\nimage[0]=s.0.0\n", "obj=tree\nname=a\nimage[0-4][0]=s.0.<$0>\n",
	} {
		if s := compiled(t, "60.6", strings.Replace(source, "name =Bus", "metric=Bus", 1)); len(s.Problems) > 1 || len(s.Problems) == 1 && s.Problems[0].Rule != "unused_key" {
			t.Errorf(`%s: s.Problems = %v; want len(s.Problems) at most 1, (len(s.Problems) other than 1 or s.Problems[0].Rule = "unused_key")`, source, s.Problems)
		}
	}
}

// TestMistakesOfExtended: its objects have the same rules.
func TestMistakesOfExtended(t *testing.T) {
	s := compiled(t, object.Extended, building+"type=signalbox\n")
	if len(s.Problems) != 1 || s.Problems[0].Rule != "icon" || s.Problems[0].Severity != finding.Warning {
		t.Errorf(`s.Problems = %v; want s.Problems of length 1, s.Problems[0].Rule = "icon", s.Problems[0].Severity = finding.Warning`, s.Problems)
	}
}
