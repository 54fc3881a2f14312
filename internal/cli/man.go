package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func (a *app) manCommand() *cobra.Command {
	var dir string
	var force bool
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print a manual page, or write all of them",
		Long: `Man prints pakbox's manual page, or that of a command, for the man program. With
--dir it writes all of them into a folder.`,
		Example: `  pakbox man ls | man -l -
  pakbox man --dir /usr/local/share/man/man1`,
		Args: shell.ArgCount(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if dir != "" {
				if len(args) > 0 {
					return hint.Usagef("man: --dir writes all pages, not one")
				}
				return a.writeManPages(root, dir, force)
			}
			page := shell.FindCommand(root, args)
			if page == nil {
				return hint.Usagef("there is no command %q", strings.Join(args, " ")).Hint("'pakbox help' lists the commands")
			}
			text, err := a.manPage(page)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Print(new(form.Object).Add("schema", "pakbox.man/1").Add("page", manName(page)).Add("text", text))
			}
			_, err = a.Out.WriteString(text)
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "replace pages that exist")
	return cmd
}

func (a *app) writeManPages(root *cobra.Command, dir string, force bool) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var names []string
	for _, c := range append([]*cobra.Command{root}, shell.AllCommands(root)...) {
		name := filepath.Join(dir, manName(c)+".1")
		page, err := a.manPage(c)
		if err != nil {
			return err
		}
		if err := source.StageBytes(name, []byte(page), force); err != nil {
			return err
		}
		names = append(names, name)
	}
	if a.JSON {
		return a.Print(new(form.Object).Add("schema", "pakbox.man/1").Add("path", dir).Add("files", names))
	}
	a.Note("wrote %s to %s", form.Count(len(names), "page"), dir)
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage has cobra write the manual page of a command. Sections that cobra does
// not have are put behind the description: the help topics on the page of pakbox,
// the exit codes on the others.
func (a *app) manPage(c *cobra.Command) (string, error) {
	var long strings.Builder
	if c.HasParent() {
		for _, paragraph := range strings.Split(c.Long, "\n\n") {
			if strings.HasPrefix(paragraph, "  ") { // a table
				paragraph = "```\n" + paragraph + "\n```"
			}
			long.WriteString(paragraph + "\n\n")
		}
		long.WriteString("# EXIT STATUS\n")
		for _, e := range shell.ExitCodes {
			fmt.Fprintf(&long, "**%d**\n\t%s\n\n", e.Code, e.Meaning)
		}
	} else {
		fmt.Fprintf(&long, "```\n%s\n```\n", c.Long)
		for _, t := range topics {
			fmt.Fprintf(&long, "\n# %s\n```\n%s\n```\n", strings.ToUpper(strings.ReplaceAll(t.name, "-", " ")), strings.TrimRight(t.text(a), "\n"))
		}
	}
	page := *c
	page.Long, page.DisableAutoGenTag = long.String(), true
	var b strings.Builder
	err := doc.GenMan(&page, &doc.GenManHeader{Section: "1", Source: "pakbox", Date: new(time.Time)}, &b)
	return strings.Replace(b.String(), `"Jan 0001"`, `""`, 1), err
}
