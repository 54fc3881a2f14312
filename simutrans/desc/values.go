package desc

import (
	"fmt"
	"strconv"
	"strings"
)

// The types of fields. They are integers that know their unit or their words.
type (
	// Money is in hundredths of a credit.
	Money int64
	// Speed is in km/h.
	Speed int64
	// Tons is a weight.
	Tons int64
	// Kilos is a weight.
	Kilos int64
	// Power is in kW.
	Power int64
	// Millis is a time.
	Millis int64
	// Date is a month: year*12 + month-1.
	Date int64
	// OldDate is a month counted in years of sixteen: year*16 + month-1.
	OldDate int64
	// Waytype is what a thing runs on.
	Waytype int64
	// Climates is a set of climates.
	Climates int64
	// Engine is a kind of traction.
	Engine int64
	// Placement is where a factory may stand.
	Placement int64
	// BuildingType is what a building is for.
	BuildingType int64
	// Enables is what a station accepts.
	Enables int64
	// SignFlags is what a sign or signal does.
	SignFlags int64
	// Factor is a share of 256.
	Factor int64
	// Gear is a share of 64.
	Gear int64
	// Citycar speeds are kept in sixteenths of km/h.
	Speed16 int64
	// Tiles is a length on the map.
	Tiles int64
)

// Unset is the price of a building that takes its price from the level.
const Unset Money = 0x7FFFFFFF

func (Money) unit() string   { return "Cr" }
func (Speed) unit() string   { return "km/h" }
func (Speed16) unit() string { return "1/16 km/h" }
func (Tons) unit() string    { return "t" }
func (Kilos) unit() string   { return "kg" }
func (Power) unit() string   { return "kW" }
func (Millis) unit() string  { return "ms" }
func (Factor) unit() string  { return "1/256" }
func (Gear) unit() string    { return "1/64" }
func (Tiles) unit() string   { return "tiles" }

// String writes an amount in credits.
func (m Money) String() string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	return fmt.Sprintf("%s%d.%02d", sign, uint64(m)/100, uint64(m)%100)
}

// parse reads an amount in credits, which has a point; a whole number is in
// hundredths, as it is stored.
func (Money) parse(s string) (int64, bool) {
	whole, cents, ok := strings.Cut(s, ".")
	if !ok || len(cents) != 2 {
		return 0, false
	}
	v, err := strconv.ParseInt(whole+cents, 10, 64)
	return v, err == nil
}

// Year and Month take a date apart.
func (d Date) Year() int  { return int(d / 12) }
func (d Date) Month() int { return int(d%12) + 1 }

func (d Date) String() string { return fmt.Sprintf("%d-%02d", d.Year(), d.Month()) }

func (Date) parse(s string) (int64, bool) { return parseMonth(s, 12) }

// Date counts an old date in years of twelve months.
func (d OldDate) Date() Date { return Date(d/16*12 + d%16) }

func (d OldDate) String() string { return d.Date().String() }

func (OldDate) parse(s string) (int64, bool) { return parseMonth(s, 16) }

func parseMonth(s string, base int64) (int64, bool) {
	year, month, ok := strings.Cut(s, "-")
	y, err1 := strconv.ParseInt(year, 10, 32)
	m, err2 := strconv.ParseInt(month, 10, 32)
	if !ok || err1 != nil || err2 != nil || m < 1 || m > 12 {
		return 0, false
	}
	return y*base + m - 1, true
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

// The names are those of the .dat language.
var (
	waytypes = names{
		0: "none", 1: "road", 2: "track", 3: "water", 4: "electrified_track",
		5: "monorail_track", 6: "maglev_track", 7: "tram_track",
		8: "narrowgauge_track", 16: "air", 128: "power", 255: "decoration",
	}
	engines = names{
		0: "steam", 1: "diesel", 2: "electric", 3: "bio", 4: "sail",
		5: "fuel_cell", 6: "hydrogene", 7: "battery", 255: "unknown",
	}
	placements = names{0: "land", 1: "water", 2: "city", 3: "river", 4: "shore", 5: "forest"}
	buildings  = names{
		0: "unknown", 1: "attraction_city", 2: "attraction_land", 3: "monument",
		4: "factory", 5: "townhall", 6: "others", 7: "headquarters", 11: "dock",
		33: "depot", 34: "stop", 35: "extension", 36: "flat_dock",
		37: "res", 38: "com", 39: "ind",
	}
)

func (w Waytype) String() string      { return waytypes.text(int64(w)) }
func (e Engine) String() string       { return engines.text(int64(e)) }
func (p Placement) String() string    { return placements.text(int64(p)) }
func (b BuildingType) String() string { return buildings.text(int64(b)) }

func (Waytype) parse(s string) (int64, bool)      { return waytypes.parse(s) }
func (Engine) parse(s string) (int64, bool)       { return engines.parse(s) }
func (Placement) parse(s string) (int64, bool)    { return placements.parse(s) }
func (BuildingType) parse(s string) (int64, bool) { return buildings.parse(s) }

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

func (b bits) parse(s string) (int64, bool) {
	var v int64
words:
	for word := range strings.SplitSeq(s, ",") {
		for i, name := range b {
			if name == word {
				v |= 1 << i
				continue words
			}
		}
		return 0, false
	}
	return v, true
}

var (
	climates = bits{"water", "desert", "tropic", "mediterran", "temperate", "tundra", "rocky", "arctic"}
	enables  = bits{"pax", "post", "ware"}
	signs    = bits{
		"one_way", "choose", "private", "signal", "presignal",
		"only_backimage", "longblock", "end_of_choose", "priority",
	}
)

func (c Climates) String() string  { return climates.text(int64(c)) }
func (e Enables) String() string   { return enables.text(int64(e)) }
func (f SignFlags) String() string { return signs.text(int64(f)) }

func (Climates) parse(s string) (int64, bool)  { return climates.parse(s) }
func (Enables) parse(s string) (int64, bool)   { return enables.parse(s) }
func (SignFlags) parse(s string) (int64, bool) { return signs.parse(s) }
