package files

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

func getCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	var o kit.Output
	cmd := &cobra.Command{
		Use:     "get FILE... PATH...",
		GroupID: kit.GroupLook,
		Short:   "Print values of a file by their paths",
		Long: `Get prints the values that PATHs lead to. A path is the names that 'pakbox dump'
shows, joined by dots, with [n] for the n-th element of a list; chunks are called
by their ID. You may leave out names as long as the rest leads to one value:
mapName is enough if the header and the body hold the same name.

The values of a Simutrans object are its fields; in a file of several objects,
the object stands in front: all.pak/vehicle.Tram, or vehicle.Tram/topspeed. In
Metin2's item_proto and mob_proto the vnum stands in front: 19/buy_price.`,
		Example: `  pakbox get A.Map.Gbx mapName
  pakbox get A.Map.Gbx header.03043002.authorTime
  pakbox get A.Map.Gbx 'body.0304301F.blocks[3]'
  pakbox get --json A.Map.Gbx mapName authorTime
  pakbox get all.pak/vehicle.Tram topspeed intro
  pakbox get item_proto 19/type 19/buy_price`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, paths := kit.SplitFiles(args, source.Exists)
			if len(paths) == 0 {
				return fault.Usagef("get: PATH is missing after the files").Hint("usage: pakbox %s", cmd.Use)
			}
			params := answer.FileGet.NewParams()
			params.Paths = paths
			if o.Given() {
				return a.MakeOfEach(many, o, ".txt", "get", "reading", files, func(run *kit.App, file string, o kit.Output) error {
					got, err := answer.FileGet.Ask(run.Ctx, run.At(file), params)
					if err != nil {
						return err
					}
					return kit.WriteMade(run, getReport, o, file, []byte(strings.Join(got.Texts, "\n")+"\n"), kit.OnlyMade{})
				})
			}
			return kit.Ask(a, cmd, many, files, "", answer.FileGet, params, func(run *kit.App, file string, got *answer.Got) error {
				label := ""
				if run.Subject.Many {
					label = kit.Printable(file) + ": "
				}
				for _, text := range got.Texts {
					fmt.Fprintf(run.Out, "%s%s\n", label, kit.PrintableLines(text))
				}
				return nil
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	cmd.ValidArgsFunction = completeValues(a, "")
	return cmd
}

var getReport = kit.NewReport[kit.OnlyMade]("get", "-o or -C", "the new file with the values")
