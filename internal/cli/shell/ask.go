package shell

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/answer/collected"
	"pakbox/internal/question"
)

// Flags gives a command the flags of a question, from the declared parameters.
// The values that params has are what the flags are without being given.
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
		case *answer.GhostChoice:
			flags.StringVar((*string)(to), p.Name, "", usage)
		case *int:
			flags.IntVar(to, p.Name, *to, usage)
		case *[]string:
			flags.StringArrayVar(to, p.Name, nil, usage)
		}
	}
}

// A command that only looks is a question and a way to print its answer. Ask
// asks the question about every file that args stand for, prints the answers in
// order, and says what became of the files. Found is the word for files in which
// the question found something.
func Ask[P, A any](a *App, cmd *cobra.Command, many Many, args []string, found string, q *question.Typed[P, A], params P, print func(a *App, name string, answer A) error) error {
	t := a.Each(many, SchemaName(cmd), "reading", args, func(run *App, name string) error {
		return AskOne(run, name, q, params, print)
	})
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

// At is a path that a question is about.
func (a *App) At(name string) *question.At {
	return &question.At{Path: name, Opener: a.Opener, Indexed: collected.MapPath}
}

// PrintReply prints an answer as one line of JSON, or as a line for each part.
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

// MakeFile asks a question whose answer is a file about every file that args
// stand for, and writes the answers.
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
	var more *answer.Object
	if f.Say != nil {
		more = new(answer.Object).AddFields(f.Say)
	}
	return a.writeMade(o, answer.New(command, at.Path, at.Format), f.Data, more)
}
