package kit

import (
	"context"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/index"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
)

// Flags adds the declared parameters of a question as flags to a command. The values in
// params are the defaults.
func Flags[P, A any](cmd *cobra.Command, q *question.Typed[P, A], params *P) {
	flags := cmd.Flags()
	for _, p := range q.Parameters() {
		if p.Arg || p.Request {
			continue
		}
		usage, flagName := p.Doc, strings.ReplaceAll(p.Name, "_", "-")
		if p.Value != "" {
			usage = strings.Replace(usage, p.Value, "`"+p.Value+"`", 1)
		}
		switch to := p.Pointer(params); p.Type.Kind() {
		case reflect.Bool:
			v := pointer[bool](to)
			flags.BoolVarP(v, flagName, p.Short, *v, usage)
		case reflect.String:
			v := pointer[string](to)
			flags.StringVarP(v, flagName, p.Short, *v, usage)
		case reflect.Int:
			v := pointer[int](to)
			flags.IntVarP(v, flagName, p.Short, *v, usage)
		case reflect.Float64:
			v := pointer[float64](to)
			flags.Float64VarP(v, flagName, p.Short, *v, usage)
		case reflect.Pointer: // a flag that changes nothing unless it is given
			f := flags.VarPF(optionalFlag{reflect.ValueOf(to).Elem()}, flagName, p.Short, usage)
			if p.Type.Elem().Kind() == reflect.Bool {
				f.NoOptDefVal = "true"
			}
		case reflect.Struct:
			flags.VarP(&contentFlag{one: to.(*question.Content)}, flagName, p.Short, usage)
		case reflect.Slice:
			if list, ok := to.(*[]question.Content); ok {
				flags.VarP(&contentFlag{list: list}, flagName, p.Short, usage)
				continue
			}
			flags.StringArrayVarP(pointer[[]string](to), flagName, p.Short, nil, usage)
		default:
			panic(q.Name + ": parameters of type " + p.Type.String() + " cannot be flags")
		}
	}
}

// pointer converts a pointer to a type with the underlying type T.
func pointer[T any](to any) *T {
	return reflect.ValueOf(to).Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

// Asking is how a command asks a question about files and prints the answers.
type Asking[P, A any] struct {
	Question *question.Typed[P, A]
	Params   func(in Input) P                          // parameters of the question about an input
	Use      func(a *App, name string, answer A) error // what else the command does with an answer, before it is printed; may be nil
	Print    func(a *App, name string, answer A) error // prints an answer for people

	// For a question.Listing:
	Columns *Columns     // how answers become rows; nil for other answers
	Always  bool         // answers are always printed as rows
	Facts   []*fact.Fact // all columns in order; nil if only the answers have them
	Usual   []string     // columns that a table shows unless flags choose others; nil for all
}

// Each asks about each of the inputs, several at a time, and prints the answers in order.
// The flags for columns are checked before the inputs are listed.
func (q *Asking[P, A]) Each(a *App, many Many, command, doing string, inputs func() []Input) (Tally, error) {
	if q.Columns == nil {
		return a.EachInput(many, command, doing, inputs(), q.one), nil
	}
	asRows, err := q.Columns.Wanted()
	if err != nil {
		return Tally{}, err
	}
	if !asRows && !q.Always {
		return a.EachInput(many, command, doing, inputs(), q.one), nil
	}
	a.headed = false
	if q.Facts != nil {
		if err := a.Stream(q.Columns, fact.Names(q.Facts)); err != nil {
			return Tally{}, err
		}
	}
	list := inputs()
	t := a.EachInput(many, command, doing, list, q.rows)
	usual := q.Usual
	if usual == nil {
		usual = fact.Names(q.Facts)
	}
	if t.usual != nil {
		usual = t.usual
		if len(list) > 1 {
			usual = append([]string{question.PathFact.Name}, usual...)
		}
	}
	return t, a.PrintRows(q.Columns, t, usual...)
}

// ask asks about the file of a run.
func (q *Asking[P, A]) ask(a *App, name string) (at *question.At, answer A, err error) {
	at = a.At(name)
	answer, err = q.Question.Ask(a.Ctx, at, q.Params(a.Subject))
	if err == nil && q.Use != nil {
		err = q.Use(a, name, answer)
	}
	return at, answer, err
}

// one asks about the file of a run and prints the answer.
func (q *Asking[P, A]) one(a *App, name string) error {
	at, answer, err := q.ask(a, name)
	switch {
	case err != nil:
		return err
	case a.JSON:
		err = PrintAnswer(a, at, q.Question, answer)
	default:
		err = q.Print(a, name, answer)
	}
	if err != nil {
		return err
	}
	return found(answer)
}

// rows asks about the file of a run and prints the answer as rows.
func (q *Asking[P, A]) rows(a *App, name string) error {
	_, answer, err := q.ask(a, name)
	if err != nil {
		return err
	}
	facts := q.Facts
	if t, ok := any(answer).(question.Tabled); ok {
		facts, a.outcome.usual = t.Columns()
	}
	if facts != nil {
		if err := a.Stream(q.Columns, fact.Names(facts)); err != nil {
			return err
		}
	}
	if w, ok := any(answer).(question.RowWriter); ok && a.outcome.streamed != nil && q.Columns.CSV() {
		err = w.WriteRows(a.Out.Writer, name)
	} else {
		for r := range any(answer).(question.Listing).Rows(name) {
			if err = a.AddRow(q.Columns, r); err != nil {
				break
			}
		}
	}
	if err != nil {
		return err
	}
	return found(answer)
}

// found returns ErrFound for an answer that found something.
func found(answer any) error {
	if f, ok := answer.(question.Finder); ok && f.Found() {
		return ErrFound
	}
	return nil
}

// Ask runs a command that only reads: it asks the question about every file in args,
// prints the answers in order, and prints a summary. found is the word for files in which
// the question found something.
func Ask[P, A any](a *App, cmd *cobra.Command, many Many, args []string, found string, q *question.Typed[P, A], params P, print func(a *App, name string, answer A) error) error {
	return (&Asking[P, A]{Question: q, Print: print}).Run(a, cmd, many, args, found, params)
}

// AskRows is Ask for a list. If the flags ask for columns, the answers are printed as
// rows; facts lists all columns in order, nil if only the answers have them. Otherwise
// print prints an answer. usual are the columns that a table shows at first; all if none
// are given.
func AskRows[P any, A question.Listing](a *App, cmd *cobra.Command, many Many, args []string, found string, q *question.Typed[P, A], params P, columns *Columns, facts []*fact.Fact, print func(a *App, name string, answer A) error, usual ...string) error {
	return (&Asking[P, A]{Question: q, Print: print, Columns: columns, Facts: facts, Usual: usual}).Run(a, cmd, many, args, found, params)
}

// Run asks about every file in args with the same parameters, and prints a summary. found
// is the word for files in which the question found something.
func (q *Asking[P, A]) Run(a *App, cmd *cobra.Command, many Many, args []string, found string, params P) error {
	command := SchemaName(cmd)
	q.Params = func(Input) P { return params }
	t, err := q.Each(a, many, command, "reading", func() []Input { return a.Inputs(many, command, args) })
	if err != nil {
		return err
	}
	a.Summary(t, "looked at", found)
	return nil
}

// AskOne asks a question about one file and prints the answer.
func AskOne[P, A any](a *App, name string, q *question.Typed[P, A], params P, print func(a *App, name string, answer A) error) error {
	return (&Asking[P, A]{Question: q, Params: func(Input) P { return params }, Print: print}).one(a, name)
}

// PrintAnswer prints an answer as one line of JSON, or one line for each part. at is
// where the question was asked.
func PrintAnswer[P, A any](a *App, at *question.At, q *question.Typed[P, A], answer A) error {
	a.Meter.Hide()
	for _, part := range at.Reply(q.Asked(), answer).Parts() {
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

// At makes the place of a question from a path.
func (a *App) At(name string) *question.At {
	return &question.At{Path: name, Opener: a.Opener, Host: Host{}}
}

// Host is a command, which also finds maps in indexes.
type Host struct{ question.Local }

// MapPath finds the path of the map with a UID in an index of many files.
func (Host) MapPath(ctx context.Context, path, uid string) (string, error) {
	return index.MapPath(ctx, path, uid)
}

// MakeFile asks a question whose answer is a file, about every file in args, and writes
// the answers.
func MakeFile[P any](a *App, cmd *cobra.Command, many Many, o Output, ending, doing string, args []string, q *question.Typed[P, *question.File], params P) error {
	if err := ReadContents(a, q, &params, args); err != nil {
		return err
	}
	return a.MakeOfEach(many, o, ending, SchemaName(cmd), doing, args, func(run *App, name string, o Output) error {
		at := run.At(name)
		f, err := q.Ask(run.Ctx, at, params)
		if err != nil {
			return err
		}
		return run.WriteFile(o, SchemaName(cmd), at, f)
	})
}

// MakeOne asks a question whose answer is a file, about one path, and writes the answer.
func MakeOne[P any](a *App, cmd *cobra.Command, o Output, name string, q *question.Typed[P, *question.File], params P) error {
	if err := ReadContents(a, q, &params, []string{name}); err != nil {
		return err
	}
	at := a.At(name)
	f, err := q.Ask(a.Ctx, at, params)
	if err != nil {
		return err
	}
	for _, note := range f.Notes {
		a.Note("%s", note)
	}
	return a.WriteFile(o, SchemaName(cmd), at, f)
}

// WriteFile writes an answer that is a file.
func (a *App) WriteFile(o Output, command string, at *question.At, f *question.File) error {
	return a.writeMade(o, f.Data, func() error {
		var made Made
		made.describe(o.Out, f.Data)
		said := question.NewObject(command, at.Path, at.Format).AddFields(&made)
		if f.Say != nil {
			said.AddFields(f.Say)
		}
		return a.Print(said)
	})
}
