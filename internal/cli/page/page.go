// Package page has the command that shows files on a page in the browser. It is the only
// part of the command line that opens a network socket.
package page

import "pakbox/internal/cli/shell"

// app is the state of this run of the program, which all commands share.
type app struct{ *shell.App }

// Commands lists the commands of this package.
func Commands(run *shell.App) []shell.Maker {
	a := &app{run}
	return []shell.Maker{{Name: "serve", Make: a.serveCommand}}
}
