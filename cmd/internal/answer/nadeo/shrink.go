package nadeo

import (
	"context"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo/maps"
)

// Savings is the answer about ways to make a map's file smaller.
type Savings struct {
	Size    int64         `json:"size" doc:"of the file now, in bytes"`
	Savings []maps.Saving `json:"savings" doc:"ways to make it smaller: those without loss first, then those that save most"`
}

// MapShrink is the question how a map's file could be smaller.
var MapShrink = question.New(&room, "map.shrink", "measured ways to make a map's file smaller", func(ctx context.Context, at *question.At, _ question.NoParams) (*Savings, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Savings, error) {
		now, err := m.File.Encode()
		if err != nil {
			return nil, err
		}
		list, err := m.Savings()
		return &Savings{Size: int64(len(now)), Savings: append([]maps.Saving{}, list...)}, err
	})
})

type cutParams struct {
	Box    string `json:"box" arg:"" doc:"the cells to take, x,y,z:x,y,z"`
	Name   string `json:"name" value:"NAME" doc:"call the macroblock NAME"`
	Author string `json:"author" value:"LOGIN" doc:"say that LOGIN made it, not the map's author"`
}

// Cut describes a saved macroblock, for the message of a command.
type Cut struct {
	Blocks int      `json:"blocks"`
	Items  int      `json:"items"`
	Corner [3]int32 `json:"corner"`
}

// MapCut is the question for a part of a map as a macroblock.
var MapCut = question.New(&room, "map.cut", "a part of a map as a macroblock", func(ctx context.Context, at *question.At, p cutParams) (*question.File, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*question.File, error) {
		box, err := maps.ParseBox(p.Box)
		if err != nil {
			return nil, fault.Usagef("%v", err)
		}
		macro, corner, err := m.Cut(box, maps.CutOptions{Name: p.Name, Author: p.Author})
		if err != nil {
			return nil, err
		}
		data, err := macro.File.Encode()
		return &question.File{Name: "cut.Macroblock.Gbx", Data: data, Say: &Cut{
			Blocks: len(macro.Blocks()), Items: len(macro.Items()), Corner: [3]int32{corner.X, corner.Y, corner.Z},
		}}, err
	})
})
