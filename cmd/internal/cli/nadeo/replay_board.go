package nadeo

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/internal/lib/racetime"
	"pakbox/nadeo"
	"pakbox/nadeo/runs"
)

func replayBoardCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	var o kit.Output
	var asCSV bool
	var width int
	params := answers.MakeBoard.NewParams()
	cmd := &cobra.Command{
		Use:   "board FILE...",
		Short: "Make leaderboards of the runs in files or folders",
		Long: `Board lists the best time of each driver on each map: rank, gap to the first, the
medal that was reached, and the date where the ghost has one. The name of a map and
its medals are those of the map inside a replay, of a map among the files, or of
the map that --map finds in a folder or an index.

An output that ends in .png or .svg becomes a picture, one that ends in .csv a
table.`,
		Example: `  pakbox replay board Replays
  pakbox replay board -r Replays Maps --csv > board.csv
  pakbox replay board Ghosts --map my.pakbox.sqlite -o board.png`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := kit.Promises(o.Out, ".csv", ".png", ".svg"); err != nil {
				return err
			}
			var board runs.Board
			var lock sync.Mutex
			t := a.Each(many, kit.SchemaName(cmd), "reading", args, func(run *kit.App, name string) error {
				lock.Lock()
				defer lock.Unlock()
				return answers.AddToBoard(run.Ctx, run.At(name), &board)
			})
			if board.Empty() && t.Failed > 0 {
				return nil // the files' errors are printed, and there is nothing to write
			}
			at := a.At("")
			at.Format = "gbx"
			b, err := answers.BoardOf(cmd.Context(), at, &board, params)
			if err == nil {
				err = writeBoard(a, b, at, o, asCSV, width)
			}
			if err != nil {
				return err
			}
			a.Summary(t, "looked at", "")
			return nil
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV: times in milliseconds")
	cmd.Flags().IntVar(&width, "width", 0, "a picture `PIXELS` wide; 900 by default")
	o.OneFlags(cmd, "write the board to `FILE`: .png, .svg or .csv")
	kit.Flags(cmd, answers.MakeBoard, &params)
	many.Flags(cmd)
	return cmd
}

// writeBoard writes a leaderboard in the requested form.
func writeBoard(a *kit.App, b *answers.Board, at *question.At, o kit.Output, asCSV bool, width int) error {
	switch ending := strings.ToLower(filepath.Ext(o.Out)); {
	case ending == ".png" || ending == ".svg":
		f, err := b.Draw(ending[1:], width)
		if err != nil {
			return err
		}
		return a.WriteFile(o, "replay.board", at, f)
	case asCSV || ending == ".csv":
		var out bytes.Buffer
		if err := b.CSV(&out); err != nil {
			return err
		}
		return kit.WriteMade(a, boardReport, o, "", out.Bytes(), kit.OnlyMade{})
	case a.JSON:
		return kit.PrintAnswer(a, at, answers.MakeBoard, b)
	}
	printBoard(a, b.List)
	return nil
}

// printBoard prints a table for each map.
func printBoard(a *kit.App, places []runs.BoardRow) {
	var t kit.Table
	for i, p := range places {
		if i == 0 || p.MapUID != places[i-1].MapUID {
			t.Print(a.Out)
			t = kit.Table{}
			a.Separate()
			title := kit.Printable(p.MapUID)
			if p.MapName != "" { // a ghost has only the UID
				title = fmt.Sprintf("%s (%s)", kit.Printable(nadeo.Plain(p.MapName)), title)
			}
			fmt.Fprintln(a.Out, title)
		}
		gap, date := "", ""
		if p.Gap > 0 {
			gap = racetime.Delta(int64(p.Gap))
		}
		if !p.Date.IsZero() {
			date = p.Date.Format("2006-01-02")
		}
		t.Add(fmt.Sprintf("  %d", p.Rank), nadeo.TimeText(p.Time), gap, p.Medal, kit.Printable(nadeo.Plain(p.Driver.Nick)), loginText(p.Driver.Login), date)
	}
	t.Print(a.Out)
}

var boardReport = kit.NewReport[kit.OnlyMade]("replay.board", "-o", "the new file with the board")
