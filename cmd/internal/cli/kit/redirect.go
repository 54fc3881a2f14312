package kit

import (
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/source"
)

// Some shells change what a command prints when it goes to a file: PowerShell makes UTF-16 of
// it. -o FILE writes the bytes themselves.

// printsNothing are the commands without -o that print nothing to keep, or talk with another
// program.
var printsNothing = []string{"serve", "mount", "webdav", "mcp", "ask", "lsp", "config", "makeobj", "nadeoimporter"}

// PrintTo adds the flags -o FILE and --force to a command that prints, unless the command has
// an output of its own.
func (a *App) PrintTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	if cmd.RunE == nil || cmd.DisableFlagParsing || cmd.GroupID == GroupChange || slices.Contains(printsNothing, cmd.Name()) {
		return
	}
	if flags.Lookup("output") != nil || flags.ShorthandLookup("o") != nil || flags.Lookup("directory") != nil || flags.Lookup("dry-run") != nil {
		return
	}
	var out string
	flags.StringVarP(&out, "output", "o", "", "write what is printed to `FILE`")
	force := flags.Lookup("force") == nil
	if force {
		flags.Bool("force", false, "replace FILE if it exists")
	}
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		replace, _ := flags.GetBool("force")
		return a.Redirect(out, replace, func() error { return run(cmd, args) })
	}
}

// Redirect writes what a command prints to a file, completely or not at all. An empty name
// and "-" are standard output.
func (a *App) Redirect(file string, replace bool, run func() error) error {
	if file == "" || file == "-" {
		return run()
	}
	var found error
	err := source.StageFile(file, replace, func(f *os.File) error {
		old := a.Out
		a.Out = newOutput(f)
		defer func() { a.Out = old }()
		found = run()
		if found != nil && !errors.Is(found, ErrFound) {
			return found
		}
		return a.Out.Flush()
	})
	if err != nil {
		return err
	}
	return found
}
