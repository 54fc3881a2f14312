package collection

import (
	"os"

	"github.com/spf13/cobra"

	"pakbox/index/sqlite"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
)

func (a *app) mergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge PART... -o FILE",
		Short: "Put parts of an index together",
		Long: `Merge takes all files of indexes over into one, which may have files already. Of
a file that is in several, the last one counts.`,
		Example: `  pakbox index merge part-*.sqlite -o all.sqlite`,
		Args:    shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return hint.Usagef("index merge: where the whole is to be kept is not said").Hint("name it with -o FILE")
			}
			parts, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			return a.merge(cmd, parts, out)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "put them into `FILE`, which is made if it does not exist")
	return cmd
}

func (a *app) merge(cmd *cobra.Command, parts []string, out string) error {
	whole, _ := os.Stat(out)
	for _, part := range parts {
		info, err := os.Stat(part)
		if err != nil {
			return err
		}
		if whole != nil && os.SameFile(whole, info) {
			return hint.Usagef("%s is the whole and a part of it", part)
		}
	}
	if err := shell.Promises(out, indexEndings...); err != nil {
		return err
	}
	db, err := sqlite.Open(cmd.Context(), out)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, part := range parts {
		if err := db.Merge(cmd.Context(), part); err != nil {
			return err
		}
	}
	if err := db.Finish(cmd.Context()); err != nil {
		return err
	}
	if a.JSON {
		return a.Print(form.New("index.merge", out, "").Add("parts", parts))
	}
	a.Note("%s put together in %s", form.Count(len(parts), "part"), out)
	return nil
}
