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
)

func (a *app) lsCommand() *cobra.Command {
	var long, tree, all bool
	cmd := &cobra.Command{
		Use:        "ls PATH...",
		GroupID:    groupLook,
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
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if long && tree {
				return usagef("ls: -l and --tree exclude each other")
			}
			print := a.listNames
			switch {
			case long:
				print = a.listLong
			case tree:
				print = a.listTree
			}
			targets := a.targets("ls", args)
			for i, t := range targets {
				if len(targets) > 1 && !a.json {
					if i > 0 {
						fmt.Fprintln(a.out)
					}
					fmt.Fprintf(a.out, "%s:\n", printable(t.path))
				}
				if err := a.ls(cmd.Context(), t, print, long, all || tree); err != nil {
					a.fail("ls", t.path, err)
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

func (a *app) ls(ctx context.Context, t target, print func(entries []archive.Entry), long, all bool) error {
	l, err := list(ctx, a.opener, t)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.print(l.object())
	case l.groups != nil && !all && t.pattern == "":
		a.listGroups(l.groups, long)
	default:
		print(l.entries)
	}
	return nil
}

// listGroups lists things with names: their folders or, if long, what is
// known of them as a table.
func (a *app) listGroups(groups []archive.Group, long bool) {
	if !long {
		for _, g := range groups {
			fmt.Fprintf(a.out, "%s/\n", printable(g.Folder))
		}
		return
	}
	t := &table{right: 1}
	var total int64
	for i, g := range groups {
		head, row := []string{"SIZE"}, []string{strconv.FormatInt(g.Size, 10)}
		for _, f := range g.Summary {
			head, row = append(head, strings.ToUpper(f.Label)), append(row, printable(factText(f)))
		}
		if i == 0 {
			t.add(append(head, "FOLDER")...)
		}
		t.add(append(row, printable(g.Folder)+"/")...)
		total += g.Size
	}
	t.print(a.out)
	fmt.Fprintf(a.out, "%s, %s\n", count(len(groups), "object"), sizeText(total))
}

func (a *app) listNames(entries []archive.Entry) {
	for _, e := range entries {
		a.out.WriteString(printable(e.Name))
		a.out.WriteByte('\n')
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
	fmt.Fprintf(a.out, "%*s  %*s  %-*s  %-16s  %s\n", wSize, "SIZE", wStored, "STORED", wMethod, "METHOD", "MODIFIED", "NAME")
	for i, e := range entries {
		fmt.Fprintf(a.out, "%*s  %*d  %-*s  %-16s  %s\n", wSize, sizes[i], wStored, e.StoredSize, wMethod, methods[i], timeText(e.ModTime), printable(e.Name))
	}
	fmt.Fprintf(a.out, "%s, %s, stored in %s\n", count(len(entries), "file"), sizeText(total), sizeText(stored))
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
			fmt.Fprintf(a.out, "%s%s%s%s\n", indent, branch, printable(path.Base(name)), mark)
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
