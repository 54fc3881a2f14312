package nadeo

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/replay"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/racetime"
	"pakbox/internal/question"
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
)

func init() { replayFamily.add((*app).replayBoardCommand) }

func (a *app) replayBoardCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	var o shell.Making
	var asCSV bool
	var width int
	params := replay.MakeBoard.NewParams()
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
			if err := shell.Promises(o.Out, ".csv", ".png", ".svg"); err != nil {
				return err
			}
			var board runs.Board
			var lock sync.Mutex
			t := a.Each(many, shell.SchemaName(cmd), "reading", args, func(run *shell.App, name string) error {
				lock.Lock()
				defer lock.Unlock()
				return replay.AddToBoard(run.Ctx, run.At(name), &board)
			})
			if board.Empty() && t.Failed > 0 {
				return nil // the files' errors are printed, and there is nothing to write
			}
			at := a.At("")
			at.Format = "gbx"
			b, err := replay.BoardOf(cmd.Context(), at, &board, params)
			if err == nil {
				err = a.writeBoard(b, at, o, asCSV, width)
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
	shell.Flags(cmd, replay.MakeBoard, &params)
	many.Flags(cmd)
	return cmd
}

// writeBoard writes a leaderboard in the requested form.
func (a *app) writeBoard(b *replay.Board, at *question.At, o shell.Making, asCSV bool, width int) error {
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
		return a.WriteMade(o, "replay.board", "", out.Bytes(), nil)
	case a.JSON:
		return a.PrintReply(at.Reply(replay.MakeBoard.Asked(), b))
	}
	a.printBoard(b.List)
	return nil
}

// printBoard prints a table for each map.
func (a *app) printBoard(places []runs.Place) {
	var t shell.Table
	for i, p := range places {
		if i == 0 || p.MapUID != places[i-1].MapUID {
			t.Print(a.Out)
			t = shell.Table{}
			a.Separate()
			title := shell.Printable(p.MapUID)
			if p.MapName != "" { // a ghost has only the UID
				title = fmt.Sprintf("%s (%s)", shell.Printable(trackmania.Plain(p.MapName)), title)
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
		t.Add(fmt.Sprintf("  %d", p.Rank), trackmania.TimeText(p.Time), gap, p.Medal, shell.Printable(trackmania.Plain(p.Driver.Nick)), loginText(p.Driver.Login), date)
	}
	t.Print(a.Out)
}
