package nadeo

import (
	"context"
	"fmt"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/route"
)

// MapRoute is the answer about the road of a map.
type MapRoute struct {
	Road     string         `json:"road" doc:"route in the language of tracks, such as start, straight 4, finish"`
	Step     string         `json:"step" doc:"step of a recipe that lays this road again"`
	Complete bool           `json:"complete" doc:"whether the road leads to the finish"`
	EndsAt   *cellPlace     `json:"ends_at" doc:"block at which the road ends before the finish; null if it does not"`
	Pieces   []routePiece   `json:"pieces" doc:"pieces of the road in their order"`
	Missing  []missingPiece `json:"missing" doc:"blocks that would close a gap of the road"`
}

// cellPlace is a block and its cell.
type cellPlace struct {
	Block string   `json:"block"`
	At    [3]int32 `json:"at" doc:"cell of the block: x, y and z"`
}

// routePiece is a piece of a route.
type routePiece struct {
	Word string `json:"word" doc:"piece in the language of tracks"`
	cellPlace
}

// missingPiece is a block that closes a gap.
type missingPiece struct {
	cellPlace
	Facing string `json:"facing" doc:"direction of the block: north, east, south or west"`
}

// facings are the directions by number.
var facings = [...]string{"north", "east", "south", "west"}

func placeOf(b *maps.Block) cellPlace {
	return cellPlace{b.Name, [3]int32{b.Coord.X, b.Coord.Y, b.Coord.Z}}
}

// RouteOfMap is the question where the road of a map leads.
var RouteOfMap = question.New(&room, "map.route", "the road of a map from the start to the finish, in the language of tracks", func(ctx context.Context, at *question.At, _ None) (*MapRoute, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*MapRoute, error) {
		g := route.Of(m)
		way := g.Route()
		if way == nil {
			return nil, fault.New(fault.Unsupported, "no start whose road is known was found on this map").
				Hint("the ends of roads are known for the Stadium of all games; a start can be a block, but not an item")
		}
		first := way.Sections[0].Block
		a := &MapRoute{Road: way.String(), Complete: way.Complete, Pieces: []routePiece{}, Missing: []missingPiece{}}
		a.Step = fmt.Sprintf("road at=%d,%d,%d facing=%s: %s", first.Coord.X, first.Coord.Y, first.Coord.Z, facings[first.Direction%4], a.Road)
		for _, s := range way.Sections {
			a.Pieces = append(a.Pieces, routePiece{s.Word, placeOf(s.Block)})
		}
		if !way.Complete {
			last := placeOf(way.Sections[len(way.Sections)-1].Block)
			a.EndsAt = &last
		}
		for _, gap := range g.Gaps() {
			a.Missing = append(a.Missing, missingPiece{placeOf(&gap.Missing), facings[gap.Missing.Direction%4]})
		}
		return a, nil
	})
})
