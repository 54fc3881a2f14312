package object

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"pakbox/simutrans/node"
)

// kind is the type of a field: its unit, the words for its values, and its form in
// sources.
type kind struct {
	unit    string
	text    func(v int64) string         // returns the value in words; nil: only the number
	decimal bool                         // the words are a decimal number in the unit
	parse   func(s string) (int64, bool) // returns the value of words; nil: no words
	choices []string                     // the words allowed in a source
	many    bool                         // a source may give several words

	// read reads the value from a source, and write writes it to one. Nil means a whole
	// number.
	read  func(b *Builder, f sourceField) int64
	late  bool // a Build function reads it later
	write func(w *Writer, f sourceField, v int64)

	// Factors between the unit of a source and the unit of a body: a body holds
	// (x*by+round)/of.
	by, round, of int64

	structural bool   // the nodes of the object depend on it
	isLength   bool   // the value is the length of a list or text, which cannot be set
	parts      bool   // the keys of a field name parts of the value, not the whole value
	suffix     string // suffix of the first key, if the value has two keys

	// How the documentation of a key differs from that of the value in the body.
	keyUnit, keyRange, keyIndex string

	// Kinds of keys that are not numbers.
	isText, isImage bool
	refers          node.Type // type of the object that the value refers to
}

// scale converts the number of a source to the number of a body.
func (k *kind) scale(x int64) int64 {
	if k.by == 0 {
		return x
	}
	return (x*k.by + k.round) / k.of
}

// unscale finds the smallest x that scale converts to v.
func (k *kind) unscale(v int64) int64 {
	if k.by == 0 {
		return v
	}
	return max((v*k.of-k.round+k.by-1)/k.by, 0)
}

// words returns a value in words.
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

// cutKey is the key that is named in the warning about a value that is too large.
func (s *spec) cutKey(index string) string {
	if len(s.keys) == 0 {
		return ""
	}
	return strings.ReplaceAll(s.keys[0], "#", index) + s.kind.suffix
}

var (
	intKind     = &kind{}
	counterKind = &kind{late: true, isLength: true} // the length of a list or text
)

// kinds are the kinds by the names that tables use.
var kinds = sync.OnceValue(func() map[string]*kind {
	return map[string]*kind{
		"int":   intKind,
		"km/h":  {unit: "km/h"},
		"t":     {unit: "t"},
		"kg":    {unit: "kg"},
		"kW":    {unit: "kW"},
		"kN":    {unit: "kN"},
		"ms":    {unit: "ms"},
		"tiles": {unit: "tiles"},
		"m":     {unit: "m"},

		// count is the number of some nodes. Kinds late and latekey are read by a Build
		// function.
		"counter":    counterKind,
		"count":      {structural: true},
		"sidelength": {unit: "tiles", structural: true},
		"late":       {late: true},
		"latekey":    {late: true, write: writeNothing},

		"underground": {read: readUnderground},
		"flag":        {read: readFlag},
		"one":         {read: readOne},
		"share":       {read: readShare},

		"amount":       {read: readMoney}, // in a unit of the game
		"money":        money(readMoney),
		"fixedcost":    money(readFixedCost),
		"stationmoney": money(readStationMoney),
		"hundredfold":  {unit: "Cr", decimal: true, text: moneyText, parse: parseMoney, read: readMoney, by: 100, of: 1},

		"date":    dateKind(12),
		"olddate": dateKind(16), // in old versions a year has sixteen months

		"mass":    {unit: "kg", keyUnit: "t", read: readMass, write: writeMass},
		"oldmass": {unit: "t", read: readOldMass},
		"speed16": {unit: "1/16 km/h", by: 16, of: 1},
		"gear":    {unit: "1/64", by: 64, of: 100},
		"factor":  {unit: "1/256", by: 256, of: 100},
		"boost":   {unit: "1/256", by: 256, round: 500, of: 1000},

		"waytype":      waytypes.kind(),
		"maybewaytype": maybeWaytypes.kind(),
		"engine":       engines.kind(),
		"placement":    placements.kind(),
		"buildingtype": {text: buildingTypes.text, parse: buildingTypes.parse},

		"climates":  climates.kind(readClimates, writeClimates),
		"land":      climates.kind(readLand, writeClimates),
		"bits":      {parts: true, keyRange: "0 to 1", read: readBits, write: writeBits},
		"enables":   {parts: true, keyRange: "0 to 1", text: enables.text, parse: enables.parse, read: readBits, write: writeBits},
		"signflags": {keyRange: "0 to 1", text: signFlags.text, parse: signFlags.parse, late: true, write: writeBits},
		"voice":     {read: readVoice, write: writeVoice, isText: true},

		// Keys that Build functions read.
		"text":         {isText: true},
		"image":        {isImage: true},
		"good":         {refers: node.GOOD},
		"smoke":        {refers: node.SMOK},
		"vehicle":      {refers: node.VHCL},
		"factory":      {refers: node.FACT},
		"field":        {refers: node.FIEL},
		"way":          {refers: node.WAY},
		"buildingword": {choices: buildingWordList()},
		"traction":     {choices: tractions.list()},

		// Kinds of Simutrans-Extended.
		"constraints":  {keyIndex: "[0]", keyRange: "0 to 7", read: readConstraints, write: writeConstraints},
		"groups":       {read: readGroups, write: writeGroups},
		"regions":      {read: readRegions, write: writeRegions},
		"method":       workingMethods.kind(),
		"extengine":    extendedEngines.kind(),
		"extplacement": extendedPlacements.kind(),
		"mask":         {write: func(w *Writer, f sourceField, v int64) { w.Set(f.word(), key("0x%X", v)) }},
		"plustwo":      {read: func(b *Builder, f sourceField) int64 { return readInt(b, f) + 2 }, write: func(w *Writer, f sourceField, v int64) { w.Set(f.word(), v-2) }},
		"atmost2":      {read: func(b *Builder, f sourceField) int64 { return min(readInt(b, f), 2) }},
		"axles":        {unit: "t", read: readAxleLoad},
		"boarding":     byWaytype("ms", map[int64]int64{track: 4000, monorail: 4000, maglev: 4000, narrowgauge: 4000, water: 20000, air: 30000}, 2000),
		"airdrag":      byWaytype("", map[int64]int64{track: 160, tram: 160, monorail: 160, narrowgauge: 120, water: 2500, maglev: 145, air: 100}, 15),
		"rolling":      byWaytype("", map[int64]int64{track: 15, monorail: 15, tram: 60, narrowgauge: 17, air: 10, water: 10, maglev: 13}, 90),
		"wear":         byWaytype("", map[int64]int64{road: 100000000}, 4000000000),
		"monthlywear":  {read: readMonthlyWear},
	}
})

// money is the kind of an amount in hundredths of a credit.
func money(read func(*Builder, sourceField) int64) *kind {
	return &kind{unit: "Cr", decimal: true, text: moneyText, parse: parseMoney, read: read}
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

// dateKind is the kind of a month: year*months + month-1.
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
		read: func(b *Builder, f sourceField) int64 {
			return b.month(f, months)
		},
		write: func(w *Writer, f sourceField, v int64) {
			w.Set(f.word()+"_year", v/months)
			w.Set(f.word()+"_month", v%months+1)
		},
	}
}

// byWaytype is the kind of a number whose default depends on the way type.
func byWaytype(unit string, defaults map[int64]int64, other int64) *kind {
	return &kind{unit: unit, read: func(b *Builder, f sourceField) int64 {
		def, ok := defaults[f.body.Int("waytype")]
		if !ok {
			def = other
		}
		return b.Int(f.word(), def)
	}}
}
