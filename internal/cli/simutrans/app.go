// Package simutrans has the commands that belong to Simutrans, for authors of
// its paksets: one file per command.
package simutrans

import "pakbox/internal/cli/shell"

// app is the run that the commands of this room belong to.
type app struct{ *shell.App }

// Commands lists the commands of this room.
func Commands(run *shell.App) []shell.Maker {
	a := &app{run}
	return []shell.Maker{{Name: "simutrans", Make: a.simutransCommand}, {Name: "makeobj", Make: a.makeobjCommand}}
}
