package nadeo

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/runs"
)

func replayGhostsCommand(a *kit.App) *cobra.Command {
	var o kit.Output
	many := kit.Many{Folders: true}
	params := answers.Ghosts.NewParams()
	cmd := &cobra.Command{
		Use:   "ghosts FILE...",
		Short: "List the runs in a replay, or save each as a ghost",
		Long: `Ghosts lists the runs that a file holds. With -C it saves each as a ghost file
in a folder, named after the file and the ghost's number; what was recorded
stays as it is. Before TMUnited a run's inputs are not part of its ghost.`,
		Example: `  pakbox replay ghosts A.Replay.Gbx
  pakbox replay ghosts A.Replay.Gbx -C ghosts`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !o.Given() {
				return ask(a, cmd, many, args, "", answers.Ghosts, params, listGhosts)
			}
			return a.MakeOfEach(many, o, "", kit.SchemaName(cmd), "saving ghosts", args, func(run *kit.App, name string, o kit.Output) error {
				return answers.WithRuns(run.Ctx, run.Opener, name, func(_ *gbx.File, ghosts []*runs.Ghost) error {
					return saveGhosts(run, name, ghosts, params.Ghost, o)
				})
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "save the ghosts as `NAME`, a dash, and their number; of several inputs as a name such as '{name}'"
	cmd.Flags().Lookup("directory").Usage = "save the ghosts in `DIR`"
	kit.Flags(cmd, answers.Ghosts, &params)
	return cmd
}

func listGhosts(a *kit.App, name string, list *answers.GhostList) error {
	t := kit.Table{}
	for i, g := range list.List {
		p := g.Player()
		number, _ := list.Ghosts[i].Get("ghost")
		t.Add(kit.Printable(name), number.Text(), nadeo.TimeText(g.Time()), kit.Printable(nadeo.Plain(p.Nick)), loginText(p.Login))
	}
	t.Print(a.Out)
	return nil
}

func saveGhosts(a *kit.App, name string, ghosts []*runs.Ghost, choice answers.GhostChoice, o kit.Output) error {
	base := o.Out
	saved := []string{}
	err := choice.Each(ghosts, func(i int, g *runs.Ghost) error {
		data, err := g.File()
		if err != nil {
			return err
		}
		o.Out = fmt.Sprintf("%s-%d.Ghost.Gbx", base, i)
		if err := o.Write(a, data); err != nil {
			return err
		}
		saved = append(saved, filepath.ToSlash(o.Out))
		if !a.JSON {
			a.Note("wrote %s, %s", o.Out, fact.SizeText(int64(len(data))))
		}
		return nil
	})
	if err != nil || !a.JSON {
		return err
	}
	return savedGhostsReport.Print(a, name, "gbx", savedGhosts{saved})
}

var savedGhostsReport = kit.NewReport[savedGhosts]("replay.ghosts", "-o or -C", "the ghosts that were saved")

type savedGhosts struct {
	Files []string `json:"files" doc:"paths of the new files"`
}
