package object

import (
	"math"
	"strconv"
	"strings"
)

// How sources say the fields of each kind, both ways.

// said is a field as a source says it.
type said struct {
	*spec
	body  *Body
	index string // in the place of "#" in keys
}

// read takes the value from a source.
func (f said) read(b *Builder) int64 {
	if f.like != "" && !b.anyOf(f.allKeys()) {
		return f.body.Int(f.like)
	}
	if f.kind.read != nil {
		return f.kind.read(b, f)
	}
	return readInt(b, f)
}

// write puts the value into a source.
func (f said) write(w *Writer) {
	v := f.body.Int(f.name)
	if f.kind.write != nil {
		f.kind.write(w, f, v)
		return
	}
	w.Set(f.word(), f.kind.unscale(v))
}

// isDefault reports whether the value is what it is without a word.
func (f said) isDefault() bool {
	if f.like != "" {
		return f.body.Int(f.name) == f.body.Int(f.like)
	}
	return f.body.Int(f.name) == f.kind.scale(f.def)
}

func (f said) allKeys() (keys []string) {
	for _, key := range f.keys {
		keys = append(keys, f.replace(key))
	}
	return keys
}

// word is the key that counts most.
func (f said) word() string { return f.replace(f.keys[0]) }

func (f said) replace(key string) string { return strings.ReplaceAll(key, "#", f.index) }

// number reads the value of the first key that is there, and scales it.
func (b *Builder) number(f said, read func(key string, def int64) int64) int64 {
	v := f.def
	for i := len(f.keys) - 1; i >= 0; i-- {
		v = read(f.replace(f.keys[i]), v)
	}
	return f.kind.scale(b.limited(f, f.word(), v))
}

// limited makes a value fit the range that the field has in this version.
// Numbers have 32 bits before they are looked at.
func (b *Builder) limited(f said, key string, v int64) int64 {
	if !f.isLimited() {
		return v
	}
	to := min(max(int64(int32(v)), f.limit.low), f.limit.high)
	if to != v {
		b.Warn(key, "", "%d is not between %d and %d, and becomes %d", v, f.limit.low, f.limit.high, to)
	}
	return to
}

func (f said) isLimited() bool {
	return f.limit != nil && !f.body.Version.IsExt && f.body.Version.Standard >= f.limit.since
}

func readInt(b *Builder, f said) int64 {
	return b.number(f, b.Int)
}

func writeNothing(*Writer, said, int64) {}

// readFlag takes whatever is not 0 for 1, readOne whatever is not 1 for 0.
func readFlag(b *Builder, f said) int64 {
	if readInt(b, f) != 0 {
		return 1
	}
	return 0
}

func readOne(b *Builder, f said) int64 {
	if readInt(b, f) == 1 {
		return 1
	}
	return 0
}

func readMoney(b *Builder, f said) int64 {
	return b.number(f, b.money)
}

// readStationMoney reads an amount that has a second name, which counts where
// the first gives nothing.
func readStationMoney(b *Builder, f said) int64 {
	for _, k := range f.keys {
		if v := b.money(f.replace(k), unset); v != unset {
			return v
		}
	}
	return unset
}

// readFixedCost reads an amount that has a second name, which counts for older
// targets also where the first is -1.
func readFixedCost(b *Builder, f said) int64 {
	v := readMoney(b, f)
	if v == -1 && !b.target.wideMoney {
		return b.money(f.replace(f.keys[1]), f.def)
	}
	return v
}

// readMass reads tons with decimals; a little more than half a kilogram
// rounds up.
func readMass(b *Builder, f said) int64 {
	return int64(b.Float(f.word(), float64(f.def))*1000 + 0.5)
}

func readOldMass(b *Builder, f said) int64 {
	return readMass(b, f) / 1000
}

func writeMass(w *Writer, f said, v int64) {
	w.Set(f.word(), strconv.FormatFloat(float64(v)/1000, 'f', -1, 64))
}

// readShare reads a share of ten thousand. More is cut, after what 16 bits
// make of it.
func readShare(b *Builder, f said) int64 {
	const whole = 10000
	said := readInt(b, f)
	p := min(said&math.MaxUint16, whole)
	if p != said {
		b.Warn(f.word(), "", "%d is not between 0 and %d, and becomes %d", said, whole, p)
	}
	return p
}

func readWaytype(b *Builder, f said) int64 {
	return b.waytype(f.word())
}

func readMaybeWaytype(b *Builder, f said) int64 {
	if !b.Has(f.word()) {
		return 0
	}
	return b.waytype(f.word())
}

// word reads one of some words in any case.
func (b *Builder) word(key string, words names) (value int64, said string, ok bool) {
	said = strings.ToLower(b.Get(key))
	value, ok = words.parse(said)
	return value, said, ok
}

func (b *Builder) waytype(key string) int64 {
	v, said, ok := b.word(key, waytypes)
	if said == "schiene_tram" { // its name was German once
		return tram
	}
	if !ok {
		b.Fail(key, didYouMean(said, waytypes.list()), "there is no way type %q", b.Get(key))
	}
	return v
}

func readEngine(b *Builder, f said) int64 {
	const diesel = 1
	v, said, ok := b.word(f.word(), engines)
	if ok {
		return v
	}
	if said != "" && said != "none" {
		b.Warn(f.word(), didYouMean(said, engines.list()), "there is no engine type %q; diesel is taken", said)
	}
	return diesel
}

func readPlacement(b *Builder, f said) int64 { return b.placement(f, placements) }

func (b *Builder) placement(f said, words names) int64 {
	v, said, ok := b.word(f.word(), words)
	if !ok && said != "" {
		b.Warn(f.word(), didYouMean(said, words.list()), "there is no location %q; land is taken", said)
	}
	return v
}

// readClimates reads a list of climates, which commas or spaces divide.
func readClimates(b *Builder, f said) (set int64) {
	divides := func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }
	for name := range strings.FieldsFuncSeq(strings.ToLower(b.Get(f.word())), divides) {
		i := indexOf(climates, name)
		if i < 0 {
			b.Warn(f.word(), didYouMean(name, climates), "there is no climate %q", name)
			continue
		}
		set |= 1 << i
	}
	return set
}

// readLand reads the climates of a building, which are all but water where it
// does not say. Words too short for a climate, such as all and land, say
// nothing.
func readLand(b *Builder, f said) int64 {
	said := b.Get(f.word())
	if len(said) >= len("rocky") {
		return readClimates(b, f)
	}
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "", "all", "land":
	default:
		b.Warn(f.word(), didYouMean(said, climates), "there is no climate %q; all but water are taken", said)
	}
	return 0xFE
}

// writeClimates lists climates; no climate at all is a word nobody knows, and
// long enough not to mean all of them.
func writeClimates(w *Writer, f said, v int64) {
	text := "nowhere"
	if v != 0 {
		text = climates.text(v)
	}
	w.Set(f.word(), text)
}

// readBits reads a set of which each member has a key of its own.
func readBits(b *Builder, f said) (set int64) {
	for i, k := range f.keys {
		if b.Int(f.replace(k), 0) > 0 {
			set |= 1 << i
		}
	}
	return set
}

func writeBits(w *Writer, f said, v int64) {
	for i, k := range f.keys {
		if v>>i&1 != 0 {
			w.Set(f.replace(k), 1)
		}
	}
}

// The numbers of a sound that are none of a built-in one.
const (
	noSound    = -1
	namedSound = -2 // its file follows
)

// readVoice reads a sound: a number, which is always decimal, or the name of
// a file. What begins with a number is one, so that 1.wav is the sound 1.
func readVoice(b *Builder, f said) int64 {
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

func writeVoice(w *Writer, f said, v int64) {
	switch v {
	case noSound:
	case namedSound:
		w.Set(f.word(), f.body.text("sound_file"))
	default:
		w.Set(f.word(), v)
	}
}

// Atoi reads the number a string begins with, as C does: 0 if there is none.
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
