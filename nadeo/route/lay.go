package route

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/spell"
	"pakbox/nadeo/blocks"
	trackmaps "pakbox/nadeo/maps"
)

// Layer lays roads on a map, piece by piece. It only makes the blocks; whoever uses it puts
// them on the map.
type Layer struct {
	Blocks  []trackmaps.Block // the pieces that were laid
	Surface string            // of the next pieces: tech, dirt, …

	m          *trackmaps.Map
	collection string
	cell       gbx.Vec3
	words      map[string][]passage
	taken      map[gbx.Int3]string
	open       Joint   // where the road goes on
	begun      bool    // open is a joint
	closed     bool    // the road ended at a finish
	line       []Joint // the joints of a line for laps
}

// NewLayer returns a layer for a map with these blocks on it.
func NewLayer(m *trackmaps.Map, on []trackmaps.Block) (*Layer, error) {
	l := &Layer{m: m, collection: m.Collection(), cell: m.CellSize(), taken: map[gbx.Int3]string{}}
	l.words = dictionary(l.collection, l.cell.Y)
	if len(l.words) == 0 {
		return nil, fault.New(fault.Unsupported, "the ends of roads of %s are unknown; expected a map of the Stadium", l.collection)
	}
	for i := range on {
		if b := &on[i]; !b.Free && !b.Ghost() {
			l.take(b)
		}
	}
	l.Surface = "tech"
	if l.collection == "Stadium" {
		l.Surface = "tarmac"
	}
	return l, nil
}

// take notes the cells of a block. Ground and pillars give way to roads.
func (l *Layer) take(b *trackmaps.Block) {
	kind := l.m.Kind(b)
	if b.Pillar() || kind != nil && (kind.Has("terrain") || kind.Has("clip") || kind.Has("pillar")) {
		return
	}
	for _, c := range trackmaps.CellsOf(kind, b) {
		l.taken[c] = b.Name
	}
}

// Surfaces lists the surfaces of roads.
func (l *Layer) Surfaces() []string {
	set := map[string]bool{}
	for _, list := range l.words {
		for _, p := range list {
			set[p.kind.Surface] = true
		}
	}
	delete(set, "")
	return slices.Sorted(maps.Keys(set))
}

// Begin sets where the next road begins: in a cell, with a direction.
func (l *Layer) Begin(at gbx.Int3, facing int) {
	out := steps[facing]
	l.open = Joint{X: 2*at.X + 1 - out.X, Z: 2*at.Z + 1 - out.Z, Way: facing}
	l.open.From = float64(at.Y) * float64(l.cell.Y)
	l.open.To, l.begun, l.closed = l.open.From, false, false
}

// Lay lays a road in the language of tracks: words between commas.
func (l *Layer) Lay(text string) error {
	pieces := strings.Split(text, ",")
	for i, word := range pieces {
		word = strings.Join(strings.Fields(strings.ToLower(word)), " ")
		if word == "" {
			if i == len(pieces)-1 {
				break // a comma at the end
			}
			return fault.New(fault.BadEntry, "piece %d is empty", i+1)
		}
		if err := l.lay(word); err != nil {
			return fault.Wrap(fault.KindOf(err), err, "piece %d, %q", i+1, word)
		}
	}
	return nil
}

// longest is the largest number of cells of one straight: maps are smaller.
const longest = 1000

// lay lays one piece.
func (l *Layer) lay(word string) error {
	if l.closed {
		return fault.New(fault.BadEntry, "the road has ended")
	}
	if n, ok := straightLength(word); ok {
		if n < 1 || n > longest {
			return fault.New(fault.BadEntry, "a straight has 1 to %d cells", longest)
		}
		for range n {
			if err := l.find("straight"); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case word == wordStart:
		return l.end(blocks.Start, word)
	case word == wordFinish:
		return l.end(blocks.Finish, word)
	case word == wordLap:
		return l.lap()
	case word == wordLoop:
		word = "loop left"
	}
	if side, ok := strings.CutPrefix(word, wordLoop+" "); ok && (side == "left" || side == "right") {
		up, down := loopHalves(side)
		if err := l.find(up); err != nil {
			return err
		}
		return l.find(down)
	}
	return l.find(word)
}

// end places a start or a finish.
func (l *Layer) end(role blocks.Role, word string) error {
	if role == blocks.Start && l.begun {
		return fault.New(fault.BadEntry, "a start begins a road")
	}
	var best *blocks.Block
	for kind := range blocks.All(l.collection) {
		if kind.Role == role && isRoad(kind) && kind.Surface == l.Surface && len(kind.RoadEnds(0)) == 1 && (best == nil || plainness(kind) < plainness(best)) {
			best = kind
		}
	}
	if best == nil {
		return fault.New(fault.Unsupported, "no road of %s has a %s", l.Surface, word)
	}
	b := trackmaps.Block{Name: best.Name, Color: -1, Direction: l.open.Way}
	j := Joints(best, &b, l.cell.Y)[0]
	if role == blocks.Start { // it has no entry: it stands in the cell
		b.Coord = behind(l.open, l.cell.Y)
	} else {
		p := passage{kind: best}
		if l.begun {
			b = p.place(l.open, l.cell.Y)
		} else {
			b.Coord = behind(l.open, l.cell.Y)
		}
		if j = Joints(best, &b, l.cell.Y)[0]; l.begun && !(j.meets(l.open) && j.asWide(l.open)) {
			return fault.New(fault.Unsupported, "%s does not fit the road, which ends %s", best.Name, l.where())
		}
	}
	if err := l.put(best, b); err != nil {
		return err
	}
	l.open, l.begun, l.closed = Joints(best, &b, l.cell.Y)[0], true, role == blocks.Finish
	return nil
}

// behind returns the cell behind a joint whose height is the floor of the cell.
func behind(j Joint, height float32) gbx.Int3 {
	out := steps[j.Way]
	return gbx.Int3{X: (j.X - 1 + out.X) / 2, Y: int32(j.From / float64(height)), Z: (j.Z - 1 + out.Z) / 2}
}

// lap checks that the road is back at its line.
func (l *Layer) lap() error {
	for _, j := range l.line {
		if j.meets(l.open) {
			l.closed = true
			return nil
		}
	}
	if l.line == nil {
		return fault.New(fault.BadEntry, "a lap ends at the line that it began with; begin with multilap")
	}
	return fault.New(fault.BadEntry, "the road ends %s, not at the line", l.where())
}

// where describes the end of the road.
func (l *Layer) where() string {
	c := l.open.Cell(l.cell.Y)
	return fmt.Sprintf("at %d %d %d to the %s", c.X, c.Y, c.Z, [...]string{"north", "east", "south", "west"}[l.open.Way])
}

// find finds a block for a word and puts it at the end of the road.
func (l *Layer) find(word string) error {
	all, known := l.lookup(word)
	if !known {
		e := fault.New(fault.BadEntry, "unknown piece of a road")
		if near := spell.Near(word, slices.Sorted(maps.Keys(l.words)), 3); len(near) > 0 {
			return fault.WithHint(e, "did you mean %s?", strings.Join(near, " or "))
		}
		return fault.WithHint(e, "pieces are start, straight 4, curve right 2, slope up, chicane left 2, tilt left, checkpoint, finish and others: docs/tracks.md")
	}
	var failed error
	fitting := false
	for _, p := range all {
		from, to := p.surfaces()
		if from != "" && from != l.Surface {
			continue
		}
		b, ok := l.try(p)
		if !ok {
			continue
		}
		fitting = true
		if err := l.free(p.kind, &b); err != nil {
			if failed == nil {
				failed = err
			}
			continue
		}
		joints := Joints(p.kind, &b, l.cell.Y)
		if p.kind.Role == blocks.StartFinish && l.line == nil {
			l.line = []Joint{joints[p.in]}
		}
		l.open, l.begun, l.Surface = joints[p.out], true, cmp.Or(to, l.Surface)
		return l.put(p.kind, b)
	}
	if fitting {
		return failed
	}
	return fault.New(fault.Unsupported, "no such road of %s goes on %s%s", l.Surface, l.where(), l.banked())
}

// banked describes the bank of the road.
func (l *Layer) banked() string {
	switch t := halves(l.open.tilt()); {
	case t < 0:
		return ", where it leans to the left"
	case t > 0:
		return ", where it leans to the right"
	}
	return ""
}

// lookup returns the passages of a word. A word without all its numbers means the first
// that begin with it: "curve left" any curve.
func (l *Layer) lookup(word string) ([]passage, bool) {
	if all, ok := l.words[word]; ok {
		return all, true
	}
	var all []passage
	for _, known := range slices.Sorted(maps.Keys(l.words)) {
		if rest, ok := strings.CutPrefix(known, word+" "); ok && !strings.Contains(rest, "tilt") {
			all = append(all, l.words[known]...)
		}
	}
	sortPlain(all)
	return all, len(all) > 0
}

// try returns the block of a passage at the end of the road, false if it does not fit
// there.
func (l *Layer) try(p passage) (trackmaps.Block, bool) {
	open := l.open
	if !l.begun { // the road begins with this block: at the height of its own end
		e := p.kind.RoadEnds(p.flags)[p.in]
		if e.From != e.To {
			return trackmaps.Block{}, false
		}
		open.From, open.To, open.Width = open.From+e.From, open.To+e.From, e.Width
		if p.kind.Rise != 0 {
			return trackmaps.Block{}, false
		}
	}
	b := p.place(open, l.cell.Y)
	j := Joints(p.kind, &b, l.cell.Y)[p.in]
	return b, j.meets(open) && j.asWide(open)
}

// free reports an error if a block leaves the map or its cells are taken.
func (l *Layer) free(kind *blocks.Block, b *trackmaps.Block) error {
	if !l.m.OnMap(b) {
		return fault.New(fault.Limit, "%s at %s would leave the map", b.Name, cellText(b.Coord))
	}
	for _, c := range trackmaps.CellsOf(kind, b) {
		if other := l.taken[c]; other != "" {
			return fault.New(fault.BadEntry, "%s at %s would stand in the cell %s of %s", b.Name, cellText(b.Coord), cellText(c), other)
		}
	}
	return nil
}

// put adds a block to the road.
func (l *Layer) put(kind *blocks.Block, b trackmaps.Block) error {
	if err := l.free(kind, &b); err != nil {
		return err
	}
	l.take(&b)
	l.Blocks = append(l.Blocks, b)
	return nil
}

func cellText(c gbx.Int3) string {
	return strconv.Itoa(int(c.X)) + " " + strconv.Itoa(int(c.Y)) + " " + strconv.Itoa(int(c.Z))
}

// Continue sets that the next road begins where another one ended.
func (l *Layer) Continue(other *Layer) {
	l.open, l.begun, l.closed, l.line, l.Surface = other.open, other.begun, other.closed, other.line, other.Surface
}
