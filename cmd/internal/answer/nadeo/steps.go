package nadeo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo/maps"
)

// Changes that are recipes of one step.

// StepParams are the parameters that all changes of one step have.
type StepParams struct {
	In           string `json:"in" value:"BOX" doc:"only in the cells X,Y,Z:X,Y,Z"`
	AllowUnknown bool   `json:"allow_unknown" doc:"turn and mirror blocks that are not known as if they had one cell and were the same on both sides"`
	LayoutParams
}

// StepDone is the report about a change of one step.
type StepDone struct {
	Blocks int `json:"blocks" doc:"blocks that the step changed"`
	Items  int `json:"items" doc:"items that the step changed"`
	LayoutResult
}

// stepValue is a value of a recipe's step.
type stepValue struct{ name, text string }

// oneStep changes a map by a recipe of one step. Empty values are left out.
func oneStep(m *maps.Map, verb string, allowUnknown bool, r *question.Revision, values ...stepValue) (*StepDone, error) {
	line := verb
	for _, v := range values {
		if strings.ContainsAny(v.text, "\r\n") {
			return nil, fault.Usagef("%s: the value has several lines", v.name)
		}
		if v.text != "" {
			line += fmt.Sprintf(` %s="%s"`, v.name, strings.ReplaceAll(v.text, `"`, `""`))
		}
	}
	notes := len(r.Notes)
	done, err := applyRecipe(m, []byte(line), allowUnknown, nil, r)
	if err != nil {
		if e := (*fault.Error)(nil); errors.As(err, &e) {
			e.Field = "" // the number of the only line helps nobody
		}
		return nil, err
	}
	if len(r.Notes) > notes {
		r.Notes = append(r.Notes[:notes], verb+" found nothing to work on")
	}
	return &StepDone{Blocks: done.Steps[0].Blocks, Items: done.Steps[0].Items}, nil
}

// MirrorParams choose the axis of a mirror image.
type MirrorParams struct {
	Along string `json:"along" value:"x|z" doc:"mirror along x (west becomes east) or z (north becomes south)"`
	StepParams
}

// MirrorMap is the change that mirrors a map or a part of it.
var MirrorMap = changeLayout("map.mirror", "mirrors a map or a part of it", func(_ context.Context, _ *question.At, m *maps.Map, p MirrorParams, r *question.Revision) (*StepDone, error) {
	if p.Along == "" {
		p.Along = "x"
	}
	return oneStep(m, "mirror", p.AllowUnknown, r, stepValue{"along", p.Along}, stepValue{"in", orAll(p.In)})
}).Labelled("Mirror")

func orAll(box string) string {
	if box == "" {
		return "all"
	}
	return box
}

// TurnParams choose a turn.
type TurnParams struct {
	By int `json:"by" value:"QUARTERS" doc:"quarter turns clockwise, 1 to 3"`
	StepParams
}

// TurnMap is the change that turns a map or a part of it.
var TurnMap = changeLayout("map.turn", "turns a map or a part of it by quarter turns", func(_ context.Context, _ *question.At, m *maps.Map, p TurnParams, r *question.Revision) (*StepDone, error) {
	if p.By == 0 {
		p.By = 1
	}
	return oneStep(m, "turn", p.AllowUnknown, r, stepValue{"by", fmt.Sprint(p.By)}, stepValue{"in", orAll(p.In)})
}).Labelled("Turn")

// MoveParams choose what moves, and how far.
type MoveParams struct {
	By    string `json:"by" value:"X,Y,Z" doc:"distance in cells: X to the west, Y up, Z to the north"`
	Block string `json:"block" value:"PATTERN" doc:"only blocks with this name; * stands for any text"`
	Item  string `json:"item" value:"PATTERN" doc:"only items with this name"`
	StepParams
}

// MoveInMap is the change that moves blocks and items of a map.
var MoveInMap = changeLayout("map.move", "moves blocks and items of a map", func(_ context.Context, _ *question.At, m *maps.Map, p MoveParams, r *question.Revision) (*StepDone, error) {
	if p.By == "" {
		return nil, fault.Usagef("no distance is given").Hint("write by X,Y,Z in cells, such as 0,1,0 for one cell up")
	}
	return oneStep(m, "move", p.AllowUnknown, r, stepValue{"by", p.By}, stepValue{"block", p.Block}, stepValue{"item", p.Item}, stepValue{"in", p.In})
}).Labelled("Move")

// ReplaceParams name a model and the one that takes its place.
type ReplaceParams struct {
	Old   string `json:"old" arg:"" doc:"name of the blocks; * stands for any text"`
	With  string `json:"with" arg:"" doc:"name of the blocks that take their place; * stands for the same text"`
	Items bool   `json:"items" doc:"replace items instead of blocks"`
	StepParams
}

// ReplaceInMap is the change that replaces blocks or items of a map.
var ReplaceInMap = changeLayout("map.replace", "gives blocks or items of a map another model", func(_ context.Context, _ *question.At, m *maps.Map, p ReplaceParams, r *question.Revision) (*StepDone, error) {
	if p.Old == "" || p.With == "" {
		return nil, fault.Usagef("two names are needed: the old one and the new one")
	}
	kind := "block"
	if p.Items {
		kind = "item"
	}
	return oneStep(m, "replace", p.AllowUnknown, r, stepValue{kind, p.Old}, stepValue{"with", p.With}, stepValue{"in", p.In})
}).Labelled("Replace")
