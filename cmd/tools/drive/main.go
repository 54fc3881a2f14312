// Command drive measures how well maps are drawn: cars of recorded runs drive
// on roads, so that a drawn surface has to lie under them. For each game and
// environment it prints the share of samples on the ground that lie within 1.5 m
// of something drawn, and controls in which drawing more does not help: the same
// for samples high above the lowest place, for samples moved up, and aside.
//
//	cmd/tools/run drive [-learn FILE] [-part 0/2] FILE-OR-FOLDER...
//
// With -learn it writes the heights of the surfaces that cars drove on, block by
// block, as package shapes keeps them. With -part only a part of the maps is
// looked at, so that what one part taught can be measured on the other.
//
// Files are replays with their maps, and maps with runs in them.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	trackmaps "pakbox/nadeo/maps"
	"pakbox/nadeo/maps/mapmesh"
	"pakbox/nadeo/runs"
)

// The measure: how near a surface must be, how much above the lowest place counts as
// high, and how far samples are moved as a control.
const (
	within = 1.5
	high   = 6
	up     = 4
	aside  = 16
)

// tally counts the samples of one environment, and those near a surface.
type tally struct {
	runs, samples, on       int
	high, highOn, up, aside int
	held, heldOn            int            // samples of cars that do not fall as cars of their environment do
	missed                  map[string]int // by block
}

func (t *tally) String() string {
	share := func(n, of int) float64 { return float64(n) / math.Max(1, float64(of)) }
	return fmt.Sprintf("%4d runs %7d samples: on the road %.2f, high up %.2f of %d, 4 m up %.2f, 16 m aside %.2f; not falling %.2f of %d",
		t.runs, t.samples, share(t.on, t.samples), share(t.highOn, t.high), t.high, share(t.up, t.samples), share(t.aside, t.samples),
		share(t.heldOn, t.held), t.held)
}

func main() {
	learn := flag.String("learn", "", "write what was learned about blocks to `FILE`")
	part := flag.String("part", "0/1", "look at one of several parts of the maps, or with -0/8 at all others")
	each := flag.Bool("each", false, "print each file")
	flag.Parse()
	d := driver{tallies: map[string]*tally{}, each: *each}
	text, others := strings.CutPrefix(*part, "-")
	d.others = others
	_, err := fmt.Sscanf(text, "%d/%d", &d.part, &d.parts)
	if *learn != "" {
		d.lesson = lesson{}
	}
	if err == nil {
		err = d.measure(context.Background(), flag.Args())
	}
	if err == nil && *learn != "" {
		err = os.WriteFile(*learn, []byte(d.lesson.text()), 0o644)
	}
	all := d.tallies
	if err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(1)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t := all[name]
		fmt.Printf("%-30s %v\n", name, t)
		worst := slices.SortedFunc(maps.Keys(t.missed), func(a, b string) int { return t.missed[b] - t.missed[a] })
		for _, b := range worst[:min(len(worst), 25)] {
			fmt.Printf("    %6d  %s\n", t.missed[b], b)
		}
	}
}

// driver visits maps and measures them, or learns from them.
type driver struct {
	part, parts uint32 // of the maps, by their UID
	others      bool   // all maps but those of the part
	each        bool   // file for itself
	tallies     map[string]*tally
	lesson      lesson // nil to measure only
}

// measure visits files and folders.
func (d *driver) measure(ctx context.Context, places []string) error {
	for _, place := range places {
		err := filepath.WalkDir(place, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.EqualFold(filepath.Ext(path), ".gbx") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return d.measureFile(ctx, filepath.Base(path), data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// measureFile measures the runs of one file. A file without a map or a run is ignored.
func (d *driver) measureFile(ctx context.Context, file string, data []byte) error {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	ghosts := runs.GhostsOf(f)
	if r, err := runs.ReplayOf(f); err == nil && len(r.MapFile()) > 0 {
		if f, err = gbx.Parse(r.MapFile(), engine.Registry()); err != nil {
			return nil
		}
	}
	m, err := trackmaps.Of(f)
	if err != nil {
		return nil
	}
	var lines [][]runs.Sample
	for _, g := range ghosts {
		if list, err := g.Telemetry(); err == nil {
			lines = append(lines, list[0].Samples)
		}
	}
	if here := crc32.ChecksumIEEE([]byte(m.UID()))%d.parts == d.part; len(lines) == 0 || here == d.others {
		return nil
	}
	if d.lesson != nil {
		for _, line := range lines {
			d.lesson.learn(m, line)
		}
		return nil
	}
	made, err := mapmesh.Of(ctx, m, mapmesh.Options{})
	if err != nil {
		return err
	}
	all, name := d.tallies, m.Collection()+" "+string(m.Generation())
	if d.each {
		name += " " + file
	}
	if all[name] == nil {
		all[name] = &tally{missed: map[string]int{}}
	}
	s := surfaceOf(made.Scene)
	for _, line := range lines {
		all[name].runs++
		all[name].add(s, m, line)
	}
	return nil
}

// add counts the samples of a run.
func (t *tally) add(s *surface, m *trackmaps.Map, line []runs.Sample) {
	lowest := float32(math.Inf(1))
	for i := range line {
		lowest = min(lowest, line[i].Position.Y)
	}
	for i := 1; i+1 < len(line); i++ {
		p := line[i].Position
		if !onGround(line[i-1:i+2]) || s.far(p) {
			continue
		}
		on := s.near(p)
		t.samples++
		count(&t.on, on)
		if !falling(m, line[i-1:i+2]) {
			t.held++
			count(&t.heldOn, on)
		}
		count(&t.up, s.near(gbx.Vec3{X: p.X, Y: p.Y + up, Z: p.Z}))
		count(&t.aside, s.near(gbx.Vec3{X: p.X + aside, Y: p.Y, Z: p.Z}))
		if p.Y >= lowest+high {
			t.high++
			count(&t.highOn, on)
		}
		if !on {
			t.missed[blockAt(m, p)]++
		}
	}
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// onGround decides from three samples whether something supports the car at the middle
// one: a falling car accelerates by 25 m/s each second.
func onGround(s []runs.Sample) bool {
	a, ok := acceleration(s)
	return ok && math.Abs(a+25) > 5
}

// falls are the accelerations in m/s² of falling cars, by environment, where they are not
// the Stadium's 25: in each, cars in the air have that one for many samples in a row.
var falls = map[string]float64{"Canyon": 18, "Valley": 16.5, "Bay": 30, "Island": 40, "Speed": 40}

// falling reports whether a car falls as cars of its environment do.
func falling(m *trackmaps.Map, s []runs.Sample) bool {
	fall := cmp.Or(falls[m.Collection()], 25)
	a, ok := acceleration(s)
	return !ok || math.Abs(a+fall) <= 5
}

// acceleration is the change of the speed upwards at the middle one of three samples.
func acceleration(s []runs.Sample) (float64, bool) {
	a, b := float64(s[1].Time-s[0].Time)/1000, float64(s[2].Time-s[1].Time)/1000
	if a <= 0 || b <= 0 || a > 1 || b > 1 {
		return 0, false
	}
	before, after := float64(s[1].Position.Y-s[0].Position.Y)/a, float64(s[2].Position.Y-s[1].Position.Y)/b
	return (after - before) / ((a + b) / 2), true
}

// blockAt names the block whose cells contain a place, or are just above it.
func blockAt(m *trackmaps.Map, p gbx.Vec3) string {
	at := m.Frame().CellAt(p)
	found := "nothing"
	for b := range m.EachBareBlock() {
		for _, c := range m.Cells(b) {
			if c == at {
				return b.Name
			}
			if c.X == at.X && c.Z == at.Z && c.Y == at.Y-1 {
				found = b.Name + " (below)"
			}
		}
	}
	return found
}
