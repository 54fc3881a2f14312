package index

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/index"
	"pakbox/index/ask"
)

func findCommand(a *kit.App) *cobra.Command {
	var s ask.Search
	var p printing
	cmd := &cobra.Command{
		Use:        "find INDEX [WORD=VALUE...] [TEXT...]",
		GroupID:    kit.GroupIndex,
		SuggestFor: []string{"search", "grep"},
		Short:      "Find files in an index by the words people use",
		Long: `Find lists the files of an index for which all of the given conditions hold. A
condition is a word, an operator and a value. Operators are = != < <= > >= and ~,
which means "contains"; * in a value stands for anything. Texts are compared
without colours, case and accents. A text that is not a condition is searched for
in names, authors and comments: words, or their beginnings.

Times are written 0:36.217, sizes 300KB or 1.5MiB, dates 2009 or 2009-05-31. With
a time, author is the author medal. If a file has several runs or objects, a
condition must hold for one of them, and the smallest value is printed. The exit code
is 1 if nothing is found. INDEX may be a folder: its index is kept in your cache, and
updated first. These are the words:

` + wordHelp(),
		Example: `  pakbox find my.pakbox.sqlite author=nadeo env=Stadium 'author<0:30' --sort size
  pakbox find my.pakbox.sqlite sunset --sort -size --limit 10
  pakbox find my.pakbox.sqlite kind=replay uid=abc --fields driver,time,path --sort time
  pakbox find my.pakbox.sqlite object=vehicle waytype=track 'speed>200'
  pakbox find Documents/Trackmania env=Stadium`,
		Args: kit.ArgCount(1, kit.Unlimited),
		RunE: asIndex(a, func(cmd *cobra.Command, x *ask.Index, args []string) error {
			s.Words = args[1:]
			if a.JSON && len(s.Fields) == 0 {
				s.Fields = append([]string{"path", "format"}, ask.DefaultFields[1:]...)
			}
			found, words, err := x.Find(cmd.Context(), s)
			if err != nil {
				return err
			}
			if err := rows(cmd.Context(), a, "find", p, found, words); err != nil {
				return err
			}
			if found.Count == 0 {
				return nothingFound(a, s.Words)
			}
			return nil
		}),
	}
	p.flags(cmd)
	cmd.Flags().StringSliceVar(&s.Fields, "fields", nil, "print these `WORDS` of each file: path,name,size")
	cmd.Flags().StringSliceVar(&s.Sort, "sort", nil, "order by these `WORDS`; -size is largest first")
	cmd.Flags().IntVar(&s.Limit, "limit", 0, "print at most `N` files")
	return cmd
}

// nothingFound reports that no file fits, as grep does.
func nothingFound(a *kit.App, words []string) error {
	a.Note("nothing found")
	for _, word := range words {
		if strings.EqualFold(word, "and") {
			a.Note("hint: all conditions hold together; %q is searched for as a text", word)
		}
	}
	return kit.ErrFound
}

// wordHelp lists the search words for the help text: additional words with their
// descriptions, and the names of facts by table.
func wordHelp() string {
	var b strings.Builder
	names := map[string][]string{}
	for _, w := range ask.Words() {
		if len(w.Tables) == 0 && !strings.Contains(w.Name, ".") {
			fmt.Fprintf(&b, "  %-12s %s\n", w.Name, w.Doc)
		}
		for _, table := range w.Tables {
			names[table] = append(names[table], w.Name)
		}
	}
	b.WriteString("\nThe names of facts in 'pakbox info --json' are words too; 'pakbox help tables'\nexplains them:\n\n")
	for _, t := range index.Tables() {
		if list := names[t.Name]; list != nil {
			line := "  " + t.Name + ":"
			for i, name := range list {
				if i < len(list)-1 {
					name += ","
				}
				if len(line)+1+len(name) > 80 {
					b.WriteString(line + "\n")
					line = "   "
				}
				line += " " + name
			}
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
