package shell

import (
	"github.com/spf13/cobra"

	"pakbox/internal/question"
)

// A command that only looks is a question and a way to print its answer. Ask
// asks it of every file that args stand for, prints the answers in order, and
// says what became of the files. Found is the word for files in which the
// question found something.
func Ask[P, A any](a *App, cmd *cobra.Command, many Many, args []string, found string, q *question.Typed[P, A], params P, print func(a *App, name string, answer A) error) error {
	t := a.Each(many, SchemaName(cmd), "reading", args, func(run *App, name string) error {
		return AskOne(run, name, q, params, print)
	})
	a.Summary(t, "looked at", found)
	return nil
}

// AskOne asks a question about one file and prints the answer.
func AskOne[P, A any](a *App, name string, q *question.Typed[P, A], params P, print func(a *App, name string, answer A) error) error {
	at := &question.At{Path: name, Opener: a.Opener}
	answer, err := q.Ask(a.Ctx, at, params)
	if err != nil {
		return err
	}
	if a.JSON {
		err = a.PrintReply(at.Reply(q.Name, answer))
	} else {
		err = print(a, name, answer)
	}
	if f, ok := any(answer).(interface{ Found() bool }); err == nil && ok && f.Found() {
		return ErrFound
	}
	return err
}

// PrintReply prints an answer as one line of JSON.
func (a *App) PrintReply(r *question.Reply) error {
	a.Meter.Hide()
	line, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = a.Out.Write(append(line, '\n'))
	return err
}
