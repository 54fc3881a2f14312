package shell

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/internal/answer/collected"
	"pakbox/internal/answer/replay"
	"pakbox/internal/form"
	"pakbox/internal/question"
)

// Flags adds the declared parameters of a question as flags to a command. The values in
// params are the defaults.
func Flags[P, A any](cmd *cobra.Command, q *question.Typed[P, A], params *P) {
	flags := cmd.Flags()
	for _, p := range q.Parameters() {
		if p.Arg {
			continue
		}
		usage := p.Doc
		if p.Value != "" {
			usage = strings.Replace(usage, p.Value, "`"+p.Value+"`", 1)
		}
		switch to := p.Pointer(params).(type) {
		case *bool:
			flags.BoolVarP(to, p.Name, p.Short, *to, usage)
		case *string:
			flags.StringVarP(to, p.Name, p.Short, *to, usage)
		case *replay.GhostChoice:
			flags.StringVar((*string)(to), p.Name, "", usage)
		case *int:
			flags.IntVar(to, p.Name, *to, usage)
		case *[]string:
			flags.StringArrayVar(to, p.Name, nil, usage)
		}
	}
}

// Ask runs a command that only reads: it asks the question about every file in args,
// prints the answers in order, and prints a summary. found is the word for files in which
// the question found something.
func Ask[P, A any](a *App, cmd *cobra.Command, many Many, args []string, found string, q *question.Typed[P, A], params P, print func(a *App, name string, answer A) error) error {
	t := a.Each(many, SchemaName(cmd), "reading", args, func(run *App, name string) error {
		return AskOne(run, name, q, params, print)
	})
	a.Summary(t, "looked at", found)
	return nil
}

// Listing is an answer that is a list, which commands can also print as rows of a table.
type Listing interface {
	Rows(file string) []fact.Record
}

// AskRows is Ask for a Listing. If the flags ask for columns, the answers are printed as
// rows; facts lists the possible columns in order. Otherwise print prints an answer. If
// rows have more fields than a table shows, usual are the fields it shows.
func AskRows[P any, A Listing](a *App, cmd *cobra.Command, many Many, args []string, found string, q *question.Typed[P, A], params P, columns *Columns, facts []*fact.Fact, print func(a *App, name string, answer A) error, usual ...string) error {
	asRows, err := columns.Wanted()
	if err != nil {
		return err
	}
	if !asRows {
		return Ask(a, cmd, many, args, found, q, params, print)
	}
	if len(usual) == 0 {
		usual = fact.Names(facts)
		if err := a.Stream(columns, usual); err != nil {
			return err
		}
	}
	t := a.Each(many, SchemaName(cmd), "reading", args, func(run *App, name string) error {
		answer, err := q.Ask(run.Ctx, run.At(name), params)
		if err != nil {
			return err
		}
		for _, r := range answer.Rows(name) {
			if err := run.AddRow(columns, r); err != nil {
				return err
			}
		}
		if f, ok := any(answer).(interface{ Found() bool }); ok && f.Found() {
			return ErrFound
		}
		return nil
	})
	if err := a.PrintRows(columns, t, usual...); err != nil {
		return err
	}
	a.Summary(t, "looked at", found)
	return nil
}

// AskOne asks a question about one file and prints the answer.
func AskOne[P, A any](a *App, name string, q *question.Typed[P, A], params P, print func(a *App, name string, answer A) error) error {
	at := a.At(name)
	answer, err := q.Ask(a.Ctx, at, params)
	if err != nil {
		return err
	}
	if a.JSON {
		err = a.PrintReply(at.Reply(q.Asked(), answer))
	} else {
		err = print(a, name, answer)
	}
	if f, ok := any(answer).(interface{ Found() bool }); err == nil && ok && f.Found() {
		return ErrFound
	}
	return err
}

// At makes the place of a question from a path.
func (a *App) At(name string) *question.At {
	return &question.At{Path: name, Opener: a.Opener, Indexed: collected.MapPath}
}

// PrintReply prints an answer as one line of JSON, or one line for each part.
func (a *App) PrintReply(r *question.Reply) error {
	a.Meter.Hide()
	for _, part := range r.Parts() {
		line, err := part.MarshalJSON()
		if err != nil {
			return err
		}
		if _, err := a.Out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// MakeFile asks a question whose answer is a file, about every file in args, and writes
// the answers.
func MakeFile[P any](a *App, cmd *cobra.Command, many Many, o Making, ending, doing string, args []string, q *question.Typed[P, *question.File], params P) error {
	return a.MakeOfEach(many, o, ending, SchemaName(cmd), doing, args, func(run *App, name string, o Making) error {
		at := run.At(name)
		f, err := q.Ask(run.Ctx, at, params)
		if err != nil {
			return err
		}
		return run.WriteFile(o, SchemaName(cmd), at, f)
	})
}

// WriteFile writes an answer that is a file.
func (a *App) WriteFile(o Making, command string, at *question.At, f *question.File) error {
	var more *form.Object
	if f.Say != nil {
		more = new(form.Object).AddFields(f.Say)
	}
	return a.writeMade(o, form.New(command, at.Path, at.Format), f.Data, more)
}
