// Package simutrans has the commands for Simutrans, for authors of its paksets: one file
// per command.
package simutrans

import "pakbox/internal/cli/shell"

// app is the state of this run of the program, which all commands share.
type app struct{ *shell.App }

// Commands lists the commands of this package.
func Commands(run *shell.App) []shell.Maker {
	a := &app{run}
	return []shell.Maker{{Name: "simutrans", Make: a.simutransCommand}, {Name: "makeobj", Make: a.makeobjCommand}}
}
