package cli

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func (a *app) lsCommand() *cobra.Command {
	var long, tree, all bool
	cmd := &cobra.Command{
		Use:        "ls PATH...",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"list", "dir", "tree"},
		Short:      "List what an archive holds",
		Long: `Ls lists the files in an archive, a folder of one, or a plain folder, in the
order in which they are stored. Names are relative to PATH. Quote patterns, so
that they reach pakbox: * and ? stay in one folder, ** goes through all.

Of a file that holds things with names, such as the objects of a pakset, it
lists these, each a folder; --all lists the files in them too.`,
		Example: `  pakbox ls game.vpk
  pakbox ls -l backup.zip/game.vpk/textures
  pakbox ls 'game.vpk/**/*.dds'
  pakbox ls --tree game.vpk
  pakbox ls --json game.vpk`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if long && tree {
				return hint.Usagef("ls: -l and --tree exclude each other")
			}
			print := a.listNames
			switch {
			case long:
				print = a.listLong
			case tree:
				print = a.listTree
			}
			targets := a.Targets("ls", args)
			for i, t := range targets {
				if len(targets) > 1 && !a.JSON {
					if i > 0 {
						fmt.Fprintln(a.Out)
					}
					fmt.Fprintf(a.Out, "%s:\n", shell.Printable(t.Path))
				}
				if err := a.ls(cmd.Context(), t, print, long, all || tree); err != nil {
					a.Fail("ls", t.Path, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&long, "long", "l", false, "show sizes, method and time as well")
	cmd.Flags().BoolVarP(&all, "all", "a", false, "list every file, also where things with names stand for them")
	cmd.Flags().BoolVar(&tree, "tree", false, "draw the folders as a tree")
	return cmd
}

func (a *app) ls(ctx context.Context, t source.Target, print func(entries []archive.Entry), long, all bool) error {
	l, err := answer.List(ctx, a.Opener, t)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Print(l.Object())
	case l.Groups != nil && !all && t.Pattern == "":
		a.listGroups(l.Groups, long)
	default:
		print(l.Entries)
	}
	return nil
}

// listGroups lists things with names: their folders or, if long, what is
// known of them as a table.
func (a *app) listGroups(groups []archive.Group, long bool) {
	if !long {
		for _, g := range groups {
			fmt.Fprintf(a.Out, "%s/\n", shell.Printable(g.Folder))
		}
		return
	}
	t := &shell.Table{Right: 1}
	var total int64
	for i, g := range groups {
		head, row := []string{"SIZE"}, []string{strconv.FormatInt(g.Size, 10)}
		for _, f := range g.Summary {
			head, row = append(head, strings.ToUpper(f.Label)), append(row, shell.Printable(answer.FactText(f)))
		}
		if i == 0 {
			t.Add(append(head, "FOLDER")...)
		}
		t.Add(append(row, shell.Printable(g.Folder)+"/")...)
		total += g.Size
	}
	t.Print(a.Out)
	fmt.Fprintf(a.Out, "%s, %s\n", answer.Count(len(groups), "object"), answer.SizeText(total))
}

func (a *app) listNames(entries []archive.Entry) {
	for _, e := range entries {
		a.Out.WriteString(shell.Printable(e.Name))
		a.Out.WriteByte('\n')
	}
}

// listLong prints a table whose numbers a script can read: sizes are bytes.
func (a *app) listLong(entries []archive.Entry) {
	var total, stored int64
	sizes := make([]string, len(entries))
	wSize, wStored, wMethod := len("SIZE"), len("STORED"), len("METHOD")
	methods := make([]string, len(entries))
	for i, e := range entries {
		sizes[i], methods[i] = "?", e.Method
		if e.Size >= 0 {
			sizes[i] = strconv.FormatInt(e.Size, 10)
			total += e.Size
		}
		if e.Encrypted {
			methods[i] += "+key"
		}
		stored += e.StoredSize
		wSize, wMethod = max(wSize, len(sizes[i])), max(wMethod, len(methods[i]))
		wStored = max(wStored, len(strconv.FormatInt(e.StoredSize, 10)))
	}
	fmt.Fprintf(a.Out, "%*s  %*s  %-*s  %-16s  %s\n", wSize, "SIZE", wStored, "STORED", wMethod, "METHOD", "MODIFIED", "NAME")
	for i, e := range entries {
		fmt.Fprintf(a.Out, "%*s  %*d  %-*s  %-16s  %s\n", wSize, sizes[i], wStored, e.StoredSize, wMethod, methods[i], answer.TimeText(e.ModTime), shell.Printable(e.Name))
	}
	fmt.Fprintf(a.Out, "%s, %s, stored in %s\n", answer.Count(len(entries), "file"), answer.SizeText(total), answer.SizeText(stored))
}

// listTree draws folders and files with lines.
func (a *app) listTree(entries []archive.Entry) {
	children := map[string][]string{}
	known := map[string]bool{}
	for _, e := range entries {
		name := strings.Trim(e.Name, "/")
		for !known[name] {
			known[name] = true
			dir := path.Dir(name)
			children[dir] = append(children[dir], name)
			if name = dir; name == "." || name == "/" {
				break
			}
		}
	}
	var draw func(dir, indent string, depth int)
	draw = func(dir, indent string, depth int) {
		list := children[dir]
		sort.Strings(list)
		for i, name := range list {
			branch, deeper := "├── ", "│   "
			if i == len(list)-1 {
				branch, deeper = "└── ", "    "
			}
			if depth >= deepest {
				deeper = ""
			}
			mark := ""
			if len(children[name]) > 0 {
				mark = "/"
			}
			fmt.Fprintf(a.Out, "%s%s%s%s\n", indent, branch, shell.Printable(path.Base(name)), mark)
			if name != dir {
				draw(name, indent+deeper, depth+1)
			}
		}
	}
	draw(".", "", 0)
}

// deepest is from where on folders are not drawn further to the right: one
// name can be tens of thousands of them, and each line as long.
const deepest = 200
