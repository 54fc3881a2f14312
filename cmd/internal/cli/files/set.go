package files

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
)

func setCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
	cmd := &cobra.Command{
		Use:        "set FILE... PATH=VALUE...",
		GroupID:    kit.GroupChange,
		SuggestFor: []string{"change"},
		Short:      "Change values of a file by their paths",
		Long: `Set changes the values that PATHs lead to (see 'pakbox help get') and saves the
file. Everything else in it stays as it is. A name that stands in the header and
in the body is changed in both; if the file has it elsewhere too, such as in the
XML of its header, a note is printed. A value in a compressed block is set by
compressing that block again. FILE may lie inside an archive: then only that file
changes in the archive.

VALUE is a number, a name, true or false, a time such as 0:36.217, null for
nothing, or text. Times, inputs and samples of replays and ghosts cannot be set.`,
		Example: `  pakbox set A.Map.Gbx mapName='$0f0My map'
  pakbox set --dry-run A.Map.Gbx authorTime=0:36.217
  pakbox set A.Map.Gbx 'body.0304301F.blocks[3].dir=2'
  pakbox set all.pak/vehicle.Tram topspeed=80 intro=1931-04
  pakbox set locale.eix/item_proto 19/buy_price=150
  pakbox set maps.zip/A.Map.Gbx mapName='My map'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest := kit.SplitFiles(args, func(arg string) bool { return !strings.Contains(arg, "=") })
			if len(rest) == 0 {
				rest = args[len(args)-1:] // so that the error is about this argument
			}
			params := answer.SetParams{Values: rest}
			if err := params.Check(); err != nil {
				return err
			}
			return kit.ChangeShown(a, many, files, save, answer.Set, params, showBytes)
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.ValidArgsFunction = completeValues(a, "=")
	return cmd
}

// showBytes prints the bytes that new values change.
func showBytes(a *kit.App, r *question.Revision) {
	for _, c := range r.Result.(*answer.SetReport).Bytes {
		if c.Size {
			continue // sizes follow from the values
		}
		fmt.Fprintf(a.Out, "%s 0x%x %s\n", c.Part, c.Offset, kit.Printable(c.Place))
		fmt.Fprintf(a.Out, "  - %s\n  + %s\n", stretchText(c.Old, c.OldText), stretchText(c.New, c.NewText))
	}
}

// stretchText shows changed bytes, and their meaning if they are a value by themselves.
func stretchText(b []byte, value string) string {
	const most = 60 // a longer text would only repeat the bytes
	if value == "" || len(value) > most {
		return hexText(b)
	}
	return fmt.Sprintf("%s  (%s)", hexText(b), kit.Printable(value))
}

// hexText shows the first of some bytes in hexadecimal.
func hexText(b []byte) string {
	const most = 32
	if len(b) > most {
		return fmt.Sprintf("% x … (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("% x", b)
}
