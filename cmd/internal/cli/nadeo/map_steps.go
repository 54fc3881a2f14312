package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// stepCommand makes the command of a change that is a recipe of one step.
func stepCommand[P any](a *kit.App, q *question.Typed[P, *question.Revision], cmd *cobra.Command, take func(args []string, p *P) ([]string, error)) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
	params := q.NewParams()
	cmd.Long += `

Turned and mirrored blocks keep to the games' catalogue ('pakbox block' shows it). A map with other
blocks is another map: its validation is removed, and it gets a new UID, unless
--keep-uid is given. 'pakbox map edit' does several steps in one save.`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		files, err := take(args, &params)
		if err != nil {
			return err
		}
		return kit.Change(a, cmd, many, files, save, q, params)
	}
	many.Flags(cmd)
	save.Flags(cmd)
	kit.Flags(cmd, q, &params)
	cmd.Flags().Lookup("dry-run").Usage = listChanges
	return cmd
}

// onlyMaps takes all arguments for maps.
func onlyMaps[P any](args []string, _ *P) ([]string, error) { return args, nil }

func mapMirrorCommand(a *kit.App) *cobra.Command {
	return stepCommand(a, nadeo.MirrorMap, &cobra.Command{
		Use:        "mirror MAP...",
		SuggestFor: []string{"flip"},
		Short:      "Mirror a map or a part of it",
		Long: `Mirror replaces the blocks and items of a map by their mirror images: left curves
become right ones. --in limits it to a part of the map.`,
		Example: `  pakbox map mirror A.Map.Gbx -o B.Map.Gbx
  pakbox map mirror A.Map.Gbx --along z --in 10,9,10:20,12,20`,
	}, onlyMaps)
}

func mapTurnCommand(a *kit.App) *cobra.Command {
	return stepCommand(a, nadeo.TurnMap, &cobra.Command{
		Use:        "turn MAP...",
		SuggestFor: []string{"rotate"},
		Short:      "Turn a map or a part of it by quarter turns",
		Long: `Turn turns the blocks and items of a map clockwise, as seen from above, all
together. --in limits it to a part of the map, which keeps its lowest corner.`,
		Example: `  pakbox map turn A.Map.Gbx -o B.Map.Gbx
  pakbox map turn A.Map.Gbx --by 2 --in 10,9,10:20,12,20`,
	}, onlyMaps)
}

func mapMoveCommand(a *kit.App) *cobra.Command {
	return stepCommand(a, nadeo.MoveInMap, &cobra.Command{
		Use:        "move MAP...",
		SuggestFor: []string{"shift"},
		Short:      "Move blocks and items of a map",
		Long: `Move moves the blocks and items of a map by whole cells. --block, --item and --in
choose some of them.`,
		Example: `  pakbox map move A.Map.Gbx --by 0,1,0
  pakbox map move A.Map.Gbx --by=-2,0,0 --block 'RoadTech*' -o B.Map.Gbx`,
	}, onlyMaps)
}

func mapReplaceCommand(a *kit.App) *cobra.Command {
	return stepCommand(a, nadeo.ReplaceInMap, &cobra.Command{
		Use:        "replace OLD NEW MAP...",
		SuggestFor: []string{"swap"},
		Short:      "Give blocks or items of a map another model",
		Long: `Replace gives the blocks named OLD the model NEW. A * in OLD stands for any text, and
a * in NEW for the same text. --items replaces items instead.`,
		Example: `  pakbox map replace RoadTechStraight RoadDirtStraight A.Map.Gbx
  pakbox map replace 'RoadTech*' 'RoadDirt*' A.Map.Gbx -o B.Map.Gbx`,
	}, func(args []string, p *nadeo.ReplaceParams) ([]string, error) {
		if len(args) < 3 || source.Exists(args[0]) {
			return nil, fault.Usagef("two names and a map are needed").Hint("usage: pakbox map replace OLD NEW MAP...")
		}
		p.Old, p.With = args[0], args[1]
		return args[2:], nil
	})
}
