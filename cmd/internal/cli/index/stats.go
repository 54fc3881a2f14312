package index

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/index/ask"
)

func statsCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:     "stats INDEX",
		GroupID: kit.GroupIndex,
		Short:   "Say what an index has: by kind, game, environment, year and size",
		Long: `Stats counts the files of an index. INDEX may be a folder: its index is kept in
your cache, and updated first.`,
		Example: `  pakbox stats my.pakbox.sqlite
  pakbox stats --json my.pakbox.sqlite | jq .sections`,
		Args: kit.ArgCount(1, 1),
		RunE: asIndex(a, func(cmd *cobra.Command, x *ask.Index, args []string) error {
			sections, err := x.Stats(cmd.Context())
			if err != nil {
				return err
			}
			files, err := x.Files(cmd.Context())
			if err != nil {
				return err
			}
			if a.JSON {
				return statsReport.Print(a, args[0], "", statistics{files, sections})
			}
			inside, err := x.Inside(cmd.Context())
			if err != nil {
				return err
			}
			line := question.Count(files, "file")
			if inside > 0 {
				line += fmt.Sprintf(" (and %d inside others, which SQL counts too)", inside)
			}
			fmt.Fprintln(a.Out, line)
			for _, s := range sections {
				printSection(a, s)
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

func printSection(a *kit.App, s ask.Section) {
	fmt.Fprintf(a.Out, "\n%s\n", s.Name)
	var most int64 = 1
	for _, v := range s.Shares {
		most = max(most, v.Files)
	}
	t := kit.Table{Right: 2}
	for i, v := range s.Shares {
		if i == maxShares {
			t.Add("", "", fmt.Sprintf("and %d more", len(s.Shares)-i))
			break
		}
		name := v.Name
		if name == "" {
			name = "(not stated)"
		}
		bar := strings.Repeat("#", int((v.Files*barLength+most-1)/most))
		t.Add(strconv.FormatInt(v.Files, 10), fact.SizeText(v.Bytes), kit.Printable(name), bar)
	}
	t.Print(a.Out)
}

var statsReport = kit.NewReport[statistics]("stats", "", "the files of an index, counted")

type statistics struct {
	Files    int64         `json:"files" doc:"number of files in the index"`
	Sections []ask.Section `json:"sections" doc:"the files by kind, format, game, environment and others"`
}
