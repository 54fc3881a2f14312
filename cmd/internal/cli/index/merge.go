package index

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

func mergeCommand(a *kit.App) *cobra.Command {
	var out string
	var incomplete bool
	cmd := &cobra.Command{
		Use:   "merge PART... -o FILE",
		Short: "Put parts of an index together",
		Long: `Merge puts all files of several indexes into one index, which may have files
already. If a file is in several of them, the last one counts. If you merge the
parts of a later run, files that are gone from all of them go from the index
too.

Parts that --shard made must all be there, each once, and finished. They must be
of the same list of files, with the same flags of --check, --lint and --verify.
--incomplete takes the parts that there are; find and other questions then say
that the index is not complete.`,
		Example: `  pakbox index merge part-*.sqlite -o all.sqlite`,
		Args:    kit.ArgCount(1, kit.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return fault.Usagef("index merge: the merged index needs a name").Hint("give it with -o FILE")
			}
			parts, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			return merge(a, cmd, parts, out, incomplete)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "put them into `FILE`, which is made if it does not exist")
	cmd.Flags().BoolVar(&incomplete, "incomplete", false, "also if parts are missing, not finished, or of different lists of files")
	return cmd
}

func merge(a *kit.App, cmd *cobra.Command, parts []string, out string, incomplete bool) error {
	whole, _ := os.Stat(out)
	for _, part := range parts {
		info, err := os.Stat(part)
		if err != nil {
			return err
		}
		if whole != nil && os.SameFile(whole, info) {
			return fault.Usagef("%s is the whole and a part of it", part)
		}
	}
	if err := kit.Promises(out, indexEndings...); err != nil {
		return err
	}
	if err := checkParts(cmd.Context(), parts, incomplete); err != nil {
		return err
	}
	db, err := sqlite.Open(cmd.Context(), out)
	if err != nil {
		return err
	}
	defer db.Close()
	complete := !incomplete || checkParts(cmd.Context(), parts, false) == nil
	if err := scan.Merge(cmd.Context(), db, parts, complete); err != nil {
		return err
	}
	if a.JSON {
		return mergeReport.Print(a, out, "", merged{parts})
	}
	a.Note("%s put together in %s", question.Count(len(parts), "part"), out)
	return nil
}

// checkParts rejects parts that do not add up to a whole index.
func checkParts(ctx context.Context, files []string, incomplete bool) error {
	const hinted = "--incomplete puts them together all the same"
	byPart := map[int]string{}
	var first struct {
		parts          int
		listing, asked string
	}
	for i, file := range files {
		about, err := scan.About(ctx, file)
		if err != nil {
			return err
		}
		part, parts, listing := scan.Part(about)
		asked := strings.Join(scan.Flags(about), " ")
		if i == 0 {
			first.parts, first.listing, first.asked = parts, listing, asked
		}
		switch twin := byPart[part]; {
		case !scan.Finished(about) && !incomplete:
			return fault.Usagef("%s is not finished: its last scan was stopped", file).Hint("run it again; %s", hinted)
		case parts != first.parts && (parts == 0 || first.parts == 0):
			whole, one := file, files[0]
			if parts > 0 {
				whole, one = one, file
			}
			return fault.Usagef("%s is a part of an index, but %s is not: it was made without --shard", one, whole)
		case parts != first.parts:
			return fault.Usagef("%s is one of %d parts, and %s one of %d", file, parts, files[0], first.parts)
		case parts > 0 && twin != "":
			return fault.Usagef("%s and %s are both part %d of %d", twin, file, part, parts)
		case listing != first.listing && !incomplete:
			return fault.Usagef("%s and %s were made of different lists of files", files[0], file).Hint("run the parts again; %s", hinted)
		case parts > 0 && asked != first.asked && !incomplete:
			return fault.Usagef("%s and %s were made with different flags", files[0], file).Hint("run the parts again; %s", hinted)
		}
		byPart[part] = file
	}
	for part := 1; part <= first.parts && !incomplete; part++ {
		if byPart[part] == "" {
			return fault.Usagef("part %d of %d is missing", part, first.parts).Hint("%s", hinted)
		}
	}
	return nil
}

var mergeReport = kit.NewReport[merged]("index.merge", "", "the parts that make up an index")

type merged struct {
	Parts []string `json:"parts" doc:"paths of the parts"`
}
