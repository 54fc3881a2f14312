package lint_test

import (
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/object"
)

// compiled compiles a source beside a picture s.png of 8 × 8 cells.
func compiled(t *testing.T, target, text string) *compile.Source {
	t.Helper()
	c, err := compile.NewCompiler(target, 64)
	if err != nil {
		t.Fatal(err)
	}
	sheet := img.NewBitmap(8*64, 8*64)
	for i := range sheet.Pix {
		sheet.Pix[i] = uint16(i / 64 % 32)
	}
	c.Picture("", "s", sheet)
	return c.Source("x.dat", "", []byte(text))
}

const (
	vehicle  = "obj=vehicle\nname=a\nwaytype=road\nemptyimage[s,w,sw,se]=s.0.<$0>\n"
	plain    = "obj=building\nname=a\n"
	building = plain + "backimage[0][0][0][0][0]=s.0.0\n"
	factory  = "obj=factory\nname=a\nmapcolor=5\nbackimage[0][0][0][0][0]=s.0.0\n"
	tools    = "icon=s.0.0\ncursor=s.0.1\n"
)

// TestSilentMistakes: mistakes that makeobj compiles, most of them without a
// word. Each is told with its line, and with what the game does or reads.
func TestSilentMistakes(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		// How lines are read.
		{vehicle + " speed=80\n", "5: speed: the line begins with a blank, so it is a comment and sets nothing"},
		{vehicle + "\tspeed=80\n", "5: speed: a key cannot hold a tab, so the line sets nothing"},
		{vehicle + "speed\t=80\n", "5: speed: a key cannot hold a tab, so the line sets nothing"},
		{vehicle + "-speed=80\n", "5: speed: the line begins with a dash, so it ends the object and sets nothing"},
		{vehicle + "top-speed=80\n", "5: top-speed: a key cannot hold '-'"},
		{vehicle + "speed 80\n", `5: syntax: "speed 80" is no key=value`},
		{vehicle + "speed=80 # fast\n", `5: speed: "80 # fast" is not a whole number; it counts as 80`},
		{vehicle + "freight=None # nothing\n", `5: freight: the comment behind the value belongs to it: "None # nothing"`},
		{vehicle + "constraint[prev][0]=b #c\n", `5: constraint[prev][0]: the comment behind the value belongs to it: "b #c"`},
		{vehicle + "copyright=me # 2024\n", "5: copyright: the comment behind the value belongs to it"},
		{vehicle + "freightimage[s,w,sw,se]=s.0.1 # full\n", "5: freightimage[s]: a comment behind an image is read as a part of it"},
		{vehicle + "freight=Coal \n", `5: freight: the blank before or behind the name belongs to it: "Coal "`},
		{strings.Replace(vehicle, "name=a", "name= a", 1), `2: name: the blank before or behind the name belongs to it: " a"`},
		{vehicle + "engine_type= steam\n", `5: engine_type: there is no engine type " steam"; diesel is taken`},
		{vehicle + "engine_type=steem\n", `5: engine_type: there is no engine type "steem"; diesel is taken`},
		{vehicle + "speed=1\nspeed=2\n", `6: speed: line 5 already says "1", which counts`},
		{vehicle + "runing_cost=-20\n", "5: runing_cost: nothing reads this key"},
		{vehicle + "speed=080\n", `5: speed: "080" is not a whole number; it counts as 0`},
		{vehicle + "speed=80km/h\n", `5: speed: "80km/h" is not a whole number; it counts as 80`},
		{vehicle + "speed=fast\n", `5: speed: "fast" is not a whole number; it counts as 0`},
		{vehicle + "speed=70000\n", "5: speed: 70000 does not fit and becomes 4464"},
		{vehicle + "payload=-1\n", "5: payload: -1 does not fit and becomes 65535"},
		{vehicle + "intro_month=13\n", "5: intro_month: there is no month 13"},
		{"\ufeff" + vehicle, "1: syntax: the file begins with a byte order mark"},
		{"obj=veicle\nname=a\n", `1: obj: there is no object type "veicle"`},
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
		{building + "climates=dessert,tundra\n", `4: climates: there is no climate "dessert"`},
		{factory + "location=lnad\n", `5: location: there is no location "lnad"; land is taken`},
		{factory + "type=res\n", "5: type: its building is of the type res, so the game does not treat it as a factory"},
		{factory + "productivity=0\n", "5: productivity: its productivity is 0, by which the game divides"},
		{factory + "outputgood[0]=Coal\noutputcapacity[0]=5\n", "6: outputcapacity[0]: the factory can hold only 5 of its product"},
		{factory + "expand_probability=10001\n", "5: expand_probability: 10001 is not between 0 and 10000"},
		{factory + "smoketile[0]=0,0\n", "5: smoketile[0]: the smoke has a tile but no offset on it"},
		{vehicle + "power=100\ngear=1\n", "6: gear: its gear is 0, so its engine has no power"},
		{strings.Replace(vehicle, "road", "electrified_track", 1) + "engine_type=steam\n", "5: engine_type: a vehicle for electrified_track is electric"},
		{vehicle + "freightimagetype[0]=Coal\n", "5: freightimagetype[0]: nothing reads this key"},
		{vehicle + "icon=s.0.0\n", "5: icon: nothing reads this key"},
		{vehicle + "intro_year=6000\n", "5: intro_year: 72000 does not fit"},
		{strings.Replace(vehicle, "name=a", "name=a/b", 1), "2: name: a file on Windows cannot have '/' in its name"},
		{"obj=symbol\nname=logo\nimage[0]=s.0.0\n", "2: name: the game looks for Logo, so it does not use logo"},
		{"obj=ground\nname=Outsid\nimage[0][0]=s.0.0\n", "2: name: the game looks for certain names, and this is none of them"},
	} {
		s := compiled(t, "60.6", test.source)
		var all []string
		found := false
		for _, p := range s.Problems {
			line := strings.TrimPrefix(strings.ReplaceAll(strings.ReplaceAll(p.String(), " warning:", ""), " error:", ""), "x.dat:")
			found = found || strings.HasPrefix(line, test.want)
			all = append(all, line)
		}
		if !found {
			t.Errorf("%q: no word of %q in\n%s", test.source, test.want, strings.Join(all, "\n"))
		}
	}
}

// TestNoMistakes: sources that are right are compiled without a word.
func TestNoMistakes(t *testing.T) {
	for _, source := range []string{
		vehicle + "speed=80\npower=100\nfreight=Coal\ncopyright=me, 50% #1\nname =Bus #2\n",
		"# a comment\n a comment too, a=b c\n" + vehicle,
		building + "type=res\n", building + "type=depot\nwaytype=road\n" + tools, building + "type=mon\n",
		plain + "backimage[0][0][0][0][0][0-1]=s.0.<$0>\n", plain + "backimage[0][0][0][0][0][0-4]=s.0.<$0>\n",
		factory, "obj=way\nname=a\nwaytype=road\nimage[-]=s.0.0\n" + tools, "obj=symbol\nname=Logo\nimage[0]=s.0.0\n",
		"obj=menu\nname=MyOwnMenu\nimage[0]=s.0.0\n", "obj=tree\nname=a\nimage[0-4][0]=s.0.<$0>\n",
	} {
		if s := compiled(t, "60.6", strings.Replace(source, "name =Bus", "metric=Bus", 1)); len(s.Problems) > 1 || len(s.Problems) == 1 && s.Problems[0].Rule != "unused_key" {
			t.Errorf("%s: %v", source, s.Problems)
		}
	}
}

// TestMistakesOfExtended: its objects have the same rules.
func TestMistakesOfExtended(t *testing.T) {
	s := compiled(t, object.Extended, building+"type=signalbox\n")
	if len(s.Problems) != 1 || s.Problems[0].Rule != "icon" || s.Problems[0].Severity != finding.Warning {
		t.Error(s.Problems)
	}
}
