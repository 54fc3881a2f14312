package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/talk"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

func schemaCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:     "schema [QUESTION]",
		GroupID: kit.GroupProgram,
		Short:   "Print the JSON Schema of an answer",
		Long: `Schema prints the JSON Schema of what a command writes with --json, and the
parameters that 'pakbox ask' takes. QUESTION is the name of the command with dots,
such as map.lint. Without one it lists all
questions, each with its sentence.`,
		Example: `  pakbox schema
  pakbox schema info
  pakbox schema map.lint`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return questionNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, q := range answer.Questions() {
					fmt.Fprintf(a.Out, "%-16s %s\n", q.Name, q.Doc)
				}
				return nil
			}
			for _, q := range answer.Questions() {
				if q.Name == args[0] {
					s := q.Schema(answer.Subjects(a.Formats))
					s["x-parameters"] = talk.ParamsSchema(q)
					text, err := json.MarshalIndent(s, "", "  ")
					if err != nil {
						return err
					}
					_, err = a.Out.Write(append(text, '\n'))
					return err
				}
			}
			u := fault.Usagef("unknown question %q", args[0])
			if near := spell.Near(args[0], questionNames(), 1); len(near) > 0 {
				return u.Hint("did you mean %s?", near[0])
			}
			return u.Hint("'pakbox schema' lists all questions")
		},
	}
}

func questionNames() (names []string) {
	for _, q := range answer.Questions() {
		names = append(names, q.Name)
	}
	return names
}
