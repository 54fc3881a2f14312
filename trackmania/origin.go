package trackmania

import (
	"io"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/trackmania/internal/places"
)

// Origin is what made a file, as the XML in the headers of maps and replays
// says. All is empty where a file does not say.
type Origin struct {
	Version string // of the program: 3.3.0
	Build   string // when it was built: 2019-11-19_18_50
	Title   string // the title pack: TMStadium@nadeo
}

// OriginOf returns what made a file of which the whole header was read.
func OriginOf(h *gbx.Header) Origin {
	text := places.HeaderXML(h)
	if text == nil {
		return Origin{}
	}
	return Origin{headerAttribute(*text, "exever"), headerAttribute(*text, "exebuild"), headerAttribute(*text, "title")}
}

// headerAttribute is an attribute of the first element, "" where it has none.
func headerAttribute(text, name string) string {
	from, to, ok := places.XMLAttribute(text, "header", name)
	if !ok {
		return ""
	}
	return places.UnescapeXML(text[from:to], text)
}

// turboTitle begins the titles of TrackMania Turbo, whose programs have the
// versions of ManiaPlanet 3.
const turboTitle = "TMTurbo"

// OriginOfProgram takes apart what programs call themselves: "Trackmania
// date=2025-07-04_14_15 git=… GameVersion=3.3.0", older ones
// "TmForever.2.11.26".
func OriginOfProgram(name string) Origin {
	var o Origin
	for word := range strings.FieldsSeq(name) {
		if v, ok := strings.CutPrefix(word, "GameVersion="); ok {
			o.Version = v
		} else if v, ok := strings.CutPrefix(word, "date="); ok {
			o.Build = v
		} else if v, ok := strings.CutPrefix(word, "Date="); ok { // before ManiaPlanet 4 was out
			o.Build = v
		} else if name, v, _ := strings.Cut(word, "."); name == "TmForever" || name == "TmForeverCompPatch" || name == "TmUnited" {
			o.Version = v
		} else if name == "TrackmaniaTurbo" {
			o.Version, o.Title = v, turboTitle
		}
	}
	return o
}

// ReadOrigin is OriginOf for a header whose heavy chunks are still in the
// file. It reads only the one that tells; pictures stay where they are.
func ReadOrigin(h *gbx.Header, ra io.ReaderAt, size int64) (Origin, error) {
	for _, c := range h.Chunks {
		if id := c.ID.Latest(); id != headerXMLMap && id != headerXMLReplay {
			continue
		}
		one := gbx.Header{Chunks: []gbx.HeaderChunk{c}}
		if err := one.ReadHeavy(ra, size, engine.Registry()); err != nil {
			return Origin{}, err
		}
		return OriginOf(&one), nil
	}
	return Origin{}, nil
}

// The header chunks that hold XML.
const (
	headerXMLMap    = 0x03043005
	headerXMLReplay = 0x03093001
)

// games are the programs that wrote files, by the beginning of their version
// and, for the latest ones, the year before which they were built.
var games = []struct{ prefix, until, name string }{
	{"3.3.", "2014", "ManiaPlanet 2"},
	{"3.3.", "2017", "ManiaPlanet 3"},
	{"3.3.", "2020", "ManiaPlanet 4"},
	{"3.3.", "", "Trackmania (2020)"},
	{"3.", "", "ManiaPlanet"},
	{"2.11.", "", "TrackMania Forever"},
	{"0.2.", "", "TrackMania United"},
	{"0.1.9.", "", "TrackMania United"},
	{"0.1.8.7", "", "TrackMania United"}, // made its campaigns
	{"0.1.7.", "", "TrackMania Nations ESWC"},
	{"0.1.8.", "", "TrackMania Nations ESWC"},
	{"0.1.6.", "", "TrackMania Sunrise eXtreme"},
	{"0.1.", "", "TrackMania Sunrise or Original"},
}

// Game names the game that made the file; "" if it cannot be told.
func (o Origin) Game() string {
	if strings.HasPrefix(o.Title, turboTitle) {
		return "TrackMania Turbo"
	}
	for _, g := range games {
		if strings.HasPrefix(o.Version, g.prefix) && (g.until == "" || o.Build != "" && o.Build < g.until) {
			return g.name
		}
	}
	return ""
}
