// Package simutrans has the commands for Simutrans, for authors of its paksets: one file
// per command.
package simutrans

import "pakbox/cmd/internal/cli/kit"

// Commands lists the commands of this package.
var Commands = []kit.Command{{Name: "simutrans", Make: simutransCommand}, {Name: "makeobj", Make: makeobjCommand}}
