package member_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx/classid"
	"pakbox/gbx/classid/member"
)

// Every line of the table is read as a member or an enumeration, with its number.
func TestEveryLine(t *testing.T) {
	text, err := os.ReadFile("members.txt")
	if err != nil {
		t.Fatal(err)
	}
	var id classid.ID
	var members []member.Member
	var enums []member.Enum
	number := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch line[0] {
		case '#':
		case '=':
			words := strings.Fields(line[1:])
			if got := enums[0]; got.Class != id || got.Name != words[0] || !slices.Equal(got.Values, words[1:]) {
				t.Errorf("%s is %+v", line, got)
			}
			enums = enums[1:]
		case ' ':
			rest, own, hasOwn := strings.Cut(line[1:], " #")
			if hasOwn {
				if number, err = strconv.Atoi(own); err != nil {
					t.Fatal(err)
				}
			}
			got := members[0]
			between := " "
			if got.Const {
				between = ":"
			}
			if got.Class != id || got.Index != number || got.Name+between+got.Type != rest || strings.ContainsAny(got.Name, " :") {
				t.Errorf("%s is %+v, want the number %d", line, got, number)
			}
			number++
			members = members[1:]
		default:
			if len(members)+len(enums) > 0 {
				t.Errorf("%v has %d members and %d enumerations too many", id, len(members), len(enums))
			}
			n, err := strconv.ParseUint(line+"000", 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			id, number = classid.ID(n), 0
			members, enums = member.Of(id), member.Enums(id)
		}
	}
}

// A class has the members of its ancestors behind its own, whichever of its numbers is
// asked for.
func TestInherited(t *testing.T) {
	for _, older := range []classid.ID{0x24003000, 0x03043000, 0x0304301F} {
		own, all := member.Of(older), member.All(older)
		if len(own) == 0 || len(all) <= len(own) || !slices.Equal(all[:len(own)], own) || own[0].Class != 0x03043000 {
			t.Errorf("%v: %d members of %d", older, len(own), len(all))
		}
		if before := slices.Clone(own); len(before) > 0 {
			all[0].Name = "changed" // what was returned belongs to the caller
			if member.Of(older)[0] != before[0] {
				t.Error("the table can be changed")
			}
		}
	}
}

// The kind of a member follows from its type.
func TestKinds(t *testing.T) {
	for typ, want := range map[string]string{
		"float 0..1": "float 0..1 false false", "CPlugBitmap@": "CPlugBitmap false false", "MwFastBuffer<CPlugBitmap@>": "CPlugBitmap false true",
		"MwFastArray<float>": "float false true", "void (CGameMenu@ Menu)": "void (CGameMenu@ Menu) true false", "void (MwFastBuffer<int>)": "void (MwFastBuffer<int>) true false",
		"MwFastBuffer<MwFastBuffer<int>>": "MwFastBuffer<int> false true",
	} {
		m := member.Member{Type: typ}
		if got := fmt.Sprintf("%s %v %v", m.Elem(), m.IsMethod(), m.IsList()); got != want {
			t.Errorf("%s: %s, want %s", typ, got, want)
		}
	}
}

// An enumeration belongs to the class that the type names, or to the member's own.
func TestEnums(t *testing.T) {
	own, other, none := 0, 0, 0
	for _, c := range classid.All() {
		if c.ID.Latest() != c.ID {
			continue
		}
		for _, m := range member.Of(c.ID) {
			class, name, foreign := strings.Cut(m.Elem(), "::")
			e, ok := m.Enum()
			switch {
			case !ok:
				none++
			case foreign:
				named, known := classid.ByName(class)
				if e.Name != name || known && e.Class != named.ID {
					t.Errorf("%s.%s: %s is %s of %v", c.Name, m.Name, m.Type, e.Name, e.Class)
				}
				other++
			default:
				if e.Name != class || e.Class != m.Class {
					t.Errorf("%s.%s: %s is %s of %v", c.Name, m.Name, m.Type, e.Name, e.Class)
				}
				own++
			}
		}
	}
	if own+other < 100 || none == 0 {
		t.Errorf("%d own, %d of other classes, %d none", own, other, none)
	}
}

// An element is part of a path also if it is the first one.
func TestFirstElement(t *testing.T) {
	p, err := member.Resolve("CGameCtnApp.OfficialCampaigns[0].MapGroups[0]")
	if err != nil || p.String() != "CGameCtnApp.OfficialCampaigns[0].MapGroups[0]" || p.Steps[0].Elem != 0 {
		t.Errorf(`p = %v, err = %v; want no error, p.String() = "CGameCtnApp.OfficialCampaigns[0].MapGroups[0]", p.Steps[0].Elem = 0`, p, err)
	}
	if _, err := member.Resolve("CGameCtnApp.RootMap[0].MapInfo"); err == nil || !strings.HasSuffix(err.Error(), "which has no elements") {
		t.Errorf(`err = %v; want an error, err ending in "which has no elements"`, err)
	}
	if p, err := member.Resolve("CGameCtnApp.OfficialCampaigns"); err != nil || p.Steps[0].Elem != -1 {
		t.Errorf("p = %+v, err = %v; want no error, p.Steps[0].Elem = -1", p, err)
	}
	if _, err := member.Resolve("CGameCtnApp[0].RootMap"); err == nil {
		t.Error("a class has elements")
	}
}
