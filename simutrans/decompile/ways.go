package decompile

import (
	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

func (w *writer) dates(intro, retire desc.Date) {
	w.date("intro", intro)
	w.date("retire", retire)
}

func (w *writer) date(prefix string, d desc.Date) {
	w.set(prefix+"_year", d.Year())
	w.set(prefix+"_month", d.Month())
}

func (w *writer) bridge(d *desc.Bridge) {
	w.set("waytype", d.Waytype)
	w.set("topspeed", int64(d.TopSpeed))
	w.set("cost", int64(d.Price))
	w.set("maintenance", int64(d.Maintenance))
	w.set("pillar_distance", int64(d.PillarsEvery))
	w.set("pillar_asymmetric", d.Asymmetric)
	w.set("max_length", int64(d.MaxLength))
	w.set("max_height", int64(d.MaxHeight))
	w.set("axle_load", int64(d.AxleLoad))
	if d.Version.Standard >= 11 {
		w.set("clip_below", d.ClipBelow)
	}
	w.dates(d.Intro, d.Retire)
	w.blank()
	sides := lists(w.object)
	if len(sides) != 2 && len(sides) != 4 {
		w.fail("a bridge with %d lists of images", len(sides))
		return
	}
	for i, list := range sides {
		suffix := ""
		if len(sides) == 4 {
			suffix = []string{"[0]", "[1]"}[i/2]
		}
		side := []string{"back", "front"}[i%2]
		keys := make([]string, len(vocab.BridgeParts))
		for j, part := range vocab.BridgeParts {
			keys[j] = side + part + suffix
		}
		must := ""
		if suffix != "" {
			must = "backimage[ns]" + suffix // says that there are seasons
		}
		if d.Version.Standard < 9 && len(list.Children) == 12 {
			must = side + "pillar[s]" + suffix // says that there are pillars
		}
		w.some(list, keys, must)
	}
	w.cursor(w.object)
}

func (w *writer) tunnel(d *desc.Tunnel) {
	w.set("waytype", d.Waytype)
	w.set("topspeed", int64(d.TopSpeed))
	w.set("cost", int64(d.Price))
	w.set("maintenance", int64(d.Maintenance))
	w.set("axle_load", int64(d.AxleLoad))
	w.dates(d.Intro, d.Retire)
	for _, way := range xrefs(w.object, node.WAY) {
		w.set("way", way)
	}
	w.blank()
	for i, list := range lists(w.object) {
		suffix, must := "", ""
		if d.Seasons > 0 {
			suffix = []string{"[0]", "[1]"}[i/2%2]
		}
		side := []string{"back", "front"}[i%2]
		switch {
		case side == "front" && suffix == "[1]":
			must = "frontimage[n][1]"
		case side == "front" && d.BroadPortals != 0:
			must = "frontimage[nl]" + suffix
		}
		w.some(list, indexed(side+"image", vocab.Portals, suffix), must)
	}
	w.cursor(w.object)
}

func (w *writer) way(d *desc.Way) {
	w.set("waytype", d.Waytype)
	w.set("system_type", d.SystemType)
	w.set("topspeed", int64(d.TopSpeed))
	w.set("cost", int64(d.Price))
	w.set("maintenance", int64(d.Maintenance))
	w.set("max_weight", int64(d.MaxWeight))
	w.set("axle_load", int64(d.AxleLoad))
	w.set("draw_as_ding", d.DrawAsObject)
	if d.Version.Standard >= 8 {
		w.set("clip_below", d.ClipBelow)
	}
	w.dates(d.Intro, d.Retire)
	w.blank()
	all := lists(w.object)
	if len(all)%3 != 0 || len(all) == 0 {
		w.fail("a way with %d lists of images", len(all))
		return
	}
	// Seasons and the images of switches both need the form with an index.
	seasons := 1
	suffixes := []string{""}
	if d.Seasons > 0 {
		seasons, suffixes = 2, []string{"[0]", "[1]"}
	} else if len(all[0].Children) > len(vocab.Ribis) {
		suffixes = []string{"[0]"}
	}
	for i := range len(all) / 3 {
		side := ""
		if i >= seasons {
			side = "front"
		}
		w.wayLists(side, suffixes[i%seasons], all[3*i:3*i+3])
	}
	w.cursor(w.object)
}

func (w *writer) wayLists(side, suffix string, three []*node.Node) {
	flat := append(append([]string(nil), vocab.Ribis...), vocab.Switches...)
	keys := indexed(side+"image", flat, suffix)
	must := ""
	if side == "" {
		must = "image[-]" + suffix
		if len(three[0].Children) > len(vocab.Ribis) && suffix == "[0]" && isBlank(three[0].Children[0]) {
			w.image(must, three[0].Children[0])
		}
		if len(three[0].Children) > len(vocab.Ribis) && suffix == "[0]" {
			must = "image[new2][0]" // says that there are switches
		}
	}
	w.some(three[0], keys, must)
	w.slopes(side, suffix, three[1])
	w.some(three[2], indexed(side+"diagonal", vocab.Diagonals, suffix), "")
}

// slopes writes the images on slopes: four, and as many double ones as the
// list is longer.
func (w *writer) slopes(side, suffix string, list *node.Node) {
	single := len(vocab.Slopes)
	if len(list.Children) < single {
		if len(list.Children) > 0 {
			w.fail("%d images on slopes", len(list.Children))
		}
		return
	}
	keys := indexed(side+"imageup", vocab.Slopes, suffix)
	first := *list
	first.Children = list.Children[:single]
	// Newer compilers leave the list out unless a key is there.
	w.some(&first, keys, keys[0])
	double := indexed(side+"imageup2", vocab.Slopes, suffix)
	if len(list.Children) > single+len(double) {
		w.fail("%d images on slopes", len(list.Children))
		return
	}
	for i, n := range list.Children[single:] {
		w.image(double[i], n)
	}
}

func (w *writer) wayObject(d *desc.WayObject) {
	w.set("waytype", d.Waytype)
	w.set("own_waytype", d.OwnWaytype)
	w.set("topspeed", int64(d.TopSpeed))
	w.set("cost", int64(d.Price))
	w.set("maintenance", int64(d.Maintenance))
	w.dates(d.Intro, d.Retire)
	w.blank()
	all := lists(w.object)
	if len(all) != 6 {
		w.fail("a way object with %d lists of images", len(all))
		return
	}
	flat := append(append([]string(nil), vocab.Ribis...), vocab.Switches...)
	for i, side := range []string{"front", "back"} {
		w.some(all[i], indexed(side+"image", flat, ""), "")
		w.slopes(side, "", all[2+i])
		w.some(all[4+i], indexed(side+"diagonal", vocab.Diagonals, ""), "")
	}
	w.cursor(w.object)
}

func (w *writer) voice(v desc.Voice) {
	switch v.ID {
	case desc.NoSound:
	case desc.NamedSound:
		w.set("sound", v.File)
	default:
		w.set("sound", v.ID)
	}
}

func (w *writer) crossing(d *desc.Crossing) {
	w.set("waytype[0]", d.Waytype1)
	w.set("waytype[1]", d.Waytype2)
	w.set("speed[0]", int64(d.TopSpeed1))
	w.set("speed[1]", int64(d.TopSpeed2))
	w.set("animation_time_open", int64(d.OpenTime))
	w.set("animation_time_closed", int64(d.ClosedTime))
	w.voice(d.Sound)
	if d.Version.Standard >= 2 {
		w.dates(d.Intro, d.Retire)
	}
	w.blank()
	var eight []*node.Node
	for _, c := range w.object.Children {
		if c.Type == node.IMG1 || c.Type == node.XREF {
			eight = append(eight, c)
		}
	}
	for i, list := range eight {
		if i >= 2*len(vocab.CrossingStates) {
			w.fail("a crossing with %d lists of images", len(eight))
			return
		}
		dir := []string{"ns", "ew"}[i%2]
		w.all(list, numbered(vocab.CrossingStates[i/2]+"image["+dir+"]"))
	}
}

// signWords are the keys of a sign's flags.
var signWords = []string{
	"single_way", "free_route", "is_private", "is_signal", "is_presignal",
	"no_foreground", "is_longblocksignal", "end_of_choose", "is_prioritysignal",
}

func (w *writer) sign(d *desc.Sign) {
	w.set("waytype", d.Waytype)
	w.set("min_speed", int64(d.MinSpeed))
	w.set("cost", int64(d.Price)/100)
	if d.Version.Standard >= 6 {
		w.set("maintenance", int64(d.Maintenance))
	}
	w.set("offset_left", d.OffsetLeft)
	for i, key := range signWords {
		if d.Flags>>i&1 != 0 {
			w.set(key, 1)
		}
	}
	w.dates(d.Intro, d.Retire)
	w.blank()
	w.all(child(w.object, node.IMG1), numbered("image"))
	w.cursor(w.object)
}
