// Package page has the command that shows files on a page of the browser. It is
// the one room of the command line that opens a network socket.
package page

import "pakbox/internal/cli/shell"

// app is the run that the commands of this room belong to.
type app struct{ *shell.App }

// Commands lists the commands of this room.
func Commands(run *shell.App) []shell.Maker {
	a := &app{run}
	return []shell.Maker{{Name: "serve", Make: a.serveCommand}}
}
