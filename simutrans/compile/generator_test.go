package compile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"pakbox/simutrans/object"
)

// generator writes random objects that makeobj accepts.
type generator struct {
	*rand.Rand
	b *strings.Builder
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(g.b, format+"\n", args...) }

// maybe writes a key every other time.
func (g *generator) maybe(key string, values ...string) {
	if g.IntN(2) == 0 {
		g.line("%s=%s", key, values[g.IntN(len(values))])
	}
}

// number writes a key with a number every other time.
func (g *generator) number(key string, limit int) {
	if g.IntN(2) == 0 {
		g.line("%s=%d", key, g.IntN(limit))
	}
}

func (g *generator) numbers(limit int, keys ...string) {
	for _, key := range keys {
		g.number(key, limit)
	}
}

// image returns a reference.
func (g *generator) image() string {
	switch g.IntN(8) {
	case 0:
		return "-"
	case 1:
		return fmt.Sprintf("> s.%d.%d", g.IntN(8), g.IntN(8))
	case 2:
		return fmt.Sprintf("s.%d.%d,%d,%d", g.IntN(8), g.IntN(8), g.IntN(40)-20, g.IntN(40)-20)
	case 3:
		return fmt.Sprintf("s.%d", g.IntN(64))
	}
	return fmt.Sprintf("s.%d.%d", g.IntN(8), g.IntN(8))
}

func (g *generator) images(keys ...string) {
	for _, key := range keys {
		g.line("%s=%s", key, g.image())
	}
}

func (g *generator) maybeImages(keys ...string) {
	for _, key := range keys {
		if g.IntN(2) == 0 {
			g.images(key)
		}
	}
}

func (g *generator) dates() {
	g.numbers(3000, "intro_year", "retire_year")
	g.maybe("intro_month", "1", "2", "12", "010", "0xA")
	g.maybe("retire_month", "1", "7", " 11", "3 ")
}

func (g *generator) waytype(key string) {
	names := []string{"road", "track", "water", "electrified_track", "monorail_track", "maglev_track", "tram_track", "narrowgauge_track", "air", "power", "decoration", "schiene_tram", "none", "Road"}
	g.line("%s=%s", key, names[g.IntN(len(names))])
}

func (g *generator) climates() {
	g.maybe("climates", "all", "land", "water", "desert,tropic", "arctic,Tundra", "rocky, temperate", "mediterran")
}

func (g *generator) money(keys ...string) { g.numbers(1<<31-1, keys...) }

func (g *generator) cursor() { g.maybeImages("cursor", "icon") }

func (g *generator) object(i int) {
	kinds := object.Capabilities()
	obj := kinds[i%len(kinds)]
	g.line("obj=%s\nname=%s%d", obj, obj, i)
	g.maybe("copyright", "somebody", "", " two words ")
	switch obj {
	case "bridge":
		g.bridge()
	case "tunnel":
		g.tunnel()
	case "way":
		g.way()
	case "way-object":
		g.wayObject()
	case "crossing":
		g.crossing()
	case "roadsign":
		g.sign()
	case "building":
		g.building()
	case "factory":
		g.factory()
	case "vehicle":
		g.vehicle()
	default:
		g.small(obj)
	}
}

func (g *generator) small(obj string) {
	dirs := []string{"s", "w", "sw", "se", "n", "e", "ne", "nw"}
	switch obj {
	case "citycar":
		g.numbers(200, "distributionweight", "speed")
		g.dates()
		for _, d := range dirs {
			g.maybeImages("image[" + d + "]")
		}
	case "pedestrian":
		g.numbers(200, "distributionweight", "offset", "steps_per_frame")
		g.dates()
		animated := g.IntN(2) == 0
		for _, d := range dirs {
			if animated {
				for i := range 1 + g.IntN(3) {
					g.images(fmt.Sprintf("image[%s][%d]", d, i))
				}
			} else {
				g.maybeImages("image[" + d + "]")
			}
		}
	case "good":
		g.numbers(250, "value", "catg", "speed_bonus", "weight_per_unit", "mapcolor")
		g.maybe("metric", "t", "pieces")
	case "sound":
		g.number("sound_nr", 100)
		g.maybe("sound_name", "a.wav", "b.wav", "")
	case "ground":
		for i := range g.IntN(4) {
			for j := range 1 + g.IntN(3) {
				g.images(fmt.Sprintf("image[%d][%d]", i, j))
			}
		}
	case "tree":
		g.number("distributionweight", 200)
		g.climates()
		seasons := 1 + g.IntN(3)
		g.line("seasons=%d", seasons)
		for i := range 5 {
			for j := range seasons + g.IntN(2) {
				g.images(fmt.Sprintf("image[%d][%d]", i, j))
			}
		}
	case "ground_obj":
		g.groundObject(dirs)
	default:
		for i := range g.IntN(5) {
			g.images(fmt.Sprintf("image[%d]", i))
		}
	}
}

func (g *generator) groundObject(dirs []string) {
	g.numbers(200, "distributionweight", "trees_on_top")
	g.climates()
	g.money("cost")
	seasons := 1 + g.IntN(3)
	g.line("seasons=%d", seasons)
	if g.IntN(2) == 0 {
		g.line("speed=%d", 1+g.IntN(50))
		g.waytype("waytype")
		for _, d := range dirs {
			for j := range seasons {
				g.images(fmt.Sprintf("image[%s][%d]", d, j))
			}
		}
		return
	}
	for i := range g.IntN(4) {
		for j := range seasons {
			g.images(fmt.Sprintf("image[%d][%d]", i, j))
		}
	}
}

func (g *generator) seasonal(name string, indices []string, seasons int) {
	for _, index := range indices {
		switch seasons {
		case 0:
			g.maybeImages(name + "[" + index + "]")
		default:
			for s := range seasons {
				g.maybeImages(fmt.Sprintf("%s[%s][%d]", name, index, s))
			}
		}
	}
}

func (g *generator) bridge() {
	g.waytype("waytype")
	g.numbers(250, "topspeed", "pillar_distance", "max_height", "max_lenght", "max_length", "axle_load")
	g.maybe("pillar_asymmetric", "0", "1")
	g.money("cost", "maintenance")
	g.dates()
	seasons := g.IntN(3)
	for _, side := range []string{"back", "front"} {
		for _, two := range []string{"", "2"} {
			g.seasonal(side+"image"+two, []string{"ns", "ew"}, seasons)
			g.seasonal(side+"start"+two, []string{"n", "s", "e", "w"}, seasons)
			g.seasonal(side+"ramp"+two, []string{"n", "s", "e", "w"}, seasons)
			g.seasonal(side+"pillar"+two, []string{"s", "w"}, seasons)
		}
	}
	g.cursor()
}

func (g *generator) tunnel() {
	g.waytype("waytype")
	g.numbers(300, "topspeed", "axle_load")
	g.money("cost", "maintenance")
	g.dates()
	g.maybe("way", "some_way", "")
	portals := []string{"n", "s", "e", "w"}
	if g.IntN(2) == 0 {
		portals = append(portals, "nl", "sl", "el", "wl", "nr", "sr", "er", "wr", "nm", "sm", "em", "wm")
	}
	seasons := g.IntN(3)
	g.seasonal("backimage", portals, seasons)
	g.seasonal("frontimage", portals, seasons)
	g.cursor()
}

var (
	ribis    = []string{"n", "e", "ne", "s", "ns", "se", "nse", "w", "nw", "ew", "new", "sw", "nsw", "sew", "nsew"}
	switches = []string{"nse1", "new1", "nsw1", "sew1", "nsew1", "nse2", "new2", "nsw2", "sew2", "nsew2"}
	slopes   = []string{"3", "6", "9", "12"}
	diagonal = []string{"ne", "se", "nw", "sw"}
)

func (g *generator) way() {
	g.waytype("waytype")
	g.numbers(300, "topspeed", "max_weight", "axle_load")
	g.maybe("system_type", "0", "1", "2", "7", "64")
	g.maybe("draw_as_ding", "0", "1", "2")
	g.money("cost", "maintenance")
	g.dates()
	seasons := g.IntN(3)
	if seasons == 0 {
		g.images("image[-]")
	} else {
		g.images("image[-][0]")
	}
	if seasons == 2 {
		g.maybeImages("image[-][1]")
	}
	for _, side := range []string{"", "front"} {
		g.seasonal(side+"image", ribis, seasons)
		if g.IntN(2) == 0 {
			g.seasonal(side+"image", switches, seasons)
		}
		g.seasonal(side+"imageup", slopes, seasons)
		g.seasonal(side+"imageup2", slopes, seasons)
		g.seasonal(side+"diagonal", diagonal, seasons)
	}
	g.cursor()
}

func (g *generator) wayObject() {
	g.waytype("waytype")
	g.waytype("own_waytype")
	g.number("topspeed", 400)
	g.money("cost", "maintenance")
	g.dates()
	for _, side := range []string{"back", "front"} {
		g.seasonal(side+"image", append([]string{"-"}, ribis...), 0)
		g.seasonal(side+"image", switches, 0)
		g.seasonal(side+"imageup", slopes, 0)
		g.seasonal(side+"imageup2", slopes, 0)
		g.seasonal(side+"diagonal", diagonal, 0)
	}
	g.cursor()
}

func (g *generator) crossing() {
	g.line("waytype[0]=road\nwaytype[1]=track\nspeed[0]=%d\nspeed[1]=%d", 1+g.IntN(300), 1+g.IntN(300))
	g.numbers(3000, "animation_time_open", "animation_time_closed")
	g.sound()
	g.dates()
	for _, name := range []string{"openimage", "front_openimage", "closedimage", "front_closedimage"} {
		for _, dir := range []string{"ns", "ew"} {
			n := 1 + g.IntN(3)
			if strings.HasPrefix(name, "front") {
				n = g.IntN(3)
			}
			for i := range n {
				g.images(fmt.Sprintf("%s[%s][%d]", name, dir, i))
			}
		}
	}
}

func (g *generator) sound() { g.maybe("sound", "3", "-1", "horn.wav", "0", "") }

func (g *generator) sign() {
	g.waytype("waytype")
	g.numbers(200, "min_speed", "offset_left")
	g.numbers(20000, "cost", "maintenance")
	g.dates()
	private := g.IntN(6) == 0
	if private {
		g.line("is_private=1")
	}
	for _, key := range []string{"single_way", "free_route", "is_signal", "is_presignal", "no_foreground", "is_longblocksignal", "end_of_choose", "is_prioritysignal"} {
		if g.IntN(5) == 0 && !private {
			g.line("%s=%d", key, g.IntN(2))
		}
	}
	if private {
		g.images("image[ns][0]", "image[ew][0]", "image[ns][1]", "image[ew][1]")
		return
	}
	switch g.IntN(3) {
	case 0:
		for i := range 4 * (1 + g.IntN(4)) {
			g.images(fmt.Sprintf("image[%d]", i))
		}
	case 1:
		for i := range 1 + g.IntN(3) {
			for _, d := range []string{"n", "s", "e", "w"} {
				g.images(fmt.Sprintf("image[%s][%d]", d, i))
			}
		}
	case 2:
		for i := range 1 + g.IntN(3) {
			for _, d := range []string{"n", "s", "e", "w", "ne", "se", "sw", "nw"} {
				g.images(fmt.Sprintf("image[%s][%d]", d, i))
			}
		}
	}
	g.cursor()
}

func (g *generator) building() {
	types := []string{"res", "com", "ind", "cur", "mon", "fac", "tow", "hq", "habour", "dock", "depot", "stop", "extension", "any", "RES"}
	g.maybe("type", types...)
	g.waytype("waytype")
	g.buildingBody()
}

func (g *generator) buildingBody() {
	g.numbers(100, "level", "passengers", "build_time", "hq_level", "chance", "animation_time", "capacity")
	g.money("cost", "maintenance")
	g.maybe("allow_underground", "0", "1", "2")
	g.climates()
	g.dates()
	g.number("preservation_year", 2000)
	g.number("preservation_month", 12)
	for _, key := range []string{"noinfo", "noconstruction", "needs_ground", "enables_pax", "enables_post", "enables_ware"} {
		g.maybe(key, "0", "1", "2")
	}
	x, y, layouts := 1+g.IntN(3), 1+g.IntN(3), 1+g.IntN(4)
	switch g.IntN(3) {
	case 0:
		x, y, layouts = 1, 1, 1
	case 1:
		g.line("dims=%d,%d", x, y)
		if layouts = 1; x != y {
			layouts = 2
		}
	case 2:
		g.line("dims=%d,%d,%d", x, y, layouts)
	}
	seasons := g.IntN(4)
	for l := range layouts {
		w, h := x, y
		if l%2 == 1 {
			w, h = y, x
		}
		for i := range h {
			for j := range w {
				g.tile(fmt.Sprintf("[%d][%d][%d]", l, i, j), seasons)
			}
		}
	}
	g.cursor()
}

func (g *generator) tile(at string, seasons int) {
	for height := range g.IntN(3) {
		for phase := range 1 + g.IntN(3) {
			name := fmt.Sprintf("backimage%s[%d][%d]", at, height, phase)
			if height == 0 && g.IntN(3) == 0 {
				g.seasonal("front"+strings.TrimPrefix(name, "back")[:len("image")]+at+"[0]", []string{fmt.Sprint(phase)}, seasons)
			}
			if seasons == 0 {
				g.images(name)
			}
			for s := range seasons {
				g.images(fmt.Sprintf("%s[%d]", name, s))
			}
		}
	}
}

func (g *generator) factory() {
	g.maybe("location", "land", "Water", "city", "river", "shore", "forest")
	g.line("mapcolor=%d", g.IntN(255))
	g.numbers(5000, "productivity", "range", "distributionweight", "pax_level", "expand_probability", "expand_minimum", "expand_range",
		"expand_times", "electricity_boost", "passenger_boost", "mail_boost", "electricity_amount", "electricity_demand",
		"passenger_demand", "mail_demand", "sound_interval", "smokeuplift", "smokelifetime")
	g.sound()
	g.maybe("smoke", "Steam", "")
	g.maybe("smoketile", "1,2", "0,-3")
	g.maybe("smokeoffset", "4,5", "-6,7")
	if g.IntN(2) == 0 {
		for i := range 1 + g.IntN(4) {
			g.line("smoketile[%d]=%d,%d\nsmokeoffset[%d]=%d,%d", i, g.IntN(3), g.IntN(3), i, g.IntN(30)-15, g.IntN(30)-15)
		}
	}
	for i := range g.IntN(3) {
		g.line("inputgood[%d]=In%d", i, i)
		g.numbers(500, fmt.Sprintf("inputcapacity[%d]", i), fmt.Sprintf("inputsupplier[%d]", i), fmt.Sprintf("inputfactor[%d]", i))
	}
	for i := range g.IntN(3) {
		g.line("outputgood[%d]=Out%d\noutputcapacity[%d]=%d", i, i, i, 11+g.IntN(900))
		g.number(fmt.Sprintf("outputfactor[%d]", i), 500)
	}
	g.fields()
	g.buildingBody()
}

func (g *generator) fields() {
	n := g.IntN(3)
	if n == 0 {
		return
	}
	g.numbers(12000, "probability_to_spawn", "max_fields", "min_fields", "start_fields")
	if n == 1 {
		g.line("fields=Corn")
		g.numbers(100, "has_snow", "production_per_field", "storage_capacity", "spawn_weight")
		return
	}
	for i := range n {
		g.line("fields[%d]=Field%d", i, i)
		for _, key := range []string{"has_snow", "production_per_field", "storage_capacity", "spawn_weight"} {
			g.number(fmt.Sprintf("%s[%d]", key, i), 100)
		}
	}
}

func (g *generator) vehicle() {
	dirs := []string{"s", "w", "sw", "se", "n", "e", "ne", "nw"}[:4+4*g.IntN(2)]
	g.waytype("waytype")
	g.numbers(60000, "payload", "speed", "runningcost", "loading_time", "axle_load")
	g.numbers(900, "power", "gear")
	g.number("length", 20)
	g.money("cost", "fixed_cost")
	g.maybe("weight", "3", "1.5", "0.001", "12.3456", "7,5")
	g.maybe("engine_type", "steam", "Diesel", "electric", "bio", "sail", "fuel_cell", "hydrogene", "battery", "unknown", "none", "Steam", "ELECTRIC")
	g.maybe("freight", "Passagiere", "Kohle", "")
	g.maybe("smoke", "Diesel", "-1")
	g.sound()
	g.dates()
	for _, side := range []string{"prev", "next"} {
		for i := range g.IntN(4) {
			g.line("constraint[%s][%d]=%s", side, i, []string{"none", "None", "any", "Car"}[g.IntN(4)])
		}
	}
	for _, d := range dirs {
		g.images("emptyimage[" + d + "]")
	}
	kinds := g.IntN(4)
	if kinds == 3 {
		for _, d := range dirs {
			g.images("freightimage[" + d + "]")
		}
		return
	}
	for i := range kinds {
		for _, d := range dirs {
			g.images(fmt.Sprintf("freightimage[%d][%s]", i, d))
		}
		g.line("freightimagetype[%d]=Good%d", i, i)
	}
}
