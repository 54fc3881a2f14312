package files

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
)

func grepCommand(a *kit.App) *cobra.Command {
	var names bool
	params := answer.FileGrep.NewParams()
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:        "grep TEXT PATH...",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"search", "findstr", "rg"},
		Short:      "Look for a text in files, in archives, and among values",
		Long: `Grep looks for TEXT in the files that an archive or a folder holds, and in the
archives in it. In a file that has values, such as a map, it finds the names and
values that 'pakbox dump' shows, and prints the path that get and set take. In a
text it finds lines. For other files it only prints that they match.

The exit code is 1 if nothing is found.`,
		Example: `  pakbox grep Snow.zip Documents/Trackmania
  pakbox grep -i 'author' game.vpk
  pakbox grep -l -e 'C:.Users' maps`,
		RunE: func(cmd *cobra.Command, args []string) error {
			params.Text = args[0]
			t := a.Each(many, "grep", "searching", args[1:], func(run *kit.App, file string) error {
				params, matches := params, []answer.Match{}
				last := ""
				params.Each = func(m answer.Match) {
					matches = append(matches, m)
					switch {
					case run.JSON:
						return
					case !names:
						printMatch(run, m)
					case m.File != last:
						fmt.Fprintln(run.Out, kit.Printable(m.File))
					}
					matches, last = matches[:1], m.File
				}
				at := run.At(file)
				_, err := answer.FileGrep.Ask(run.Ctx, at, params)
				if len(matches) > 0 {
					run.CountFound()
					if run.JSON {
						kit.PrintAnswer(run, at, answer.FileGrep, &answer.Grepped{Matches: matches})
					}
				}
				return err
			})
			if t.Found == 0 && t.Failed == 0 {
				a.Note("nothing found")
				return kit.ErrFound // sets the exit code 1
			}
			return nil
		},
	}
	kit.Flags(cmd, answer.FileGrep, &params)
	cmd.Flags().BoolVarP(&names, "files-with-matches", "l", false, "only name the files")
	many.Flags(cmd)
	return cmd
}

func printMatch(a *kit.App, m answer.Match) {
	where := m.Place
	switch {
	case m.Line > 0:
		where = strconv.Itoa(m.Line)
	case m.Place == "" && m.Text == "":
		where = "binary content matches"
	}
	line := kit.Printable(m.File) + ":" + kit.Printable(where)
	if m.Text != "" {
		line += ": " + kit.Printable(m.Text)
	}
	fmt.Fprintln(a.Out, line)
}
