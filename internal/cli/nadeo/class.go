package nadeo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
)

// Class is the one command about a format rather than about files: it prints
// what the class registry and the chunk sheets of GBX say.
func (a *app) classCommand() *cobra.Command {
	var engineName string
	cmd := &cobra.Command{
		Use:   "class CLASS...",
		Short: "Say what is known about a class of GBX files",
		Long: `Class prints the numbers, the name, the parent and the chunk sheet of a class.
CLASS is a name, a class ID with or without its last three zeros, or the ID of a
chunk, of which only its own part of the sheet is printed.

With --engine it lists the classes of an engine.`,
		Example: `  pakbox class 03043
  pakbox class CGameCtnGhost
  pakbox class 0304301F
  pakbox class --engine Plug`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			for _, c := range engine.Registry().Classes() {
				if strings.HasPrefix(c.Name, typed) {
					names = append(names, c.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if engineName != "" {
				if len(args) > 0 {
					return hint.Usagef("--engine lists classes; there can be no CLASS")
				}
				return a.listEngine(engineName)
			}
			if err := shell.ArgCount(1, shell.Unlimited)(cmd, args); err != nil {
				return err
			}
			for i, arg := range args {
				id, err := findClass(arg)
				if err != nil {
					return err
				}
				if i > 0 && !a.JSON {
					fmt.Fprintln(a.Out)
				}
				if err := a.printClass(id); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&engineName, "engine", "", "list the classes of the engine of that `NAME` or number")
	return cmd
}

// findClass turns what a person calls a class, or a chunk, into its latest ID.
func findClass(arg string) (classid.ID, error) {
	if c, ok := classid.ByName(arg); ok {
		return c.ID, nil
	}
	for _, c := range engine.Registry().Classes() {
		if strings.EqualFold(c.Name, arg) {
			return c.ID, nil
		}
	}
	digits := strings.TrimPrefix(strings.ToLower(arg), "0x")
	if n, err := strconv.ParseUint(digits, 16, 32); err == nil {
		switch len(digits) {
		case 5:
			return classid.ID(n << 12).Latest(), nil
		case 8:
			return classid.ID(n).Latest(), nil
		}
	}
	err := hint.Usagef("%s is neither a known class nor an ID of five or eight hex digits", arg)
	if like := classid.Like(arg, mostSuggestions); len(like) > 0 {
		return 0, err.Hint("is it %s?", answer.OrList(like))
	}
	return 0, err
}

// mostSuggestions is how many names are suggested for a wrong one.
const mostSuggestions = 5

func (a *app) printClassJSON(c answer.Class) error {
	line, err := answer.Marshal(c)
	if err != nil {
		return err
	}
	a.Out.Write(line)
	return a.Out.WriteByte('\n')
}

func (a *app) printClass(id classid.ID) error {
	c := answer.ClassOf(id)
	if c.Name == nil && c.Sheet == nil && len(c.Older) == 0 {
		return hint.Usagef("nothing is known about class %s", c.ID)
	}
	if a.JSON {
		return a.printClassJSON(c)
	}
	line := func(label string, value string) {
		if value != "" {
			fmt.Fprintf(a.Out, "%-10s %s\n", label, value)
		}
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	line("Class", strings.TrimSpace(text(c.Name)+" "+c.ID))
	line("Engine", fmt.Sprintf("%s (%02X)", c.Engine, id.Engine()))
	line("Parent", text(c.Parent))
	line("Files", text(c.Extension))
	line("Older IDs", strings.Join(c.Older, ", "))
	line("Once", strings.Join(c.Former, ", "))
	line("Chunks", fmt.Sprint(len(c.Chunks)))
	if c.Sheet != nil {
		fmt.Fprintf(a.Out, "\n%s\n", strings.TrimRight(*c.Sheet, "\n"))
	}
	return nil
}

// listEngine lists the classes of an engine.
func (a *app) listEngine(name string) error {
	number, ok := classid.EngineByName(name)
	if !ok {
		return hint.Usagef("there is no engine %q", name).Hint("engines are %s", strings.Join(classid.EngineNames(), ", "))
	}
	known := map[classid.ID]string{}
	for _, c := range classid.All() {
		known[c.ID] = c.Name
	}
	sheets := map[classid.ID]gbx.ClassInfo{}
	for _, c := range engine.Registry().Classes() {
		known[c.ID], sheets[c.ID] = c.Name, c
	}
	var ids []classid.ID
	for id := range known {
		if id.Engine() == number {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(x, y classid.ID) int { return cmp.Compare(x, y) })
	for _, id := range ids {
		if a.JSON {
			if err := a.printClassJSON(answer.ClassOf(id)); err != nil {
				return err
			}
			continue
		}
		chunks := ""
		if c, ok := sheets[id]; ok {
			chunks = answer.Count(len(c.Chunks), "chunk")
		}
		fmt.Fprintln(a.Out, strings.TrimSpace(fmt.Sprintf("%v %-44s %s", id, known[id], chunks)))
	}
	return nil
}
