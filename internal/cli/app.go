package cli

import (
	"context"
	"io"
	"pakbox/archive"
	"sync"

	"github.com/spf13/cobra"
)

// Env is the world that a run of the program sees.
type Env struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Formats archive.Registry
	// OwnConsole: nobody sees what is printed once the program has ended. See
	// start.go.
	OwnConsole bool
	// Writing, if it is not nil, is called before a command that may leave
	// something unfinished when it is cut off.
	Writing func()
}

// newApp begins a run.
func newApp(ctx context.Context, env Env) *app {
	a := &app{env: env, ctx: ctx, out: newOutput(env.Stdout), opener: newOpener(env.Formats)}
	a.opener.stdin, a.opener.keys, a.opener.passphrase = env.Stdin, a.loadKeys, a.findPassphrase
	return a
}

// app is one run of the program.
type app struct {
	*opener
	env Env
	ctx context.Context
	out *output

	// Flags that every command has.
	json           bool
	quiet          bool
	keysFile       string
	passphraseFile string

	code   int             // the exit code so far
	meter  *meter          // what is drawn now
	hinted map[string]bool // advice that was given already

	secret   sync.Mutex        // held while keys or passphrases are looked for
	secrets  map[string]string // passphrases typed, by the path they are for
	keysRead archive.Keys      // the keys file, once read
}

// maker makes a command.
type maker struct {
	name string
	make func() *cobra.Command
}

// The groups that help shows the commands in: a command that only looks can
// never be the one that did the damage.
const (
	groupLook   = "look"
	groupChange = "change"
	groupGame   = "game" // what only some games have
)
