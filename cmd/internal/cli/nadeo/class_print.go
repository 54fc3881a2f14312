package nadeo

import (
	"fmt"
	"strings"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/gbx/classid"
)

func printClass(a *kit.App, c *answer.Class, members, tree bool) {
	id := c.Of
	line := func(name, value string) { label(a, name, value) }
	line("Class", strings.TrimSpace(text(c.Name)+" "+c.ID))
	line("Engine", fmt.Sprintf("%s (%02X)", c.Engine, id.Engine()))
	line("Parent", parentText(id))
	line("Files", text(c.Extension))
	line("Older IDs", strings.Join(c.Older, ", "))
	line("Once", strings.Join(c.Former, ", "))
	line("Members", fmt.Sprint(len(c.Members)))
	line("Chunks", fmt.Sprint(len(c.Chunks)))
	if tree {
		printTree(a, c)
	}
	if members || !tree && id.Chunk() == 0 {
		printMembers(a, c)
	}
	if c.Sheet != nil && !members && !tree {
		fmt.Fprintf(a.Out, "\n%s\n", strings.TrimRight(*c.Sheet, "\n"))
	}
}

// label prints a labelled value, unless it is empty.
func label(a *kit.App, label, value string) {
	if value != "" {
		fmt.Fprintf(a.Out, "%-10s %s\n", label, value)
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// parentText names the parent of a class. If it differs between games, it names the games
// too.
func parentText(id classid.ID) string {
	c, _ := classid.Lookup(id)
	var parents []string
	games := map[string][]string{}
	for _, g := range classid.Games {
		if parent, ok := c.ParentIn(g); ok {
			if games[parent] == nil {
				parents = append(parents, parent)
			}
			games[parent] = append(games[parent], g.String())
		}
	}
	if len(parents) < 2 {
		return c.Parent
	}
	for i, parent := range parents {
		parents[i] = parent + " in " + strings.Join(games[parent], ", ")
	}
	return strings.Join(parents, "; ")
}

// printTree prints the ancestors of a class and its direct descendants.
func printTree(a *kit.App, c *answer.Class) {
	fmt.Fprintln(a.Out)
	depth := len(c.Ancestors)
	for i := range c.Ancestors {
		fmt.Fprintf(a.Out, "%s%s\n", strings.Repeat("  ", i), c.Ancestors[depth-1-i])
	}
	fmt.Fprintf(a.Out, "%s%s\n", strings.Repeat("  ", depth), text(c.Name))
	for _, child := range c.Children {
		fmt.Fprintf(a.Out, "%s%s\n", strings.Repeat("  ", depth+1), child)
	}
}

// printMembers prints the members of a class, grouped by ancestor, and its enumerations.
func printMembers(a *kit.App, c *answer.Class) {
	for i, m := range c.Members {
		if i == 0 || c.Members[i-1].ClassID != m.ClassID {
			fmt.Fprintf(a.Out, "\nmembers of %s\n", m.Class)
		}
		access := ""
		if m.Const {
			access = "const "
		}
		fmt.Fprintf(a.Out, "%5s %s %s%s\n", indexText(m.Index), m.Name, access, m.Type)
	}
	if len(c.Enums) > 0 {
		fmt.Fprintf(a.Out, "\nenumerations of %s\n", text(c.Name))
	}
	t := &kit.Table{}
	for _, e := range c.Enums {
		t.Add("  "+e.Name, strings.Join(e.Values, " "))
	}
	t.Print(a.Out)
}

// indexText formats the number of a member in TM2020.
func indexText(index int) string {
	if index < 0 {
		return "ManiaPlanet"
	}
	return fmt.Sprint(index)
}

// printMember prints the member to which a path leads.
func printMember(run *kit.App, _ string, p *answer.MemberPath) error {
	a := run
	label(a, "Path", p.Path)
	label(a, "Class", p.Class+" "+p.ClassID)
	label(a, "Index", indexText(p.Index))
	access := ""
	if p.Const {
		access = "const "
	}
	label(a, "Type", access+p.Type)
	label(a, "Values", strings.Join(p.Values, " "))
	return nil
}
