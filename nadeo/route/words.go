package route

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"pakbox/nadeo/blocks"
)

// The language of tracks: each piece of a road has a word for what a car does on it,
// such as "curve right 2" or "slope up". The word follows from the shape of the passage and
// from the name of its block, and the same word finds a block when a road is laid.

// features are parts of names that give a piece another word than its shape.
var features = []struct{ name, word string }{
	{"TurboRoulette", "roulette"}, {"Turbo2", "turbo2"}, {"Turbo", "turbo"}, {"Boost2", "boost2"}, {"Boost", "boost"},
	{"Cruise", "cruise"}, {"Fragile", "fragile"}, {"NoBrake", "no brake"}, {"NoEngine", "no engine"}, {"FW", "no engine"},
	{"NoSteering", "no steering"}, {"NoGrip", "no grip"}, {"Reset", "reset"}, {"SlowMotion", "slow motion"},
	{"ForceAcceleration", "force"}, {"Hole", "hole"}, {"Narrow", "narrow"}, {"Ramp", "ramp"}, {"Bumper", "bumper"},
}

// toOther matches the names of roads that lead to another surface at their northern end.
var toOther = regexp.MustCompile(`^Road(?:Tech|Dirt|Bump|Ice)ToRoad(Tech|Dirt|Bump|Ice)`)

// Words for pieces that have one end, or that are more than one piece.
const (
	wordStart  = "start"
	wordFinish = "finish"
	wordLap    = "lap"  // the road is back at the line of a race with laps
	wordLoop   = "loop" // two halves of a loop
)

// row is the height of a row of cells in halves of a metre, and cell the length of a cell
// in halves of a cell.
const (
	row     = 16
	oneCell = 2
)

// surfaces returns the surfaces at the entry and the exit of a passage.
func (p passage) surfaces() (from, to string) {
	m := toOther.FindStringSubmatch(p.kind.Name)
	if m == nil {
		return p.kind.Surface, p.kind.Surface
	}
	other := strings.ToLower(m[1])
	if ends := p.kind.RoadEnds(p.flags); ends[p.in].Side == blocks.North {
		return other, p.kind.Surface
	}
	return p.kind.Surface, other
}

// word returns the word for a passage.
func (p passage) word(s shape) string {
	form := s.word(p.kind)
	name := ""
	switch from, to := p.surfaces(); {
	case p.kind.Role == blocks.Checkpoint:
		name = "checkpoint"
	case p.kind.Role == blocks.StartFinish:
		name = "multilap"
	case from != to:
		name = "to " + to
	default:
		for _, f := range features {
			if strings.Contains(p.kind.Name, f.name) {
				name = f.word
				break
			}
		}
		if p.kind.Has("branch") {
			name = "branch"
		} else if isHalf(p.kind) {
			name = "diagonal"
		}
	}
	switch {
	case name == "":
		return form
	case form == "straight":
		return name
	}
	return name + " " + form
}

// word returns the word for a shape, of a block without other features.
func (s shape) word(kind *blocks.Block) string {
	rows, cells := (s.rise+row/2)/row, int(s.ahead)/oneCell
	if s.rise < 0 {
		rows = -((-s.rise + row/2) / row)
	}
	switch {
	case s.turn == 2:
		return "half loop " + sideWord(int(s.left)) + upWord(s.rise)
	case s.turn%2 == 1:
		side := "right"
		if s.turn == 3 {
			side = "left"
		}
		return fmt.Sprintf("curve %s %d%s%s", side, (int(s.ahead)+1)/oneCell, s.tilting(), rising(rows))
	case s.left != 0:
		return fmt.Sprintf("chicane %s %d%s%s", sideWord(int(s.left)), cells, s.tilting(), rising(rows))
	case s.bankedIn != s.bankedOut:
		return strings.TrimSpace(s.tilting()+upWord(s.rise)) + long(cells)
	case rows != 0:
		return "slope " + part(kind) + strings.TrimSpace(rising(rows)) + long(cells)
	case strings.Contains(kind.Name, "UTop"):
		return "crest" + long(cells)
	case strings.Contains(kind.Name, "UBottom"):
		return "dip" + long(cells)
	}
	if cells > 1 {
		return fmt.Sprintf("straight %d", cells)
	}
	return "straight"
}

// part names the part of a slope that a block is. A whole slope is flat at both ends.
func part(kind *blocks.Block) string {
	switch {
	case strings.Contains(kind.Name, "SlopeStart"):
		return "start "
	case strings.Contains(kind.Name, "SlopeEnd"):
		return "end "
	case kind.Has("slopebase"):
		return ""
	}
	return "middle "
}

// loopHalves returns the words for the two halves of a loop. A car that goes back on the
// second half has its left side where its right side was.
func loopHalves(side string) (up, down string) {
	other := map[string]string{"left": "right", "right": "left"}[side]
	return "half loop " + side + " up", "half loop " + other + " down"
}

func sideWord(left int) string {
	if left < 0 {
		return "right"
	}
	return "left"
}

func upWord(rise int) string {
	switch {
	case rise > 0:
		return " up"
	case rise < 0:
		return " down"
	}
	return ""
}

// rising describes the rows that a piece rises.
func rising(rows int) string {
	switch {
	case rows == 0:
		return ""
	case rows == 1:
		return " up"
	case rows == -1:
		return " down"
	case rows < 0:
		return fmt.Sprintf(" down %d", -rows)
	}
	return fmt.Sprintf(" up %d", rows)
}

// long describes the length of a piece that is longer than one cell.
func long(cells int) string {
	if cells < 2 {
		return ""
	}
	return fmt.Sprintf(" in %d", cells)
}

// tilting describes how a piece changes the bank of the road.
func (s shape) tilting() string {
	switch {
	case s.bankedIn == s.bankedOut:
		return ""
	case s.bankedOut == 0:
		return " tilt flat"
	case s.bankedOut > 0: // as the games name it: the left side is higher
		return " tilt left"
	}
	return " tilt right"
}

var dictionaries sync.Map // of map[string][]passage, by collection

// dictionary returns the passages of the roads of a collection by their word, the plainest
// first.
func dictionary(collection string, cell float32) map[string][]passage {
	if known, ok := dictionaries.Load(collection); ok {
		return known.(map[string][]passage)
	}
	words := map[string][]passage{}
	for s, list := range passages(collection, cell) {
		for _, p := range list {
			if !isRoad(p.kind) || !p.forward() || isHalf(p.kind) {
				continue // the language has no words for diagonal roads
			}
			word := p.word(s)
			words[word] = append(words[word], p)
		}
	}
	for _, list := range words {
		sortPlain(list)
	}
	dictionaries.Store(collection, words)
	return words
}

// isHalf reports whether a block has ends that are half of the end of a diagonal road.
func isHalf(kind *blocks.Block) bool {
	for _, e := range kind.Ends {
		if e.Width > 0 && e.Width < whole/2+1 {
			return true
		}
	}
	return false
}

// forward reports whether cars drive through a block in the direction of a passage: turbos
// and lines have one.
func (p passage) forward() bool {
	ends := p.kind.RoadEnds(p.flags)
	if len(ends) != 2 || ends[p.in].Side != blocks.North || ends[p.out].Side != blocks.South {
		return true
	}
	if p.kind.Role == blocks.StartFinish {
		return false
	}
	return !strings.Contains(p.kind.Name, "Turbo") && !strings.Contains(p.kind.Name, "Boost") && !strings.Contains(p.kind.Name, "Force")
}
