package cli

import (
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
)

func (a *app) lsCommand() *cobra.Command {
	var long, tree, all, human bool
	var many shell.Many
	var rows shell.Columns
	cmd := &cobra.Command{
		Use:        "ls PATH...",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"list", "dir", "tree", "files"},
		Short:      "List what an archive holds",
		Long: `Ls lists the files in an archive, a folder of one, or a plain folder, in the
order in which they are stored. Names are relative to PATH. Quote patterns, so
that they reach pakbox: * and ? stay in one folder, ** goes through all.

In a file of objects, such as a pakset, it lists the objects, each a folder; --all
lists the files in them too.`,
		Example: `  pakbox ls game.vpk
  pakbox ls -l backup.zip/game.vpk/textures
  pakbox ls 'game.vpk/**/*.dds'
  pakbox ls --tree game.vpk
  pakbox ls --csv --where 'size>1000000' --sort -size game.vpk
  pakbox ls --json game.vpk`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if long && tree {
				return hint.Usagef("ls: -l and --tree exclude each other")
			}
			asRows, err := rows.Wanted()
			if err != nil {
				return err
			}
			how := listForm{long, human, tree, all || tree}
			inputs := a.listed(many, args)
			if asRows && len(inputs) > 1 && !a.isTable(inputs[0].Path) {
				if err := a.Stream(&rows, fact.Names(answer.EntryFacts)); err != nil {
					return err
				}
			}
			usual := []string{"name", "size", "stored_size", "method", "modified"}
			t := a.EachInput(many, "ls", "listing", inputs, func(run *shell.App, path string) error {
				at, params := run.At(path), answer.FileList.NewParams()
				params.Pattern = run.Subject.Pattern
				l, err := answer.FileList.Ask(run.Ctx, at, params)
				switch {
				case err != nil:
					return err
				case asRows && isTable(l):
					usual = l.Groups[0].Summary.Names()
					for _, g := range l.Groups {
						if err := run.AddRow(&rows, g.Facts()); err != nil {
							return err
						}
					}
					return nil
				case asRows:
					if len(inputs) == 1 {
						if err := run.Stream(&rows, fact.Names(answer.EntryFacts)); err != nil {
							return err
						}
					}
					for _, e := range l.Entries {
						if err := run.AddRow(&rows, answer.EntryRow(path, e)); err != nil {
							return err
						}
					}
					return nil
				case run.JSON:
					return run.PrintReply(at.Reply(answer.FileList.Asked(), l))
				}
				(&app{run}).list(l, how)
				return nil
			})
			if asRows {
				if len(inputs) > 1 {
					usual = append([]string{"path"}, usual...)
				}
				return a.PrintRows(&rows, t, usual...)
			}
			return nil
		},
	}
	many.Flags(cmd)
	rows.Flags(cmd, answer.EntryFacts...)
	cmd.Flags().BoolVarP(&long, "long", "l", false, "show sizes, method and time as well")
	cmd.Flags().Bool("help", false, "help for ls") // without -h, which means human-readable sizes in ls
	cmd.Flags().BoolVarP(&human, "human", "h", false, "with -l, show sizes as 1.5 MiB instead of bytes")
	cmd.Flags().BoolVarP(&all, "all", "a", false, "list every file, also those in objects")
	cmd.Flags().BoolVar(&tree, "tree", false, "draw the folders as a tree")
	return cmd
}

// isTable reports whether a list consists of rows of a table.
func isTable(l *answer.Listing) bool { return len(l.Groups) > 0 && l.Groups[0].Row }

func (a *app) isTable(path string) bool {
	l, err := answer.FileList.Ask(a.Ctx, a.At(path), answer.FileList.NewParams())
	return err == nil && isTable(l)
}

// listed returns the paths to list, with the patterns inside them.
func (a *app) listed(many shell.Many, args []string) (inputs []shell.Input) {
	for _, t := range a.Targets("ls", args) {
		found := []shell.Input{{Path: t.Path, Pattern: t.Pattern}}
		if many.Recursive && t.Pattern == "" {
			found = a.Inputs(many, "ls", []string{t.Path})
		}
		inputs = append(inputs, found...)
	}
	for i := range inputs {
		inputs[i].Number, inputs[i].Many = i+1, len(inputs) > 1
	}
	return inputs
}

// listForm holds the flags that choose the form of a list.
type listForm struct{ long, human, tree, all bool }

func (a *app) list(l *answer.Listing, as listForm) {
	if a.Subject.Many {
		a.Separate()
		fmt.Fprintf(a.Out, "%s:\n", shell.Printable(a.Subject.Path))
	}
	switch {
	case l.Groups != nil && !as.all && a.Subject.Pattern == "":
		a.listGroups(l.Groups, as)
	case as.tree:
		a.listTree(l.Entries)
	case as.long:
		a.listLong(l.Entries, as)
	default:
		a.listNames(l.Entries)
	}
}

// listGroups lists named objects: their folders or, if long, a table of their facts.
func (a *app) listGroups(groups []archive.Group, as listForm) {
	if !as.long {
		for _, g := range groups {
			if g.Row {
				name, _ := g.Summary.Get("locale_name")
				fmt.Fprintf(a.Out, "%s\t%s\n", shell.Printable(g.Folder), shell.Printable(name.Text()))
				continue
			}
			fmt.Fprintf(a.Out, "%s/\n", shell.Printable(g.Folder))
		}
		return
	}
	t := &shell.Table{Right: 1}
	var total int64
	for i, g := range groups {
		head, row := []string{"SIZE"}, []string{as.size(g.Size)}
		for _, f := range g.Summary {
			head, row = append(head, strings.ToUpper(f.Label)), append(row, shell.Printable(f.Text()))
		}
		if i == 0 {
			t.Add(append(head, "FOLDER")...)
		}
		if g.Row {
			t.Add(append(row, "")...)
		} else {
			t.Add(append(row, shell.Printable(g.Folder)+"/")...)
		}
		total += g.Size
	}
	t.Print(a.Out)
	fmt.Fprintf(a.Out, "%s, %s\n", form.Count(len(groups), "object"), fact.SizeText(total))
}

func (a *app) listNames(entries []archive.Entry) {
	for _, e := range entries {
		a.Out.WriteString(shell.Printable(e.Name))
		a.Out.WriteByte('\n')
	}
}

// size formats a size for a script, or for a person.
func (f listForm) size(n int64) string {
	switch {
	case n < 0:
		return "?"
	case f.human:
		return fact.SizeText(n)
	}
	return strconv.FormatInt(n, 10)
}

// listLong prints a table that a script can read: sizes are in bytes, unless a form for
// people is requested.
func (a *app) listLong(entries []archive.Entry, as listForm) {
	var total, stored int64
	t := &shell.Table{Right: 2}
	t.Add("SIZE", "STORED", "METHOD", "MODIFIED", "NAME")
	for _, e := range entries {
		method := e.Method
		if e.Encrypted {
			method += "+key"
		}
		total += max(e.Size, 0)
		stored += e.StoredSize
		t.Add(as.size(e.Size), as.size(e.StoredSize), method, fmt.Sprintf("%-16s", fact.MomentText(e.ModTime)), shell.Printable(e.Name))
	}
	t.Print(a.Out)
	fmt.Fprintf(a.Out, "%s, %s, stored in %s\n", form.Count(len(entries), "file"), fact.SizeText(total), fact.SizeText(stored))
}

// listTree draws a tree of folders and files.
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

// deepest limits the indentation of folders: one name can contain tens of thousands of
// folders, and each line would be as long.
const deepest = 200
