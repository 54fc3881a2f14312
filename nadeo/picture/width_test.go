package picture

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

var update = flag.Bool("update", false, "write widths.txt and testdata")

// The table of widths is what the typefaces say.
func TestWidthTable(t *testing.T) {
	// The Go typefaces draw all of ASCII, if need be as the box for what they lack;
	// DejaVu's box is there for what nobody has.
	fonts.once.Do(parseFonts)
	want := widthLines(regularLetters, fonts.regular, unicode.MaxASCII) + widthLines(boldLetters, fonts.heavy, unicode.MaxASCII) + widthLines(moreLetters, fonts.others, 1)
	if *update {
		if err := os.WriteFile("widths.txt", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if widthTable != want {
		t.Error("widths.txt is not what the typefaces say; run this test with -update")
	}
}

// widthLines are the lines of a typeface, with the characters below all even if
// it lacks them.
func widthLines(name string, f *opentype.Font, all rune) string {
	var b strings.Builder
	var buffer sfnt.Buffer
	last := rune(-2)
	for r := range rune(unicode.MaxRune) {
		i, err := f.GlyphIndex(&buffer, r)
		if err != nil || i == 0 && r >= all {
			continue
		}
		if r != last+1 {
			fmt.Fprintf(&b, "\n%s %x", name, r)
		}
		width, err := f.GlyphAdvance(&buffer, i, fixed.Int26_6(f.UnitsPerEm()), font.HintingNone)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, " %d", int(width)*em/int(f.UnitsPerEm()))
		last = r
	}
	return strings.TrimPrefix(b.String(), "\n") + "\n"
}

// A text is as wide as the typefaces draw it.
func TestTextWidth(t *testing.T) {
	for _, s := range []string{"", "AVATAR To Wa. fi", "Größe Ωж", "➤ ☆ ▯ ặ", "tab\tand\x01", "赛"} {
		for _, size := range []float64{9, 13, 14.5, 30, 120} {
			for _, bold := range []bool{false, true} {
				want := float64(font.MeasureString(typeface(size, bold), s)) / 64
				if got := textWidth(s, size, bold); got != want {
					t.Errorf("%q at %g, bold %v: %g pixels, drawn as %g", s, size, bold, got, want)
				}
			}
		}
	}
}
