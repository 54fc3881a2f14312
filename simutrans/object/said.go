package object

import (
	"math"
	"strconv"
	"strings"
)

// Reading and writing fields of each kind in sources.

// sourceField is a field with the keys and body for reading or writing it in a source.
type sourceField struct {
	*spec
	body  *Body
	index string // replaces "#" in keys
}

// read reads the value from a source.
func (f sourceField) read(b *Builder) int64 {
	if f.like != "" && !b.anyOf(f.allKeys()) {
		return f.body.Int(f.like)
	}
	if f.kind.read != nil {
		return f.kind.read(b, f)
	}
	return readInt(b, f)
}

// write writes the value to a source.
func (f sourceField) write(w *Writer) {
	v := f.body.Int(f.name)
	if f.kind.write != nil {
		f.kind.write(w, f, v)
		return
	}
	w.Set(f.word(), f.kind.unscale(v))
}

// isDefault reports whether a source without the key gives this value.
func (f sourceField) isDefault() bool {
	if f.like != "" {
		return f.body.Int(f.name) == f.body.Int(f.like)
	}
	return f.body.Int(f.name) == f.kind.scale(f.def)
}

func (f sourceField) allKeys() (keys []string) {
	for _, key := range f.keys {
		keys = append(keys, f.replace(key))
	}
	return keys
}

// word is the main key.
func (f sourceField) word() string { return f.replace(f.keys[0]) }

func (f sourceField) replace(key string) string { return strings.ReplaceAll(key, "#", f.index) }

// number reads the value of the first key that exists, and scales it.
func (b *Builder) number(f sourceField, read func(key string, def int64) int64) int64 {
	v := f.def
	for i := len(f.keys) - 1; i >= 0; i-- {
		v = read(f.replace(f.keys[i]), v)
	}
	return f.kind.scale(b.limited(f, f.word(), v))
}

// limited limits a value to the range of the field in this version. Like makeobj it cuts
// the number to 32 bits first.
func (b *Builder) limited(f sourceField, key string, v int64) int64 {
	if !f.isLimited() {
		return v
	}
	to := min(max(int64(int32(v)), f.limit.low), f.limit.high)
	if to != v {
		b.Warn(key, "", "%d is not between %d and %d, and becomes %d", v, f.limit.low, f.limit.high, to)
	}
	return to
}

func (f sourceField) isLimited() bool {
	return f.limit != nil && !f.body.Version.IsExt && f.body.Version.Standard >= f.limit.since
}

func readInt(b *Builder, f sourceField) int64 { return b.number(f, b.Int) }

func writeNothing(*Writer, sourceField, int64) {}

// readFlag reads every number except 0 as 1. readOne reads every number except 1 as 0.
func readFlag(b *Builder, f sourceField) int64 { return truth(readInt(b, f) != 0) }
func readOne(b *Builder, f sourceField) int64  { return truth(readInt(b, f) == 1) }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// readUnderground reads where a building may be: 0 above the ground, 1 below it, any
// other number both.
func readUnderground(b *Builder, f sourceField) int64 {
	if v := readInt(b, f); v == 0 || v == 1 {
		return v
	}
	return 2
}

func readMoney(b *Builder, f sourceField) int64 { return b.number(f, b.money) }

// FromLevel is the price of a building that means: the price is computed from the level.
const FromLevel = 0x7FFFFFFF

// readStationMoney reads an amount with two keys. The second is used if the first gives
// no value.
func readStationMoney(b *Builder, f sourceField) int64 {
	for _, k := range f.keys {
		if v := b.money(f.replace(k), FromLevel); v != FromLevel {
			return v
		}
	}
	return FromLevel
}

// readFixedCost reads an amount with two keys. For older targets the second is also used
// if the first is -1.
func readFixedCost(b *Builder, f sourceField) int64 {
	v := readMoney(b, f)
	if v == -1 && !b.target.wideMoney {
		return b.money(f.replace(f.keys[1]), f.def)
	}
	return v
}

// readMass reads tons with decimals, rounded to kilograms.
func readMass(b *Builder, f sourceField) int64 {
	return int64(b.Float(f.word(), float64(f.def))*1000 + 0.5)
}

func readOldMass(b *Builder, f sourceField) int64 { return readMass(b, f) / 1000 }

func writeMass(w *Writer, f sourceField, v int64) {
	w.Set(f.word(), strconv.FormatFloat(float64(v)/1000, 'f', -1, 64))
}

// readShare reads a fraction in ten-thousandths. Like makeobj it cuts a number to 16 bits
// before it limits it to the whole.
func readShare(b *Builder, f sourceField) int64 {
	const whole = 10000
	said := readInt(b, f)
	p := min(said&math.MaxUint16, whole)
	if p != said {
		b.Warn(f.word(), "", "%d is not between 0 and %d, and becomes %d", said, whole, p)
	}
	return p
}

// readClimates reads a list of climates, separated by commas or spaces.
func readClimates(b *Builder, f sourceField) (set int64) {
	divides := func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }
	for name := range strings.FieldsFuncSeq(strings.ToLower(b.Get(f.word())), divides) {
		v, ok := climates.parse(name)
		if !ok {
			b.Warn(f.word(), didYouMean(name, climates), "unknown climate %q", name)
		}
		set |= v
	}
	return set
}

// readLand reads the climates of a building. The default is all except water. A word too
// short for a climate, such as all or land, gives the default too.
func readLand(b *Builder, f sourceField) int64 {
	said := b.Get(f.word())
	if len(said) >= len("rocky") {
		return readClimates(b, f)
	}
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "", "all", "land":
	default:
		b.Warn(f.word(), didYouMean(said, climates), "unknown climate %q; all but water are taken", said)
	}
	return 0xFE
}

// writeClimates writes a list of climates. For no climate at all it writes an unknown
// word that is long enough not to mean all climates.
func writeClimates(w *Writer, f sourceField, v int64) {
	text := "nowhere"
	if v != 0 {
		text = climates.text(v)
	}
	w.Set(f.word(), text)
}

// readBits reads a set in which each member has its own key.
func readBits(b *Builder, f sourceField) (set int64) {
	for i, k := range f.keys {
		set |= truth(b.Int(f.replace(k), 0) > 0) << i
	}
	return set
}

func writeBits(w *Writer, f sourceField, v int64) {
	for i, k := range f.keys {
		if v>>i&1 != 0 {
			w.Set(f.replace(k), 1)
		}
	}
}

// Special numbers of a sound.
const (
	noSound    = -1
	namedSound = -2 // the name of the sound's file follows
)

// readVoice reads a sound: a decimal number, or the name of a file. A name that begins
// with a digit counts as a number, so 1.wav is sound 1.
func readVoice(b *Builder, f sourceField) int64 {
	value := strings.TrimLeft(b.Get(f.word()), " \t")
	digits := strings.TrimLeft(value, "+-")
	switch {
	case value == "":
		return noSound
	case digits != "" && digits[0] >= '0' && digits[0] <= '9' && len(value)-len(digits) <= 1:
		id := Atoi(value)
		if strings.TrimLeft(digits, "0123456789 \t") != "" {
			b.Warn(f.word(), "", "%q begins with a number; it counts as the sound %d", value, id)
		}
		return int64(id)
	case len(value) > math.MaxUint8:
		b.Fail(f.word(), "", "the file name is longer than 255 characters")
		return noSound
	}
	f.body.putText("sound_file", value)
	return namedSound
}

func writeVoice(w *Writer, f sourceField, v int64) {
	switch v {
	case noSound:
	case namedSound:
		w.Set(f.word(), f.body.text("sound_file"))
	default:
		w.Set(f.word(), v)
	}
}

// Atoi reads the number at the beginning of a string, as C does: 0 if none exists.
func Atoi(s string) int {
	s = strings.TrimLeft(s, " \t")
	sign := 1
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1<<24; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return sign * n
}

// Reading and writing of fields in Simutrans-Extended.

func readMonthlyWear(b *Builder, f sourceField) int64 {
	def := f.body.Int("wear_capacity") / 600
	if f.body.Int("waytype") == water {
		def = 0
	}
	return b.Int(f.word(), def)
}

// readAxleLoad reads the axle load. Its default is the weight divided by the number of
// axles.
func readAxleLoad(b *Builder, f sourceField) int64 {
	axles := int64(2)
	switch f.body.Int("waytype") {
	case water, maglev:
		axles = 1
	}
	axles = max(b.Int("axles", axles), 1)
	return b.Int(f.word(), f.body.Int("weight")/1000/axles)
}

// readConstraints reads a set of way constraints. Each of eight keys names one.
func readConstraints(b *Builder, f sourceField) (set int64) {
	const kinds = 8
	for i := range kinds {
		if v := b.Int(key("%s[%d]", f.word(), i), kinds); v >= 0 && v < kinds {
			set |= 1 << v
		}
	}
	return set
}

func writeConstraints(w *Writer, f sourceField, v int64) {
	for i, bit := range setOf(v&0xFF, 0) {
		w.Set(key("%s[%d]", f.word(), i), bit)
	}
}

func readGroups(b *Builder, f sourceField) int64 { return b.clusters(f.word()) }

func writeGroups(w *Writer, f sourceField, v int64) { w.clusters(f.word(), v) }

// readRegions reads a set of numbers from 0. Without the key the set contains all of
// them.
func readRegions(b *Builder, f sourceField) (set int64) {
	if !b.Has(f.word()) {
		return 0xFFFF
	}
	for _, n := range b.Ints(f.word()) {
		if n >= 0 && n < 16 {
			set |= 1 << n
		} else {
			b.Warn(f.word(), "", "region %d is out of range; expected 0 to 15", n)
		}
	}
	return set
}

func writeRegions(w *Writer, f sourceField, v int64) {
	if v != 0xFFFF {
		w.Set(f.word(), strings.Join(setOf(v&0xFFFF, 0), ","))
	}
}
