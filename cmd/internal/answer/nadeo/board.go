package nadeo

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/picture"
	"pakbox/nadeo/runs"
)

// Board is a leaderboard: the best time of each driver on each map.
type Board struct {
	Places []boardPlace `json:"places" doc:"drivers by map and time" method:"result"`

	List []runs.BoardRow `json:"-"`
}

// boardPlace is the row of a driver on the board of a map. Times are in milliseconds.
type boardPlace struct {
	MapUID   string  `json:"map_uid"`
	MapName  *string `json:"map_name" doc:"name of the map; null if no file holds it"`
	Rank     int     `json:"rank" doc:"rank on the map, from 1; equal times have one rank"`
	Nick     string  `json:"nick"`
	Login    string  `json:"login"`
	RaceTime int64   `json:"race_time"`
	Gap      int64   `json:"gap" doc:"time behind the first"`
	Medal    *string `json:"medal" doc:"medal that was reached: author, gold, silver or bronze"`
	Date     *string `json:"date" doc:"moment of the run, where the ghost has one"`
	File     string  `json:"file"`
	Ghost    int     `json:"ghost" doc:"number of the run in the file, from 0"`
}

// BoardParams say which files belong to the board, and where to find the maps.
type BoardParams struct {
	With []string `json:"with" arg:"" paths:"" doc:"further files or folders"`
	mapParams
}

// MakeBoard is the question for a leaderboard of the runs in files and folders.
var MakeBoard = question.New(&room, "replay.board", "the best time of each driver on each map", func(ctx context.Context, at *question.At, p BoardParams) (*Board, error) {
	var board runs.Board
	for _, path := range append([]string{at.Path}, p.With...) {
		files, err := at.For(path).FilesBelow(ctx, ".gbx")
		if err != nil {
			return nil, err
		}
		if files == nil {
			files = []string{path}
		}
		if at.Bounded() && len(files) > maxBoard {
			return nil, fault.Usagef("a board is made of %d files at most, and there are %d", maxBoard, len(files))
		}
		for _, file := range files {
			if err := AddToBoard(ctx, at.For(file), &board); err != nil && (len(files) == 1 || !isNoRun(err)) {
				return nil, err
			}
		}
	}
	at.Format = "gbx"
	return BoardOf(ctx, at, &board, p)
})

// maxBoard limits the number of files for the HTTP service.
const maxBoard = 2000

// isNoRun reports whether a file in a folder is to be skipped: it has no runs, or it
// cannot be read.
func isNoRun(err error) bool {
	return isUnreadable(err) || errors.Is(err, fault.Access) || // a link that leads nowhere
		errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

// isUnreadable reports whether a file is there, and its content is the reason of an error.
func isUnreadable(err error) bool {
	return errors.Is(err, fault.NotFormat) || errors.Is(err, fault.Corrupt) || errors.Is(err, fault.Unsupported)
}

// AddToBoard adds the runs and the map of a file.
func AddToBoard(ctx context.Context, at *question.At, board *runs.Board) error {
	_, err := OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (None, error) {
		if !board.Add(at.Path, f) {
			return None{}, fault.New(fault.NotFormat, "there is neither a run nor a map in the file")
		}
		return None{}, nil
	})
	return err
}

// BoardOf makes the answer from a board. If the files do not contain a map, it searches
// where the parameters say. A board without runs is an error.
func BoardOf(ctx context.Context, at *question.At, board *runs.Board, p BoardParams) (*Board, error) {
	for _, uid := range board.Unknown() {
		m, err := p.find(ctx, at, uid)
		if err != nil && !isUnreadable(err) {
			return nil, err
		}
		if m != nil {
			board.AddMap(m)
		}
	}
	if board.Empty() {
		return nil, fault.New(fault.Unsupported, "no run with a time and a map found")
	}
	b := &Board{Places: []boardPlace{}, List: board.Places()}
	for _, place := range b.List {
		date := ""
		if !place.Date.IsZero() {
			date = place.Date.Format(time.RFC3339)
		}
		b.Places = append(b.Places, boardPlace{
			place.MapUID, question.NonEmpty(place.MapName), place.Rank, place.Driver.Nick, place.Driver.Login, int64(place.Time), int64(place.Gap),
			question.NonEmpty(place.Medal), question.NonEmpty(date), place.File, place.Ghost,
		})
	}
	return b, nil
}

// CSV writes a row for each driver.
func (b *Board) CSV(out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write([]string{"map_uid", "map_name", "rank", "nick", "login", "race_time", "gap", "medal", "date", "file", "ghost"})
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for _, p := range b.Places {
		w.Write([]string{p.MapUID, text(p.MapName), fmt.Sprint(p.Rank), p.Nick, p.Login, fmt.Sprint(p.RaceTime), fmt.Sprint(p.Gap),
			text(p.Medal), text(p.Date), p.File, fmt.Sprint(p.Ghost)})
	}
	w.Flush()
	return w.Error()
}

// Draw draws the board as PNG or SVG. A width of 0 means the default.
func (b *Board) Draw(kind string, width int) (*question.File, error) {
	if err := checkWidth(width); err != nil {
		return nil, err
	}
	return EncodeDrawing(picture.DrawBoard(b.List, width), kind, Drawn{Runs: len(b.List)})
}

type boardPictureParams struct {
	BoardParams
	PictureParams
	Width int `json:"width" value:"PIXELS" doc:"a picture PIXELS wide; 900 by default"`
}

// The question for a drawing of a leaderboard. No command asks it: the page and programs do.
var _ = question.New(&room, "replay.board.picture", "the best time of each driver on each map, as PNG or SVG", func(ctx context.Context, at *question.At, p boardPictureParams) (*question.File, error) {
	b, err := MakeBoard.Ask(ctx, at, p.BoardParams)
	if err != nil {
		return nil, err
	}
	return b.Draw(p.Kind, p.Width)
})
