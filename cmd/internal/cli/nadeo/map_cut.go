package nadeo

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

func mapCutCommand(a *kit.App) *cobra.Command {
	params := nadeo.MapCut.NewParams()
	var to kit.Output
	cmd := &cobra.Command{
		Use:   "cut MAP BOX",
		Short: "Make a macroblock of a part of a map",
		Long: `Cut makes a macroblock of the blocks and items whose cells lie in a box; the map
stays as it is. A box is written as the cells of two corners, x,y,z:x,y,z, both
included; 'pakbox map picture' draws the numbers of x and z at its rim, and 'pakbox
map blocks' lists the cells of blocks. A block of several cells is in the box if its
own cell is.

The macroblock begins at the lowest cell that something stands in, which --json
calls the corner: 'paste macroblock=FILE at=CORNER' of 'pakbox map edit' puts
everything back where it stood. Maps of ManiaPlanet 4 and Trackmania of 2020 can be
cut. The files of embedded items are not in a macroblock: it names
them.

` + noGame,
		Example: `  pakbox map cut A.Map.Gbx 10,9,10:20,30,20 -o Jump.Macroblock.Gbx
  pakbox map cut A.Map.Gbx 10,9,10:20,30,20 --name 'Big jump' -o Jump.Macroblock.Gbx`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if to.Out == "" {
			return fault.Usagef("the macroblock needs a name").Hint("pakbox map cut %s %s -o New.Macroblock.Gbx", quote.Word(args[0]), quote.Word(args[1]))
		}
		if err := kit.Promises(to.Out, ".gbx"); err != nil {
			return err
		}
		params.Box = args[1]
		if params.Name == "" && to.Out != "-" {
			params.Name, _, _ = strings.Cut(filepath.Base(to.Out), ".")
		}
		at := a.At(args[0])
		f, err := nadeo.MapCut.Ask(a.Ctx, at, params)
		if err != nil {
			return err
		}
		if err := a.WriteFile(to, kit.SchemaName(cmd), at, f); err != nil {
			return err
		}
		noteEnding(a, to.Out, ".Macroblock.Gbx")
		cut := f.Say.(*nadeo.Cut)
		a.Note("%d blocks and %d items, cut at %d,%d,%d", cut.Blocks, cut.Items, cut.Corner[0], cut.Corner[1], cut.Corner[2])
		return nil
	}
	to.OneFlags(cmd, kit.AnyFile)
	kit.Flags(cmd, nadeo.MapCut, &params)
	return cmd
}
