package nadeo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) replayGhostsCommand() *cobra.Command {
	var dir string
	var force bool
	var ghost answer.GhostChoice
	cmd := &cobra.Command{
		Use:   "ghosts FILE...",
		Short: "List the runs in a replay, or save each as a ghost",
		Long: `Ghosts lists the runs that a file holds. With -C it saves each as a ghost file
in a folder, named after the file and the ghost's number; what was recorded
stays as it is. Before TMUnited a run's inputs are not part of its ghost.`,
		Example: `  pakbox replay ghosts A.Replay.Gbx
  pakbox replay ghosts A.Replay.Gbx -C ghosts`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: a.eachRun(func(name string, _ *gbx.File, ghosts []*trackmania.Ghost) error {
			if dir == "" {
				return a.listGhosts(name, ghosts, ghost)
			}
			return a.saveGhosts(name, ghosts, ghost, dir, force)
		}),
	}
	cmd.Flags().StringVarP(&dir, "directory", "C", "", "save the ghosts in `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	ghostFlag(cmd, &ghost)
	return cmd
}

func (a *app) listGhosts(name string, ghosts []*trackmania.Ghost, choice answer.GhostChoice) error {
	list := []*answer.Object{}
	t := shell.Table{}
	err := choice.Each(ghosts, func(i int, g *trackmania.Ghost) error {
		p := g.Player()
		list = append(list, new(answer.Object).Add("ghost", i).AddFields(g.Info()))
		t.Add(shell.Printable(name), fmt.Sprint(i), trackmania.TimeText(g.Time()), shell.Printable(trackmania.Plain(p.Nick)), loginText(p.Login))
		return nil
	})
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(answer.New("replay.ghosts", name, "gbx").Add("ghosts", list))
	}
	t.Print(a.Out)
	return nil
}

func (a *app) saveGhosts(name string, ghosts []*trackmania.Ghost, choice answer.GhostChoice, dir string, force bool) error {
	base := filepath.Base(filepath.FromSlash(name))
	if name == "-" {
		base = "stdin"
	}
	for _, ext := range []string{".gbx", ".replay", ".ghost", ".map", ".challenge"} { // ".Replay.Gbx" from behind
		if n := len(base) - len(ext); n > 0 && strings.EqualFold(base[n:], ext) {
			base = base[:n]
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	saved := []string{}
	err := choice.Each(ghosts, func(i int, g *trackmania.Ghost) error {
		data, err := g.File()
		if err != nil {
			return err
		}
		to := filepath.Join(dir, fmt.Sprintf("%s-%d.Ghost.Gbx", base, i))
		if err := source.StageBytes(to, data, force); err != nil {
			return err
		}
		saved = append(saved, filepath.ToSlash(to))
		if !a.JSON {
			a.Note("wrote %s, %s", to, answer.SizeText(int64(len(data))))
		}
		return nil
	})
	if err != nil || !a.JSON {
		return err
	}
	return a.Print(answer.New("replay.ghosts", name, "gbx").Add("files", saved))
}
