package classid_test

import (
	"slices"
	"strings"
	"testing"

	"pakbox/gbx/classid"
)

// Engines are found by name and by number; any other text is rejected.
func TestEngines(t *testing.T) {
	for number, name := range map[uint8]string{0x01: "MwFoundations", 0x03: "Game", 0x24: "TrackMania", 0x2E: "GameData"} {
		if got := classid.EngineName(number); got != name {
			t.Errorf("%02X: %s, want %s", number, got, name)
		}
	}
	if got := classid.EngineName(0xF0); got != "F0" {
		t.Errorf(`F0: got = %s; want "F0"`, got)
	}
	if got := classid.EngineName(0x00); got != "00" {
		t.Errorf(`00: got = %s; want "00"`, got)
	}
	for name, want := range map[string]int{
		"game": 3, "GAMEDATA": 0x2E, "2e": 0x2E, "03": 3, "3F": 0x3F,
		"3": -1, "003": -1, "F0": -1, "00": -1, "": -1, "Games": -1, "xx": -1, "100": -1,
	} {
		number, ok := classid.EngineByName(name)
		if ok != (want >= 0) || ok && int(number) != want {
			t.Errorf("%q: number = %02X, ok = %v; want ok = want >= 0, (ok = false or int(number) = %v)", name, number, ok, want)
		}
	}
	names := classid.EngineNames()
	if !slices.IsSorted(names) || !slices.Contains(names, "Plug") {
		t.Errorf(`names = %q; want slices.IsSorted(names) = true, "Plug" in names`, names)
	}
	for _, name := range names {
		number, ok := classid.EngineByName(name)
		if !ok || classid.EngineName(number) != name {
			t.Errorf("%s has the number %02X, which is %s", name, number, classid.EngineName(number))
		}
	}
}

// Every class of the games has a known engine.
func TestClassesHaveEngines(t *testing.T) {
	for _, c := range classid.All() {
		if c.ID > 0x01000000 && len(classid.EngineName(c.ID.Engine())) == 2 {
			t.Errorf("c.ID = %v c.Name = %s; want c.ID at most 0x01000000 or len(classid.EngineName(c.ID.Engine())) other than 2", c.ID, c.Name)
		}
	}
}

// A class is a child of its parent and of nobody else, in the order of numbers.
func TestChildren(t *testing.T) {
	parents := 0
	for _, c := range classid.All() {
		if c.ID.Latest() != c.ID || c.Parent == "" {
			continue
		}
		parent, ok := classid.ByName(c.Parent)
		if !ok {
			continue
		}
		if parents++; parents%50 != 0 { // all of them would take seconds
			continue
		}
		children := parent.Children()
		if !slices.ContainsFunc(children, func(child classid.Class) bool { return child.ID == c.ID }) {
			t.Errorf("%s is not a child of %s", c.Name, parent.Name)
		}
		for i, child := range children {
			if !strings.EqualFold(child.Parent, parent.Name) && !slices.Contains(parent.Former, child.Parent) {
				t.Errorf("%s is a child of %s, and has the parent %s", child.Name, parent.Name, child.Parent)
			}
			if i > 0 && children[i-1].ID >= child.ID {
				t.Errorf("%s after %s", child.Name, children[i-1].Name)
			}
		}
	}
	label, _ := classid.ByName("CControlLabel")
	if got := label.Children(); len(got) != 0 {
		t.Errorf("children of CControlLabel: %v", got)
	}
}

func TestGameNames(t *testing.T) {
	var names []string
	for _, g := range classid.Games {
		names = append(names, g.String())
	}
	if got := strings.Join(names, ", "); got != "TM2020, ManiaPlanet 4, ManiaPlanet 2, earlier games" {
		t.Errorf(`got = %v; want "TM2020, ManiaPlanet 4, ManiaPlanet 2, earlier games"`, got)
	}
}
