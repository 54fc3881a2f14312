package condition

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/racetime"
	"pakbox/internal/lib/styled"
)

// Range reads the value of a condition on a fact of a kind. A day, a month or a year is a
// range: low is its begin, high the begin of the next one. For other values low and high
// are equal.
func Range(k fact.Kind, s string) (low, high float64, err error) {
	switch k {
	case fact.Moment:
		if low, high, ok := moment(s); ok {
			return low, high, nil
		}
	case fact.Flag:
		if n, ok := map[string]float64{"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}[strings.ToLower(s)]; ok {
			return n, n, nil
		}
		return 0, 0, fault.Usagef("%q is neither yes nor no", s).Hint("%s", examples[k])
	case fact.Time:
		if n, err := strconv.ParseUint(s, 10, 31); err == nil && 0 < n && n < 1000 {
			return 0, 0, fault.Usagef("%s is %s, because whole numbers are milliseconds", s, racetime.Text(int64(n))).
				Hint("write %sms if that is meant, or %s", s, racetime.Text(int64(n)*1000))
		}
		if ms, ok := racetime.Parse(s); ok {
			return float64(ms), float64(ms), nil
		}
	case fact.Bytes:
		if n, ok := size(s); ok {
			return n, n, nil
		}
	default:
		if n, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			return n, n, nil
		}
		if ms, ok := racetime.Parse(s); ok { // a number may also be written as a time
			return float64(ms), float64(ms), nil
		}
	}
	return 0, 0, fault.Usagef("%q is not a %s", s, nouns[k]).Hint("%s", examples[k])
}

// nouns name the kinds of values in messages.
var nouns = map[fact.Kind]string{
	fact.Count: "number", fact.Number: "number", fact.Time: "time", fact.Bytes: "size", fact.Moment: "date",
}

var examples = map[fact.Kind]string{
	fact.Count: "such as 12", fact.Number: "such as 12", fact.Time: "such as 0:36.217, 1:02 or 45.5",
	fact.Bytes: "such as 300000, 300KB or 1.5MiB", fact.Moment: "such as 2009, 2009-05 or 2009-05-31", fact.Flag: "such as yes",
}

// units of sizes. A longer unit comes before a unit that is its end: kb before b.
var units = []struct {
	suffix string
	bytes  float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"b", 1}, {"", 1},
}

func size(s string) (float64, bool) {
	for _, u := range units {
		if n, ok := strings.CutSuffix(strings.ToLower(s), u.suffix); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
			return float64(int64(v * u.bytes)), err == nil && v >= 0 && v*u.bytes < 1<<62
		}
	}
	return 0, false
}

// moment reads a year, a month or a day. It returns the range in milliseconds since 1970.
func moment(s string) (low, high float64, ok bool) {
	for _, d := range []struct {
		layout              string
		years, months, days int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {"2006-01-02", 0, 0, 1}} {
		if t, err := time.ParseInLocation(d.layout, s, time.Local); err == nil {
			return float64(t.UnixMilli()), float64(t.AddDate(d.years, d.months, d.days).UnixMilli()), true
		}
	}
	return 0, 0, false
}

// Fold returns a text without colour codes, case and accents. It replaces letters that
// look like Latin letters, because players write names with them.
func Fold(s string) string {
	s = styled.Plain(s)
	if styled.IsASCII(s) {
		return strings.ToLower(s)
	}
	if t, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s); err == nil {
		s = t
	}
	likes := lookAlikes()
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if like, ok := likes[r]; ok {
			return like
		}
		return r
	}, s)
}

// lookAlikes maps letters to the Latin letters that they resemble, as in the names of
// maps and players. All are lower case, because Fold removes case first.
var lookAlikes = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{}
	for latin, others := range map[rune]string{
		'a': "αаɑ", 'b': "βвъьƀɓ", 'c': "сϲςƈ", 'd': "ԁđɖɗð", 'e': "еεєзɛəǝ", 'f': "ƒғ", 'g': "ɡɢǥ", 'h': "һнħ", 'i': "іιıɪ", 'j': "јʝ",
		'k': "кκƙ", 'l': "ӏłƚʟ", 'm': "мʍ", 'n': "ηпиɴŋ", 'o': "οоøσɵө", 'p': "рρƥþ", 'q': "ԛɋ", 'r': "гяʀɾ", 's': "ѕʂƨ", 't': "тτŧ",
		'u': "υµμцɥʉ", 'v': "νѵʋ", 'w': "ωшщѡԝɯ", 'x': "хχж", 'y': "уγүчλʏ", 'z': "ȥʐƶ",
	} {
		for _, r := range others {
			m[r] = latin
		}
	}
	return m
})
