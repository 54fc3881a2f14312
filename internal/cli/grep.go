package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
)

func (a *app) grepCommand() *cobra.Command {
	var names bool
	params := answer.FileGrep.NewParams()
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:        "grep TEXT PATH...",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"search", "findstr", "rg"},
		Short:      "Look for a text in files, in archives, and among values",
		Long: `Grep looks for TEXT in the files that an archive or a folder holds, and in the
archives in it. In a file that has values, such as a map, it finds the names and
values that 'pakbox dump' shows, and prints the path that get and set take. In a
text it finds lines. Of other files it only says that they match.

The exit code is 1 if nothing is found.`,
		Example: `  pakbox grep Snow.zip Documents/Trackmania
  pakbox grep -i 'author' game.vpk
  pakbox grep -l -e 'C:.Users' maps`,
		RunE: func(cmd *cobra.Command, args []string) error {
			params.Text = args[0]
			t := a.Each(many, "grep", "searching", args[1:], func(run *shell.App, file string) error {
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
						fmt.Fprintln(run.Out, shell.Printable(m.File))
					}
					matches, last = matches[:1], m.File
				}
				at := run.At(file)
				_, err := answer.FileGrep.Ask(run.Ctx, at, params)
				if len(matches) > 0 {
					run.CountFound()
					if run.JSON {
						run.PrintReply(at.Reply(answer.FileGrep.Asked(), &answer.Grepped{Matches: matches}))
					}
				}
				return err
			})
			if t.Found == 0 && t.Failed == 0 {
				return shell.ErrFound // sets the exit code 1
			}
			return nil
		},
	}
	shell.Flags(cmd, answer.FileGrep, &params)
	cmd.Flags().BoolVarP(&names, "files-with-matches", "l", false, "only name the files")
	many.Flags(cmd)
	return cmd
}

func printMatch(a *shell.App, m answer.Match) {
	where := m.Place
	switch {
	case m.Line > 0:
		where = strconv.Itoa(m.Line)
	case m.Place == "" && m.Text == "":
		where = "matches, and is no text"
	}
	line := shell.Printable(m.File) + ":" + shell.Printable(where)
	if m.Text != "" {
		line += ": " + shell.Printable(m.Text)
	}
	fmt.Fprintln(a.Out, line)
}
