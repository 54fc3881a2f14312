package engine_test

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pakbox/gbx"
	"pakbox/internal/testkit/corpus"
)

// A layout may fit by accident: all bytes are used and re-encoded, but the
// values are nonsense. Real values look like what they are: no float is NaN or
// as small as a counter's bits are, no text has control characters, no truth
// value is 1,700,616, and words that nobody has named are not floats throughout.
func TestValuesArePlausible(t *testing.T) {
	p := &plausible{fields: map[string]*seen{}}
	stay := corpus.StaysOpaque(t)
	filesAndInside(t, func(path string, _ []byte, f *gbx.File, outside string) {
		if outside == "" {
			outside = path
		}
		if stay[corpus.Name(outside)] {
			return // damaged: nobody promises anything
		}
		p.file, p.groups = path, nil
		if err := f.Walk(p); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	})
	excused := map[string]bool{}
	for _, field := range slices.Sorted(maps.Keys(p.fields)) {
		s := p.fields[field]
		if s.words > 0 && 2*s.floats > s.words {
			s.odd, s.first = s.floats, "words that are floats: "+s.first
		}
		if s.odd == 0 {
			continue
		}
		if name := excuse(field); name != "" {
			excused[name] = true
			continue
		}
		t.Errorf("%s: %d of %d values are not plausible: %s", field, s.odd, s.all, s.first)
	}
	for name := range notSet {
		if !excused[name] {
			t.Errorf("%s needs no excuse any more", name)
		}
	}
}

// notSet are fields whose odd values were looked at: the layout around them is
// right, and the games themselves wrote what happened to be in memory, or the
// value is not a float although it looks like one.
var notSet = map[string]string{
	"03036000.u02":                            "a pointer, in the first game",
	"03043003.locked":                         "BAADF00D and pointers in many maps of the first games; nothing reads it",
	"03043069.macroblocks":                    "flags with bit 30",
	"0602201A.frames.u04":                     "FFFFFFFF once",
	"0902C004.vertices.list.normal":           "rounding of a rotated 0, down to 1e-40",
	"0902C004.vertices.tangents":              "not set for vertices whose texture does not change around them",
	"090ED014.u0":                             "0 or a pointer",
	"090ED08B.u20":                            "0 or a pointer",
	"0B00505E.networkFirewallTestedExeChecks": "checksums",
	"0B013004.disableColorWMask":              "a pointer, in one game",
	"0B013017.enableRenderReadBack":           "a pointer, in one game",
	"0B013026.disableShadowBuffer":            "a pointer, in one game",
	"0B013026.ignoreDriverCrashes":            "a pointer, in one game",
	"2E001007.needUnlock":                     "a pointer in most collectors of ManiaPlanet",
	"2E006001.location":                       "pieces of text in all 14 items of version 11 and 13, a display mode (1280 by 1024) in the one of version 14; the following values are right in all, and version 22 has a flag for it",
	"2E008000.actionScriptEffects.u19":        "kinds of effect without values",
	"2E008000.actionScriptEffects.u20":        "kinds of effect without values",
	"2E008000.u02":                            "a pointer",
	"2E017000.columns.textSize":               "columns without a style",
	"2E019000.placedModules":                  "places without a module",
	"2E026000.soundLocPermanent":              "in two items without a sound",
}

func excuse(field string) string {
	for name := range notSet {
		if strings.HasPrefix(field, name) {
			return name
		}
	}
	return ""
}

// plausible is a visitor that looks for values that cannot be meant.
type plausible struct {
	file   string
	groups []string         // the fields of the open groups
	fields map[string]*seen // by chunk and path, without numbers of elements
}

// seen is what was seen of one field.
type seen struct {
	all, odd      int
	words, floats int // words other than 0, and those that would make good floats
	first         string
}

func (p *plausible) Begin(name string, v any, _ int64) {
	switch v := v.(type) {
	case *gbx.Node:
		name = v.Class.Latest().String()
	case *gbx.Chunk:
		name = v.ID.Latest().String()
	case *gbx.HeaderChunk:
		name = v.ID.Latest().String()
	default:
		name = p.field(name)
	}
	p.groups = append(p.groups, name)
}

func (p *plausible) End(int64)                        { p.groups = p.groups[:len(p.groups)-1] }
func (p *plausible) Value(string, any)                {}
func (p *plausible) Inside(_, _ []byte, _ error) bool { return false }

// field is what a value or group is called here.
func (p *plausible) field(name string) string {
	if len(p.groups) == 0 {
		return name
	}
	top := p.groups[len(p.groups)-1]
	if strings.HasPrefix(name, "[") {
		return top
	}
	return top + "." + name
}

func (p *plausible) Coded(name string, v any, _, _ int64) {
	field := p.field(name)
	s := p.fields[field]
	if s == nil {
		s = &seen{}
		p.fields[field] = s
	}
	s.all++
	odd := oddity(v)
	if odd != "" {
		s.odd++
	} else if w := wordOf(v); w != 0 {
		s.words++
		if goodFloat(w) {
			s.floats++
			odd = fmt.Sprint(math.Float32frombits(w))
		}
	}
	if odd != "" && s.first == "" {
		s.first = odd + " in " + p.file
	}
}

// aDay is more than any time in a file.
const aDay = 24 * 60 * 60 * 1000

// oddity states what cannot be meant about a value, or nothing.
func oddity(v any) string {
	switch v := v.(type) {
	case *gbx.Bool:
		if *v > gbx.True {
			return fmt.Sprintf("truth value %d", uint32(*v))
		}
	case *gbx.Time:
		if *v > aDay || *v < -aDay {
			return fmt.Sprintf("time %d", int32(*v))
		}
	case *float32:
		return oddFloat(*v)
	case *gbx.ID:
		return oddText(v.String())
	default:
		if e := reflect.ValueOf(v).Elem(); e.Kind() == reflect.String {
			return oddText(e.String())
		}
	}
	return ""
}

// oddFloat knows the largest float as a game's way to say that there is no
// limit.
func oddFloat(f float32) string {
	switch size := math.Abs(float64(f)); {
	case size == 0, size == math.MaxFloat32, size >= 1e-30 && size <= 1e12:
		return ""
	}
	return fmt.Sprintf("float %g (%08x)", f, math.Float32bits(f))
}

func oddText(text string) string {
	control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, control) {
		return fmt.Sprintf("text %q", text)
	}
	return ""
}

// wordOf returns a 32-bit number without names, or 0.
func wordOf(v any) uint32 {
	switch v := v.(type) {
	case *uint32:
		return *v
	case *int32:
		return uint32(*v)
	}
	return 0
}

// goodFloat reports whether a word has the bits of a float between 0.00003 and
// two millions, as few counts, indices and flags have.
func goodFloat(w uint32) bool {
	size := math.Abs(float64(math.Float32frombits(w)))
	return size > 3e-5 && size < 2e6
}

var _ gbx.DeepVisitor = (*plausible)(nil)
