package kit

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// Change runs a command that changes files: it asks the change about every file in args,
// and saves the results, each completely or not at all.
func Change[P any](a *App, cmd *cobra.Command, many Many, args []string, o Output, q *question.Typed[P, *question.Revision], params P) error {
	return ChangeShown(a, many, args, o, q, params, nil)
}

// ChangeShown is Change for a change with a dry run of its own: show prints for people what
// would change.
func ChangeShown[P any](a *App, many Many, args []string, o Output, q *question.Typed[P, *question.Revision], params P, show func(a *App, r *question.Revision)) error {
	if err := ReadContents(a, q, &params, args); err != nil {
		return err
	}
	inputs := a.Inputs(many, q.Name, args)
	o.InPlace = true
	if err := o.Check(a, inputs, ""); err != nil {
		return err
	}
	if err := AllExist(inputs); err != nil {
		return err
	}
	t := a.EachInput(many, q.Name, "changing", inputs, func(run *App, name string) error {
		params := params
		if named, ok := any(params).(interface {
			Among(folder string, number int) P
		}); ok {
			params = named.Among(run.Subject.Folder, run.Subject.Number)
		}
		return ChangeOne(run, o.For(run.Subject, ""), name, q, params, show)
	})
	done := "saved"
	if o.DryRun {
		done = "looked at"
	}
	a.Summary(t, done, "")
	return nil
}

// AllExist returns an error if one of several files does not exist. A command that changes
// files looks before it writes the first: a name without quotes becomes several arguments.
func AllExist(inputs []Input) error {
	if len(inputs) < 2 {
		return nil
	}
	for _, in := range inputs {
		if in.Path == "-" || in.inFolder() {
			continue
		}
		if _, err := os.Stat(source.Outermost(in.Path)); errors.Is(err, fs.ErrNotExist) {
			return fault.WithHint(&fs.PathError{Op: "open", Path: in.Path, Err: fs.ErrNotExist}, "nothing was changed; a text with spaces needs quotes")
		}
	}
	return nil
}

// ChangeOne changes one file.
func ChangeOne[P any](a *App, o Output, name string, q *question.Typed[P, *question.Revision], params P, show func(a *App, r *question.Revision)) error {
	at := a.At(name)
	r, err := q.Ask(a.Ctx, at, params)
	if err != nil { // before errors about the output: folders hold files of other kinds
		return err
	}
	defer r.Close()
	if err := errors.Join(a.keepsKind(o.Out, at, r.Data), o.Free()); err != nil {
		return err
	}
	if o.Out == "" && !o.DryRun {
		if err := r.CanSave(name); err != nil {
			return err
		}
	}
	for _, note := range r.Notes {
		a.Note("%s: %s", name, note)
	}
	if o.DryRun {
		return a.preview(q.Asked(), at, r, show)
	}
	return a.SaveRevision(o, q.Asked(), at, r)
}

// keepsKind rejects an output whose extension is neither one of the format nor that of
// the file, or belongs to another kind of document. data is the changed file, nil for an
// archive.
func (a *App) keepsKind(out string, at *question.At, data []byte) error {
	if data != nil {
		in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: filepath.Base(out)}
		if err := a.fitsContent(out, in); err != nil {
			return err
		}
	}
	endings := a.Extensions(at.Format)
	if len(endings) == 0 || strings.EqualFold(filepath.Ext(out), filepath.Ext(at.Path)) {
		return nil
	}
	return Promises(out, endings...)
}

// SaveRevision saves a changed file, and prints its path. q may be nil for a command without JSON.
func (a *App) SaveRevision(o Output, q *question.Question, at *question.At, r *question.Revision) error {
	target := o.Out
	var err error
	switch {
	case target == "-":
		return a.printRevision(r)
	case target != "":
		err = o.WriteWith(func(file string) error { return r.WriteTo(a.Ctx, a.Opener, file, o.Force) })
	case r.Same():
		target = at.Path // the same file, which stays unchanged
	default:
		target = at.Path
		err = a.replace(r, o)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(r.Report(q, at.Path, at.Format, r.Saved(target)))
	}
	switch {
	case o.Out == "" && r.Same():
		a.Note("nothing to change in %s", at.Path)
	case r.Done != nil:
		a.Note("%s", r.Done(target))
	default:
		a.Note("saved %s: %d bytes (%+d)", target, len(r.Data), len(r.Data)-len(r.Old))
	}
	return nil
}

// printRevision writes a changed file to standard output.
func (a *App) printRevision(r *question.Revision) error {
	data, err := r.Content(a.Ctx, a.Opener)
	if err != nil {
		return err
	}
	return a.WriteContent(data, true)
}

// preview shows what saving would change, as diff does.
func (a *App) preview(q *question.Question, at *question.At, r *question.Revision, show func(a *App, r *question.Revision)) error {
	if a.JSON {
		seen, err := r.Preview()
		if err != nil {
			return err
		}
		return a.Print(r.Report(q, at.Path, at.Format, seen))
	}
	if a.Subject.Many {
		a.Separate()
		if _, err := io.WriteString(a.Out, Printable(at.Path)+":\n"); err != nil {
			return err
		}
	}
	if show != nil {
		show(a, r)
	} else {
		changes, err := r.Changes()
		if err != nil {
			return err
		}
		a.PrintValueChanges("", changes)
	}
	if r.Same() {
		a.Note("nothing to change in %s", at.Path)
	}
	return nil
}

// contentFlag is a flag that names a file which a change takes: FILE or, if it may be
// given several times, NAME=FILE.
type contentFlag struct {
	one  *question.Content
	list *[]question.Content
}

func (f *contentFlag) String() string { return "" }
func (f *contentFlag) Type() string   { return "file" }

func (f *contentFlag) Set(text string) error {
	if f.one != nil {
		f.one.Name = text
		return nil
	}
	c := question.Content{Name: text}
	if as, file, ok := strings.Cut(text, "="); ok {
		c.As, c.Name = source.Slashed(as), file
	}
	*f.list = append(*f.list, c)
	return nil
}

// optionalFlag is a flag that changes nothing unless it is given: a pointer to a number or
// a bool.
type optionalFlag struct{ to reflect.Value }

func (f optionalFlag) String() string { return "" }
func (f optionalFlag) Type() string   { return f.to.Type().Elem().Kind().String() }

func (f optionalFlag) Set(text string) error {
	given := reflect.New(f.to.Type().Elem())
	var err error
	switch to := given.Interface().(type) {
	case *bool:
		*to, err = strconv.ParseBool(text)
	case *float64:
		*to, err = strconv.ParseFloat(text, 64)
	}
	f.to.Set(given)
	return err
}

// ReadContents reads the files that flags and arguments named.
func ReadContents[P, A any](a *App, q *question.Typed[P, A], params *P, others []string) error {
	read := func(c *question.Content) (err error) {
		switch {
		case c.Name == "" || c.Data != nil:
			return nil
		case c.Name != "-":
			c.Data, err = ReadFile(c.Name)
		case slices.Contains(others, "-"):
			return fault.Usagef("standard input can be only one of the files")
		default:
			c.Data, err = io.ReadAll(a.Env.Stdin)
		}
		return err
	}
	for _, p := range q.Parameters() {
		switch to := p.Pointer(params).(type) {
		case *question.Content:
			if err := read(to); err != nil {
				return err
			}
		case *[]question.Content:
			for i := range *to {
				if err := read(&(*to)[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
