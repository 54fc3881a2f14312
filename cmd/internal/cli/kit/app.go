// Package shell has what all commands of pakbox share: the state of a run, printing, exit
// codes, and the flags with the same meaning everywhere. It knows no command.
//
// Its rules: data goes to standard output, everything else to standard error. A message is
// one line, "pakbox: " and a sentence without capital letter or full stop; advice follows
// as "pakbox: hint: " lines. Nothing is overwritten without --force. Exit codes are listed
// in exit.go.
package kit

import (
	"context"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
)

// Env is the environment of a run: arguments, streams and variables.
type Env struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Formats archive.Registry
	// OwnConsole means that the console window closes when the program ends.
	OwnConsole bool
	// Browser opens an address in the user's browser; nil uses the system's way.
	Browser func(address string) error
	// Writing, if not nil, is called before a command that may leave something unfinished
	// if it is killed.
	Writing func()
	// Finishing, if not nil, is called by a command that saves changes after an
	// interrupt, however long that takes.
	Finishing func()
}

// New begins a run.
func New(ctx context.Context, env Env) *App {
	a := &App{
		Session: &Session{Env: env, Ctx: ctx}, Opener: source.NewOpener(env.Formats),
		Out: newOutput(env.Stdout), Err: env.Stderr,
	}
	a.Opener.Damaged = a.damaged
	a.Opener.Stdin, a.Opener.Keys, a.Opener.Passphrase = env.Stdin, a.LoadKeys, a.findPassphrase
	return a
}

// Session is one run of the program, whatever files it is about.
type Session struct {
	Env Env
	Ctx context.Context

	// Rerun runs a command of pakbox with an environment of its own.
	Rerun func(context.Context, Env) int

	// TopLevel makes the commands of the root, for advice about a wrong one.
	TopLevel func() []*cobra.Command

	// Running is the command of the run. OneFamily means that it takes one kind of file, such
	// as maps, and not any file.
	Running   *cobra.Command
	OneFamily bool

	// Flags that every command has.
	JSON           bool
	Quiet          bool
	KeysFile       string
	PassphraseFile string
	colour         colour // when to use colours

	secret   sync.Mutex        // held while keys or passphrases are requested
	secrets  map[string]string // typed passphrases, by the path they are for
	keysRead archive.Keys      // content of the keys file, once read
	keysFrom string            // where the name of the keys file came from, if not from a flag

	config   config
	settings []Setting
}

// App is a run of a command: about all its files, or, if several are worked on at a time,
// about one of them. The session is shared; the output goes to a lane if there are several
// files.
type App struct {
	*Session
	*source.Opener
	Out *Stdout
	Err io.Writer // standard error

	Code   int             // exit code so far
	Meter  *meter          // the progress line on the screen
	hinted map[string]bool // hints already printed
	broken map[string]bool // files whose damage was already reported
	// separated means that output about a file was already printed.
	separated bool
	// headed means that the first line of rows was already printed.
	headed  bool
	lane    *lane // where the output goes if the run is about one of several files
	Subject Input // the file that the run is about, if it is one
	// outcome is the result for that file.
	outcome Tally
}

// Command is an entry in a list of commands: a name, and the function that makes the
// command of this name for a run.
type Command struct {
	Name string
	Make func(*App) *cobra.Command
}

// The groups of commands in help.
const (
	GroupLook    = "look"
	GroupChange  = "change"
	GroupIndex   = "index"   // an index of many files
	GroupGame    = "game"    // what only some games have
	GroupProgram = "program" // answers for other programs
)
