package cli

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
)

func (a *app) grepCommand() *cobra.Command {
	var ignoreCase, expression, names bool
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:        "grep TEXT PATH...",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"search", "findstr", "rg"},
		Short:      "Look for a text in files, in archives, and among values",
		Long: `Grep looks for TEXT in the files that an archive or a folder holds, and in the
archives in it. Of a file that has values, such as a map, it finds the names and
values that 'pakbox dump' shows, each with the path that get and set take. Of a
text it finds lines. Of other files it says that they match.

The exit code is 1 if nothing is found.`,
		Example: `  pakbox grep Snow.zip Documents/Trackmania
  pakbox grep -i 'author' game.vpk
  pakbox grep -l -e 'C:.Users' maps`,
		Args: shell.ArgCount(2, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted, err := matcher(args[0], ignoreCase, expression)
			if err != nil {
				return err
			}
			t := a.Each(many, "grep", "searching", args[1:], func(run *shell.App, file string) error {
				return (&app{run}).grep(file, wanted, names)
			})
			if t.Found == 0 && t.Failed == 0 {
				return shell.ErrFound // which makes the exit code 1
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&ignoreCase, "ignore-case", "i", false, "take letters in any case")
	cmd.Flags().BoolVarP(&expression, "regexp", "e", false, "take TEXT as a regular expression")
	cmd.Flags().BoolVarP(&names, "files-with-matches", "l", false, "only name the files")
	many.Flags(cmd)
	return cmd
}

// matcher tells whether a line has what is looked for.
func matcher(text string, ignoreCase, expression bool) (func([]byte) bool, error) {
	if !expression && !ignoreCase {
		return func(line []byte) bool { return bytes.Contains(line, []byte(text)) }, nil
	}
	if !expression {
		text = regexp.QuoteMeta(text)
	}
	if ignoreCase {
		text = "(?i)" + text
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil, hint.Usagef("%v", err)
	}
	return pattern.Match, nil
}

func (a *app) grep(file string, wanted func([]byte) bool, names bool) error {
	matches := []answer.Match{}
	count, last := 0, ""
	err := answer.Grep(a.Ctx, a.Opener, file, wanted, func(m answer.Match) {
		count++
		switch {
		case a.JSON:
			matches = append(matches, m)
		case names && m.File != last:
			fmt.Fprintln(a.Out, shell.Printable(m.File))
		case !names:
			a.printMatch(m)
		}
		last = m.File
	})
	if a.JSON && count > 0 {
		a.Print(answer.New("grep", file, "").Add("matches", matches))
	}
	if count > 0 {
		a.CountFound()
	}
	return err
}

func (a *app) printMatch(m answer.Match) {
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
