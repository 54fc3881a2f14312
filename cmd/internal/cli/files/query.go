package files

import (
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/itchyny/gojq"
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// plainName is an expression that only names a value.
var plainName = regexp.MustCompile(`^(\.[A-Za-z_]\w*)+$`)

func queryCommand(a *kit.App) *cobra.Command {
	var raw bool
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:     "query FILE... EXPRESSION",
		GroupID: kit.GroupLook,
		Short:   "Ask the values of files with a jq expression",
		Long: `Query runs a jq expression over the document that 'pakbox dump --json' writes
for each file, and prints each result as JSON on a line of its own. .path in that
document is the path of the file.`,
		Example: `  pakbox query A.Map.Gbx '.. | .mapName? // empty'
  pakbox query A.Map.Gbx '[.body.chunks[].chunk]'
  pakbox query -r A.Map.Gbx '.body.chunks[] | select(.chunk=="0304301F")
    | .values.blocks.blocks[].name'
  pakbox query -r pak/vehicle.*.pak '.objects[] | select(.waytype_text == "track"
    and .intro_year < 1950 and .topspeed > 100) | .name'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			if source.Exists(args[last]) && !source.IsFolder(args[last]) {
				return fault.Usagef("%s is a file, and no expression", args[last]).Hint("the expression comes last: pakbox query FILE... EXPRESSION")
			}
			var something atomic.Bool // a result is not null
			t := a.Each(many, "query", "asking", args[:last], func(run *kit.App, file string) error {
				params := answer.FileQuery.NewParams()
				params.Q = args[last]
				params.Each = func(result any) error {
					if result != nil {
						something.Store(true)
					}
					line, err := gojq.Marshal(result)
					if text, isText := result.(string); isText && raw {
						line = []byte(text)
					}
					run.Out.Write(append(line, '\n'))
					return err
				}
				_, err := answer.FileQuery.Ask(run.Ctx, run.At(file), params)
				return err
			})
			a.Summary(t, "asked", "")
			if !something.Load() && plainName.MatchString(args[last]) && t.Failed == 0 {
				name := args[last][strings.LastIndexByte(args[last], '.')+1:]
				a.Note("the document has nothing there; to look for the name everywhere: '.. | .%s? // empty'", name)
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&raw, "raw", "r", false, "print texts without quotes")
	many.Flags(cmd)
	return cmd
}
