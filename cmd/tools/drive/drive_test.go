package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/internal/testkit/corpus"
)

// Cars of recorded runs drive on the roads that are drawn, which the controls
// prove: beside and above the roads there is less.
func TestCarsDriveOnRoads(t *testing.T) {
	d := driver{parts: 1, tallies: map[string]*tally{}}
	if err := d.measure(t.Context(), []string{corpus.Dir(t, "gbx-runs")}); err != nil {
		t.Fatal(err)
	}
	for name, least := range map[string]struct{ on, high, aside float64 }{
		"Stadium TrackMania Forever":    {0.85, 0.85, 0.2},
		"Stadium2020 Trackmania (2020)": {0.8, 0.7, 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			got := d.tallies[name]
			if got == nil || got.samples < 1000 {
				t.Fatalf("%s: got = %v; want got other than nil, got.samples at least 1000", name, got)
			}
			t.Logf("%s: %v", name, got)
			n := float64(got.samples)
			on := float64(got.on) / n
			if on < least.on || float64(got.highOn) < least.high*float64(got.high) || float64(got.up) > 0.15*n || on-float64(got.aside)/n < least.aside {
				t.Errorf("%s: got = %v; want on at least %v, float64(got.highOn) at least least.high * float64(got.high), float64(got.up) at most 0.15 * n, on - float64(got.aside)/n at least %v", name, got, least.on, least.aside)
			}
		})
	}
}

// The learned heights do not depend on the order of the runs, so that "make profiles"
// writes the same file again, and package shapes contains them.
func TestLearnIsTheSameAgain(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t, "gbx-runs"), "*.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	learned := func(files []string) string {
		d := driver{parts: 1, lesson: lesson{}}
		if err := d.measure(t.Context(), files); err != nil {
			t.Fatal(err)
		}
		return d.lesson.text()
	}
	first := learned(files)
	slices.Reverse(files)
	if again := learned(files); again != first || len(strings.Split(first, "\n")) < 100 {
		t.Errorf("%d bytes were learned, and %d in the other order", len(first), len(again))
	}
	kept, err := os.ReadFile("../../../nadeo/blocks/shapes/profiles.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(first) {
		if f := strings.Fields(line); !strings.Contains(string(kept), "\n"+f[0]+" "+f[1]+" ") && f[0] != "#" {
			t.Errorf("%s %s is not in profiles.txt: make profiles", f[0], f[1])
		}
	}
}

// The distance of places from a triangle: above its middle, beside an edge,
// beyond a corner.
func TestDistance(t *testing.T) {
	tri := triangle{{}, {X: 4}, {Z: 4}}
	for p, want := range map[gbx.Vec3]float32{{X: 1, Y: 3, Z: 1}: 9, {X: 2, Y: 0, Z: -2}: 4, {X: 7, Y: 4, Z: 0}: 25, {X: 1, Z: 1}: 0, {X: 4, Z: 4}: 8} {
		if got := tri.distance2(p); got < want-1e-4 || got > want+1e-4 {
			t.Errorf("%v: %g, want %g", p, got, want)
		}
	}
	s := surfaceOf(&mesh.Scene{})
	s.add(tri)
	if !s.near(gbx.Vec3{X: 1, Y: 1.4, Z: 1}) || s.near(gbx.Vec3{X: 1, Y: 1.6, Z: 1}) || !s.far(gbx.Vec3{X: 1e7}) {
		t.Error("what is near is far, or the other way round")
	}
}
