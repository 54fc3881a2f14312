package trackmania

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// The headers of maps and replays hold a line of XML, which sites and servers
// read because it needs no knowledge of GBX.

// headerXML returns the XML where it stands, or nil.
func headerXML(h *gbx.Header) *string {
	if h == nil {
		return nil
	}
	if c, ok := gbx.FindHeader[*game.Header03043005](h); ok {
		return &c.XML
	}
	if c, ok := gbx.FindHeader[*game.Header03093001](h); ok {
		return &c.XML
	}
	return nil
}

// xmlAttribute finds the value of an attribute between its quotes.
func xmlAttribute(text, tag, name string) (from, to int, ok bool) {
	at := strings.Index(text, "<"+tag+" ")
	if at < 0 {
		return 0, 0, false
	}
	at += len(tag) + 1
	for {
		for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') {
			at++
		}
		equals := strings.IndexByte(text[at:], '=')
		if equals <= 0 || at+equals+1 >= len(text) || strings.ContainsAny(text[at:at+equals], "<>") {
			return 0, 0, false
		}
		quote := text[at+equals+1]
		from = at + equals + 2
		length := strings.IndexByte(text[from:], quote)
		if length < 0 || quote != '"' && quote != '\'' {
			return 0, 0, false
		}
		if text[at:at+equals] == name {
			return from, from + length, true
		}
		at = from + length + 1
	}
}

// xmlText are the characters that XML has its own words for.
var xmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// asWebAddress tells how a game writes texts in its XML: those before
// TrackMania Forever, whose versions begin with 0, encode them as in web
// addresses.
func asWebAddress(text string) bool { return strings.Contains(text, `exever="0.`) }

func escapeXML(value, text string) string {
	if asWebAddress(text) {
		return url.QueryEscape(value)
	}
	return xmlText.Replace(value)
}

func unescapeXML(value, text string) string {
	value = html.UnescapeString(value)
	if asWebAddress(text) {
		if plain, err := url.QueryUnescape(value); err == nil {
			return plain
		}
	}
	return value
}

// inXML is an attribute in the header's XML.
func inXML(tag, name string) place[string] {
	return place[string]{
		name: "the header's XML",
		get: func(s site) (string, bool) {
			x := headerXML(s.header)
			if x == nil {
				return "", false
			}
			from, to, ok := xmlAttribute(*x, tag, name)
			if !ok {
				return "", false
			}
			return unescapeXML((*x)[from:to], *x), true
		},
		set: func(s site, v string) {
			x := headerXML(s.header)
			if x == nil {
				return
			}
			if from, to, ok := xmlAttribute(*x, tag, name); ok {
				*x = (*x)[:from] + escapeXML(unmarked(v), *x) + (*x)[to:]
			}
		},
	}
}

// numberInXML is an attribute that is a number.
func numberInXML[T ~int32 | ~uint32](tag, name string) place[T] {
	p := inXML(tag, name)
	return place[T]{
		name: p.name,
		get: func(s site) (T, bool) {
			text, _ := p.get(s)
			n, err := strconv.ParseInt(text, 10, 64)
			return T(n), err == nil
		},
		set: func(s site, v T) { p.set(s, strconv.FormatInt(int64(v), 10)) },
	}
}

// ListedDependencies returns the files outside that the header's XML lists, in
// their order: what a server tells a player to download before the map.
func ListedDependencies(h *gbx.Header) (list []Dependency) {
	x := headerXML(h)
	if x == nil {
		return nil
	}
	text := *x
	for {
		at := strings.Index(text, "<dep ")
		if at < 0 {
			return list
		}
		text = text[at:]
		d := Dependency{Kind: "listed", Uses: 1}
		element := text
		if end := strings.IndexByte(text, '>'); end > 0 {
			element = text[:end+1]
		}
		if from, to, ok := xmlAttribute(element, "dep", "file"); ok {
			d.Path = unescapeXML(element[from:to], *x)
		}
		if from, to, ok := xmlAttribute(element, "dep", "url"); ok {
			d.URL = unescapeXML(element[from:to], *x)
		}
		if d.Path != "" || d.URL != "" {
			list = append(list, d)
		}
		text = text[len("<dep "):]
	}
}
