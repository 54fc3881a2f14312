package picture

import (
	_ "embed"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Every picture needs to know how wide its texts are, but only a PNG needs the
// shapes of letters. So the widths have a table of their own, and a program that
// writes nothing but SVG, as the one for browsers does, goes without the
// typefaces, which are a megabyte.

// widthTable has a line for each stretch of characters of a typeface: which
// typeface, the first character, and the widths in parts of the letters' size.
//
//go:embed widths.txt
var widthTable string

// em is the size of letters that the table gives widths for.
const em = 2048

// The typefaces, as the table names them.
const (
	regularLetters = "regular"
	boldLetters    = "bold"
	moreLetters    = "more" // those that the two others lack
)

// widthsOf are the widths of the characters that a typeface has.
func widthsOf(typeface string) map[rune]int { return widths()[typeface] }

var widths = sync.OnceValue(func() map[string]map[rune]int {
	all := map[string]map[rune]int{regularLetters: {}, boldLetters: {}, moreLetters: {}}
	for line := range strings.Lines(widthTable) {
		words := strings.Fields(line)
		first, _ := strconv.ParseInt(words[1], 16, 32)
		for i, word := range words[2:] {
			all[words[0]][rune(first)+rune(i)], _ = strconv.Atoi(word)
		}
	}
	return all
})

// textWidth is how wide a text is, in pixels. Letters begin at whole pixels, as
// a painter that makes them sharp has them.
func textWidth(s string, size float64, bold bool) float64 {
	letters := widthsOf(regularLetters)
	if bold {
		letters = widthsOf(boldLetters)
	}
	rest := widthsOf(moreLetters)
	scale := int(0.5 + size*64) // in 64ths of a pixel
	sum := 0
	for _, r := range s {
		units, ok := letters[r]
		if !ok {
			if units, ok = rest[r]; !ok {
				units = rest[0]
			}
		}
		sum += ((units*scale+em/2)/em + 32) / 64
	}
	return float64(sum)
}

// shortened cuts a text, as it is drawn, to a width in pixels.
func shortened(s string, width, size float64, bold bool) string {
	s = drawnText(s)
	wide := func(s string) bool { return textWidth(s, size, bold) > width }
	if !wide(s) {
		return s
	}
	runes := []rune(s)
	fits := sort.Search(len(runes), func(n int) bool { return wide(string(runes[:n+1]) + "…") })
	return string(runes[:fits]) + "…"
}
