package files

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
)

func lsCommand(a *kit.App) *cobra.Command {
	var long, tree, all, human bool
	var many kit.Many
	var rows kit.Columns
	cmd := &cobra.Command{
		Use:        "ls PATH...",
		GroupID:    kit.GroupLook,
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
				return fault.Usagef("ls: -l and --tree exclude each other")
			}
			how := listForm{long, human, tree, all || tree}
			asking := kit.Asking[answer.ListParams, *answer.Content]{
				Question: answer.FileList, Columns: &rows,
				Params: func(in kit.Input) answer.ListParams { return answer.ListParams{Pattern: in.Pattern} },
				Print: func(run *kit.App, _ string, l *answer.Content) error {
					list(run, l, how)
					return nil
				},
			}
			_, err := asking.Each(a, many, "ls", "listing", func() []kit.Input { return listed(a, many, args) })
			return err
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

// listed returns the paths to list, with the patterns inside them.
func listed(a *kit.App, many kit.Many, args []string) (inputs []kit.Input) {
	for _, t := range a.Targets("ls", args) {
		found := []kit.Input{{Path: t.Path, Pattern: t.Pattern}}
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

func list(a *kit.App, l *answer.Content, as listForm) {
	if a.Subject.Many {
		a.Separate()
		fmt.Fprintf(a.Out, "%s:\n", kit.Printable(a.Subject.Path))
	}
	switch {
	case l.Groups != nil && !as.all && a.Subject.Pattern == "":
		listGroups(a, l.Groups, as)
		if a.CodePage == "" && slices.ContainsFunc(l.Groups, inUnknownPage) {
			a.Note("the names are in a code page that the file does not state; to read them: --code-page 936, 949, 1252 or another")
		}
	case as.tree:
		listTree(a, l.Entries)
	case as.long:
		listLong(a, l.Entries, as)
	default:
		listNames(a, l.Entries)
	}
}

// unknownLetters matches bytes of a name whose code page is not known.
var unknownLetters = regexp.MustCompile("%[89A-F][0-9A-F]")

// inUnknownPage reports whether the client's name of a record could not be decoded.
func inUnknownPage(g archive.Group) bool {
	name, ok := g.Summary.Get("locale_name")
	return ok && g.Row && unknownLetters.MatchString(name.Text())
}

// listGroups lists named objects: their folders or, if long, a table of their facts.
func listGroups(a *kit.App, groups []archive.Group, as listForm) {
	if !as.long {
		for _, g := range groups {
			if g.Row {
				name, _ := g.Summary.Get("locale_name")
				fmt.Fprintf(a.Out, "%s\t%s\n", kit.Printable(g.Folder), kit.Printable(name.Text()))
				continue
			}
			fmt.Fprintf(a.Out, "%s/\n", kit.Printable(g.Folder))
		}
		return
	}
	t := &kit.Table{Right: 1}
	var total int64
	for i, g := range groups {
		head, row := []string{"SIZE"}, []string{as.size(g.Size)}
		for _, f := range g.Summary {
			head, row = append(head, strings.ToUpper(f.Label)), append(row, kit.Printable(f.Text()))
		}
		if i == 0 {
			t.Add(append(head, "FOLDER")...)
		}
		if g.Row {
			t.Add(append(row, "")...)
		} else {
			t.Add(append(row, kit.Printable(g.Folder)+"/")...)
		}
		total += g.Size
	}
	t.Print(a.Out)
	fmt.Fprintf(a.Out, "%s, %s\n", question.Count(len(groups), "object"), fact.SizeText(total))
}

func listNames(a *kit.App, entries []archive.Entry) {
	for _, e := range entries {
		a.Out.WriteString(kit.Printable(e.Name))
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
func listLong(a *kit.App, entries []archive.Entry, as listForm) {
	var total, stored int64
	t := &kit.Table{Right: 2}
	t.Add("SIZE", "STORED", "METHOD", "MODIFIED", "NAME")
	for _, e := range entries {
		method := e.Method
		if e.Encrypted {
			method += "+key"
		}
		total += max(e.Size, 0)
		stored += e.StoredSize
		t.Add(as.size(e.Size), as.size(e.StoredSize), method, fmt.Sprintf("%-16s", fact.MomentText(e.ModTime)), kit.Printable(e.Name))
	}
	t.Print(a.Out)
	fmt.Fprintf(a.Out, "%s, %s, stored in %s\n", question.Count(len(entries), "file"), fact.SizeText(total), fact.SizeText(stored))
}

// listTree draws a tree of folders and files.
func listTree(a *kit.App, entries []archive.Entry) {
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
			fmt.Fprintf(a.Out, "%s%s%s%s\n", indent, branch, kit.Printable(path.Base(name)), mark)
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
