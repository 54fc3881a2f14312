package nadeo

import (
	"encoding/csv"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/racetime"
	"pakbox/internal/source"
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
)

func (a *app) replayBoardCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	var asCSV bool
	cmd := &cobra.Command{
		Use:   "board FILE...",
		Short: "Make leaderboards of the runs in files or folders",
		Long: `Board lists the best time of each driver on each map: rank, gap to the first, the
medal that was reached, and the date where the ghost has one. The name of a map and
its medals are those of the map inside a replay, or of a map among the files.`,
		Example: `  pakbox replay board Replays
  pakbox replay board -r Replays Maps --csv > board.csv`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			var board runs.Board
			var lock sync.Mutex
			t := a.Each(many, shell.SchemaName(cmd), "reading", args, func(run *shell.App, name string) error {
				return answer.WithGBX(run.Ctx, run.Opener, name, func(_ *source.Source, f *gbx.File) error {
					lock.Lock()
					defer lock.Unlock()
					if !board.Add(name, f) {
						return fault.New(fault.NotFormat, "there is neither a run nor a map in the file")
					}
					return nil
				})
			})
			if err := a.printBoard(board.Places(), asCSV); err != nil {
				return err
			}
			a.Summary(t, "looked at", "")
			return nil
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV: times in milliseconds")
	many.Flags(cmd)
	return cmd
}

func (a *app) printBoard(places []runs.Place, asCSV bool) error {
	list := []*form.Object{}
	w := csv.NewWriter(a.Out)
	if asCSV {
		w.Write([]string{"map_uid", "map_name", "rank", "nick", "login", "race_time", "gap", "medal", "date", "file", "ghost"})
	}
	var t shell.Table
	for i, p := range places {
		date, name := "", shell.Printable(trackmania.Plain(p.MapName))
		if !p.Date.IsZero() {
			date = p.Date.Format(time.RFC3339)
		}
		switch {
		case a.JSON:
			list = append(list, new(form.Object).Add("map_uid", p.MapUID).Add("map_name", fact.Known(p.MapName, p.MapName != "")).Add("rank", p.Rank).
				Add("nick", p.Driver.Nick).Add("login", p.Driver.Login).Add("race_time", int64(p.Time)).Add("gap", int64(p.Gap)).
				Add("medal", fact.Known(p.Medal, p.Medal != "")).Add("date", fact.Known(date, date != "")).Add("file", p.File).Add("ghost", p.Ghost))
		case asCSV:
			w.Write([]string{p.MapUID, p.MapName, fmt.Sprint(p.Rank), p.Driver.Nick, p.Driver.Login, fmt.Sprint(int64(p.Time)), fmt.Sprint(int64(p.Gap)), p.Medal, date, p.File, fmt.Sprint(p.Ghost)})
		default:
			if i == 0 || p.MapUID != places[i-1].MapUID {
				t.Print(a.Out)
				t = shell.Table{}
				a.Separate()
				fmt.Fprintf(a.Out, "%s (%s)\n", name, shell.Printable(p.MapUID))
			}
			gap := ""
			if p.Gap > 0 {
				gap = racetime.Delta(int64(p.Gap))
			}
			t.Add(fmt.Sprintf("  %d", p.Rank), trackmania.TimeText(p.Time), gap, p.Medal, shell.Printable(trackmania.Plain(p.Driver.Nick)), loginText(p.Driver.Login), date[:min(len(date), len("2006-01-02"))])
		}
	}
	if a.JSON {
		return a.Print(form.New("replay.board", "", "gbx").Add("places", list))
	}
	t.Print(a.Out)
	w.Flush()
	return w.Error()
}
