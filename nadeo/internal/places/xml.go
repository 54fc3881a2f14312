package places

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
)

// The headers of maps and replays hold a line of XML. Web sites and servers read it,
// because it needs no knowledge of GBX.

// HeaderXML returns a pointer to the XML in a header, or nil.
func HeaderXML(h *gbx.Header) *string {
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

// XMLAttribute finds the value of an attribute: the range between its quotes.
func XMLAttribute(text, tag, name string) (from, to int, ok bool) {
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

// XMLText replaces the characters that must be escaped in XML.
var XMLText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// asWebAddress reports whether texts in this XML are percent-encoded. Games before
// TrackMania Forever, whose versions begin with 0, do that.
func asWebAddress(text string) bool { return strings.Contains(text, `exever="0.`) }

func escapeXML(value, text string) string {
	if asWebAddress(text) {
		return url.QueryEscape(value)
	}
	return XMLText.Replace(value)
}

func UnescapeXML(value, text string) string {
	value = html.UnescapeString(value)
	if asWebAddress(text) {
		if plain, err := url.QueryUnescape(value); err == nil {
			return plain
		}
	}
	return value
}

// InXML makes a place that is an attribute of an element in the header's XML.
func InXML(tag, name string) Place[string] {
	return Place[string]{
		Name: func() string { return "the header's XML" },
		Get: func(s Site) (string, bool) {
			x := HeaderXML(s.Header)
			if x == nil {
				return "", false
			}
			from, to, ok := XMLAttribute(*x, tag, name)
			if !ok {
				return "", false
			}
			return UnescapeXML((*x)[from:to], *x), true
		},
		Set: func(s Site, v string) {
			x := HeaderXML(s.Header)
			if x == nil {
				return
			}
			if from, to, ok := XMLAttribute(*x, tag, name); ok {
				*x = markedXML((*x)[:from] + escapeXML(styled.Unmarked(v), *x) + (*x)[to:])
			}
		},
	}
}

// markedXML adds the byte order mark that games put before XML which is not ASCII.
func markedXML(text string) string {
	if styled.IsASCII(text) {
		return text
	}
	return styled.Marked(text)
}

// SetDependency changes the name or address of a file in the XML's list of files that
// games load. An empty old name adds a file, an empty new name removes one.
func SetDependency(h *gbx.Header, old, name, address string) {
	x := HeaderXML(h)
	if x == nil {
		return
	}
	element := ""
	if name != "" {
		element = `<dep file="` + escapeXML(name, *x) + `"`
		if address != "" {
			element += ` url="` + escapeXML(address, *x) + `"`
		}
		element += "/>"
	}
	if from, to, ok := dependency(*x, old); ok {
		*x = markedXML((*x)[:from] + element + (*x)[to:])
	} else if end := strings.Index(*x, "</deps>"); end >= 0 {
		*x = markedXML((*x)[:end] + element + (*x)[end:])
	}
}

// dependency finds the element of a file in the list of files that games load.
func dependency(text, name string) (from, to int, ok bool) {
	for at := 0; name != ""; {
		start := strings.Index(text[at:], "<dep ")
		if start < 0 {
			break
		}
		start += at
		length := strings.Index(text[start:], "/>")
		if length < 0 {
			break
		}
		at = start + length + len("/>")
		if a, b, found := XMLAttribute(text[start:at], "dep", "file"); found && UnescapeXML(text[start+a:start+b], text) == name {
			return start, at, true
		}
	}
	return 0, 0, false
}

// NumberInXML is InXML for an attribute that is a number.
func NumberInXML[T ~int32 | ~uint32](tag, name string) Place[T] {
	p := InXML(tag, name)
	return Place[T]{
		Name: p.Name,
		Get: func(s Site) (T, bool) {
			text, _ := p.Get(s)
			n, err := strconv.ParseInt(text, 10, 64)
			return T(n), err == nil
		},
		Set: func(s Site, v T) { p.Set(s, strconv.FormatInt(int64(int32(v)), 10)) },
	}
}
