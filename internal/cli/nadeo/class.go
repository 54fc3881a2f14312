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

// classJSON is a class in class --json.
type classJSON struct {
	Schema    string       `json:"schema"`
	ID        string       `json:"id"`
	Name      *string      `json:"name"`
	Engine    string       `json:"engine"`
	Parent    *string      `json:"parent"`
	Extension *string      `json:"extension"`
	Older     []string     `json:"older_ids"`
	Former    []string     `json:"former_names"`
	Chunks    []classChunk `json:"chunks"`
	Sheet     *string      `json:"sheet"`
}

type classChunk struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Header bool   `json:"header"`
}

// describeClass puts together what the tables and the sheets know.
func describeClass(id classid.ID) classJSON {
	j := classJSON{Schema: "pakbox.class/1", ID: id.Class().String(), Engine: classid.EngineName(id.Engine()), Older: []string{}, Former: []string{}, Chunks: []classChunk{}}
	if c, ok := classid.Lookup(id); ok {
		j.Name, j.Parent, j.Extension = answer.NonEmpty(c.Name), answer.NonEmpty(c.Parent), answer.NonEmpty(c.Extension)
		j.Former = append(j.Former, c.Former...)
	}
	for _, old := range id.Older() {
		j.Older = append(j.Older, old.String())
	}
	info, ok := engine.Registry().Class(id)
	if !ok {
		return j
	}
	j.Name = answer.NonEmpty(info.Name)
	if info.Parent != "" {
		j.Parent = answer.NonEmpty(info.Parent)
	}
	for _, c := range info.Chunks {
		j.Chunks = append(j.Chunks, classChunk{c.ID.String(), c.Name, c.Header})
	}
	if sheet, ok := engine.Sheet(info.Name); ok {
		if id.Chunk() != 0 {
			sheet = sheetPart(sheet, id)
		}
		j.Sheet = answer.NonEmpty(sheet)
	}
	return j
}

func (a *app) printClassJSON(c classJSON) error {
	line, err := answer.Marshal(c)
	if err != nil {
		return err
	}
	a.Out.Write(line)
	return a.Out.WriteByte('\n')
}

func (a *app) printClass(id classid.ID) error {
	c := describeClass(id)
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

// sheetPart cuts one chunk out of a sheet.
func sheetPart(sheet string, id classid.ID) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(sheet) {
		if len(line) > 1 && line[0] != ' ' {
			fields := strings.Fields(line)
			inside = len(fields) > 1 && (fields[0] == "chunk" || fields[0] == "header") &&
				(strings.EqualFold(fields[1], fmt.Sprintf("%03X", id.Chunk())) || strings.EqualFold(fields[1], id.String()))
		}
		if inside {
			b.WriteString(line)
		}
	}
	return strings.TrimRight(b.String(), "\n")
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
			if err := a.printClassJSON(describeClass(id)); err != nil {
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
