package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/form"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/source"
)

// Many is how a command takes many files.
type Many struct {
	// Folders: a folder stands for the files below it even without -r, because
	// the command could do nothing else with one.
	Folders   bool
	Recursive bool
	Jobs      int
}

// Flags gives a command the flags for it.
func (m *Many) Flags(cmd *cobra.Command) {
	short := "r"
	if cmd.Flags().ShorthandLookup(short) != nil {
		short = ""
	}
	usage := "take all files in folders and in the folders below"
	if m.Folders {
		usage += ", as without this flag"
	}
	cmd.Flags().BoolVarP(&m.Recursive, "recursive", short, false, usage)
	JobsFlag(cmd, &m.Jobs)
}

// Tally is what became of many files.
type Tally struct {
	Files  int
	Found  int // of them, those with a difference or a problem
	Failed int // of them, those that could not be worked on
	Others int // files in folders that are not of the kind that the command is about

	rows  []fact.Record // the rows of the table
	names []string      // of the fields of the first row
	known []string      // the fields asked for that a row has
}

// Each calls work for the files that args stand for, with a run whose output
// comes in the order of the files, although several are worked on at a time. A
// file that fails does not stop the others. Doing is what the progress says.
func (a *App) Each(m Many, command, doing string, args []string, work func(a *App, name string) error) Tally {
	return a.EachInput(m, command, doing, a.Inputs(m, command, args), work)
}

// EachInput is Each for inputs that were found already.
func (a *App) EachInput(m Many, command, doing string, inputs []Input, work func(a *App, name string) error) Tally {
	if len(inputs) == 1 && !inputs[0].inFolder() {
		a.outcome, a.Subject = Tally{}, inputs[0]
		defer a.Watch(doing)()
		a.outcome.count(a, command, inputs[0], work(a, inputs[0].Path))
		return a.outcome
	}
	return a.each(m, command, doing, inputs, work)
}

// Input is a file that a command is to work on.
type Input struct {
	Path   string
	Folder string // that it was found in, so that nobody said what it is; else ""
	Number int    // of the input, from 1
	// Pattern is what is meant inside it, for commands that list what is there.
	Pattern string
	Many    bool // there are others
	// Facts are those of the file, where the name of the output asks for some.
	Facts fact.Record
}

func (in Input) inFolder() bool { return in.Folder != "" }

// Inputs lists the files that args stand for.
func (a *App) Inputs(m Many, command string, args []string) (all []Input) {
	for _, path := range a.Paths(a.Ctx, command, args) {
		if !(m.Folders || m.Recursive) || !source.IsFolder(path) {
			all = append(all, Input{Path: path})
			continue
		}
		below, err := source.FilesBelow(path)
		if err != nil {
			a.Fail(command, path, err)
		}
		for _, file := range below {
			if rel, err := filepath.Rel(path, file); err == nil && !hidden(rel) {
				all = append(all, Input{Path: filepath.ToSlash(file), Folder: path})
			}
		}
	}
	for i := range all {
		all[i].Number, all[i].Many = i+1, len(all) > 1 || all[i].inFolder()
	}
	return all
}

// hidden reports whether a path leads to or through something whose name begins
// with a dot.
func hidden(path string) bool {
	path = filepath.ToSlash(path)
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}

// inFlight bounds how many bytes of files are worked on at a time: what a file
// takes in memory is a multiple of its size.
const inFlight = 4 << 20

func (a *App) each(m Many, command, doing string, files []Input, work func(a *App, name string) error) (t Tally) {
	defer a.Watch(doing)()
	size := func(i int) int64 {
		info, err := os.Stat(source.Outermost(files[i].Path))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	lanes := newLanes(a, len(files)+1)
	defer context.AfterFunc(a.Ctx, func() {
		for _, l := range lanes {
			l.callOff()
		}
	})()
	lanes[0].lead()
	parallel.Ordered(a.Ctx, m.Jobs, len(files), inFlight, size,
		func(_ context.Context, i int) (*App, error) {
			run := a.fork(lanes[i])
			run.Subject = files[i]
			err := work(run, files[i].Path)
			run.outcome.count(run, command, files[i], err)
			run.Out.Flush()
			return run, nil
		},
		func(i int, run *App) error {
			a.Code = max(a.Code, run.Code)
			t.add(run.outcome)
			a.Meter.files(i+1, len(files))
			lanes[i+1].lead()
			return nil
		})
	if err := a.Ctx.Err(); err != nil {
		a.Fail(command, "", err)
	}
	return t
}

// count counts one file, whose work ended with err, and reports the error.
func (t *Tally) count(a *App, command string, file Input, err error) {
	if file.inFolder() && errors.Is(err, fault.NotFormat) {
		t.Others++
		return
	}
	t.Files++
	switch {
	case err == nil:
		return
	case errors.Is(err, ErrFound):
		t.Found++
	default:
		t.Failed++
	}
	a.Fail(command, file.Path, err)
}

// CountFound counts the file of this run as one in which something was found. That is
// no error.
func (a *App) CountFound() { a.outcome.Found++ }

func (t *Tally) add(more Tally) {
	t.Files += more.Files
	t.Found += more.Found
	t.Failed += more.Failed
	t.Others += more.Others
	t.rows = append(t.rows, more.rows...)
	t.known = append(t.known, more.known...)
	for _, name := range more.names {
		if !slices.Contains(t.names, name) {
			t.names = append(t.names, name)
		}
	}
}

// Summary prints one line about a run over several files. Done is the word for all
// files, such as "verified"; found is the word for files with findings, such as
// "damaged". A check without a single file counts as failed: a script must not take
// it for "nothing is wrong".
func (a *App) Summary(t Tally, done, found string) {
	if found != "" && t.Files == 0 && a.Code == ExitOK && a.Ctx.Err() == nil {
		text := "nothing was " + done
		if t.Others > 0 {
			text += ": " + form.Count(t.Others, "file") + " of other kinds"
		}
		a.Say(errors.New(text))
		a.Code = ExitIO
		return
	}
	if t.Files == 0 && t.Others == 0 && a.Code == ExitOK && a.Ctx.Err() == nil {
		a.Note("nothing was %s: there are no files", done)
		return
	}
	if t.Files < 2 && t.Others == 0 || a.Ctx.Err() != nil {
		return
	}
	text := form.Count(t.Files, "file") + " " + done
	if t.Found > 0 {
		text += fmt.Sprintf(", %d %s", t.Found, found)
	}
	if t.Failed > 0 {
		text += fmt.Sprintf(", %d failed", t.Failed)
	}
	if t.Others > 0 {
		text += fmt.Sprintf("; %d of other kinds left out", t.Others)
	}
	a.Note("%s", text)
}

// fork returns a run for one of several files, whose output goes to a lane.
func (a *App) fork(l *lane) *App {
	opener := *a.Opener
	run := &App{Opener: &opener, Env: a.Env, Ctx: a.Ctx, JSON: a.JSON, Quiet: a.Quiet,
		KeysFile: a.KeysFile, PassphraseFile: a.PassphraseFile, colour: a.colour, settings: a.settings, lane: l}
	run.Env.Stderr = laneStream{l, a.Env.Stderr}
	run.Out = newOutput(laneStream{l, a.Out})
	run.Out.Terminal = a.Out.Terminal
	return run
}
