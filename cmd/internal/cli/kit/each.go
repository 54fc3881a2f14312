package kit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/walk"
)

// Many describes how a command takes many files.
type Many struct {
	// Folders means that a folder stands for the files below it even without -r, because
	// the command cannot do anything else with a folder.
	Folders   bool
	Recursive bool
	Jobs      int
}

// Flags adds the flags for it to a command.
func (m *Many) Flags(cmd *cobra.Command) {
	short := "r"
	if cmd.Flags().ShorthandLookup(short) != nil {
		short = ""
	}
	usage := "take the files in folders, and in folders below those"
	if m.Folders {
		usage += "; this command always does"
	}
	cmd.Flags().BoolVarP(&m.Recursive, "recursive", short, false, usage)
	JobsFlag(cmd, &m.Jobs)
}

// Tally counts the results of many files.
type Tally struct {
	Files  int
	Found  int // files with a difference or a problem
	Failed int // files that failed
	// Unchecked counts those of Found that are only not checked completely.
	Unchecked int
	Others    int // files in folders that are of another kind than the command is about

	rows  []fact.Record // rows of the table
	names []string      // names of the fields in the first row
	known []string      // requested fields that a row has
	usual []string      // names of the fields that a table shows, if the first file has them

	streamed []string // fields of the rows of this file, if they are printed at once
}

// Each calls work for each file in args, several at a time. The output is printed in the
// order of the files. A file that fails does not stop the others. doing is the label of
// the progress line.
func (a *App) Each(m Many, command, doing string, args []string, work func(a *App, name string) error) Tally {
	return a.EachInput(m, command, doing, a.Inputs(m, command, args), work)
}

// EachInput is Each for inputs that Inputs has already listed.
func (a *App) EachInput(m Many, command, doing string, inputs []Input, work func(a *App, name string) error) Tally {
	if len(inputs) == 1 && !inputs[0].inFolder() {
		a.outcome, a.Subject = Tally{}, inputs[0]
		defer a.Watch(doing)()
		a.outcome.count(a, command, inputs[0], work(a, inputs[0].Path))
		return a.outcome
	}
	return a.each(m, command, doing, inputs, work)
}

// Input is a file for a command to work on.
type Input struct {
	Path   string
	Folder string // the folder in which it was found; "" if the user named the file
	Number int    // number of the input, from 1
	// Pattern chooses names inside the file, for commands that list its content.
	Pattern string
	Many    bool // there are other inputs
	// Facts are the facts of the file, if the name of the output needs some.
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
		for _, file := range a.withoutPairs(below) {
			if rel, err := filepath.Rel(path, file); err == nil && !walk.Hidden(rel) {
				all = append(all, Input{Path: filepath.ToSlash(file), Folder: path})
			}
		}
	}
	for i := range all {
		all[i].Number, all[i].Many = i+1, len(all) > 1 || all[i].inFolder()
	}
	return all
}

// paired is a format of archives in two files of one name.
type paired interface {
	Pair() (primary, other string)
}

// withoutPairs leaves out the second files of archives in two files, such as the .epk
// beside an .eix: the first stands for both.
func (a *App) withoutPairs(files []string) []string {
	has := map[string]bool{}
	for _, file := range files {
		has[strings.ToLower(file)] = true
	}
	return slices.DeleteFunc(files, func(file string) bool {
		file = strings.ToLower(file)
		return slices.ContainsFunc(a.Formats, func(f archive.Format) bool {
			pair, ok := f.(paired)
			if !ok {
				return false
			}
			primary, other := pair.Pair()
			stem, isOther := strings.CutSuffix(file, other)
			return isOther && has[stem+primary]
		})
	})
}

// inFlight limits the total size of the files that are worked on at a time, because a
// file takes a multiple of its size in memory.
const inFlight = 4 << 20

func (a *App) each(m Many, command, doing string, files []Input, work func(a *App, name string) error) (t Tally) {
	defer a.Watch(doing)()
	size := func(i int) int64 {
		info, err := a.StatOutermost(files[i].Path)
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

// count counts one file and reports its error, if there is one.
func (t *Tally) count(a *App, command string, file Input, err error) {
	if a.OtherKind(file, err) {
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

// OtherKind reports whether err means that a file found in a folder is not for the command.
// A file whose extension is that of a format, but whose first bytes are not, is damaged
// instead.
func (a *App) OtherKind(file Input, err error) bool {
	var e *fault.Error
	var without *answer.NoValuesError
	if !file.inFolder() {
		return false
	}
	if errors.As(err, &without) {
		return true
	}
	if a.OneFamily && (errors.Is(err, fault.KeyRequired) || errors.Is(err, fault.PassphraseRequired)) {
		return true // a locked archive is none of the files that the command is about
	}
	if !errors.Is(err, fault.NotFormat) {
		return false
	}
	damaged := errors.As(err, &e) && e.Offset == 0 && !errors.Is(err, fault.Pointer) && len(a.Formats.ByPath(file.Path)) == 1
	return !damaged
}

// CountUnchecked notes that what ErrFound will report about the file of this run is only that
// not all of it could be checked.
func (a *App) CountUnchecked() { a.outcome.Unchecked++ }

// CountFound counts the file of this run as one with findings, which is not an error.
func (a *App) CountFound() { a.outcome.Found++ }

func (t *Tally) add(more Tally) {
	t.Files += more.Files
	t.Found += more.Found
	t.Failed += more.Failed
	t.Unchecked += more.Unchecked
	t.Others += more.Others
	t.rows = append(t.rows, more.rows...)
	t.known = append(t.known, more.known...)
	if t.usual == nil {
		t.usual = more.usual
	}
	for _, name := range more.names {
		if !slices.Contains(t.names, name) {
			t.names = append(t.names, name)
		}
	}
}

// Summary prints one line about a run over several files. done is the word for all files,
// such as "verified"; found is the word for files with findings, such as "damaged". A
// check without any file counts as failed, so that a script does not mistake it for
// "nothing is wrong".
func (a *App) Summary(t Tally, done, found string) {
	if found != "" && t.Files == 0 && a.Code == ExitOK && a.Ctx.Err() == nil {
		text := "nothing was " + done
		if t.Others > 0 {
			text += ": " + question.Count(t.Others, "file") + " of other kinds"
		}
		a.Say(errors.New(text))
		a.Code = ExitIO
		return
	}
	if t.Files == 0 && t.Others == 0 && a.Code == ExitOK && a.Ctx.Err() == nil {
		a.Note("nothing was %s: no files found", done)
		return
	}
	if t.Files < 2 && t.Others == 0 || a.Ctx.Err() != nil {
		return
	}
	files := t.Files
	if done == "saved" {
		files -= t.Failed
	}
	text := question.Count(files, "file") + " " + done
	if n := t.Found - t.Unchecked; n > 0 {
		text += fmt.Sprintf(", %d %s", n, found)
	}
	if t.Unchecked > 0 {
		text += fmt.Sprintf(", %d not checked completely", t.Unchecked)
	}
	if t.Failed > 0 {
		text += fmt.Sprintf(", %d failed", t.Failed)
	}
	if t.Others > 0 {
		text += fmt.Sprintf("; %d of other kinds left out", t.Others)
	}
	a.Note("%s", text)
}

// fork makes a run for one of several files. Its output goes to a lane.
func (a *App) fork(l *lane) *App {
	opener := *a.Opener
	run := &App{Session: a.Session, Opener: &opener, Out: newOutput(laneStream{l, a.Out}), Err: laneStream{l, a.Err}, lane: l}
	run.Out.Terminal = a.Out.Terminal
	run.Opener.Damaged = run.damaged
	return run
}
