// Package member lists the properties and methods of the engine's classes, as the newest
// game describes them. The engine calls this runtime class inspection. Finding a member
// by a path of names is what it calls late binding.
//
//	p, err := member.Resolve("CGameCtnReplayRecord.Challenge.MapInfo.Name")
//	fmt.Println(p.Last().Class, p.Last().Index, p.Last().Type)
package member

import (
	"strings"

	"pakbox/gbx/classid"
)

// Member is a property or a method of a class.
type Member struct {
	Class classid.ID // the class that declares the member
	Index int        // number in that class; -1 for a member of ManiaPlanet that TM2020 lacks
	Name  string
	// Type is written as in the game: float 0..1 has a range, CPlugBitmap@ is a
	// reference, MwFastBuffer<CPlugBitmap@> a list, void (CGameMenu@ Menu) a method.
	Type  string
	Const bool // the member can only be read
}

// IsMethod reports whether the member is a method.
func (m Member) IsMethod() bool { return strings.Contains(m.Type, "(") }

// IsList reports whether the member is a list with numbered elements.
func (m Member) IsList() bool { return !m.IsMethod() && strings.HasSuffix(m.Type, ">") }

// Elem is the type of the member, or of the elements of a list, without the @.
func (m Member) Elem() string {
	t := m.Type
	if m.IsList() {
		t = t[strings.IndexByte(t, '<')+1 : len(t)-1]
	}
	return strings.TrimSuffix(t, "@")
}

// Enum is an enumeration that a class declares.
type Enum struct {
	Class  classid.ID `json:"-"`
	Name   string     `json:"name" doc:"name of the enumeration"`
	Values []string   `json:"values" doc:"names of the values, numbered from 0"`
}

// Of returns the members that a class declares itself, in their order.
func Of(id classid.ID) []Member { return table()[id.Latest().Class()].members }

// All returns the members of a class, then those of its parent, and so on.
func All(id classid.ID) []Member {
	list := append([]Member(nil), Of(id)...)
	class, _ := classid.Lookup(id)
	for _, c := range class.Ancestors() {
		list = append(list, Of(c.ID)...)
	}
	return list
}

// Enums returns the enumerations that a class declares.
func Enums(id classid.ID) []Enum { return table()[id.Latest().Class()].enums }

// Enum returns the enumeration that is the member's type. It belongs to the member's own
// class or to a class that the type names.
func (m Member) Enum() (Enum, bool) {
	class, name, other := strings.Cut(m.Elem(), "::")
	id := m.Class
	if !other {
		name = class
	} else if c, ok := classid.ByName(class); ok {
		id = c.ID
	}
	for _, e := range Enums(id) {
		if e.Name == name {
			return e, true
		}
	}
	return Enum{}, false
}
