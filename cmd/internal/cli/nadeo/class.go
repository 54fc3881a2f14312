package nadeo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
)

// classCommand makes the one command that is about a format and not about files: it
// prints what the class registry and the chunk sheets of GBX contain.
func classCommand(a *kit.App) *cobra.Command {
	var engineName string
	var tree bool
	var form string
	params := answer.ClassInfo.NewParams()
	cmd := &cobra.Command{
		Use:   "class CLASS...",
		Args:  cobra.ArbitraryArgs, // --engine and --export need none
		Short: "Say what is known about a class of GBX files",
		Long: `Class prints the numbers and names of a class, its parent in each game, its
members and enumerations as TM2020 describes them, and its chunk sheet. CLASS is
a name, a class ID with or without its last three zeros, or the ID of a chunk; for
a chunk only its own part of the sheet is printed. --members lists all members,
including the inherited ones, and --tree shows the classes above and below; both
print no sheet.

CLASS may also be a path of members: CLASS.MEMBER.MEMBER, or only MEMBER.MEMBER.
For the last member it prints the class that declares it, its number there, and
its type. An element of a list is written Members[0].

With --engine it lists the classes of an engine.

With --export json it prints the chunk sheet of each CLASS as data, an object a
line, for programs that make parsers of it; --export ts declares the same values
as interfaces of TypeScript. Without CLASS it prints all that have a sheet.`,
		Example: `  pakbox class 03043
  pakbox class CGameCtnGhost
  pakbox class 0304301F
  pakbox class --members CControlLabel
  pakbox class --tree CPlugFile
  pakbox class CGameCtnApp.RootMap.MapInfo.Name
  pakbox class --engine Plug
  pakbox class --export json CGameCtnGhost`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			for _, c := range classid.All() {
				if strings.HasPrefix(c.Name, typed) && c.ID.Latest() == c.ID {
					names = append(names, c.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if engineName != "" {
				if len(args) > 0 {
					return fault.Usagef("--engine lists classes; there can be no CLASS")
				}
				return listEngine(a, engineName)
			}
			if form != "" {
				return export(a, form, args)
			}
			if err := kit.ArgCount(1, kit.Unlimited)(cmd, args); err != nil {
				return err
			}
			for i, arg := range args {
				if i > 0 && !a.JSON {
					fmt.Fprintln(a.Out)
				}
				var err error
				if strings.Contains(arg, ".") {
					member := answer.ClassMember.NewParams()
					member.Path = arg
					err = kit.AskOne(a, "", answer.ClassMember, member, printMember)
				} else {
					params.Name = arg
					err = kit.AskOne(a, "", answer.ClassInfo, params, func(run *kit.App, _ string, c *answer.Class) error {
						printClass(run, c, params.Members, tree)
						return nil
					})
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&engineName, "engine", "", "list the classes of the engine of that `NAME` or number")
	kit.Flags(cmd, answer.ClassInfo, &params)
	cmd.Flags().StringVar(&form, "export", "", "print layouts for other parsers, as `FORM`: json or ts")
	cmd.Flags().BoolVar(&tree, "tree", false, "show the classes above and below")
	return cmd
}

// listEngine lists the classes of an engine.
func listEngine(a *kit.App, name string) error {
	number, ok := classid.EngineByName(strings.TrimPrefix(strings.ToLower(name), "0x"))
	if !ok {
		return fault.Usagef("unknown engine %q", name).Hint("engines are %s", strings.Join(classid.EngineNames(), ", "))
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
	if len(ids) == 0 {
		a.Note("no class of the engine %s is known: no file at hand holds one", classid.EngineName(number))
	}
	for _, id := range ids {
		if a.JSON {
			if id.Latest() != id {
				continue // shown under its present class
			}
			params := answer.ClassInfo.NewParams()
			params.Name = id.String()
			if err := kit.AskOne(a, "", answer.ClassInfo, params, nil); err != nil {
				return err
			}
			continue
		}
		more := ""
		if c, ok := sheets[id]; ok {
			more = question.Count(len(c.Chunks), "chunk")
		}
		if latest := id.Latest(); latest != id {
			more = fmt.Sprintf("now %v", latest)
		}
		fmt.Fprintln(a.Out, strings.TrimSpace(fmt.Sprintf("%v %-44s %s", id, known[id], more)))
	}
	return nil
}
