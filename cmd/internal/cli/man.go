package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

func manCommand(a *kit.App) *cobra.Command {
	var dir string
	var force bool
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print a manual page, or write all of them",
		Long: `Man prints pakbox's manual page, or that of a command, for the man program. With
--dir it writes all of them into a folder.`,
		Example: `  pakbox man ls | man -l -
  pakbox man --dir /usr/local/share/man/man1`,
		Args: kit.ArgCount(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if dir != "" {
				if len(args) > 0 {
					return fault.Usagef("man: --dir writes all pages, not one")
				}
				return writeManPages(a, root, dir, force)
			}
			page := kit.FindCommand(root, args)
			if page == nil {
				return fault.Usagef("unknown command %q", strings.Join(args, " ")).Hint("'pakbox help' lists the commands")
			}
			text := manPage(a, page)
			if a.JSON {
				return manReport.PrintPlain(a, manFields{manName(page), text})
			}
			_, err := a.Out.WriteString(text)
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "replace pages that exist")
	return cmd
}

func writeManPages(a *kit.App, root *cobra.Command, dir string, force bool) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var names []string
	for _, c := range append([]*cobra.Command{root}, kit.AllCommands(root)...) {
		name := filepath.Join(dir, manName(c)+".1")
		if err := source.StageBytes(name, []byte(manPage(a, c)), force); err != nil {
			return err
		}
		names = append(names, name)
	}
	if a.JSON {
		return manPagesReport.PrintPlain(a, manPages{dir, names})
	}
	a.Note("wrote %s to %s", question.Count(len(names), "page"), dir)
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage writes a command's help as a manual page. Cobra's doc package could do it, but
// it needs libraries for Markdown and YAML, whose tables would cost 0.7 ms at every start
// of pakbox.
func manPage(a *kit.App, c *cobra.Command) string {
	var b strings.Builder
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }
	verbatim := func(text string) { fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(strings.TrimRight(text, "\n"))) }

	fmt.Fprintf(&b, ".TH %s 1 \"\" pakbox\n", strings.ToUpper(manName(c)))
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(manName(c)), roff(c.Short))
	section("SYNOPSIS")
	use := "pakbox COMMAND"
	if c.HasParent() {
		use = kit.UsageLine(c)
	}
	fmt.Fprintf(&b, ".B %s\n[flags]\n", roff(use))
	section("DESCRIPTION")
	if c.HasParent() {
		for _, paragraph := range strings.Split(c.Long, "\n\n") {
			fmt.Fprintf(&b, "%s\n.PP\n", roff(paragraph))
		}
	} else {
		verbatim(c.Long)
	}
	if members := kit.AllCommands(c); len(members) > 0 {
		section("COMMANDS")
		for _, m := range members {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(kit.FullName(m)), roff(m.Short))
		}
	}
	section("OPTIONS")
	flags := func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), roff(usage))
	}
	c.InitDefaultHelpFlag()
	c.LocalFlags().VisitAll(flags)
	c.InheritedFlags().VisitAll(flags)
	if c.Example != "" {
		section("EXAMPLES")
		verbatim(c.Example)
	}
	if !c.HasParent() {
		for _, t := range topics {
			section(strings.ToUpper(strings.ReplaceAll(t.name, "-", " ")))
			verbatim(t.text(a))
		}
	} else {
		section("EXIT STATUS")
		for _, e := range kit.ExitCodes {
			fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", e.Code, roff(e.Meaning))
		}
		section("SEE ALSO")
		b.WriteString(".BR pakbox (1)\n")
	}
	return b.String()
}

// roff escapes text for roff: backslashes, hyphens, and lines that would be requests.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

var manReport = kit.NewPlainReport[manFields]("man", "", "a manual page")

type manFields struct {
	Page string `json:"page" doc:"name of the page"`
	Text string `json:"text" doc:"the page, for the program man"`
}

var manPagesReport = kit.NewPlainReport[manPages]("man", "--dir", "the manual pages that were written")

type manPages struct {
	Dir   string   `json:"path" doc:"folder of the pages"`
	Files []string `json:"files" doc:"paths of the pages"`
}
