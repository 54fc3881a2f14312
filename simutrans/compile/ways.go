package compile

import (
	"slices"

	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

// suffixed puts a word before and after each key.
func suffixed(prefix string, keys []string, suffix string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = prefix + k + suffix
	}
	return out
}

func (b *builder) bridge() *node.Node {
	d := &desc.Bridge{
		Head:         b.version(node.BRDG),
		Waytype:      b.waytype("waytype"),
		TopSpeed:     desc.Speed(b.Int("topspeed", 999)),
		Price:        b.money("cost", 0),
		Maintenance:  b.money("maintenance", 1000),
		PillarsEvery: desc.Tiles(b.Int("pillar_distance", 0)),
		MaxHeight:    desc.Tiles(b.Int("max_height", 0)),
		Intro:        b.intro(), Retire: b.retire(),
		Asymmetric: b.Int("pillar_asymmetric", 0),
		AxleLoad:   desc.Tons(b.Int("axle_load", 9999)),
		ClipBelow:  b.clipBelow(node.BRDG, 11),
	}
	// The key was misspelt for years and still counts.
	d.MaxLength = desc.Tiles(b.Int("max_lenght", 0))
	d.MaxLength = desc.Tiles(b.Int("max_length", int64(d.MaxLength)))

	suffix := ""
	if b.Has("backimage[ns][0]") {
		suffix = "[0]"
		if b.Has("backimage[ns][1]") {
			d.Seasons = 1
		}
	}
	side := func(side, suffix string) *node.Node {
		parts := vocab.BridgeParts
		if b.target.versions[node.BRDG] < 9 { // before there were double slopes
			parts = parts[:10]
			if b.Has(side + "pillar[s]" + suffix) {
				parts = vocab.BridgeParts[:12]
			}
		}
		return b.list(suffixed(side, parts, suffix))
	}
	children := []*node.Node{side("back", suffix), side("front", suffix), b.cursor()}
	if b.target.versions[node.BRDG] >= 8 { // before, only the cursor had a name
		children = append(b.nameAndCopyright(), children...)
	}
	if d.Seasons > 0 {
		children = append(children, side("back", "[1]"), side("front", "[1]"))
	}
	return b.node(node.BRDG, d, children...)
}

// clipBelow reads a key that exists since a version.
func (b *builder) clipBelow(t node.Type, since int) int64 {
	if b.target.versions[t] < since {
		return 0
	}
	return b.Int("clip_below", 1)
}

func (b *builder) tunnel() *node.Node {
	d := &desc.Tunnel{
		Head:        b.version(node.TUNL),
		TopSpeed:    desc.Speed(b.Int("topspeed", 999)),
		Price:       b.money("cost", 0),
		Maintenance: b.money("maintenance", 1000),
		Waytype:     b.waytype("waytype"),
		Intro:       b.intro(), Retire: b.retire(),
		AxleLoad: desc.Tons(b.Int("axle_load", 9999)),
	}
	portals := vocab.Portals[:4]
	if b.Has("frontimage[nl]") || b.Has("frontimage[nl][0]") {
		d.BroadPortals = 1
		portals = vocab.Portals
	}
	if b.Has("frontimage[n][1]") {
		d.Seasons = 1
	}
	side := func(name string, season int) *node.Node {
		keys := make([]string, len(portals))
		for i, portal := range portals {
			keys[i] = key("%simage[%s][%d]", name, portal, season)
			if plain := key("%simage[%s]", name, portal); season == 0 && !b.Has(keys[i]) {
				keys[i] = plain
			}
		}
		return b.list(keys)
	}
	children := append(b.nameAndCopyright(), side("back", 0), side("front", 0), b.cursor())
	if d.Seasons > 0 {
		children = append(children, side("back", 1), side("front", 1))
	}
	if way := b.Get("way"); way != "" {
		d.HasWay = 1
		children = append(children, node.NewXref(node.Xref{Type: node.WAY, Name: way}))
	}
	return b.node(node.TUNL, d, children...)
}

// diagonals are the images of diagonal tracks; newer targets have two more.
func (b *builder) diagonals() []string {
	if b.target.closeDiagonals {
		return vocab.Diagonals
	}
	return vocab.Diagonals[:4]
}

func bracketed(name string, indices []string, suffix string) []string {
	return suffixed(name+"[", indices, "]"+suffix)
}

// slopeKeys are the images on slopes: the single ones always, the double ones
// as far as they are there.
func (b *builder) slopeKeys(prefix, suffix string) []string {
	keys := bracketed(prefix+"imageup", vocab.Slopes, suffix)
	for _, double := range bracketed(prefix+"imageup2", vocab.Slopes, suffix) {
		if b.Has(double) {
			keys = append(keys, double)
		}
	}
	return keys
}

func (b *builder) way() *node.Node {
	d := &desc.Way{
		Head:        b.version(node.WAY),
		Price:       b.money("cost", 100),
		Maintenance: b.money("maintenance", 100),
		TopSpeed:    desc.Speed(b.Int("topspeed", 999)),
		MaxWeight:   desc.Tons(b.Int("max_weight", 999)),
		Intro:       b.intro(), Retire: b.retire(),
		AxleLoad:   desc.Tons(b.Int("axle_load", 9999)),
		Waytype:    b.waytype("waytype"),
		SystemType: b.Int("system_type", 0),
		ClipBelow:  b.clipBelow(node.WAY, 8),
	}
	if b.Int("draw_as_ding", 0) == 1 {
		d.DrawAsObject = 1
	}
	if d.Waytype == vocab.Waytypes["track"] { // how some tracks were once written
		switch w := desc.Waytype(d.SystemType); w {
		case vocab.Waytypes["monorail_track"], vocab.Waytypes["tram_track"]:
			d.Waytype = w
		}
	}
	suffixes := []string{""}
	if b.Has("image[-][0]") {
		suffixes = []string{"[0]"}
		if b.Has("image[-][1]") {
			d.Seasons = 1
			suffixes = append(suffixes, "[1]")
		}
	} else if !b.Has("image[-]") {
		b.Fail("image[-]", "a way needs at least this image", "the image without a direction is missing")
	}
	flat := b.flatWay("image")
	children := append(b.nameAndCopyright(), b.wayLists("", suffixes[0], flat)...)
	children = append(children, b.cursor())
	if d.Seasons > 0 {
		children = append(children, b.wayLists("", suffixes[1], flat)...)
	}
	if b.target.versions[node.WAY] >= 5 {
		if suffixes[0] == "" { // each side has switches of its own then
			flat = b.flatWay("frontimage")
		}
		for _, suffix := range suffixes {
			children = append(children, b.wayLists("front", suffix, flat)...)
		}
	}
	return b.node(node.WAY, d, children...)
}

// flatWay are the images of a way that is no slope, with those of switches if
// there is one that tells so.
func (b *builder) flatWay(name string) []string {
	if b.Has(name + "[new2][0]") {
		return slices.Concat(vocab.Ribis, vocab.Switches)
	}
	return vocab.Ribis
}

// wayLists are the flat, sloped and diagonal images of one side and season.
func (b *builder) wayLists(side, suffix string, flat []string) []*node.Node {
	up := b.slopeKeys(side, suffix)
	if b.target.lazySlopes && !b.anyOf(up) {
		up = nil
	}
	return []*node.Node{
		b.list(bracketed(side+"image", flat, suffix)),
		b.list(up),
		b.list(bracketed(side+"diagonal", b.diagonals(), suffix)),
	}
}

func (b *builder) anyOf(keys []string) bool {
	found := false
	for _, k := range keys {
		found = b.Has(k) || found
	}
	return found
}

// flag reads 0 or 1.
func (b *builder) flag(key string) int64 {
	if b.Int(key, 0) != 0 {
		return 1
	}
	return 0
}

func (b *builder) wayObject() *node.Node {
	d := &desc.WayObject{
		Head:        b.version(node.WYOB),
		Price:       b.money("cost", 100),
		Maintenance: b.money("maintenance", 100),
		TopSpeed:    desc.Speed(b.Int("topspeed", 999)),
		Intro:       b.intro(), Retire: b.retire(),
		Waytype:    b.waytype("waytype"),
		OwnWaytype: b.waytype("own_waytype"),
	}
	flat := slices.Concat(vocab.Ribis, vocab.Switches)
	children := append(b.nameAndCopyright(),
		b.list(bracketed("frontimage", flat, "")), b.list(bracketed("backimage", flat, "")),
		b.list(b.slopeKeys("front", "")), b.list(b.slopeKeys("back", "")),
		b.list(bracketed("frontdiagonal", b.diagonals(), "")), b.list(bracketed("backdiagonal", b.diagonals(), "")),
		b.cursor())
	return b.node(node.WYOB, d, children...)
}

func (b *builder) crossing() *node.Node {
	d := &desc.Crossing{
		Head:       b.version(node.CRSS),
		Waytype1:   b.waytype("waytype[0]"),
		Waytype2:   b.waytype("waytype[1]"),
		TopSpeed1:  desc.Speed(b.Int("speed[0]", 0)),
		TopSpeed2:  desc.Speed(b.Int("speed[1]", 0)),
		OpenTime:   desc.Millis(b.Int("animation_time_open", 0)),
		ClosedTime: desc.Millis(b.Int("animation_time_closed", 0)),
		Sound:      b.voice(),
		Intro:      b.intro(), Retire: b.retire(),
	}
	if d.TopSpeed1 == 0 || d.TopSpeed2 == 0 {
		b.Fail("speed[0]", "set speed[0] and speed[1]", "a crossing needs a speed for both ways")
	}
	if d.Waytype1 == d.Waytype2 {
		b.Fail("waytype[1]", "give the way type of the other way", "a way cannot cross its like")
	}
	children := b.nameAndCopyright()
	for _, state := range vocab.CrossingStates {
		name := state + "image"
		for _, dir := range []string{"ns", "ew"} {
			keys := b.present(func(i int) string { return key("%s[%s][%d]", name, dir, i) })
			if len(keys) == 0 && state == "open" {
				b.Fail(key("%s[%s][0]", name, dir), "a crossing needs both directions", "the image is missing")
			}
			children = append(children, b.listOrNone(keys))
		}
	}
	return b.node(node.CRSS, d, children...)
}

// listOrNone makes a list, or a reference to none where there is no image.
func (b *builder) listOrNone(keys []string) *node.Node {
	if len(keys) == 0 {
		return node.NewXref(node.Xref{Type: node.IMG1})
	}
	return b.list(keys)
}

func (b *builder) sign() *node.Node {
	d := &desc.Sign{
		Head:       b.version(node.SIGN),
		MinSpeed:   desc.Speed(b.Int("min_speed", 0)),
		Price:      100 * b.money("cost", 500),
		Flags:      b.signFlags(),
		OffsetLeft: b.Int("offset_left", 14),
		Waytype:    b.waytype("waytype"),
		Intro:      b.intro(), Retire: b.retire(),
	}
	if b.target.versions[node.SIGN] >= 6 {
		d.Maintenance = b.money("maintenance", 0)
	}
	children := append(b.nameAndCopyright(), b.list(b.signKeys(d.Flags)))
	if b.Has("cursor") || b.Has("icon") {
		children = append(children, b.cursor())
	}
	return b.node(node.SIGN, d, children...)
}

const privateSign = desc.SignFlags(4)

// signFlags reads what a sign does. A signal is one kind of signal and
// nothing else, whatever else the source says of it.
func (b *builder) signFlags() (flags desc.SignFlags) {
	switch {
	case b.target.versions[node.SIGN] < 4:
		// Signals could once be several things at a time.
		flags = desc.SignFlags(8*b.flag("is_signal") | 16*b.flag("is_presignal") | 64*b.flag("is_longblocksignal"))
	case b.flag("is_signal") != 0:
		return 8 | desc.SignFlags(2*b.flag("free_route"))
	case b.flag("is_presignal") != 0:
		return 16
	case b.flag("is_prioritysignal") != 0:
		return 256
	case b.flag("is_longblocksignal") != 0:
		return 64
	}
	for _, sign := range []struct {
		key  string
		flag desc.SignFlags
	}{
		{"single_way", 1}, {"free_route", 2}, {"is_private", privateSign}, {"no_foreground", 32}, {"end_of_choose", 128},
	} {
		if b.Int(sign.key, 0) > 0 {
			flags |= sign.flag
		}
	}
	return flags
}

// How many images and states a sign is asked for.
const (
	maxSignImages = 32
	maxSignStates = 8
)

// signKeys are the images of a sign: numbered, or by direction and state.
func (b *builder) signKeys(flags desc.SignFlags) []string {
	if b.Has("image[0]") {
		keys := b.present(func(i int) string { return key("image[%d]", i) })
		if len(keys) > maxSignImages {
			b.Warn(keys[maxSignImages], "", "a sign has at most %d images; the others are left out", maxSignImages)
			return keys[:maxSignImages]
		}
		if len(keys)%4 != 0 {
			b.Fail(key("image[%d]", len(keys)), "give images for n, s, e and w", "there are %d images, which is no multiple of 4", len(keys))
		}
		return keys
	}
	dirs := []string{"n", "s", "e", "w", "ne", "sw", "se", "nw"}
	if b.target.westFirst {
		dirs = []string{"n", "s", "w", "e", "nw", "se", "sw", "ne"}
	} else if flags&privateSign == 0 {
		b.Warn("image[e][0]", "compile for 60.12, or number the images", "makeobj %s swaps the images for east and west of this form, and so does its target", b.target.name)
	}
	if !b.Has("image[ne][0]") {
		dirs = dirs[:4]
	}
	states := 1
	if flags&privateSign != 0 {
		dirs, states = []string{"ns", "ew"}, 2 // a gate, closed and open
	}
	for states < maxSignStates && b.Has(key("image[%s][%d]", dirs[0], states)) {
		states++
	}
	var keys []string
	for state := range states {
		for _, dir := range dirs {
			k := key("image[%s][%d]", dir, state)
			if !b.Has(k) {
				b.Fail(k, "every direction needs an image", "the image is missing")
			}
			keys = append(keys, k)
		}
	}
	return keys
}
