package object_test

import (
	"slices"
	"strings"
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/lint"
	"pakbox/simutrans/object"
)

// source compiles sources beside a picture s.png of 8 × 8 cells.
func source(t *testing.T, target, text string) *compile.Source {
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

// TestProblems: the problems for authors, with their line and key.
func TestProblems(t *testing.T) {
	const (
		vehicle  = "obj=vehicle\nname=a\nwaytype=road\n"
		building = "obj=building\nname=a\nbackimage[0][0][0][0][0]=-\n"
		factory  = "obj=factory\nname=a\nmapcolor=5\nbackimage[0][0][0][0][0]=-\n"
		crossing = "obj=crossing\nname=a\nwaytype[0]=road\nwaytype[1]=track\nspeed[0]=1\nspeed[1]=1\n"
		sign     = "obj=roadsign\nname=a\nwaytype=road\n"
	)
	for _, test := range []struct{ target, source, want string }{
		{"60.6", "name=a\n", `1: error: obj: unknown object type "" (an object begins with obj=)`},
		{"60.6", "obj=veicle\nname=a\n", `1: error: obj: unknown object type "veicle" (did you mean vehicle?)`},
		{"60.6", "obj=pier\nname=a\n", "1: error: obj: only Simutrans-Extended has a pier (choose the target extended)"},
		{"60.6", "obj=tile\nname=a\n", `1: error: obj: unknown object type "tile" (expected one of ` + strings.Join(object.Capabilities(), ", ") + `)`},
		{"60.6", "obj=way\nname=a\nwaytype=raod\nimage[-]=-\n", `3: error: waytype: unknown way type "raod" (did you mean road?)`},
		{"60.6", "obj=way\nname=a\nwaytype=Schiene_Tram\n", "1: error: image[-]: the image without a direction is missing (a way needs at least this image)"},
		{"60.6", "obj=tunnel\nname=a\n", `1: error: waytype: unknown way type "" (expected one of air, decoration, electrified_track, maglev_track, monorail_track, narrowgauge_track, none, power, road, track, tram_track, water)`},
		{"60.6", "obj=pedestrian\nname=a\noffset=70000\n", "3: warning: offset: 70000 does not fit and becomes 4464"},
		{"60.6", "obj=good\nname=a\nvalue=70000\ncatg=-1\n", "3: warning: value: 70000 does not fit and becomes 4464\n4: warning: catg: -1 does not fit and becomes 255"},
		{"60.6", vehicle + "emptyimage[s,w,sw,se,n]=-\n", "1: error: emptyimage[e]: expected images for 4 or 8 directions, found 5 (give images for 4 or 8 directions)"},
		{"60.6", vehicle + "emptyimage[s,w]=-\nfreightimage[w]=-\n", "1: error: freightimage[s]: the freight image for this direction is missing (give as many as of emptyimage)"},
		{"60.6", vehicle + "emptyimage[s,w]=-\nfreightimage[0-1][s]=-\nfreightimage[0][w]=-\nfreightimagetype[0]=Coal\n", "1: error: freightimage[1][w]: the image is missing (every kind of freight needs the directions of emptyimage)\n1: error: freightimagetype[1]: freight images without their good (name the good of these images)"},
		{"60.6", vehicle + "engine_type=stem\nintro_month=13\n", "4: warning: engine_type: unknown engine type \"stem\"; diesel is taken (did you mean steam?)\n5: warning: intro_month: month 13 is out of range; expected 1 to 12"},
		{"60.6", vehicle + "sound=3x\n", `4: warning: sound: "3x" begins with a number; it counts as the sound 3`},
		{"60.6", vehicle + "sound=" + strings.Repeat("x", 256) + "\n", "4: error: sound: the file name is longer than 255 characters"},
		{"60.12", vehicle + "loading_time=-3\nintro_month=0\nretire_month=99\n", "4: warning: loading_time: -3 is not between 0 and 2147483647, and becomes 0\n5: warning: intro_month: month 0 is out of range; expected 1 to 12\n6: warning: retire_month: month 99 is out of range; expected 1 to 12"},
		{"60.6", building + "type=signalbox\n", "4: error: type: only Simutrans-Extended has a signalbox (choose the target extended)"},
		{"60.6", building + "type=station\n", `4: error: type: unknown building type "station" (expected one of any, com, cur, depot, dock, extension, fac, habour, harbour, hq, ind, mon, res, signalbox, stop, tow)`},
		{"60.6", building + "extension_building=1\n", "4: error: extension_building: the key is no longer supported (use type=stop or type=extension with waytype)"},
		{"60.6", building + "dims=0,1\n", "4: error: dims: a building of 0 × 1 tiles in 2 layouts cannot be (write dims=width,height,layouts)"},
		{"60.6", building + "dims=257,1\n", "4: error: dims: a building of 257 × 1 tiles in 2 layouts cannot be (write dims=width,height,layouts)"},
		{"60.6", building + "dims=1,257\n", "4: error: dims: a building of 1 × 257 tiles in 2 layouts cannot be (write dims=width,height,layouts)"},
		{"60.6", building + "dims=256,256,1\n", "4: error: dims: a building of 256 × 256 tiles in 1 layouts cannot be (write dims=width,height,layouts)"},
		{"60.6", building + "dims=1,1,257\n", "4: error: dims: a building of 1 × 1 tiles in 257 layouts cannot be (write dims=width,height,layouts)"},
		{"60.6", building + "dims=x\n", "4: warning: dims: \"x\" is not a whole number; it counts as 0\n4: error: dims: a building of 0 × 1 tiles in 2 layouts cannot be (write dims=width,height,layouts)"},
		{"60.6", building + "type=res\nclusters=0,1,32,33\n", "5: warning: clusters: cluster 0 is out of range; expected 1 to 32\n5: warning: clusters: cluster 33 is out of range; expected 1 to 32"},
		{"60.6", building + "frontimage[0][0][0][0][0]=-\nfrontimage[0][0][0][1][0]=-\n", "5: warning: frontimage[0][0][0][1][0]: a front image has one storey only; this one is left out (put it into backimage)"},
		{"60.6", building + "climates=ice\n", `4: warning: climates: unknown climate "ice"; all but water are taken (expected one of arctic, desert, mediterran, rocky, temperate, tropic, tundra, water)`},
		{"60.6", building + "climates=desert,ice\n", `4: warning: climates: unknown climate "ice" (expected one of arctic, desert, mediterran, rocky, temperate, tropic, tundra, water)`},
		{"60.6", factory + "location=twon\n", `5: warning: location: unknown location "twon"; land is taken (expected one of city, forest, land, river, shore, water)`},
		{"60.6", "obj=factory\nname=a\n", "1: error: mapcolor: the colour is missing (give the factory a colour for the map, 0 to 254)"},
		{"60.6", factory + "outputgood[0]=Coal\n", "1: warning: outputcapacity[0]: the factory can hold only 0 of its product (give it more than 10)"},
		{"60.6", factory + "expand_probability=70000\n", "5: warning: expand_probability: 70000 is not between 0 and 10000, and becomes 4464"},
		{"60.6", crossing + "openimage[ns][0]=-\n", "1: error: openimage[ew][0]: the image is missing (a crossing needs both directions)"},
		{"60.6", strings.Replace(crossing, "speed[1]=1", "speed[1]=0", 1) + "openimage[ns,ew][0]=-\n", "6: error: speed[1]: a crossing needs a speed for both ways (set speed[0] and speed[1])"},
		{"60.6", strings.Replace(crossing, "track", "road", 1) + "openimage[ns,ew][0]=-\n", "4: error: waytype[1]: a way cannot cross a way of its own type (give the way type of the other way)"},
		{"60.6", sign + "image[0-2]=-\n", "1: error: image[3]: expected a multiple of 4 images, found 3 (give images for n, s, e and w)"},
		{"60.6", sign + "image[0-32]=-\n", "4: warning: image[32]: a sign has at most 32 images; the others are left out"},
		{"60.6", sign + "image[n,s,e][0]=-\n", "4: warning: image[e][0]: with keys of this form makeobj 60.6 swaps the images for east and west, and so does this target (compile for 60.12, or number the images)\n1: error: image[w][0]: the image is missing (every direction needs an image)"},
		{"60.6", "obj=tree\nname=a\n", "1: error: image[0][0]: the image is missing (every season needs an image)\n1: error: image[1][0]: the image is missing (every season needs an image)\n1: error: image[2][0]: the image is missing (every season needs an image)\n1: error: image[3][0]: the image is missing (every season needs an image)\n1: error: image[4][0]: the image is missing (every season needs an image)"},
		{"extended", vehicle + "engine_type=stem\n", `4: warning: engine_type: unknown engine type "stem"; unknown is taken (did you mean steam?)`},
		{"extended", vehicle + "upgrade[0]=None\n", "4: error: upgrade[0]: a vehicle cannot become none (leave the line out)"},
		{"extended", vehicle + "emptyimage[s][0-1]=-\nliverytype[0]=red\n", "1: error: liverytype[1]: the livery has images but no name (name the livery of these images)"},
		{"extended", vehicle + "payload[0-5]=1\n", "4: error: payload[5]: a vehicle has at most 5 classes"},
		{"extended", building + "type=depot\nwaytype=road\ntraction_type[0]=steem\n", `6: warning: traction_type[0]: unknown engine type "steem"; diesel is taken (did you mean steam?)`},
		{"extended", building + "regions=0,15,16\n", "4: warning: regions: region 16 is out of range; expected 0 to 15"},
		{"extended", "obj=good\nname=a\nnumber_of_classes=256\n", "3: error: number_of_classes: 256 is not between 0 and 255"},
		{"extended", sign + "working_method=drive\n", `4: warning: working_method: unknown working method "drive"; track_circuit_block is taken (expected one of absolute_block, cab_signalling, drive_by_sight, moving_block, one_train_staff, time_interval, time_interval_with_telegraph, token_block, track_circuit_block)`},
	} {
		var got []string
		s := source(t, test.target, test.source)
		for _, p := range s.Problems {
			if slices.ContainsFunc(lint.Rules, func(r lint.Rule) bool { return r.Name == p.Rule }) { // package lint has its own tests
				continue
			}
			got = append(got, strings.TrimPrefix(p.String(), "x.dat:"))
		}
		if got := strings.Join(got, "\n"); got != test.want {
			t.Errorf("%s for %s: got\n%s\nwant\n%s", test.source, test.target, got, test.want)
		}
	}
}
