package object

import (
	"fmt"
	"strconv"
	"strings"
)

// kind is the type of a field: its unit, the words for its values, and how
// sources say it.
type kind struct {
	unit    string
	text    func(v int64) string         // in words; nil: the number itself
	decimal bool                         // these words are a number in the unit
	parse   func(s string) (int64, bool) // the other way round; nil: no words

	// read takes the value from a source, and write puts it into one. nil is
	// a whole number.
	read  func(b *Builder, f said) int64
	late  bool // a Build function reads it
	write func(w *Writer, f said, v int64)

	// A source says a value in other units: a body holds (x*by+round)/of.
	by, round, of int64

	structural bool   // which nodes there are follows from it
	suffix     string // of the first key, where a value has two
}

// scale turns what a source says into what a body holds.
func (k *kind) scale(x int64) int64 {
	if k.by == 0 {
		return x
	}
	return (x*k.by + k.round) / k.of
}

// unscale finds the least x that scale turns into v.
func (k *kind) unscale(v int64) int64 {
	if k.by == 0 {
		return v
	}
	return max((v*k.of-k.round+k.by-1)/k.by, 0)
}

// words says a value in words.
func (k *kind) words(v int64) string {
	if k.text != nil {
		return k.text(v)
	}
	return strconv.FormatInt(v, 10)
}

func (k *kind) parseWords(s string) (int64, bool) {
	if k.parse != nil {
		return k.parse(s)
	}
	return 0, false
}

// cutKey is the word of a source that is to blame for a value too large.
func (s *spec) cutKey(index string) string {
	if len(s.keys) == 0 {
		return ""
	}
	key := strings.ReplaceAll(s.keys[0], "#", index)
	return key + s.kind.suffix
}

// kinds by the names that tables use.
var kinds = map[string]*kind{}

func init() {
	for name, k := range map[string]*kind{
		"int":   {},
		"km/h":  {unit: "km/h"},
		"t":     {unit: "t"},
		"kg":    {unit: "kg"},
		"kW":    {unit: "kW"},
		"kN":    {unit: "kN"},
		"ms":    {unit: "ms"},
		"tiles": {unit: "tiles"},
		"m":     {unit: "m"},

		// counter is the length of what follows, count how many nodes there
		// are, and late what a source says but a Build function reads.
		"counter": {late: true},
		"count":   {structural: true},
		"late":    {late: true},
		"latekey": {late: true, write: writeNothing},

		"sidelength": {unit: "tiles", structural: true},

		"underground": {read: readUnderground},

		"flag":  {read: readFlag},
		"one":   {read: readOne},
		"share": {read: readShare},

		"amount":       {read: readMoney}, // of no unit that people know
		"money":        {unit: "Cr", decimal: true, text: moneyText, parse: parseMoney, read: readMoney},
		"fixedcost":    {unit: "Cr", decimal: true, text: moneyText, parse: parseMoney, read: readFixedCost},
		"stationmoney": {unit: "Cr", decimal: true, text: moneyText, parse: parseMoney, read: readStationMoney},
		"hundredfold":  {unit: "Cr", decimal: true, text: moneyText, parse: parseMoney, read: readMoney, by: 100, of: 1},

		"date":    dateKind(12),
		"olddate": dateKind(16), // once a year had sixteen months

		"mass":    {unit: "kg", read: readMass, write: writeMass}, // said in tons
		"oldmass": {unit: "t", read: readOldMass},
		"speed16": {unit: "1/16 km/h", by: 16, of: 1},
		"gear":    {unit: "1/64", by: 64, of: 100},
		"factor":  {unit: "1/256", by: 256, of: 100},
		"boost":   {unit: "1/256", by: 256, round: 500, of: 1000},

		"waytype":      waytypes.kind(readWaytype),
		"maybewaytype": waytypes.kind(readMaybeWaytype),
		"engine":       engines.kind(readEngine),
		"placement":    placements.kind(readPlacement),
		"buildingtype": {text: buildingTypes.text, parse: buildingTypes.parse},

		"climates":  {text: climates.text, parse: climates.parse, read: readClimates, write: writeClimates},
		"land":      {text: climates.text, parse: climates.parse, read: readLand, write: writeClimates},
		"bits":      {read: readBits, write: writeBits},
		"enables":   {text: enables.text, parse: enables.parse, read: readBits, write: writeBits},
		"signflags": {text: signFlags.text, parse: signFlags.parse, late: true, write: writeBits},

		"voice": {read: readVoice, write: writeVoice},
	} {
		kinds[name] = k
	}
}

// moneyText writes an amount in credits.
func moneyText(v int64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	return fmt.Sprintf("%s%d.%02d", sign, uint64(v)/100, uint64(v)%100)
}

// parseMoney reads an amount in credits.
func parseMoney(s string) (int64, bool) {
	whole, cents, _ := strings.Cut(s, ".")
	if len(cents) > 2 || whole == "" {
		return 0, false
	}
	v, err := strconv.ParseInt(whole+(cents + "00")[:2], 10, 64)
	return v, err == nil
}

// unset is the price of a building that takes its price from the level.
const unset = 0x7FFFFFFF

// dateKind is a month: year*months + month-1.
func dateKind(months int64) *kind {
	return &kind{
		by: months, of: 1, suffix: "_year",
		text: func(v int64) string { return fmt.Sprintf("%d-%02d", v/months, v%months+1) },
		parse: func(s string) (int64, bool) {
			year, month, ok := strings.Cut(s, "-")
			y, err1 := strconv.ParseInt(year, 10, 32)
			m, err2 := strconv.ParseInt(month, 10, 32)
			return y*months + m - 1, ok && err1 == nil && err2 == nil && m >= 1 && m <= 12
		},
		read: func(b *Builder, f said) int64 {
			return b.month(f, months)
		},
		write: func(w *Writer, f said, v int64) {
			w.Set(f.word()+"_year", v/months)
			w.Set(f.word()+"_month", v%months+1)
		},
	}
}

// names gives words to single values.
type names map[int64]string

func (n names) text(v int64) string {
	if s, ok := n[v]; ok {
		return s
	}
	return strconv.FormatInt(v, 10)
}

func (n names) parse(s string) (int64, bool) {
	for v, name := range n {
		if name == s {
			return v, true
		}
	}
	return 0, false
}

// kind is one that sources say in these words.
func (n names) kind(read func(*Builder, said) int64) *kind {
	return &kind{text: n.text, parse: n.parse, read: read, write: func(w *Writer, f said, v int64) {
		w.Set(f.word(), n.text(v))
	}}
}

// list returns the words.
func (n names) list() (words []string) {
	for _, name := range n {
		words = append(words, name)
	}
	return words
}

// The way types that the code speaks of.
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

// The words of the source language for single values.
var (
	waytypes = names{
		0: "none", road: "road", track: "track", water: "water", electrified: "electrified_track",
		monorail: "monorail_track", maglev: "maglev_track", tram: "tram_track",
		narrowgauge: "narrowgauge_track", air: "air", power: "power", 255: "decoration",
	}
	engines = names{
		0: "steam", 1: "diesel", 2: "electric", 3: "bio", 4: "sail",
		5: "fuel_cell", 6: "hydrogene", 7: "battery", 255: "unknown",
	}
	placements    = names{0: "land", 1: "water", 2: "city", 3: "river", 4: "shore", 5: "forest"}
	buildingTypes = names{
		0: "unknown", 1: "attraction_city", 2: "attraction_land", 3: "monument",
		4: "factory", 5: "townhall", 6: "others", 7: "headquarters", 11: "dock",
		33: "depot", 34: "stop", 35: "extension", 36: "flat_dock",
		37: "res", 38: "com", 39: "ind", signalBox: "signalbox",
	}
)

// bits gives words to the bits of a set, lowest first.
type bits []string

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
		i := indexOf(b, word)
		if i < 0 {
			return 0, false
		}
		v |= 1 << i
	}
	return v, true
}

func indexOf(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	return -1
}

var (
	climates  = bits{"water", "desert", "tropic", "mediterran", "temperate", "tundra", "rocky", "arctic"}
	enables   = bits{"pax", "post", "ware"}
	signFlags = bits{
		"one_way", "choose", "private", "signal", "presignal",
		"only_backimage", "longblock", "end_of_choose", "priority",
	}
)
