package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pakbox/archive"
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

// usageError is a command line that cannot be obeyed.
type usageError struct {
	message string
	hints   []string
}

func usagef(format string, args ...any) *usageError {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

func (e *usageError) Error() string { return e.message }

func (e *usageError) hint(format string, args ...any) *usageError {
	e.hints = append(e.hints, fmt.Sprintf(format, args...))
	return e
}

// hinted is an error with advice.
type hinted struct {
	error
	hints []string
}

func withHint(err error, format string, args ...any) error {
	return &hinted{err, []string{fmt.Sprintf(format, args...)}}
}

func (h *hinted) Unwrap() error { return h.error }

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

// leaves takes joined errors apart.
func leaves(err error) []error {
	if done, ok := err.(*reported); ok {
		return leaves(done.error)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, leaves(e)...)
	}
	return all
}

// exitCode is the one place that decides what an error means to a script. Of
// several errors the gravest counts: what could not be read may hide more.
func exitCode(err error) int {
	code := exitOK
	for _, e := range leaves(err) {
		code = max(code, exitCodeOf(e))
	}
	return code
}

func exitCodeOf(err error) int {
	var usage *usageError
	var param *archive.ParamError
	var value *archive.ValueError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFound):
		return exitData
	case errors.Is(err, errUsageShown), errors.As(err, &usage), errors.As(err, &param), errors.As(err, &value):
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

// errorKind is the word that scripts see as error.kind: a fault's own, or one
// of a few for what is no fault of a file.
func errorKind(err error) string {
	if kind := fault.KindOf(err); kind != "" {
		return string(kind)
	}
	switch {
	case exitCodeOf(err) == exitUsage:
		return "usage"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "interrupted"
	case errors.Is(err, fs.ErrNotExist):
		return "not_found"
	case errors.Is(err, fs.ErrExist):
		return "exists"
	case errors.Is(err, fs.ErrPermission):
		return "permission"
	}
	return "io"
}

// describe gives the sentence for an error, without the system call that a
// user did not ask for.
func describe(err error) string {
	if fault.KindOf(err) != "" {
		return err.Error()
	}
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Path + ": " + reason(pathErr.Err)
	case errors.As(err, &linkErr):
		return linkErr.New + ": " + reason(linkErr.Err)
	}
	return err.Error()
}

func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrExist):
		return "exists already"
	}
	return err.Error()
}

// hintsFor gives advice on what a user can do about an error.
func hintsFor(err error) []string {
	var usage *usageError
	var with *hinted
	switch {
	case errors.As(err, &with):
		return with.hints
	case errors.As(err, &usage):
		return usage.hints
	case errors.Is(err, fault.PassphraseRequired):
		return []string{"give the passphrase with --passphrase-file FILE or PAKBOX_PASSPHRASE, or run pakbox on a terminal to be asked"}
	case errors.Is(err, fault.KeyRequired):
		return []string{"give the key with --keys FILE or PAKBOX_KEYS; see 'pakbox help keys'"}
	case errors.Is(err, fault.WrongKey), errors.Is(err, fault.HMACMismatch):
		return []string{"try the key or passphrase again first: a wrong letter in it looks the same as damage"}
	case errors.Is(err, fault.NotFormat):
		return []string{"'pakbox help formats' lists what pakbox can open"}
	case errors.Is(err, fault.UnsupportedVersion):
		return []string{"'pakbox help formats' lists what this pakbox can open; a newer one may know more"}
	case fault.KindOf(err) == "":
		return systemHints(err)
	}
	return nil
}

// systemHints gives advice on what the system refused.
func systemHints(err error) []string {
	name := ""
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		name = pathErr.Path
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return []string{"--force replaces what exists"}
	case errors.Is(err, fs.ErrPermission):
		return []string{"choose a place that is yours, or ask its owner for permission"}
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(name, `\`) && exists(strings.ReplaceAll(name, `\`, "/")):
		return []string{fmt.Sprintf("folders are separated by slashes here: %s", strings.ReplaceAll(name, `\`, "/"))}
	case errors.Is(err, fs.ErrNotExist) && throughFile(slashed(name)):
		file := outermost(name)
		return []string{fmt.Sprintf("to see what %s holds: pakbox ls %s", file, file)}
	}
	return nil
}

// exists reports whether a path leads to something in the file system, or
// through a file of it.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil || throughFile(name)
}

// maxMessages bounds how many failures of one command are printed.
const maxMessages = 25

// fail reports an error, in JSON too if that is wanted, and remembers the
// exit code.
func (a *app) fail(command, path string, err error) {
	if a.ctx.Err() != nil {
		err = a.ctx.Err()
	}
	a.code = max(a.code, exitCode(err))
	if errors.Is(err, errFound) || errors.Is(err, errUsageShown) {
		return
	}
	a.say(err)
	var done *reported
	if (a.json || wantsJSON(a.env.Args)) && !errors.As(err, &done) {
		a.print(newObject(command, path, "").add("error", a.errorObject(leaves(err)[0])))
	}
}

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
	all := leaves(err)
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
