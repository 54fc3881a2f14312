package nadeo

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
)

func blockCommand(a *kit.App) *cobra.Command {
	params := nadeo.BlockInfo.NewParams()
	cmd := &cobra.Command{
		Use:   "block [WORD]",
		Short: "Say facts about the blocks of the games",
		Long: `Block lists the blocks whose names contain WORD: the cells that they take, where
roads enter and leave, whether they are a start, checkpoint or finish, and which
block is their mirror image. 'pakbox map edit' turns and mirrors blocks by these
facts, and pictures and meshes are drawn from them. An end of a road is a side of
the block before it is turned (N is where z grows, E where x begins), a cell along
that side, and a height above the lowest cell. The last column states how sure the
facts are: A is measured, B has one good source, C follows a rule, D is a guess.
Without WORD, block counts the blocks of each environment by family.`,
		Example: `  pakbox block
  pakbox block RoadTechCurve
  pakbox block Checkpoint --environment Stadium2020
  pakbox block --json SlopeBase`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				params.Word = args[0]
			}
			return kit.AskOne(a, "", nadeo.BlockInfo, params, printBlocks)
		},
	}
	kit.Flags(cmd, nadeo.BlockInfo, &params)
	return cmd
}

func printBlocks(a *kit.App, _ string, list *nadeo.BlockList) error {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	if len(list.Families) > 0 {
		fmt.Fprintln(w, "ENVIRONMENT\tFAMILY\tBLOCKS\tWITH A MIRROR IMAGE")
		for _, f := range list.Families {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", f.Environment, f.Family, f.Blocks, f.Mirrored)
		}
		return w.Flush()
	}
	fmt.Fprintln(w, "ENVIRONMENT\tBLOCK\tCELLS\tFAMILY\tROLE\tENDS\tMIRROR IMAGE\tSURE")
	or := func(s *string) string {
		if s == nil {
			return "?"
		}
		return *s
	}
	for _, b := range list.Blocks {
		mirror := or(b.Mirror)
		if mirror == b.Name {
			mirror = "itself"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", b.Environment, b.Name, or(b.Ground), b.Family, b.Role, strings.Join(b.Ends, ", "), mirror, b.Confidence)
	}
	return w.Flush()
}
