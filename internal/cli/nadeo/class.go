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

// classWanted is what someone wants to know of a class.
type classWanted struct{ members, tree bool }

// Class is the one command about a format rather than about files: it prints
// what the class registry and the chunk sheets of GBX say.
func (a *app) classCommand() *cobra.Command {
	var engineName string
	var want classWanted
	cmd := &cobra.Command{
		Use:   "class CLASS...",
		Short: "Say what is known about a class of GBX files",
		Long: `Class prints the numbers and names of a class, its parent in each game, its
members and enumerations as TM2020 describes them, and its chunk sheet. CLASS is
a name, a class ID with or without its last three zeros, or the ID of a chunk,
of which only its own part of the sheet is printed. With --members it lists all
members, the inherited too, and with --tree the classes above and below, both
without the sheet.

A path of members, CLASS.MEMBER.MEMBER or only MEMBER.MEMBER, leads to the class
that declares the last one, its number there, and its type. An element of a list
is written Members[0].

With --engine it lists the classes of an engine.`,
		Example: `  pakbox class 03043
  pakbox class CGameCtnGhost
  pakbox class 0304301F
  pakbox class --members CControlLabel
  pakbox class --tree CPlugFile
  pakbox class CGameCtnApp.RootMap.MapInfo.Name
  pakbox class --engine Plug`,
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
					return hint.Usagef("--engine lists classes; there can be no CLASS")
				}
				return a.listEngine(engineName)
			}
			if err := shell.ArgCount(1, shell.Unlimited)(cmd, args); err != nil {
				return err
			}
			for i, arg := range args {
				if i > 0 && !a.JSON {
					fmt.Fprintln(a.Out)
				}
				if err := a.class(arg, want); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&engineName, "engine", "", "list the classes of the engine of that `NAME` or number")
	cmd.Flags().BoolVar(&want.members, "members", false, "list all members, the inherited too")
	cmd.Flags().BoolVar(&want.tree, "tree", false, "show the classes above and below")
	return cmd
}

// class answers one argument: a class, or a path of members.
func (a *app) class(arg string, want classWanted) error {
	if strings.Contains(arg, ".") {
		p, err := answer.MemberAt(arg)
		if err != nil {
			return err
		}
		return a.printMember(p)
	}
	id, err := findClass(arg)
	if err != nil {
		return err
	}
	return a.printClass(id, want)
}

// findClass turns what a person calls a class, or a chunk, into its latest ID.
func findClass(arg string) (classid.ID, error) {
	if c, ok := classid.ByName(arg); ok {
		return c.ID.Latest(), nil
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
	if like := classid.Similar(arg, mostSuggestions); len(like) > 0 {
		return 0, err.Hint("is it %s?", answer.OrList(like))
	}
	return 0, err
}

// mostSuggestions is how many names are suggested for a wrong one.
const mostSuggestions = 5

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
			if id.Latest() != id {
				continue // the class that it is today tells of it
			}
			if err := a.printAsJSON(answer.ClassOf(id, false)); err != nil {
				return err
			}
			continue
		}
		more := ""
		if c, ok := sheets[id]; ok {
			more = answer.Count(len(c.Chunks), "chunk")
		}
		if latest := id.Latest(); latest != id {
			more = fmt.Sprintf("now %v", latest)
		}
		fmt.Fprintln(a.Out, strings.TrimSpace(fmt.Sprintf("%v %-44s %s", id, known[id], more)))
	}
	return nil
}
