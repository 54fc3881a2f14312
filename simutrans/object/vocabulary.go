package object

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// vocabulary has the words of the source language for the values of a field.
type vocabulary struct {
	what  string // what the words name, for messages
	words map[int64]string
	also  map[string]int64 // further words that are read but never written
	other string           // word that replaces an unknown one; "" if an unknown word is an error
}

// Way types that the code uses.
const (
	road        = 1
	track       = 2
	water       = 3
	electrified = 4
	monorail    = 5
	maglev      = 6
	tram        = 7
	narrowgauge = 8
	air         = 16
	power       = 128
)

const unknownEngine = 255

var (
	waytypes = &vocabulary{
		what: "way type",
		words: map[int64]string{
			0: "none", road: "road", track: "track", water: "water", electrified: "electrified_track",
			monorail: "monorail_track", maglev: "maglev_track", tram: "tram_track",
			narrowgauge: "narrowgauge_track", air: "air", power: "power", 255: "decoration",
		},
		also: map[string]int64{"schiene_tram": tram}, // its former name was German
	}
	// maybeWaytypes are for objects that may have no way type.
	maybeWaytypes = &vocabulary{what: waytypes.what, words: waytypes.words, also: map[string]int64{"schiene_tram": tram, "": 0}}

	engines = &vocabulary{
		what: "engine type",
		words: map[int64]string{
			0: "steam", 1: "diesel", 2: "electric", 3: "bio", 4: "sail",
			5: "fuel_cell", 6: "hydrogene", 7: "battery", unknownEngine: "unknown",
		},
		also: map[string]int64{"": 1, "none": 1}, other: "diesel",
	}
	extendedEngines = &vocabulary{
		what: engines.what, words: with(engines.words, map[int64]string{8: "petrol", 9: "turbine"}),
		also: map[string]int64{"": unknownEngine, "none": unknownEngine}, other: "unknown",
	}
	// tractions are the engines that a depot of Extended is for.
	tractions = &vocabulary{what: engines.what, words: without(extendedEngines.words, unknownEngine), other: "diesel"}

	placements = &vocabulary{
		what:  "location",
		words: map[int64]string{0: "land", 1: "water", 2: "city", 3: "river", 4: "shore", 5: "forest"},
		also:  map[string]int64{"": 0}, other: "land",
	}
	extendedPlacements = &vocabulary{
		what: placements.what, words: with(placements.words, map[int64]string{6: "river_city", 7: "shore_city"}),
		also: placements.also, other: "land",
	}
	workingMethods = &vocabulary{
		what: "working method",
		words: map[int64]string{
			0: "drive_by_sight", 1: "time_interval", 2: "absolute_block", 3: "token_block", 4: "track_circuit_block",
			5: "cab_signalling", 6: "moving_block", 7: "one_train_staff", 8: "time_interval_with_telegraph",
		},
		also: map[string]int64{"": 4}, other: "track_circuit_block",
	}
	// buildingTypes are the words for values in a body. Sources use other words: see
	// buildingKinds.
	buildingTypes = &vocabulary{words: map[int64]string{
		0: "unknown", 1: "attraction_city", 2: "attraction_land", 3: "monument",
		4: "factory", 5: "townhall", 6: "others", 7: "headquarters", 11: "dock",
		33: "depot", 34: "stop", 35: "extension", 36: "flat_dock",
		37: "res", 38: "com", 39: "ind", signalBox: "signalbox",
	}}
)

// Waytype is the word for a way type.
func Waytype(value int64) string { return waytypes.text(value) }

func with(words, more map[int64]string) map[int64]string {
	all := maps.Clone(words)
	maps.Copy(all, more)
	return all
}

func without(words map[int64]string, value int64) map[int64]string {
	rest := maps.Clone(words)
	delete(rest, value)
	return rest
}

// text returns the word for a value, or the number.
func (v *vocabulary) text(value int64) string {
	if s, ok := v.words[value]; ok {
		return s
	}
	return strconv.FormatInt(value, 10)
}

// parse returns the value of a word.
func (v *vocabulary) parse(word string) (int64, bool) {
	for value, s := range v.words {
		if s == word {
			return value, true
		}
	}
	return 0, false
}

// list returns the words.
func (v *vocabulary) list() []string { return slices.Sorted(maps.Values(v.words)) }

// kind returns the kind of a field with these words.
func (v *vocabulary) kind() *kind {
	return &kind{
		text: v.text, parse: v.parse, choices: v.list(),
		read:  func(b *Builder, f sourceField) int64 { return b.oneOf(f.word(), v) },
		write: func(w *Writer, f sourceField, value int64) { w.Set(f.word(), v.text(value)) },
	}
}

// oneOf reads a word, without regard to letter case.
func (b *Builder) oneOf(key string, v *vocabulary) int64 {
	said := strings.ToLower(b.Get(key))
	if value, ok := v.parse(said); ok {
		return value
	}
	if value, ok := v.also[said]; ok {
		return value
	}
	if v.other == "" {
		b.Fail(key, didYouMean(said, v.list()), "unknown %s %q", v.what, b.Get(key))
		return 0
	}
	b.Warn(key, didYouMean(said, v.list()), "unknown %s %q; %s is taken", v.what, said, v.other)
	value, _ := v.parse(v.other)
	return value
}

// bits has the words for the bits of a set, lowest first.
type bits []string

var (
	climates  = bits{"water", "desert", "tropic", "mediterran", "temperate", "tundra", "rocky", "arctic"}
	enables   = bits{"pax", "post", "ware"}
	signFlags = bits{
		"one_way", "choose", "private", "signal", "presignal",
		"only_backimage", "longblock", "end_of_choose", "priority",
	}
)

func (b bits) text(v int64) string {
	var words []string
	for i, name := range b {
		if v>>i&1 != 0 {
			words = append(words, name)
			v &^= 1 << i
		}
	}
	if v != 0 || len(words) == 0 {
		words = append(words, strconv.FormatInt(v, 10))
	}
	return strings.Join(words, ",")
}

func (b bits) parse(s string) (v int64, ok bool) {
	for word := range strings.SplitSeq(s, ",") {
		i := slices.Index(b, word)
		if i < 0 {
			return 0, false
		}
		v |= 1 << i
	}
	return v, true
}

func (b bits) kind(read func(*Builder, sourceField) int64, write func(*Writer, sourceField, int64)) *kind {
	return &kind{text: b.text, parse: b.parse, choices: b, many: true, read: read, write: write}
}

// setOf lists the numbers of the bits of a set, counted from first.
func setOf(set int64, first int) (numbers []string) {
	for i := range 64 {
		if set>>i&1 != 0 {
			numbers = append(numbers, strconv.Itoa(i+first))
		}
	}
	return numbers
}
