package gbxarchive

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// A map says some things in several places: in header chunks, in the XML
// there, and in the body. The games write them alike; an edit of one leaves
// the others as they are, and whoever edits should know.

// copied is one thing that a map says, and where it says what.
type copied struct {
	what   string
	places []string
	values []string
}

func (c *copied) add(place, value string) {
	c.places, c.values = append(c.places, place), append(c.values, value)
}

// disagreement is a sentence about places that differ, or nothing.
func (c *copied) disagreement() string {
	for i, v := range c.values {
		if v != c.values[0] {
			return fmt.Sprintf("the %s is %q in %s, but %q in %s", c.what, c.values[0], c.places[0], v, c.places[i])
		}
	}
	return ""
}

// disagreements lists what a map says in two ways.
func disagreements(f *gbx.File) []string {
	if f.Class.Latest() != classMap {
		return nil
	}
	var list []string
	x := headerXML(f)
	for _, c := range []*copied{mapNames(f, x), mapUIDs(f, x)} {
		if s := c.disagreement(); s != "" {
			list = append(list, s)
		}
	}
	for _, c := range mapTimes(f, x) {
		if s := c.disagreement(); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// newDisagreements lists those that an edit has made.
func newDisagreements(before, after *gbx.File) []string {
	old := disagreements(before)
	return slices.DeleteFunc(disagreements(after), func(s string) bool { return slices.Contains(old, s) })
}

// mapXML is the part of the header's XML that stands elsewhere too.
type mapXML struct {
	Ident struct {
		UID  string `xml:"uid,attr"`
		Name string `xml:"name,attr"`
	} `xml:"ident"`
	Times struct {
		Bronze string `xml:"bronze,attr"`
		Silver string `xml:"silver,attr"`
		Gold   string `xml:"gold,attr"`
		Author string `xml:"authortime,attr"`
	} `xml:"times"`
}

// headerXML reads the header's XML; nil if there is none that can be read.
func headerXML(f *gbx.File) *mapXML {
	c, ok := gbx.FindHeader[*game.Header03043005](&f.Header)
	if !ok {
		return nil
	}
	x := &mapXML{}
	if xml.Unmarshal([]byte(strings.TrimPrefix(c.Xml, "\ufeff")), x) != nil {
		return nil
	}
	return x
}

func mapNames(f *gbx.File, x *mapXML) *copied {
	c := &copied{what: "map's name"}
	add := func(place, name string) { c.add(place, strings.TrimPrefix(name, "\ufeff")) }
	if h, ok := gbx.FindHeader[*game.Header03043003](&f.Header); ok {
		add("header chunk 03043003", h.MapName)
	}
	if b, ok := gbx.Find[*game.Chunk0304301F](f.Body); ok {
		add("chunk 0304301F", b.MapName)
	}
	if x != nil && x.Ident.UID != "" && len(c.values) > 0 {
		name := x.Ident.Name
		// The oldest games write names there as in web addresses.
		if plain, err := url.QueryUnescape(name); err == nil && plain == c.values[0] {
			name = plain
		}
		add("the header's XML", name)
	}
	return c
}

func mapUIDs(f *gbx.File, x *mapXML) *copied {
	c := &copied{what: "map's UID"}
	if h, ok := gbx.FindHeader[*game.Header03043003](&f.Header); ok {
		c.add("header chunk 03043003", h.MapInfo.ID.String())
	}
	if b, ok := gbx.Find[*game.Chunk0304301F](f.Body); ok {
		c.add("chunk 0304301F", b.MapInfo.ID.String())
	}
	if x != nil && x.Ident.UID != "" && len(c.values) > 0 {
		c.add("the header's XML", x.Ident.UID)
	}
	return c
}

// mapTimes are the times of the medals.
func mapTimes(f *gbx.File, x *mapXML) []*copied {
	list := []*copied{{what: "bronze time"}, {what: "silver time"}, {what: "gold time"}, {what: "author's time"}}
	add := func(place string, times ...gbx.Time) {
		for i, t := range times {
			list[i].add(place, strconv.Itoa(int(t)))
		}
	}
	if h, ok := gbx.FindHeader[*game.Header03043002](&f.Header); ok && h.Version >= 1 {
		add("header chunk 03043002", h.BronzeTime, h.SilverTime, h.GoldTime, h.AuthorTime)
	}
	if c, ok := gbx.Find[*game.Chunk03043011](f.Body); ok {
		params := c.ChallengeParameters.Node
		if p, ok := gbx.Find[*game.Chunk0305B00A](params); ok {
			add("chunk 0305B00A", p.BronzeTime, p.SilverTime, p.GoldTime, p.AuthorTime)
		} else if p, ok := gbx.Find[*game.Chunk0305B004](params); ok {
			add("chunk 0305B004", p.BronzeTime, p.SilverTime, p.GoldTime, p.AuthorTime)
		}
	}
	if x != nil && x.Times.Bronze != "" {
		for i, s := range []string{x.Times.Bronze, x.Times.Silver, x.Times.Gold, x.Times.Author} {
			list[i].add("the header's XML", s)
		}
	}
	return list
}
