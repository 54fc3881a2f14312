// Package shell is what all commands of pakbox share: the run of the program,
// what it prints and how, its exit codes, and the flags that mean the same
// everywhere. It knows no command.
//
// Its manners: data goes to standard output, everything else to standard
// error. A message is one line, "pakbox: " and a sentence without capital
// letter or full stop; advice follows as "pakbox: hint: " lines. Nothing is
// overwritten without --force. Exit codes are listed in exit.go.
package shell

import (
	"context"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/source"
)

// Env is the world that a run of the program sees.
type Env struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Formats archive.Registry
	// OwnConsole: the window that shows what is printed closes when the program
	// ends.
	OwnConsole bool
	// Browser opens an address for the person at this computer; nil opens it as
	// the system does.
	Browser func(address string) error
	// Writing, if it is not nil, is called before a command that may leave
	// something unfinished when it is cut off.
	Writing func()
	// Finishing, if it is not nil, is called by a command that saves changes when
	// it is interrupted, however long that takes.
	Finishing func()
}

// New begins a run.
func New(ctx context.Context, env Env) *App {
	a := &App{Env: env, Ctx: ctx, Out: newOutput(env.Stdout), Opener: source.NewOpener(env.Formats)}
	a.Opener.Stdin, a.Opener.Keys, a.Opener.Passphrase = env.Stdin, a.LoadKeys, a.findPassphrase
	return a
}

// App is one run of the program.
type App struct {
	*source.Opener
	Env Env
	Ctx context.Context
	Out *Output

	// Flags that every command has.
	JSON           bool
	Quiet          bool
	KeysFile       string
	PassphraseFile string

	Code   int             // the exit code so far
	Meter  *meter          // what is drawn now
	hinted map[string]bool // advice that was given already
	colour colour          // whether to use colours
	// separated: something was said about a file already.
	separated bool
	lane      *lane // of a run on one of several files: where its output goes
	Subject   Input // the file that the run is about, where it is about one
	// outcome is what became of the one file of such a run.
	outcome Tally

	secret   sync.Mutex        // held while keys or passphrases are looked for
	secrets  map[string]string // passphrases typed, by the path they are for
	keysRead archive.Keys      // the keys file, once read
	keysFrom string            // who named the keys file, if no flag did

	config   config
	settings []Setting
}

// Maker makes a command.
type Maker struct {
	Name string
	Make func() *cobra.Command
}

// The groups of commands in help.
const (
	GroupLook    = "look"
	GroupChange  = "change"
	GroupIndex   = "index"   // an index of many files
	GroupGame    = "game"    // what only some games have
	GroupProgram = "program" // answers for other programs
)
