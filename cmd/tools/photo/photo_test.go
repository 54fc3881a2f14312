package main

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/internal/testkit/corpus"
)

// Drawings agree with the games' photographs of maps, which the controls prove.
func TestDrawingsAgreeWithPhotographs(t *testing.T) {
	a := &album{}
	if err := a.read(t.Context(), []string{corpus.Dir(t, "gbx/03043000")}); err != nil {
		t.Fatal(err)
	}
	groups := map[string][]score{}
	for _, p := range a.pages {
		groups[""] = append(groups[""], p.score)
		groups[p.group] = append(groups[p.group], p.score)
	}
	for name, least := range map[string]score{
		"": {colour: 0.2, edges: 0.28}, "TrackMania Forever / Stadium": {colour: 0.2, edges: 0.25}, "Trackmania (2020) / Stadium2020": {colour: 0.3, edges: 0.7},
	} {
		got := mean(groups[name])
		t.Logf("%q: %d maps: %v", name, len(groups[name]), got)
		if len(groups[name]) < 5 || got.colour < least.colour || got.edges < least.edges {
			t.Errorf("%q: %d maps: %v; want at least 5 maps, colour %.2f, edges %.2f", name, len(groups[name]), got, least.colour, least.edges)
		}
	}
}

// A drawing that is its own photograph explains all of it, and a table of its colours too.
func TestDrawingOfItself(t *testing.T) {
	square := &mesh.Geometry{
		Positions: []gbx.Vec3{{X: -4, Y: 0, Z: 10}, {X: 1, Y: 0, Z: 10}, {X: 1, Y: 5, Z: 10}, {X: -4, Y: 5, Z: 10}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
	scene := &mesh.Scene{Materials: []mesh.Material{{Name: "road"}}, Nodes: []*mesh.Node{{
		Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Material: 0, Geometry: square}}},
	}}}
	c, ok := newCamera(turned(gbx.Vec3{}), gbx.Vec3{}, 90)
	if !ok {
		t.Fatal("a camera that looks north is refused")
	}
	p := page{view: c.draw(scene), photograph: &photograph{}, part: 1}
	for i, n := range p.view.material {
		p.photograph.colours[i] = vector{float64(100 * n), 50, 20}
	}
	// West is on the left of who looks north: x grows to the west.
	at := func(x, y float64) int { return p.view.material[int(side/2-y*side/2)*side+int(side/2-x*side/2)] }
	if at(0.05, 0.2) != 1 || at(-0.2, 0.2) != 1 || at(0.2, 0.2) != 0 || at(0.05, -0.1) != 0 {
		t.Error("the square is drawn at another place")
	}
	p.score = compare(p.view, p.photograph)
	if p.score.colour < 0.999 || p.score.edges < 0.999 {
		t.Errorf("score = %v; want 1 for colour and edges", p.score)
	}
	a := &album{pages: []page{p}}
	if got := a.lessons(0).explains(&p); got < 0.999 {
		t.Errorf("its own table explains %v; want 1", got)
	}
	if got := a.lessons(1).explains(&p); got > 1e-9 {
		t.Errorf("an empty table explains %v; want 0", got)
	}
}
