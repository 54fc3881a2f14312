package nadeo

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/internal/answer/about"
	"pakbox/internal/answer/replay"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
)

func init() { replayFamily.add((*app).replayGhostsCommand) }

func (a *app) replayGhostsCommand() *cobra.Command {
	var o shell.Making
	many := shell.Many{Folders: true}
	params := replay.Ghosts.NewParams()
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
				return ask(a, cmd, many, args, "", replay.Ghosts, params, (*app).listGhosts)
			}
			return a.MakeOfEach(many, o, "", shell.SchemaName(cmd), "saving ghosts", args, func(run *shell.App, name string, o shell.Making) error {
				return about.WithRuns(run.Ctx, run.Opener, name, func(_ *gbx.File, ghosts []*runs.Ghost) error {
					return (&app{run}).saveGhosts(name, ghosts, params.Ghost, o)
				})
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "save the ghosts as `NAME`, a dash, and their number; of several inputs as a name such as '{name}'"
	cmd.Flags().Lookup("directory").Usage = "save the ghosts in `DIR`"
	shell.Flags(cmd, replay.Ghosts, &params)
	return cmd
}

func (a *app) listGhosts(name string, list *replay.GhostList) error {
	t := shell.Table{}
	for i, g := range list.List {
		p := g.Player()
		number, _ := list.Ghosts[i].Get("ghost")
		t.Add(shell.Printable(name), number.Text(), trackmania.TimeText(g.Time()), shell.Printable(trackmania.Plain(p.Nick)), loginText(p.Login))
	}
	t.Print(a.Out)
	return nil
}

func (a *app) saveGhosts(name string, ghosts []*runs.Ghost, choice replay.GhostChoice, o shell.Making) error {
	base := o.Out
	saved := []string{}
	err := choice.Each(ghosts, func(i int, g *runs.Ghost) error {
		data, err := g.File()
		if err != nil {
			return err
		}
		o.Out = fmt.Sprintf("%s-%d.Ghost.Gbx", base, i)
		if err := o.Write(a.App, data); err != nil {
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
	return a.Print(form.New("replay.ghosts", name, "gbx").Add("files", saved))
}
