package nadeo

import (
	"io"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/internal/places"
)

// Origin names the program that made a file, as the XML in the header of a map or replay
// states it. Its fields are empty if the file does not state them.
type Origin struct {
	Version string // version of the program, such as 3.3.0
	Build   string // time of the build: 2019-11-19_18_50
	Title   string // title pack: TMStadium@nadeo
}

// OriginOf returns the origin of a file whose whole header was read.
func OriginOf(h *gbx.Header) Origin {
	text := places.HeaderXML(h)
	if text == nil {
		return Origin{}
	}
	return Origin{headerAttribute(*text, "exever"), headerAttribute(*text, "exebuild"), headerAttribute(*text, "title")}
}

// headerAttribute returns an attribute of the first element, "" if it is missing.
func headerAttribute(text, name string) string {
	from, to, ok := places.XMLAttribute(text, "header", name)
	if !ok {
		return ""
	}
	return places.UnescapeXML(text[from:to], text)
}

// turboTitle is the beginning of TrackMania Turbo's titles. Turbo's programs have the
// same versions as ManiaPlanet 3.
const turboTitle = "TMTurbo"

// OriginOfProgram parses the name that a program writes into files: "Trackmania
// date=2025-07-04_14_15 git=… GameVersion=3.3.0", or in older games "TmForever.2.11.26".
func OriginOfProgram(name string) Origin {
	var o Origin
	for word := range strings.FieldsSeq(name) {
		if v, ok := strings.CutPrefix(word, "GameVersion="); ok {
			o.Version = v
		} else if v, ok := strings.CutPrefix(word, "date="); ok {
			o.Build = v
		} else if v, ok := strings.CutPrefix(word, "Date="); ok { // used before the release of ManiaPlanet 4
			o.Build = v
		} else if name, v, _ := strings.Cut(word, "."); name == "TmForever" || name == "TmForeverCompPatch" || name == "TmUnited" {
			o.Version = v
		} else if name == "TrackmaniaTurbo" {
			o.Version, o.Title = v, turboTitle
		}
	}
	return o
}

// ReadOrigin is OriginOf for a header whose heavy chunks are still in the file. It reads
// only the chunk with the XML, and leaves pictures unread.
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

// games lists the games by the beginning of the program's version. For the latest games,
// until is the year before which the program was built.
var games = []struct{ prefix, until, name string }{
	{"3.3.", "2014", "ManiaPlanet 2"},
	{"3.3.", "2017", "ManiaPlanet 3"},
	{"3.3.", "2020", "ManiaPlanet 4"},
	{"3.3.", "", "Trackmania (2020)"},
	{"3.", "", "ManiaPlanet"},
	{"2.11.", "", "TrackMania Forever"},
	{"0.2.", "", "TrackMania United"},
	{"0.1.9.", "", "TrackMania United"},
	{"0.1.8.7", "", "TrackMania United"}, // the version that made United's campaigns
	{"0.1.7.", "", "TrackMania Nations ESWC"},
	{"0.1.8.", "", "TrackMania Nations ESWC"},
	{"0.1.6.", "", "TrackMania Sunrise eXtreme"},
	{"0.1.", "", "TrackMania Sunrise or Original"},
}

// Game returns the name of the game that made the file, "" if unknown.
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
