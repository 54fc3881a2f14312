package picture

import (
	_ "embed"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Every picture needs the widths of its texts, but only a PNG needs the shapes of
// letters. So the widths have their own table. A program that only writes SVG, such as
// the one for browsers, then does not need the typefaces, which are a megabyte.

// widthTable has a line for each range of characters in a typeface: the typeface, the
// first character, and the widths in units of 1/2048 of the letters' size.
//
//go:embed widths.txt
var widthTable string

// em is the number of units in the letters' size.
const em = 2048

// The names of the typefaces in the table.
const (
	regularLetters = "regular"
	boldLetters    = "bold"
	moreLetters    = "more" // those that the two others lack
)

// widthsOf returns the widths of the characters in a typeface.
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

// textWidth returns the width of a text in pixels. Letters begin at whole pixels, as the
// painter draws them.
func textWidth(s string, size float64, bold bool) float64 {
	letters := widthsOf(regularLetters)
	if bold {
		letters = widthsOf(boldLetters)
	}
	rest := widthsOf(moreLetters)
	scale := int(0.5 + size*64) // size in 64ths of a pixel
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

// shortened returns the drawable form of a text, cut to a width in pixels.
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
