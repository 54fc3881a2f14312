package decompile

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

// buildingWords are the values of type=.
var buildingWords = map[desc.BuildingType]string{
	37: "res", 38: "com", 39: "ind", 1: "cur", 2: "cur", 3: "mon", 4: "fac", 5: "tow",
	7: "hq", 11: "habour", 36: "dock", 33: "depot", 34: "stop", 35: "extension", 6: "any",
}

func (w *writer) building(n *node.Node, d *desc.Building) {
	word, ok := buildingWords[d.Type]
	if d.Version.Standard < 9 && d.Type == 0 && d.GameType < 3 {
		word, ok = []string{"res", "com", "ind"}[d.GameType], true
	}
	if !ok {
		w.fail("a building of type %d", int64(d.Type))
		return
	}
	w.set("type", word)
	w.buildingKind(word, d)
	layouts := ""
	if square := d.SizeX == d.SizeY; square && d.Layouts != 1 || !square && d.Layouts != 2 {
		layouts = fmt.Sprintf(",%d", d.Layouts)
	}
	w.set("dims", fmt.Sprintf("%d,%d%s", d.SizeX, d.SizeY, layouts))
	w.set("climates", climateWords(d.Climates))
	w.set("chance", d.Chance)
	w.set("animation_time", int64(d.AnimationTime))
	if d.Version.Standard >= 8 {
		w.set("capacity", d.Capacity)
	}
	if d.Price != desc.Unset {
		w.set("cost", int64(d.Price))
	}
	if d.Maintenance != desc.Unset {
		w.set("maintenance", int64(d.Maintenance))
	}
	if d.Version.Standard >= 7 {
		w.set("allow_underground", d.Underground)
	}
	w.bits(vocab.StationKeys, int64(d.Enables))
	w.bits(vocab.FlagKeys, d.Flags)
	w.dates(d.Intro, d.Retire)
	if d.Version.Standard >= 10 {
		w.date("preservation", d.Preservation)
	}
	if d.Version.Standard >= 12 {
		w.set("height_clearance", d.Clearance)
	}
	w.blank()
	w.tiles(n, d)
	w.cursor(n)
}

// buildingKind writes the level and what the type adds to it. The compiler
// takes one from the level of most buildings, below 0 if it is 0.
func (w *writer) buildingKind(word string, d *desc.Building) {
	level := d.Level
	if level == math.MaxUint16 {
		level = -1
	}
	switch word {
	case "cur", "mon", "tow", "hq":
		w.set("passengers", level)
	case "fac", "habour", "depot", "stop", "extension":
		w.set("level", level)
	default:
		w.set("level", level+1)
	}
	switch word {
	case "res", "com", "ind":
		if d.Extra != 0 {
			w.set("clusters", clusters(d.Extra))
		}
	case "cur", "tow":
		if d.Extra != 0 {
			w.set("build_time", d.Extra)
		}
	case "hq":
		w.set("hq_level", d.Extra)
	case "depot", "stop", "extension":
		w.set("waytype", desc.Waytype(d.Extra))
	}
}

// clusters lists the numbers of the bits that are set, from 1.
func clusters(set int64) string {
	var list []string
	for i := range 32 {
		if set>>i&1 != 0 {
			list = append(list, strconv.Itoa(i+1))
		}
	}
	return strings.Join(list, ",")
}

// bits writes a key for every bit that is set.
func (w *writer) bits(keys []string, set int64) {
	for i, key := range keys {
		if set>>i&1 != 0 {
			w.set(key, 1)
		}
	}
}

// climateWords lists climates; no climate at all is a word nobody knows, and
// long enough not to mean all of them.
func climateWords(c desc.Climates) string {
	if c == 0 {
		return "nowhere"
	}
	return c.String()
}

// tiles writes the images of a building: two IMG2 per tile and season.
func (w *writer) tiles(n *node.Node, d *desc.Building) {
	var tiles []*node.Node
	for _, c := range n.Children {
		if c.Type == node.TILE {
			tiles = append(tiles, c)
		}
	}
	i := 0
	for layout := range int(min(d.Layouts, 256)) {
		width, height := int(d.SizeX), int(d.SizeY)
		if layout%2 == 1 {
			width, height = height, width
		}
		for y := range height {
			for x := range width {
				if i >= len(tiles) {
					w.fail("a building of %d tiles lacks some", len(tiles))
					return
				}
				w.tile(tiles[i], fmt.Sprintf("image[%d][%d][%d]", layout, y, x))
				i++
			}
		}
	}
}

func (w *writer) tile(tile *node.Node, at string) {
	seasons := len(tile.Children) / 2
	for i, storeys := range tile.Children {
		side := []string{"back", "front"}[i%2]
		for height, phases := range storeys.Children {
			if phases.Type != node.IMG1 {
				w.fail("a tile with a %s", phases.Type)
				return
			}
			w.all(phases, func(phase int) string {
				key := fmt.Sprintf("%s%s[%d][%d]", side, at, height, phase)
				if seasons > 1 {
					key += fmt.Sprintf("[%d]", i/2)
				}
				return key
			})
		}
	}
}

func (w *writer) factory(d *desc.Factory) {
	w.set("location", d.Placement)
	w.set("mapcolor", d.Color)
	w.set("productivity", d.Productivity)
	w.set("range", d.Range)
	w.set("distributionweight", d.Weight)
	w.set("pax_level", d.PaxLevel)
	if d.Version.Standard >= 3 {
		w.expansion(d)
	}
	w.voice(d.Sound)
	if d.Version.Standard >= 4 && d.SoundInterval != math.MaxUint32 {
		w.set("sound_interval", int64(d.SoundInterval))
	}
	if d.Version.Standard >= 6 && d.ElectricityProducer != 255 {
		w.set("electricity_producer", d.ElectricityProducer)
	}
	w.smoke(d)
	w.goods()
	if fields := child(w.object, node.FFIE); fields != nil {
		w.fields(fields)
	}
	n := child(w.object, node.BUIL)
	if n == nil {
		w.fail("a factory without a building")
		return
	}
	b, err := desc.Decode(n)
	building, ok := b.(*desc.Building)
	if err != nil || !ok {
		w.fail("a factory whose building is not understood")
		return
	}
	w.building(n, building)
}

func (w *writer) expansion(d *desc.Factory) {
	for _, f := range []struct {
		key     string
		value   int64
		without int64
	}{
		{"expand_probability", d.ExpandProbability, 0},
		{"expand_minimum", d.ExpandMinimum, 0},
		{"expand_range", d.ExpandRange, 0},
		{"expand_times", d.ExpandTimes, 0},
		{"electricity_boost", thousandths(d.ElectricBoost), 1000},
		{"passenger_boost", thousandths(d.PaxBoost), 0},
		{"mail_boost", thousandths(d.MailBoost), 0},
		{"electricity_demand", d.ElectricDemand, desc.Undefined},
		{"passenger_demand", d.PaxDemand, desc.Undefined},
		{"mail_demand", d.MailDemand, desc.Undefined},
	} {
		if f.value != f.without {
			w.set(f.key, f.value)
		}
	}
}

// thousandths finds the least x that (x*256+500)/1000 turns into the factor.
func thousandths(f desc.Factor) int64 { return max((int64(f)*1000-500+255)/256, 0) }

// percent finds the least x that x*whole/100 turns into v.
func percent(v, whole int64) int64 { return (v*100 + whole - 1) / whole }

func (w *writer) smoke(d *desc.Factory) {
	if d.Version.Standard >= 5 {
		w.set("smokeuplift", d.SmokeUplift)
		w.set("smokelifetime", int64(d.SmokeLifetime))
		for i := range min(int(d.Rotations), len(d.Smoke)) {
			s := d.Smoke[i]
			w.set(fmt.Sprintf("smoketile[%d]", i), fmt.Sprintf("%d,%d", s.TileX, s.TileY))
			w.set(fmt.Sprintf("smokeoffset[%d]", i), fmt.Sprintf("%d,%d", s.OffsetX, s.OffsetY))
		}
	}
	n := child(w.object, node.FSMO)
	if n == nil {
		if s := d.Smoke[0]; d.Rotations == 0 && s != (desc.SmokePlace{}) {
			w.set("smoketile", fmt.Sprintf("%d,%d", s.TileX, s.TileY))
			w.set("smokeoffset", fmt.Sprintf("%d,%d", s.OffsetX, s.OffsetY))
		}
		return
	}
	decoded, err := desc.Decode(n)
	s, ok := decoded.(*desc.Smoke)
	if err != nil || !ok {
		w.fail("a factory whose smoke is not understood")
		return
	}
	w.set("smoke", strings.Join(xrefs(n, node.SMOK), ""))
	w.set("smoketile", fmt.Sprintf("%d,%d", s.TileX, s.TileY))
	w.set("smokeoffset", fmt.Sprintf("%d,%d", s.OffsetX, s.OffsetY))
	if s.Speed != 0 {
		w.set("smokespeed", s.Speed)
	}
}

// goods writes what a factory takes and makes.
func (w *writer) goods() {
	in, out := 0, 0
	for _, n := range w.object.Children {
		d, err := desc.Decode(n)
		if err != nil {
			w.fail("%v", err)
			return
		}
		name := strings.Join(xrefs(n, node.GOOD), "")
		switch d := d.(type) {
		case *desc.Supplier:
			w.set(fmt.Sprintf("inputgood[%d]", in), name)
			w.set(fmt.Sprintf("inputcapacity[%d]", in), d.Capacity)
			w.set(fmt.Sprintf("inputsupplier[%d]", in), d.Count)
			w.set(fmt.Sprintf("inputfactor[%d]", in), percent(int64(d.Consumption), 256))
			in++
		case *desc.Product:
			w.set(fmt.Sprintf("outputgood[%d]", out), name)
			w.set(fmt.Sprintf("outputcapacity[%d]", out), d.Capacity)
			w.set(fmt.Sprintf("outputfactor[%d]", out), percent(int64(d.Factor), 256))
			out++
		}
	}
}

func (w *writer) fields(n *node.Node) {
	decoded, err := desc.Decode(n)
	g, ok := decoded.(*desc.FieldGroup)
	if err != nil || !ok || g.Version.Standard < 2 {
		w.fail("a factory whose fields are not understood")
		return
	}
	w.set("probability_to_spawn", g.Probability)
	w.set("max_fields", g.Max)
	w.set("min_fields", g.Min)
	if g.Version.Standard >= 3 {
		w.set("start_fields", g.StartNum)
	}
	for i, c := range n.Children {
		decoded, err := desc.Decode(c)
		class, ok := decoded.(*desc.FieldClass)
		if err != nil || !ok {
			w.fail("a factory whose fields are not understood")
			return
		}
		index := ""
		if len(n.Children) > 1 {
			index = fmt.Sprintf("[%d]", i)
		}
		w.set("fields"+index, strings.Join(xrefs(c, node.FIEL), ""))
		w.set("has_snow"+index, class.Snow)
		w.set("production_per_field"+index, class.Production)
		w.set("storage_capacity"+index, class.Capacity)
		w.set("spawn_weight"+index, class.Weight)
	}
}
