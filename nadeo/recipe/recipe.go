// Package recipe builds and changes maps from a list of steps that a person writes. A
// line has one step: a verb, and then its values as name=value.
//
//	# A start, three straights, and a tree beside them.
//	place block=RoadTechStart at=20,9,24 facing=east waypoint=Spawn
//	place block=RoadTechStraight at=21,9,24 facing=east
//	place block=RoadTechStraight at=22,9,24 facing=east color=4
//	place item=Tree.Item.Gbx at=656,8,816 turned=1.5,0,0
//	replace block=RoadTech* with=RoadDirt*
//	move in=20,9,24:22,9,24 by=0,1,0
//
// A value that contains a space, a # or a quote must be in quotes; inside quotes, ""
// stands for one quote. Text after # is a comment.
//
// The steps; values in brackets may be left out:
//
//	place    block=NAME at=CELL [facing=WAY]              a block on the grid
//	         block=NAME free=PLACE [turned=ANGLES]        a block off the grid
//	         item=NAME at=PLACE [turned=ANGLES] [scale=N] [pivot=PLACE]
//	         all: [color=N] [skin=PATH] [waypoint=KIND] [order=N] [author=LOGIN]
//	         [flags=HEX]; blocks: [ground=yes] [ghost=yes]
//	delete   WHICH
//	replace  block=PATTERN or item=PATTERN, with=NAME [in=BOX] [author=LOGIN]
//	move     [WHICH] by=CELLS
//	turn     [WHICH] by=QUARTERS       a BOX as a whole, otherwise each thing in place
//	mirror   [WHICH] in=BOX along=x or z
//	crop     in=BOX                    removes everything outside the box
//	paste    macroblock=FILE at=CELL [facing=WAY]
//	embed    file=FILE [as=NAME]
//	skin     WHICH to=PATH             an empty to= removes the skin
//	waypoint WHICH [to=KIND] [order=N] order alone changes only waypoints
//	color    [WHICH] to=N
//	road     [at=CELL] [facing=WAY] [surface=NAME] [color=N]: TRACK
//
// A TRACK is a road in the language of tracks (package route), such as
// "start, straight 4, curve right 2, checkpoint, finish". Without at and facing it
// continues the road of the step before, or begins in the middle of the map.
//
// WHICH is any of block=PATTERN, item=PATTERN and in=BOX; with in=BOX alone it means
// both blocks and items. A PATTERN is a name in which * stands for any text. A CELL is
// x,y,z in blocks, a PLACE x,y,z in metres, ANGLES are yaw,pitch,roll in radians, a WAY is
// north, east, south or west. A BOX is CELL:CELL, both included, or the word all. A thing
// is in a box if its own cell is in the box.
//
// The catalogue (package blocks) has the number of cells of each block and its
// mirror image. A step that turns or mirrors other blocks is refused, and so is a step
// that would put blocks off the map.
package recipe

import (
	"bytes"
	"io/fs"
	"strconv"
	"unicode/utf8"

	"pakbox/fault"
	"pakbox/internal/lib/csvline"
	"pakbox/nadeo/maps"
)

// Recipe is a parsed list of steps.
type Recipe struct {
	// AllowUnknown allows turning and mirroring blocks whose cells or mirror image are
	// unknown. They are treated as one symmetric cell.
	AllowUnknown bool

	steps []step
}

// Len returns the number of steps.
func (r *Recipe) Len() int { return len(r.steps) }

// step is one line of a recipe.
type step struct {
	line int
	verb string
	do   action
}

// action carries out a step, and counts the blocks and items that it changed.
type action interface {
	do(w *work) (touched, error)
}

// touched counts the blocks and items that a step changed.
type touched struct{ blocks, items int }

// Effect is the result of a step.
type Effect struct {
	Line     int    `json:"line" doc:"line of the step in the recipe"`
	Verb     string `json:"step" doc:"word with which the step begins"`
	Blocks   int    `json:"blocks" doc:"number of blocks that it placed, deleted or changed"`
	Items    int    `json:"items" doc:"number of items that it placed, deleted or changed"`
	Embedded string `json:"embedded,omitempty" doc:"name of the file that it embedded"`
}

// maxText limits the length of a recipe.
const maxText = 64 << 20

// Parse reads a recipe. Errors name the line.
func Parse(text []byte) (*Recipe, error) {
	if len(text) > maxText {
		return nil, fault.New(fault.Limit, "a recipe of %d bytes is too long", len(text))
	}
	if text = csvline.Text(text); !utf8.Valid(text) {
		return nil, fault.New(fault.BadEntry, "a recipe is text in UTF-8 or UTF-16")
	}
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

// parseLine reads a step. It returns nil for an empty line.
func parseLine(text string) (*step, error) {
	text, track, isRoad := cutTrack(text)
	verb, f, err := splitLine(text)
	if err != nil || verb == "" {
		return nil, err
	}
	if isRoad {
		f.values["track"] = track
	}
	read, ok := verbs[verb]
	if !ok {
		return nil, fault.New(fault.BadEntry, "unknown step %q; expected one of %s", verb, verbList)
	}
	a := read(f)
	if err := f.done(verb); err != nil {
		return nil, err
	}
	return &step{verb: verb, do: a}, nil
}

// inLine adds the number of the recipe's line to an error.
func inLine(err error, line int) error {
	err = fault.System(err)
	e := fault.Wrap(fault.KindOf(err), err, "")
	e.Field = "line " + strconv.Itoa(line)
	return e
}

// Apply carries out the steps in order, and writes the result to the map at the end.
// files has the files that steps name. After an error the map may be half changed and
// must not be saved.
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
