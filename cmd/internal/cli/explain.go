package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

func explainCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:        "explain [RULE...]",
		SuggestFor: []string{"why", "rule"},
		Short:      "Explain what a finding means, and what to do about it",
		Long: `Explain describes what a finding of verify, map lint, item lint, replay check or
simutrans check means, and what you can do about it. RULE is the word in
parentheses after a finding, or "rule" in its JSON. Without RULE, explain lists
all rules.`,
		Example: `  pakbox explain missing_embed
  pakbox explain --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(a)
			}
			for _, name := range args {
				found := answer.Explain(name)
				if len(found) == 0 {
					return noRule(name)
				}
				if err := printRules(a, found); err != nil {
					return err
				}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, r := range answer.Rules() {
				names = append(names, r.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func noRule(name string) error {
	var names []string
	for _, r := range answer.Rules() {
		names = append(names, r.Name)
	}
	u := fault.Usagef("unknown rule %q", name)
	if near := spell.Near(name, names, 1); len(near) > 0 {
		return u.Hint("did you mean %s?", near[0])
	}
	return u.Hint("'pakbox explain' lists all")
}

func printRules(a *kit.App, rules []answer.Rule) error {
	for i := range rules {
		r := &rules[i]
		if a.JSON {
			if err := explainReport.PrintPlain(a, *r); err != nil {
				return err
			}
			continue
		}
		a.Separate()
		fmt.Fprintf(a.Out, "%s (%s)\n%s\n", a.Paint(kit.Strong, r.Name), r.By, r.Means)
		if r.Mend != "" {
			fmt.Fprintln(a.Out, r.Mend)
		}
		if r.Sure != "" {
			fmt.Fprintln(a.Out, r.Sure)
		}
	}
	return nil
}

func listRules(a *kit.App) error {
	rules := answer.Rules()
	if a.JSON {
		return printRules(a, rules)
	}
	t := kit.Table{}
	for _, r := range rules {
		t.Add(r.By, r.Name, r.Means)
	}
	t.Print(a.Out)
	return nil
}

var explainReport = kit.NewPlainReport[answer.Rule]("explain", "", "a rule of findings; one object for each rule")
