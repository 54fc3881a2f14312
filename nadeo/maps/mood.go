package maps

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
	"pakbox/nadeo/internal/scenery"
)

// mapDecorationName has the name of the decoration. A header without one stays without.
var mapDecorationName = places.Fact[string]{What: "decoration", Text: func(s string) string { return s }, Places: filled(
	places.Texts(places.Within(mapDecoration.Places, func(i *gbx.Ident) *gbx.ID { return &i.ID })))}

// filled leaves out places that are empty.
func filled(list []places.Place[string]) []places.Place[string] {
	for i := range list {
		get := list[i].Get
		list[i].Get = func(s places.Site) (string, bool) {
			v, ok := get(s)
			return v, ok && v != ""
		}
	}
	return list
}

// decoration is a decoration that games have for an environment.
type decoration struct {
	name, mood string
	suffix     string // that the XML adds to the mood
	size       gbx.Int3
	base       *scenery.Base
}

// decorations lists the decorations of the map's environment.
func (m *Map) decorations() (list []decoration) {
	of := m.Generation()
	for _, g := range []nadeo.Generation{nadeo.Forever, nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		if of != "" && g != of {
			continue
		}
		bases := scenery.BasesOf(g, m.Collection())
		for k := range bases {
			b := &bases[k]
			for i, name := range b.Decorations {
				if name != "" {
					list = append(list, decoration{name, scenery.Moods[i], b.MoodSuffix, b.Size, b})
				}
			}
		}
	}
	return list
}

// setDecoration sets the decoration to another one of the same size.
func setDecoration(m *Map, text string) error {
	if text == m.Decoration().ID.String() {
		return nil
	}
	var names []string
	var other gbx.Int3
	for _, d := range m.decorations() {
		switch {
		case d.size != m.Size():
			if d.name == text {
				other = d.size
			}
		case d.name == text:
			return m.decorate(d)
		case !slices.Contains(names, d.name):
			names = append(names, d.name)
		}
	}
	if other != (gbx.Int3{}) {
		s := m.Size()
		return fault.Usagef("the decoration %q is for maps of %dx%dx%d blocks, this map has %dx%dx%d", text, other.X, other.Y, other.Z, s.X, s.Y, s.Z).
			Hint("decorations of its size are %s", strings.Join(names, ", "))
	}
	return unknown("decoration", text, names)
}

// setMood sets the time of day: the decoration that has the size and the kind of the old
// one.
func setMood(m *Map, text string) error {
	i := slices.IndexFunc(scenery.Moods[:], func(mood string) bool { return strings.EqualFold(mood, text) })
	if i < 0 {
		return unknown("mood", text, scenery.Moods[:])
	}
	mood, old := scenery.Moods[i], m.Decoration().ID.String()
	if mood == m.Mood() {
		return nil
	}
	all := m.decorations()
	for _, d := range all {
		if d.name != old || d.size != m.Size() {
			continue
		}
		if d.mood == mood { // the name of the day in old environments has no mood
			return nil
		}
		for _, sister := range all {
			if sister.mood == mood && sister.base == d.base {
				return m.decorate(sister)
			}
		}
	}
	for _, d := range all {
		if d.name == replaceMood(old, m.Mood(), mood) && d.size == m.Size() {
			return m.decorate(d)
		}
	}
	if len(all) > 0 || m.Mood() == "" {
		return fault.New(fault.Unsupported, "the decoration %q has no known sister for the mood %s", old, mood)
	}
	return m.decorate(decoration{name: replaceMood(old, m.Mood(), mood), mood: mood})
}

// replaceMood replaces the mood in the name of a decoration.
func replaceMood(name, old, mood string) string {
	at := strings.Index(strings.ToLower(name), strings.ToLower(old))
	if at < 0 || old == "" {
		return name
	}
	return name[:at] + mood + name[at+len(old):]
}

// decorate writes the name of a decoration to all its places, and the mood to the XML.
func (m *Map) decorate(d decoration) error {
	old, was := m.Decoration().ID.String(), m.Mood()
	if err := m.wrote(mapDecorationName.What, mapDecorationName.Change(m.site(), d.name)); err != nil {
		return err
	}
	xml, ok := places.InXML("desc", "mood").Get(m.site())
	switch {
	case !ok:
	case xml == old: // until TrackMania Forever
		m.setXML("desc", "mood", d.name)
	case was != "" && strings.HasPrefix(xml, was):
		m.setXML("desc", "mood", fmt.Sprint(d.mood, strings.TrimPrefix(xml, was)))
	default:
		m.setXML("desc", "mood", d.mood+d.suffix)
	}
	return nil
}
