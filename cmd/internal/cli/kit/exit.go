package kit

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
	"pakbox/internal/lib/spell"
	"pakbox/internal/lib/walk"
)

// The exit codes. They never change.
const (
	ExitOK    = 0
	exitData  = 1
	exitUsage = 2
	ExitIO    = 3 // question.OutcomeOf has the code of each kind of errors
)

// ExitText describes an exit code.
type ExitText struct {
	Code    int    `json:"code" doc:"the exit code"`
	Meaning string `json:"meaning" doc:"meaning in a few words"`
	Detail  string `json:"detail" doc:"when a command ends with it"`
}

// ExitCodes is the content of 'pakbox help exit-codes'.
var ExitCodes = []ExitText{
	{ExitOK, "fine", "The work is done; compared archives are the same; verified files are sound."},
	{exitData, "found a difference or a problem in the data", "diff found a difference; verify found an error; grep or find found nothing; a file is\ndamaged, is of no known format, holds an unsafe name, or would break a limit."},
	{exitUsage, "wrong use", "The command line is wrong: an unknown command or flag, a missing argument, a value\nthat a setting does not take. Nothing was done."},
	{ExitIO, "could not read or write", "A file is missing, exists already, or cannot be read or written; a key or passphrase\nis missing, or is known to be wrong (not every format distinguishes a wrong key from damage);\nthe file needs something that pakbox cannot do; the work was interrupted. The data may be intact."},
}

// ErrFound ends a command that worked, and that found and printed a difference or a
// problem.
var ErrFound = errors.New("found a difference or a problem")

// ErrUsageShown ends a command that printed its usage instead.
var ErrUsageShown = errors.New("usage")

// FlagError explains an error about a flag.
func FlagError(cmd *cobra.Command, err error) error {
	u := fault.Usagef("%v", err)
	if strings.Contains(err.Error(), "unknown flag: --pass") {
		return u.Hint("a passphrase is never given on the command line: use --passphrase-file FILE, PAKBOX_PASSPHRASE, or the prompt")
	}
	if flag, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spell.Near(flag, names, 1); len(near) > 0 {
			return u.Hint("did you mean --%s?", near[0])
		}
	}
	switch {
	case strings.Contains(err.Error(), "flag: 'v' in") || strings.Contains(err.Error(), "flag: 'V' in"):
		return u.Hint("to see the version: pakbox --version")
	case strings.Contains(err.Error(), "flag: 'C' in") && strings.Contains(cmd.Use, " OUT "):
		return u.Hint("the place to write to is the argument OUT: %s", UsageLine(cmd))
	}
	return u.Hint("'%s --help' lists the flags", cmd.CommandPath())
}

// FlagsTogether checks that the user gave no two flags that exclude each other. It runs
// before cobra's check, whose message is less clear.
func FlagsTogether(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	given := err.Error()
	given = strings.TrimSuffix(given[strings.LastIndexByte(given, '[')+1:], "] were all set")
	return fault.Usagef("%s: --%s do not go together", FullName(cmd), strings.Join(strings.Fields(given), " and --"))
}

// allOf splits joined errors, including those that were already reported.
func allOf(err error) []error {
	if done, ok := err.(*reported); ok {
		return question.Leaves(done.error)
	}
	return question.Leaves(err)
}

// ExitCode decides the exit code for an error, for the whole program. Of several errors
// the gravest counts, because an unreadable file may hide more.
func ExitCode(err error) int {
	code := ExitOK
	for _, e := range allOf(err) {
		code = max(code, exitCodeOf(e))
	}
	return code
}

func exitCodeOf(err error) int {
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrFound):
		return exitData
	case errors.Is(err, ErrUsageShown):
		return exitUsage
	}
	return question.OutcomeOf(err).Exit
}

// maxMessages limits how many failures of one command are printed.
const maxMessages = 25

// Fail reports an error, also in JSON if requested, and remembers the exit code.
func (a *App) Fail(command, path string, err error) {
	if a.Ctx.Err() != nil {
		err = a.Ctx.Err()
	}
	a.Remember(err)
	if errors.Is(err, ErrFound) || errors.Is(err, ErrUsageShown) {
		return
	}
	a.Say(err)
	var done *reported
	if (a.JSON || wantsJSON(a.Env.Args)) && !errors.As(err, &done) {
		a.Print(question.NewObject(command, path, "").Add("error", a.ErrorObject(allOf(err)[0])))
	}
}

// Remember raises the exit code to that of an error.
func (a *App) Remember(err error) { a.Code = max(a.Code, ExitCode(err)) }

// wantsJSON looks for --json if the flags could not be parsed.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		if arg == "--json" {
			return true
		}
	}
	return false
}

// Reported marks an error whose JSON object was already printed.
func Reported(err error) error { return &reported{err} }

type reported struct{ error }

func (r *reported) Unwrap() error { return r.error }

// Say prints an error and its hints for people.
func (a *App) Say(err error) {
	a.Meter.Hide()
	a.Out.Flush() // so that earlier findings appear first
	all := allOf(err)
	for i, e := range all {
		if i == maxMessages {
			fmt.Fprintf(a.Err, "pakbox: and %d more\n", len(all)-i)
			break
		}
		fmt.Fprintf(a.Err, "pakbox: %s\n", Printable(a.Unspool(question.Describe(e))))
	}
	for _, e := range all {
		hints := question.Hints(e)
		switch meant := a.outputMeant(e); {
		case meant != "" && (len(hints) == 0 || errors.Is(e, fault.NotFormat)):
			hints = []string{meant}
		case len(hints) == 0:
			hints = nearFile(e)
		}
		for _, h := range hints {
			a.giveHint(h)
		}
	}
}

// outputEndings are extensions of files that commands write and that are no archives.
var outputEndings = []string{".png", ".apng", ".jpg", ".jpeg", ".gif", ".svg", ".mp4", ".webm", ".webp", ".csv", ".parquet", ".npy", ".glb", ".txt", ".json", ".html"}

// outputMeant returns advice about an error that is about the last argument, if it has the
// extension of an output: people write the output behind the input, as for cp.
func (a *App) outputMeant(err error) string {
	var e *fault.Error
	if a.Running == nil || a.Running.Flags().NArg() < 2 || !errors.As(fault.System(err), &e) {
		return ""
	}
	last := a.Running.Flags().Arg(a.Running.Flags().NArg() - 1)
	if e.Path != last || !slices.Contains(outputEndings, strings.ToLower(filepath.Ext(last))) {
		return ""
	}
	switch {
	case !errors.Is(e, fs.ErrNotExist) && !errors.Is(e, fault.NotFormat):
		return ""
	case a.Running.Flags().Lookup("set") != nil:
		return fmt.Sprintf("to write to it: -o %s; to store it in the file: --set %s", quote.Word(last), quote.Word(last))
	case a.Running.Flags().Lookup("output") != nil:
		return fmt.Sprintf("to write to it: -o %s", quote.Word(last))
	}
	return ""
}

// nearFile returns advice about a file that is not there, if one in the same folder has
// nearly its name. Only the command gives it: who asks over the network learns no names.
func nearFile(err error) []string {
	var e *fault.Error
	if !errors.As(fault.System(err), &e) || !errors.Is(e, fs.ErrNotExist) {
		return nil
	}
	if rest, ok := strings.CutPrefix(filepath.ToSlash(e.Path), "s3:/"); ok {
		if rest, ok = strings.CutPrefix(rest, "/"); ok {
			return []string{"only 'pakbox index' reads objects of a store; other commands take files on this computer"}
		}
		return []string{"did you mean s3://" + rest + "?"}
	}
	dir, base := filepath.Split(e.Path)
	entries, _ := os.ReadDir(cmp.Or(dir, ".")) // without a list there is nothing to say
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); name != base && len(name) <= len(base)+2 && !walk.Hidden(name) { // its own name is that of a link to nothing
			names = append(names, name)
		}
	}
	stem, _, _ := strings.Cut(base, ".") // every a.zip is nearly a b.zip
	if near := spell.Near(base, names, 1); len(stem) > 3 && len(near) > 0 || len(near) > 0 && strings.EqualFold(near[0], base) {
		return []string{"did you mean " + quote.Word(dir+near[0]) + "?"}
	}
	return nil
}

// Note prints a message that is not an error.
func (a *App) Note(format string, args ...any) {
	if !a.Quiet && !a.JSON {
		a.Meter.Hide()
		a.Out.Flush()
		fmt.Fprintf(a.Err, "pakbox: %s\n", Printable(fmt.Sprintf(format, args...)))
	}
}

// damaged reports in one line that a part of a file could not be read.
func (a *App) damaged(name string, err error) {
	if a.Quiet || a.broken[name] {
		return
	}
	if a.broken == nil {
		a.broken = map[string]bool{}
	}
	a.broken[name] = true
	a.Meter.Hide()
	a.Out.Flush()
	fmt.Fprintf(a.Err, "pakbox: %s\n", Printable(fmt.Sprintf("%s: damaged, and read only in part: %v", name, err)))
}
