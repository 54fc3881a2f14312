package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// The exit codes. They never change.
const (
	exitOK    = 0
	exitData  = 1
	exitUsage = 2
	exitIO    = 3
)

// exitCodes is what 'pakbox help exit-codes' shows.
var exitCodes = []struct {
	Code    int    `json:"code"`
	Meaning string `json:"meaning"`
	Detail  string `json:"detail"`
}{
	{exitOK, "fine", "The work is done; compared archives are the same; verified files are sound."},
	{exitData, "found a difference or a problem in the data", "diff found a difference; verify found an error; a file is damaged, is of no known\nformat, holds an unsafe name, or would break a limit."},
	{exitUsage, "wrong use", "The command line is wrong: an unknown command or flag, a missing argument, a value\nthat a setting does not take. Nothing was done."},
	{exitIO, "could not read or write", "A file is missing, exists already, or cannot be read or written; a key or passphrase\nis missing, or wrong where that can be told from damage; the file needs something\npakbox cannot do; the work was interrupted. This says nothing about the data."},
}

// errFound ends a command that did its work and found a difference or a
// problem, and has said so.
var errFound = errors.New("found a difference or a problem")

// errUsageShown ends a command whose usage was printed instead.
var errUsageShown = errors.New("usage")

// flagError explains what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	u := usagef("%v", err)
	if strings.Contains(err.Error(), "unknown flag: --pass") {
		return u.hint("a passphrase is never given on the command line: use --passphrase-file FILE, PAKBOX_PASSPHRASE, or the prompt")
	}
	if flag, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spell.Near(flag, names, 1); len(near) > 0 {
			return u.hint("did you mean --%s?", near[0])
		}
	}
	return u.hint("'%s --help' lists the flags", cmd.CommandPath())
}

// flagsTogether checks that flags which exclude each other were not given
// together, before cobra does and says so in words of its own.
func flagsTogether(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	given := err.Error()
	given = strings.TrimSuffix(given[strings.LastIndexByte(given, '[')+1:], "] were all set")
	return usagef("%s: --%s do not go together", fullName(cmd), strings.Join(strings.Fields(given), " and --"))
}

// allOf takes joined errors apart, also those that were reported already.
func allOf(err error) []error {
	if done, ok := err.(*reported); ok {
		return leaves(done.error)
	}
	return leaves(err)
}

// exitCode is the one place that decides what an error means to a script. Of
// several errors the gravest counts: what could not be read may hide more.
func exitCode(err error) int {
	code := exitOK
	for _, e := range allOf(err) {
		code = max(code, exitCodeOf(e))
	}
	return code
}

func exitCodeOf(err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFound):
		return exitData
	case errors.Is(err, errUsageShown), isUsage(err):
		return exitUsage
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return exitIO
	}
	switch fault.KindOf(err).Class() {
	case fault.NotFormat, fault.Corrupt, fault.Unsafe, fault.Limit:
		return exitData
	}
	return exitIO
}

// maxMessages bounds how many failures of one command are printed.
const maxMessages = 25

// fail reports an error, in JSON too if that is wanted, and remembers the
// exit code.
func (a *app) fail(command, path string, err error) {
	if a.ctx.Err() != nil {
		err = a.ctx.Err()
	}
	a.remember(err)
	if errors.Is(err, errFound) || errors.Is(err, errUsageShown) {
		return
	}
	a.say(err)
	var done *reported
	if (a.json || wantsJSON(a.env.Args)) && !errors.As(err, &done) {
		a.print(newObject(command, path, "").add("error", a.errorObject(allOf(err)[0])))
	}
}

// remember lets the exit code say that there was an error.
func (a *app) remember(err error) { a.code = max(a.code, exitCode(err)) }

// wantsJSON looks for --json where the flags could not be parsed.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		if arg == "--json" {
			return true
		}
	}
	return false
}

// reported is an error whose JSON object has been printed already.
type reported struct{ error }

func (r *reported) Unwrap() error { return r.error }

// say prints an error and its hints for people.
func (a *app) say(err error) {
	a.meter.hide()
	a.out.Flush() // so that what was found before stands before
	all := allOf(err)
	for i, e := range all {
		if i == maxMessages {
			fmt.Fprintf(a.env.Stderr, "pakbox: and %d more\n", len(all)-i)
			break
		}
		fmt.Fprintf(a.env.Stderr, "pakbox: %s\n", printable(a.unspool(describe(e))))
	}
	if a.hinted == nil {
		a.hinted = map[string]bool{}
	}
	for _, e := range all {
		for _, h := range hintsFor(e) {
			if !a.hinted[h] {
				fmt.Fprintf(a.env.Stderr, "pakbox: hint: %s\n", printable(h))
				a.hinted[h] = true
			}
		}
	}
}

// note prints a message that is no error.
func (a *app) note(format string, args ...any) {
	if !a.quiet && !a.json {
		fmt.Fprintf(a.env.Stderr, "pakbox: %s\n", printable(fmt.Sprintf(format, args...)))
	}
}
