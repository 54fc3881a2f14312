package cli

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
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
such as map.lint. Without one it lists all of them, each with its sentence. A
command that answers no question has a schema, and no parameters.`,
		Example: `  pakbox schema
  pakbox schema info
  pakbox schema map.lint`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return schemaNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, name := range schemaNames() {
					_, doc := schemaOf(a, name)
					fmt.Fprintf(a.Out, "%-16s %s\n", name, doc)
				}
				return nil
			}
			if s, _ := schemaOf(a, args[0]); s != nil {
				text, err := json.MarshalIndent(s, "", "  ")
				if err != nil {
					return err
				}
				_, err = a.Out.Write(append(text, '\n'))
				return err
			}
			u := fault.Usagef("unknown question %q", args[0])
			if near := spell.Near(args[0], schemaNames(), 1); len(near) > 0 {
				return u.Hint("did you mean %s?", near[0])
			}
			return u.Hint("'pakbox schema' lists all questions")
		},
	}
}

// schemaNames lists the questions, and the commands that print something else.
func schemaNames() (names []string) {
	for _, q := range answer.Questions() {
		names = append(names, q.Name)
	}
	for _, r := range kit.Reports {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// schemaOf returns the schema of a question or of the reports of a command, and its
// sentence.
func schemaOf(a *kit.App, name string) (s question.Schema, doc string) {
	for _, q := range answer.Questions() {
		if q.Name == name {
			s, doc = q.Schema(answer.Subjects(a.Formats)), q.Doc
			s["x-parameters"] = talk.ParamsSchema(q)
			s["x-touches"] = q.Touches()
		}
	}
	for _, r := range kit.Reports {
		switch {
		case r.Name != name:
		case s == nil:
			s, doc = r.Schema(), r.Doc
		default:
			r.AddTo(s)
		}
	}
	return s, doc
}
