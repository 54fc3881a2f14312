package collection

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/index/ask"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
)

func (a *app) statsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "stats INDEX",
		GroupID: shell.GroupIndex,
		Short:   "Say what an index has: by kind, game, environment, year and size",
		Example: `  pakbox stats my.pakbox.sqlite
  pakbox stats --json my.pakbox.sqlite | jq .sections`,
		Args: shell.ArgCount(1, 1),
		RunE: a.asIndex(func(cmd *cobra.Command, x *ask.Index, args []string) error {
			sections, err := x.Stats(cmd.Context())
			if err != nil {
				return err
			}
			files, err := x.Files(cmd.Context())
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Print(form.New("stats", args[0], "").Add("files", files).Add("sections", sections))
			}
			fmt.Fprintln(a.Out, form.Count(files, "file"))
			for _, s := range sections {
				a.printSection(s)
			}
			return nil
		}),
	}
}

// Limits for one section: number of rows, and length of the bars.
const (
	maxShares = 20
	barLength = 30
)

func (a *app) printSection(s ask.Section) {
	fmt.Fprintf(a.Out, "\n%s\n", s.Name)
	var most int64 = 1
	for _, v := range s.Shares {
		most = max(most, v.Files)
	}
	t := shell.Table{Right: 2}
	for i, v := range s.Shares {
		if i == maxShares {
			t.Add("", "", fmt.Sprintf("and %d more", len(s.Shares)-i))
			break
		}
		name := v.Name
		if name == "" {
			name = "(not said)"
		}
		bar := strings.Repeat("#", int((v.Files*barLength+most-1)/most))
		t.Add(strconv.FormatInt(v.Files, 10), fact.SizeText(v.Bytes), shell.Printable(name), bar)
	}
	t.Print(a.Out)
}
