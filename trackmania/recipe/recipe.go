// Package recipe builds and changes maps from a list of steps that a person
// writes: one step a line, a verb and then what it needs as name=value.
//
//	# A start, three straights, and a tree beside them.
//	place block=RoadTechStart at=20,9,24 facing=east waypoint=Spawn
//	place block=RoadTechStraight at=21,9,24 facing=east
//	place block=RoadTechStraight at=22,9,24 facing=east color=4
//	place item=Tree.Item.Gbx at=656,8,816 turned=1.5,0,0
//	replace block=RoadTech* with=RoadDirt*
//	move in=20,9,24:22,9,24 by=0,1,0
//
// A value with a space, a # or a quote in it stands in quotes, in which "" is
// one quote. What begins with # is a remark.
//
// The steps, with what they may leave out in brackets:
//
//	place    block=NAME at=CELL [facing=WAY]              a block on the grid
//	         block=NAME free=PLACE [turned=ANGLES]        a block off the grid
//	         item=NAME at=PLACE [turned=ANGLES] [scale=N] [pivot=PLACE]
//	         all: [color=N] [skin=PATH] [waypoint=KIND] [order=N] [author=LOGIN]
//	         [flags=HEX]; blocks: [ground=yes] [ghost=yes]
//	delete   WHICH
//	replace  block=PATTERN or item=PATTERN, with=NAME [in=BOX] [author=LOGIN]
//	move     [WHICH] by=CELLS
//	turn     [WHICH] by=QUARTERS       a BOX as a whole, else each where it stands
//	mirror   [WHICH] in=BOX along=x or z
//	crop     in=BOX                    what stands elsewhere goes
//	paste    macroblock=FILE at=CELL [facing=WAY]
//	embed    file=FILE [as=NAME]
//	skin     WHICH to=PATH             to= with nothing takes it off
//	waypoint WHICH [to=KIND] [order=N] order alone: of those that are waypoints
//	color    [WHICH] to=N
//
// WHICH is any of block=PATTERN, item=PATTERN and in=BOX; without the first two
// it means blocks and items. A PATTERN is a name in which * stands for anything.
// A CELL is x,y,z in blocks, a PLACE x,y,z in metres, ANGLES are yaw,pitch,roll
// in radians, a WAY is north, east, south or west, a BOX is CELL:CELL, both
// included, or all. Things are in a box if the cell is where they stand.
//
// How many cells a block takes and which block is its mirror image stands in
// the catalogue (package blocks). A step that turns or mirrors others is
// refused, as is one that puts blocks off the map.
package recipe

import (
	"bytes"
	"io/fs"
	"strconv"
	"unicode/utf8"

	"pakbox/fault"
	"pakbox/trackmania/maps"
)

// Recipe is a list of steps.
type Recipe struct {
	// AllowUnknown lets blocks be turned and mirrored whose cells or mirror
	// image is not known: as if they had one cell, the same on both sides.
	AllowUnknown bool

	steps []step
}

// Len is how many steps there are.
func (r *Recipe) Len() int { return len(r.steps) }

// step is a line of a recipe.
type step struct {
	line int
	verb string
	do   action
}

// action does what a step says, and tells what it did it to.
type action interface {
	do(w *work) (touched, error)
}

// touched counts what a step was about.
type touched struct{ blocks, items int }

// Effect is what a step did: how many blocks and items it placed, deleted or
// changed. Embedded is the name of the file that it made the map bring along.
type Effect struct {
	Line          int
	Verb          string
	Blocks, Items int
	Embedded      string
}

// maxText bounds how long a recipe may be.
const maxText = 64 << 20

// Parse reads a recipe. Errors say in which line they are.
func Parse(text []byte) (*Recipe, error) {
	if len(text) > maxText {
		return nil, fault.New(fault.Limit, "a recipe of %d bytes is too long", len(text))
	}
	if !utf8.Valid(text) {
		return nil, fault.New(fault.BadEntry, "a recipe is text in UTF-8")
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	r := &Recipe{}
	line := 0
	for raw := range bytes.Lines(text) {
		line++
		s, err := parseLine(string(bytes.TrimRight(raw, "\r\n")))
		if err != nil {
			return nil, inLine(err, line)
		}
		if s != nil {
			s.line = line
			r.steps = append(r.steps, *s)
		}
	}
	return r, nil
}

// parseLine reads a step; nil for a line without one.
func parseLine(text string) (*step, error) {
	verb, f, err := splitLine(text)
	if err != nil || verb == "" {
		return nil, err
	}
	read, ok := verbs[verb]
	if !ok {
		return nil, fault.New(fault.BadEntry, "there is no step %q; there are %s", verb, verbList)
	}
	a := read(f)
	if err := f.done(verb); err != nil {
		return nil, err
	}
	return &step{verb: verb, do: a}, nil
}

// inLine says in which line of the recipe something is wrong.
func inLine(err error, line int) error {
	err = fault.System(err)
	e := fault.Wrap(fault.KindOf(err), err, "")
	e.Field = "line " + strconv.Itoa(line)
	return e
}

// Apply does the steps, one after another, and then brings the map in step all
// at once. Files are those that steps name. If there is an error the map may be
// changed in part, and is not to be saved.
func (r *Recipe) Apply(m *maps.Map, files fs.FS) ([]Effect, error) {
	w := &work{m: m, layout: m.Layout(), frame: m.Frame(), models: m.Models(), files: files, allowUnknown: r.AllowUnknown}
	effects := make([]Effect, 0, len(r.steps))
	for i := range r.steps {
		s := &r.steps[i]
		w.embedded = ""
		n, err := s.do.do(w)
		if err != nil {
			return nil, inLine(err, s.line)
		}
		effects = append(effects, Effect{s.line, s.verb, n.blocks, n.items, w.embedded})
	}
	return effects, w.layout.Apply()
}
